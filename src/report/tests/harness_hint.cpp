#include "report/tests/harness_hint.h"

#include "finding/shell.h"
#include "frontend/compile.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace faultline::report {
namespace {

void add_once(std::vector<std::string>& words, std::initializer_list<std::string> more) {
  if (std::ranges::find(words, *(more.end() - 1)) == words.end())
    words.insert(words.end(), more);
}

std::string file_name(const std::string& file) { return std::filesystem::path(file).filename().string(); }

// A harness in C and C++ includes the source, so that linking that as well defines everything twice; one in Fortran
// uses its modules. Sources without a harness are linked with anyway.
std::string sources_hint(const std::vector<const frontend::Target*>& targets) {
  std::set<std::string> included, linked;
  for (const frontend::Target* target : targets)
    if (!target->harness.empty() && frontend::language_of(target->file) != frontend::Language::fortran)
      included.insert(file_name(target->file));
  for (const frontend::Target* target : targets)
    if (!included.contains(file_name(target->file)))
      linked.insert(file_name(target->file));
  std::string text;
  if (!included.empty())
    text += fmt::format(", instead of {}, which it includes", fmt::join(included, ", "));
  if (!linked.empty())
    text += fmt::format(", and {}", fmt::join(linked, ", "));
  return text;
}

} // namespace

std::string harness_hint(const std::vector<const frontend::Target*>& targets) {
  std::vector<std::string> words{"faultline", "harness"}, functions, sizes;
  std::string ending = ".c";
  for (const frontend::Target* target : targets) {
    if (target->harness.empty())
      continue;
    add_once(words, {target->file});
    add_once(functions, {"-f", target->function});
    const frontend::Language language = frontend::language_of(target->file);
    if (language != frontend::Language::c)
      ending = language == frontend::Language::fortran ? ".f90" : ".cpp";
    for (const frontend::Parameter& parameter : target->parameters)
      if (parameter.is_array && parameter.name != "return")
        add_once(sizes, {"--size", fmt::format("{}={}", parameter.name, fmt::join(parameter.extents, "x"))});
  }
  if (functions.empty())
    return {};
  words.insert(words.end(), functions.begin(), functions.end());
  words.insert(words.end(), sizes.begin(), sizes.end());
  return fmt::format("harness{}, which {} prints{}", ending, finding::shell_line(words), sources_hint(targets));
}

std::string module_symbols_hint(const std::vector<const frontend::Target*>& targets) {
  const auto found = std::ranges::find_if(targets, [](const frontend::Target* target) {
    return target->harness.empty() && target->symbol.starts_with("_QM");
  });
  return found == targets.end()
             ? ""
             : fmt::format("Symbols of module procedures are flang's ({}): compile the Fortran code with flang; "
                           "gfortran's are others, and do not link.",
                           (*found)->symbol);
}

} // namespace faultline::report
