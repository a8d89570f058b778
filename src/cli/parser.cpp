#include "cli/parser.h"

#include "base/error.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace faultline::cli {

using namespace model;
using base::status_usage;
using base::UserError;

namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
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
  const std::vector<std::string> names = base::nearest(option, option_names(app));
  const std::string hint = names.empty() ? help : fmt::format("{}; {} shows all", fmt::join(names, ", "), help);
  throw UserError(status_usage, fmt::format("unknown option '{}'", option), hint);
}

std::string without_double_gaps(std::string text) {
  for (size_t gap; (gap = text.find("\n\n\n")) != std::string::npos;)
    text.erase(gap, 1);
  return text;
}

std::string help_of(const Setting& setting) {
  const std::string usual = *setting.usual ? setting.usual : setting.otherwise;
  return fmt::format("{}{}{}", setting.help, setting.repeatable() ? "; repeatable" : "",
                     usual.empty() ? "" : fmt::format(" (default: {})", usual));
}

// The values typed for each row, in the order of the rows.
using Typed = std::map<const Setting*, std::vector<std::string>>;

void add_option(CLI::App& app, const Setting& setting, std::vector<std::string>& values) {
  if (setting.form == Form::flag) {
    app.add_flag(setting.option, values, help_of(setting))->group(setting.group);
    return;
  }
  CLI::Option* option = app.add_option(setting.option, values, help_of(setting));
  option->option_text(setting.value)->group(setting.group)->allow_extra_args(false);
  if (!setting.repeatable())
    option->expected(1);
}

void sort_words(CLI::App& app, const CommandLine& line) {
  const std::string help = fmt::format("{} --help", app.get_name());
  app.allow_extras();
  try {
    app.parse(std::vector<std::string>(line.words.rbegin(), line.words.rend())); // the library expects this order
  } catch (const CLI::CallForHelp&) {
    throw Help{without_double_gaps(app.help())};
  } catch (const CLI::ArgumentMismatch& problem) { // "--seed: At Most 1 required but received 2"
    const std::string what = problem.what();
    const bool missing = what.find("missing") != std::string::npos;
    throw UserError(
        status_usage,
        fmt::format("{}: {}", what.substr(0, what.find(':')), missing ? "the value is missing" : "given twice"), help);
  } catch (const CLI::ParseError& problem) {
    throw UserError(status_usage, problem.what(), help);
  }
  if (const std::vector<std::string> extra = app.remaining(); !extra.empty())
    refuse_word(app, extra.front());
}

std::string truth(const Setting& setting, const std::string& typed) {
  const char* const yes[] = {"true", "1", "yes", "on"};
  const char* const no[] = {"false", "0", "no", "off", "-1"}; // -1: the library's word for =false
  const auto is = [&](const char* word) { return typed == word; };
  if (std::ranges::any_of(yes, is))
    return "true";
  if (std::ranges::any_of(no, is))
    return "false";
  throw UserError(status_usage, fmt::format("{}={}: is neither true nor false", setting.option, typed),
                  fmt::format("{} alone, or leave it out", setting.option));
}

} // namespace

std::vector<Setting> options_of(uint32_t command) {
  std::vector<Setting> rows;
  std::ranges::copy_if(model::all_settings(), std::back_inserter(rows),
                       [&](const Setting& setting) { return (setting.commands & command) != 0; });
  return rows;
}

RawSettings parse(const CommandForm& form, const CommandLine& line) {
  CLI::App app(form.description, "faultline " + form.name);
  app.footer(form.examples);
  std::vector<std::string> words;
  std::string word; // with a single variable, the library refuses a second word
  if (form.many_operands)
    app.add_option(form.operand, words, form.operand_help)->option_text("...");
  else if (!form.operand.empty())
    app.add_option(form.operand, word, form.operand_help)->option_text(" ");
  Typed typed;
  for (const Setting& setting : form.options)
    add_option(app, setting, typed[&setting]);
  sort_words(app, line);
  RawSettings raw;
  if (!word.empty())
    words.push_back(word);
  raw.set(operands, words);
  for (const Setting& setting : form.options)
    for (const std::string& value : typed[&setting])
      raw.add(setting.key, setting.form == Form::flag ? truth(setting, value) : value);
  return raw;
}

RawSettings parse_sources(const char* name, const char* description, const char* examples, const CommandLine& line) {
  return parse({.name = name,
                .description = description,
                .examples = examples,
                .operand = "SOURCE",
                .operand_help =
                    "C, C++, Fortran, .ll or .bc files, folders of sources, or what a build with faultline cc has made",
                .many_operands = true},
               line);
}

} // namespace faultline::cli
