#include "cli/command_line.h"

#include "finding/settings/table.h"
#include "frontend/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::cli {

CommandLine line_of(std::vector<std::string> typed) {
  CommandLine line;
  const auto mark = std::ranges::find(typed, "--");
  if (mark != typed.begin())
    line.words.assign(typed.begin() + 1, mark);
  if (mark != typed.end())
    line.flags.assign(mark + 1, typed.end());
  line.typed = std::move(typed);
  return line;
}

std::vector<std::string> recorded(const std::vector<std::string>& typed) {
  std::vector<std::string> kept;
  const auto end = std::ranges::find(typed, "--");
  for (auto word = typed.begin(); word != end; ++word) {
    const auto setting = std::ranges::find_if(finding::all_settings(), [&](const finding::Setting& one) {
      return one.recorded == finding::Recorded::never && is_option(one, *word);
    });
    if (setting == finding::all_settings().end())
      kept.push_back(*word);
    else if (word->find('=') == std::string::npos && (word->starts_with("--") || word->size() == 2))
      word += word + 1 != end; // its value
  }
  kept.insert(kept.end(), end, typed.end());
  return kept;
}

void refuse_flags(const CommandLine& line) {
  if (!line.flags.empty())
    throw frontend::UserError(frontend::status_usage, fmt::format("{} takes no compiler flags", line.typed.front()),
                              "leave out -- and what follows it");
}

namespace {

std::string& program() {
  static std::string name = "faultline";
  return name;
}

} // namespace

const std::string& program_name() { return program(); }
void set_program_name(const std::string& name) { program() = name; }

} // namespace faultline::cli
