#include "campaign/replay_command.h"

#include "campaign/configuration.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::campaign {
namespace {

// The first JSON file that the command writes: -o FILE.json or -oFILE.json. What explain writes is not replayed: its
// command has no search.
std::string json_file(const std::vector<std::string>& command) {
  if (!command.empty() && command.front() == "explain")
    return {};
  for (size_t i = 0; i < command.size() && command[i] != "--"; ++i) {
    std::string file;
    if (command[i] == "-o" && i + 1 < command.size())
      file = command[++i];
    else if (command[i].starts_with("-o"))
      file = command[i].substr(2);
    if (file.ends_with(".json"))
      return file;
  }
  return {};
}

// --at's for the input. A run of cells A[0], A[1], ... is one A=1,2,...; a cell that stands alone keeps its index.
std::vector<std::string> at_words(const std::vector<NamedNumber>& input) {
  std::vector<std::string> words;
  for (size_t i = 0; i < input.size();) {
    const std::string& first = input[i].name;
    const std::string array = first.ends_with("[0]") ? first.substr(0, first.size() - 3) : "";
    std::vector<std::string> values;
    while (!array.empty() && i + values.size() < input.size() &&
           input[i + values.size()].name == fmt::format("{}[{}]", array, values.size()))
      values.push_back(input[i + values.size()].value.decimal);
    if (values.size() > 1) {
      words.push_back(fmt::format("{}={}", array, fmt::join(values, ",")));
      i += values.size();
    } else {
      words.push_back(fmt::format("{}={}", first, input[i].value.decimal));
      ++i;
    }
  }
  return words;
}

bool has_input(const Finding& finding, const std::string& name) {
  return std::ranges::any_of(
      finding.input, [&](const NamedNumber& cell) { return cell.name == name || cell.name.starts_with(name + "["); });
}

// What decides whether there is a finding.
void add_what_counts(std::vector<std::string>& words, const Options& options) {
  const Options usual;
  const auto add = [&](const char* option, const std::string& value) {
    words.emplace_back(option);
    words.push_back(value);
  };
  for (const std::string& name : options.outputs)
    add("--output", name);
  for (const std::string& name : options.bounds)
    add("--bound", name);
  if (options.bound_factor != usual.bound_factor)
    add("--bound-factor", numeric::shortest_decimal(options.bound_factor));
  if (options.status)
    add("--status", fmt::format("{}={}", options.status->output, numeric::shortest_decimal(options.status->success)));
  if (options.threshold != usual.threshold)
    add("--threshold", numeric::shortest_decimal(options.threshold));
  if (options.ulps)
    add("--ulps", numeric::shortest_decimal(*options.ulps));
  if (options.oracle == OracleName::reference)
    add("--reference", fmt::format("{}:{}", options.reference_file, options.reference_function));
  else if (options.oracle != OracleName::lifted)
    add("--oracle", options.oracle == OracleName::replay ? "replay" : "none");
  if (options.floor > 0)
    add("--floor", numeric::shortest_decimal((long double)options.floor));
  if (options.nonzero)
    words.emplace_back("--nonzero");
}

std::vector<std::string> explain_words(const Options& options, const TargetReport& target, const Finding& finding) {
  std::vector<std::string> words{"faultline", "explain"};
  const auto add = [&](const char* option, const std::string& value) {
    words.emplace_back(option);
    words.push_back(value);
  };
  std::ranges::copy(options.sources.files, std::back_inserter(words));
  if (!options.sources.compilation_database.empty())
    add("-p", options.sources.compilation_database);
  if (options.configuration)
    add("--config", options.configuration->file());
  else if (std::ranges::find(options.command, "--no-config") != options.command.end())
    words.emplace_back("--no-config");
  add("-f", target.function);
  for (const auto& [name, extents] : options.sizes)
    add("--size", fmt::format("{}={}", name, fmt::join(extents, "x")));
  for (const auto& [name, of] : options.aliases)
    add("--alias", fmt::format("{}={}", name, of));
  for (const auto& [name, value] : options.held)
    if (!has_input(finding, name)) // otherwise --at says it
      add("--hold", fmt::format("{}={}", name, numeric::shortest_decimal(value)));
  add_what_counts(words, options);
  for (const std::string& word : at_words(finding.input))
    add("--at", word);
  // The configuration's flags come first, and come by themselves.
  const size_t given = options.configuration ? options.configuration->flags().size() : 0;
  if (options.sources.flags.size() > given) {
    words.emplace_back("--");
    std::copy(options.sources.flags.begin() + long(given), options.sources.flags.end(), std::back_inserter(words));
  }
  return words;
}

} // namespace

std::string shell_quoted(const std::string& word) {
  const auto harmless = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-+=./:,%@").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, harmless))
    return word;
  std::string quoted = "'";
  for (const char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string replay_command(const Options& options, const TargetReport& target, const Finding& finding) {
  std::vector<std::string> words;
  if (const std::string file = json_file(options.command); !file.empty())
    words = {"faultline", "replay", file, "--only", finding.id};
  else
    words = explain_words(options, target, finding);
  std::string line;
  for (const std::string& word : words)
    line += (line.empty() ? "" : " ") + shell_quoted(word);
  return line;
}

} // namespace faultline::campaign
