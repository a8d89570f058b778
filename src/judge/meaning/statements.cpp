#include "judge/meaning/statements.h"

#include "base/error.h"
#include "judge/space_of_target.h"
#include "oracle/meaning/catalogue.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::judge {
namespace {

using model::Settings;
using namespace model;
using namespace program;

struct Statement {
  std::string function; // empty: all
  std::string output;   // empty: the first
  std::string expression;
};

bool belongs_to_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("_:.[]*?~").find(c) != std::string_view::npos;
}

std::string trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == std::string_view::npos ? std::string() : std::string(text.substr(begin, end - begin + 1));
}

// A name before a single = is a function; within an expression, = occurs only in let and in comparisons.
Statement statement_of(const std::string& text) {
  const size_t equals = text.find('=');
  const std::string name =
      equals == std::string::npos ? std::string() : trimmed(std::string_view(text).substr(0, equals));
  const bool prefix = !name.empty() && std::ranges::all_of(name, belongs_to_name) && text[equals + 1] != '=';
  if (!prefix)
    return {"", "", text};
  const size_t dot = name.find('.');
  return {name.substr(0, dot), dot == std::string::npos ? std::string() : name.substr(dot + 1),
          text.substr(equals + 1)};
}

size_t output_called(const Target& target, const Settings& settings, const std::string& name) {
  if (name.empty()) {
    for (size_t i = 0; i < target.outputs.size(); ++i)
      if (target.outputs[i].name == "return" && target.outputs[i].type.floating)
        return i;
    const std::vector<size_t> judged = judged_outputs(target, settings);
    return judged.empty() ? 0 : judged.front();
  }
  const auto found = std::ranges::find(target.outputs, name, &Cell::name);
  if (found != target.outputs.end() && found->type.floating)
    return size_t(found - target.outputs.begin());
  std::vector<std::string> names;
  for (const Cell& cell : target.outputs)
    if (cell.type.floating)
      names.push_back(cell.name);
  throw base::UserError(base::status_usage, fmt::format("--means: {} has no output {}", target.function, name),
                        fmt::format("the outputs are: {}", fmt::join(names, ", ")));
}

OutputMeaning read(const Target& target, size_t output, const std::string& text, std::vector<std::string> names) {
  OutputMeaning meaning{output, trimmed(text), std::move(names), {}};
  try {
    meaning.expression = oracle::parse_meaning(meaning.text, meaning.names);
  } catch (const oracle::WrongExpression& wrong) {
    throw base::UserError(base::status_usage,
                          fmt::format("--means of {}, column {}: {}\n{}", target.function, wrong.column + 1, wrong.what,
                                      oracle::with_caret(meaning.text, wrong.column)),
                          wrong.cure);
  }
  return meaning;
}

void replace(std::vector<OutputMeaning>& meanings, OutputMeaning meaning) {
  std::erase_if(meanings, [&](const OutputMeaning& old) { return old.output == meaning.output; });
  meanings.push_back(std::move(meaning));
}

bool has_output(const Target& target, const std::string& name) {
  return name.empty() || std::ranges::find(target.outputs, name, &Cell::name) != target.outputs.end();
}

} // namespace

std::vector<OutputMeaning> meanings_of(const Target& target, const Settings& settings) {
  std::vector<std::string> names;
  for (const Cell& cell : target.inputs)
    names.push_back(cell.name);
  std::vector<OutputMeaning> meanings;
  bool ready_made = false;
  for (const std::string& text : settings.means) {
    if (text == "none") {
      meanings.clear();
      ready_made = false;
    } else if (text == "auto") {
      ready_made = true;
    } else {
      const Statement statement = statement_of(text);
      const bool meant = statement.function.empty() ? has_output(target, statement.output)
                                                    : program::answers_to(target, statement.function);
      if (meant)
        replace(meanings, read(target, output_called(target, settings, statement.output), statement.expression, names));
    }
  }
  if (ready_made && meanings.empty())
    for (const oracle::ReadyMeaning& ready : oracle::ready_meanings(target))
      replace(meanings, read(target, ready.output, ready.expression, ready.names));
  return meanings;
}

void check_meanings(std::span<const Target> targets, const Settings& settings) {
  for (const std::string& text : settings.means) {
    const Statement statement = statement_of(text);
    if (statement.function.empty() && statement.output.empty())
      continue;
    const bool meant = std::ranges::any_of(targets, [&](const Target& target) {
      return statement.function.empty() ? has_output(target, statement.output)
                                        : program::answers_to(target, statement.function);
    });
    if (meant)
      continue;
    std::vector<std::string> names;
    for (const Target& target : targets)
      names.push_back(model::before_parameters(target.function));
    const std::vector<std::string> close = base::nearest(statement.function, names);
    throw base::UserError(base::status_usage,
                          statement.function.empty()
                              ? fmt::format("--means: no function has an output {}", statement.output)
                              : fmt::format("--means: no function {} in this search", statement.function),
                          close.empty() ? "a function's name before =, or the expression alone"
                                        : fmt::format("did you mean {}?", fmt::join(close, ", ")));
  }
}

} // namespace faultline::judge
