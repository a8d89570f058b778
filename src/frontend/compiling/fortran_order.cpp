#include "frontend/compiling/fortran_order.h"

#include "frontend/compile.h"
#include "frontend/compiling/fortran_modules.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace faultline::frontend {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::error_code error;
  constexpr uintmax_t largest = 64u << 20; // of a source: the compiler would not come to its end, either
  if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > largest)
    return {};
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// By file: the files that must come before it.
std::map<std::string, std::set<std::string>> needs_of(const std::vector<std::string>& files) {
  std::map<std::string, FortranModules> modules;
  std::map<std::string, std::string> definers; // the first file of each module
  for (const std::string& file : files) {
    const fs::path folder = fs::path(file).parent_path();
    modules[file] = modules_in(text_of(file), fortran_form(file),
                               [&](const std::string& included) { return text_of(folder / included); });
    for (const std::string& module : modules[file].defined)
      definers.try_emplace(module, file);
  }
  std::map<std::string, std::set<std::string>> needs;
  for (const std::string& file : files)
    for (const std::string& module : modules[file].used)
      if (const auto definer = definers.find(module);
          definer != definers.end() && definer->second != file && !modules[file].defined.contains(module))
        needs[file].insert(definer->second);
  return needs;
}

} // namespace

FortranOrder in_order_of_modules(const std::vector<std::string>& files) {
  std::vector<std::string> waiting;
  std::ranges::copy_if(files, std::back_inserter(waiting),
                       [](const std::string& file) { return language_of(file) == Language::fortran; });
  std::map<std::string, std::set<std::string>> needs = needs_of(waiting);
  FortranOrder order{files, {}};
  std::vector<std::string> sorted;
  while (!waiting.empty()) {
    auto next = std::ranges::find_if(waiting, [&](const std::string& file) { return needs[file].empty(); });
    if (next == waiting.end()) { // the first that is left: the compiler will say what it lacks
      next = waiting.begin();
      order.remarks.push_back(fmt::format("{} uses modules of {}, which in the end use its own: Fortran has no order "
                                          "for them",
                                          *next, fmt::join(needs[*next], ", ")));
    }
    sorted.push_back(*next);
    waiting.erase(next);
    for (auto& [file, before] : needs)
      before.erase(sorted.back());
  }
  auto place = sorted.begin();
  for (std::string& file : order.files)
    if (language_of(file) == Language::fortran)
      file = *place++;
  return order;
}

} // namespace faultline::frontend
