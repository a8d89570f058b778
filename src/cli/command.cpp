#include "cli/command.h"

#include "frontend/error.h"
#include "frontend/nearest.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty())
      continue; // hidden: known, but not in this version
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
    for (const std::string& name : option->get_snames())
      names.push_back("-" + name);
  }
  return names;
}

[[noreturn]] void refuse_word(const CLI::App& app, const std::string& word) {
  const std::string help = fmt::format("{} --help", app.get_name());
  if (!word.starts_with("-"))
    throw UserError(status_usage, fmt::format("unexpected word '{}'", word), help);
  const std::string option = word.substr(0, word.find('='));
  const std::vector<std::string> names = frontend::nearest(option, option_names(app));
  const std::string hint = names.empty() ? help : fmt::format("{}; {} shows all", fmt::join(names, ", "), help);
  throw UserError(status_usage, fmt::format("unknown option '{}'", option), hint);
}

std::string without_double_gaps(std::string text) {
  for (size_t gap; (gap = text.find("\n\n\n")) != std::string::npos;)
    text.erase(gap, 1);
  return text;
}

} // namespace

Line line_of(std::vector<std::string> typed) {
  Line line;
  const auto mark = std::ranges::find(typed, "--");
  if (mark != typed.begin())
    line.words.assign(typed.begin() + 1, mark);
  if (mark != typed.end())
    line.flags.assign(mark + 1, typed.end());
  line.typed = std::move(typed);
  return line;
}

void parse(CLI::App& app, const Line& line) {
  app.allow_extras();
  try {
    app.parse(std::vector<std::string>(line.words.rbegin(), line.words.rend())); // the library's order is last first
  } catch (const CLI::CallForHelp&) {
    throw Help{without_double_gaps(app.help())};
  } catch (const CLI::ArgumentMismatch& problem) { // "--seed: At Most 1 required but received 2"
    const std::string what = problem.what();
    const bool missing = what.find("missing") != std::string::npos;
    throw UserError(
        status_usage,
        fmt::format("{}: {}", what.substr(0, what.find(':')), missing ? "the value is missing" : "given twice"),
        fmt::format("{} --help", app.get_name()));
  } catch (const CLI::ParseError& problem) {
    throw UserError(status_usage, problem.what(), fmt::format("{} --help", app.get_name()));
  }
  if (const std::vector<std::string> extra = app.remaining(); !extra.empty())
    refuse_word(app, extra.front());
}

void refuse_flags(const Line& line) {
  if (!line.flags.empty())
    throw UserError(status_usage, fmt::format("{} takes no compiler flags", line.typed.front()),
                    "leave out -- and what follows it");
}

} // namespace faultline::cli
