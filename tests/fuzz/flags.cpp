#include "program/compiling/flag_filter.h"
#include "program/compiling/option_table.h"
#include "targets.h"

#include <algorithm>

namespace faultline::fuzz {
namespace {

using program::CompilerOption;
using program::Compilers;
using Shape = CompilerOption::Shape;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t from = 0; from <= text.size();) {
    const size_t end = std::min(text.find('\n', from), text.size());
    lines.emplace_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

// Options that make a compiler load, run or write something.
bool is_dangerous(const CompilerOption& option) {
  constexpr std::string_view beginnings[] = {
      "-fplugin", "-fpass-plugin", "-mllvm",       "-mmlir", "-Xflang", "-cc1",        "-B",         "-o",
      "-MF",      "--config",      "-ftime-trace", "-Wp,",   "-ccc-",   "-module-dir", "-save-temps"};
  return option.shape == Shape::input || option.shape == Shape::incomplete || option.shape == Shape::other ||
         std::ranges::any_of(beginnings, [&](std::string_view begin) { return option.name.starts_with(begin); });
}

// Throws if one of the compilers parses the flags as something dangerous.
void check(const std::vector<std::string>& flags, Compilers compiler) {
  for (size_t at = 0; at < flags.size();) {
    const CompilerOption option = program::read_option(flags, at, compiler);
    at += option.words.size();
    if (option.shape == Shape::unknown)
      return; // the compiler refuses all of it
    if (is_dangerous(option))
      throw Broken("a dangerous flag is taken: " + option.name);
  }
}

} // namespace

int fuzz_flags(const uint8_t* data, size_t size) {
  const program::FlagFile file{"data", program::ProjectFolders()};
  const std::vector<std::string> flags =
      program::flags_from_file(lines_of(text_of(data, size)), file, program::Trust::no);
  if (std::ranges::any_of(flags, [](const std::string& flag) { return flag.starts_with("@"); }))
    throw Broken("a response file is taken");
  check(flags, Compilers::clang);
  check(flags, Compilers::flang);
  if (program::flags_from_file(flags, file, program::Trust::no) != flags)
    throw Broken("what was taken once is something else the second time");
  return 0;
}

} // namespace faultline::fuzz
