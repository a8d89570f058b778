#include "report/tests/harness_hint.h"

#include "finding/shell.h"
#include "frontend/compile.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {
namespace {

void add_once(std::vector<std::string>& words, std::initializer_list<std::string> more) {
  if (std::ranges::find(words, *(more.end() - 1)) == words.end())
    words.insert(words.end(), more);
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
  return fmt::format("harness{}, which {} prints", ending, finding::shell_line(words));
}

} // namespace faultline::report
