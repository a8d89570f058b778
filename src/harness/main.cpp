// faultline-harness: reads the declarations of a C or C++ file, and prints harnesses for its functions as JSON.
//
// A program of its own, started by faultline within the limits of a compiler: what parses a stranger's file may crash,
// and libclang would be in the memory of every worker.
#include "harness/harness.h"
#include "harness/reader.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>

namespace faultline::harness {
namespace {

using Json = nlohmann::json;

Json to_json(const Named& named) {
  static constexpr const char* uses[] = {"read", "written", "both"};
  return {{"parameter", named.parameter},   {"before", named.before},
          {"between", named.between},       {"after", named.after},
          {"extents", named.extents},       {"leaves", named.leaves},
          {"use", uses[size_t(named.use)]}, {"of", named.of}};
}

Json to_json(const Harness& harness) {
  Json parameters = Json::array(), sizes = Json::array();
  for (const Named& named : harness.parameters)
    parameters.push_back(to_json(named));
  for (const FreeSize& size : harness.sizes)
    sizes.push_back({{"parameter", size.parameter}, {"constants", size.constants}});
  return {{"function", harness.function},
          {"symbol", harness.symbol},
          {"file", harness.file},
          {"line", harness.line},
          {"name", harness.name},
          {"text", harness.text},
          {"parameters", parameters},
          {"sizes", sizes},
          {"families", harness.families},
          {"obstacle", harness.obstacle},
          {"own_symbol", harness.own_symbol}};
}

// faultline-harness c|c++ FILE FUNCTION... -- FLAG...
Json answer(int argc, char** argv) {
  Request request{.file = argv[2], .flags = {}, .functions = {}};
  int i = 3;
  for (; i < argc && std::strcmp(argv[i], "--") != 0; ++i)
    request.functions.emplace_back(argv[i]);
  for (++i; i < argc; ++i)
    request.flags.emplace_back(argv[i]);
  const Declarations declarations = read_declarations(request);
  Json harnesses = Json::array(), extents = Json::array();
  const Language language = std::strcmp(argv[1], "c") == 0 ? Language::c : Language::cxx;
  for (const Harness& harness : harnesses_for(declarations.functions, language))
    harnesses.push_back(to_json(harness));
  for (const ConstantExtents& declared : declarations.extents)
    extents.push_back({{"symbol", declared.symbol}, {"parameter", declared.parameter}, {"extents", declared.extents}});
  return {{"harnesses", harnesses}, {"extents", extents}};
}

} // namespace
} // namespace faultline::harness

int main(int argc, char** argv) {
  try {
    if (argc < 3) {
      std::fputs("usage: faultline-harness c|c++ FILE [FUNCTION...] -- [FLAG...]\n", stderr);
      return 2;
    }
    const std::string text = faultline::harness::answer(argc, argv).dump();
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
}
