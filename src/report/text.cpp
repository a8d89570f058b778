#include "report/text.h"
#include "model/expression.h"
#include "model/set_aside.h"
#include "model/target.h"
#include "numeric/decimal.h"
#include "report/explain_text.h"
#include "report/screen.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <memory>
#include <unistd.h>

namespace faultline::report {

using namespace model;

namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::string padded(const std::string& text, size_t columns, Align align) {
  const std::string blanks(columns - std::min(columns, width(text)), ' ');
  return align == Align::left ? text + blanks : blanks + text;
}

std::string line_of(const std::vector<Column>& columns, const std::vector<size_t>& widths, const Row& cells) {
  std::string line;
  for (size_t i = 0; i < columns.size(); ++i)
    line += "  " + padded(cells[i], widths[i], columns[i].align);
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

constexpr size_t widest_line = 160;

// The subject of the first line: the error if the finding is one, else the event, else the place.
std::string subject_of(const TargetReport& target, const Finding& finding) {
  if (finding.error && is_error(finding.kind)) {
    const bool classified = finding.diagnosis && finding.diagnosis->fault != Fault::unclassified;
    return fmt::format("relative error {} in {}{}", measure_text(finding.error->relative), target.function,
                       classified ? fmt::format(": {}", headline(finding.diagnosis->fault)) : "");
  }
  if (finding.cause && !finding.cause->operation.empty())
    return fmt::format("{} in {}", finding.cause->operation, target.function);
  return finding.detail.empty() ? target.function : fmt::format("{}: {}", target.function, finding.detail);
}

std::string labelled(const char* label, const std::string& value, const Style& style) {
  return value.empty() ? "" : fmt::format("  {} {}\n", style.faint(fmt::format("{:9}", label)), printable(value));
}

std::string judged_by(const Finding& finding) {
  const bool judged = !finding.oracle.empty() && finding.oracle != "none";
  return judged ? oracle_text(finding.oracle) : "";
}

// Returns the place, the subject, and the source line.
std::string opening(const TargetReport& target, const Finding& finding, const std::string& subject,
                    const SourceLine& source, const Style& style) {
  const bool placed = finding.cause && !finding.cause->file.empty() && finding.cause->line > 0;
  const std::string& file = placed ? finding.cause->file : target.file;
  const int line = placed ? finding.cause->line : target.line;
  const int column = placed ? finding.cause->column : 0;
  return fmt::format("{} {} {}\n", style.bold(location_text(printable(file), line, column) + ":"),
                     style.bad(fmt::format("{}:", model::text(finding.kind))), style.bold(printable(subject))) +
         excerpt(source, file, line, column, style);
}

std::string judgement_fields(const Finding& finding, const Style& style) {
  const Diagnosis diagnosis = finding.diagnosis.value_or(Diagnosis());
  return labelled("why", diagnosis.why, style) +
         labelled("verdict", verdict_text(finding.kind, finding.verdict), style) +
         labelled("hint", hint_text(diagnosis), style);
}

std::string input_fields(const Finding& finding, const Style& style) {
  std::string text;
  const char* label = "input";
  for (const std::string& input : input_lines(finding.input)) {
    text += labelled(label, input, style);
    label = "";
  }
  return text;
}

std::string output_fields(const Finding& finding, const Style& style) {
  std::string text;
  if (finding.output) {
    text += labelled("computed", fmt::format("{} = {}", finding.output->name, number_text(finding.output->computed)),
                     style);
    text += labelled("reference", number_text(finding.output->reference), style);
  }
  if (finding.error && (is_error(finding.kind) || finding.error->relative != 0))
    text += labelled("error", error_text(*finding.error), style);
  if (finding.parts)
    text += labelled("parts", parts_text(*finding.parts), style);
  return text;
}

enum class CauseForm : uint8_t { named, with_place };

std::string origin_fields(const TargetReport& target, const Finding& finding, const std::string& subject,
                          CauseForm form, const Style& style) {
  std::string text;
  if (!subject.ends_with(finding.detail))
    text += labelled("detail", finding.detail, style);
  const Cause cause = finding.cause.value_or(Cause());
  if (finding.cause)
    text += labelled("cause",
                     (form == CauseForm::with_place ? location_text(cause.file, cause.line, cause.column) + ": " : "") +
                         cause_text(finding.kind, cause),
                     style);
  text += labelled("in", cause.within, style);
  if (finding.aftermath)
    text += labelled("reported", reported_text(*finding.aftermath), style);
  const std::string& file = !cause.file.empty() && cause.line > 0 ? cause.file : target.file;
  text += labelled("lines", shares_text(finding.diagnosis.value_or(Diagnosis()), file), style);
  return text + chain_text(finding, style) + labelled("ignored", set_aside_text(finding), style);
}

constexpr size_t most_values = 8; // a longer array is abbreviated
constexpr size_t shown_values = 3;
constexpr size_t few_others = 4;

std::string array_text(std::vector<std::string> values) {
  const size_t count = values.size();
  if (count <= most_values)
    return fmt::format("[{}]", fmt::join(values, ", "));
  std::vector<std::string> others; // values other than zero
  for (size_t i = 0; i < count && others.size() <= few_others; ++i)
    if (values[i] != "0" && values[i] != "-0")
      others.push_back(fmt::format("[{}] = {}", i, values[i]));
  if (others.size() <= few_others)
    return fmt::format("{} zeros{}{}", count - others.size(), others.empty() ? "" : " and ", fmt::join(others, ", "));
  values.resize(shown_values);
  return fmt::format("[{}, ... {} values]", fmt::join(values, ", "), count);
}

// One text per scalar and per array.
std::vector<std::string> input_texts(const std::vector<NamedNumber>& input, std::string_view equals,
                                     const std::function<std::string(const Number&)>& text) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < input.size();) {
    if (const model::ArrayRun run = model::array_run(input, i); run.length > 0) {
      std::vector<std::string> values;
      for (const size_t end = i + run.length; i < end; ++i)
        values.push_back(input[i].value.decimal);
      texts.push_back(fmt::format("{}{}{}", run.array, equals, array_text(values)));
    } else {
      texts.push_back(fmt::format("{}{}{}", input[i].name, equals, text(input[i].value)));
      ++i;
    }
  }
  return texts;
}

} // namespace

size_t width(std::string_view text) { return std::ranges::count_if(text, begins_character); }

std::vector<std::string> wrapped(std::string_view text, size_t columns) {
  std::vector<std::string> lines(1);
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word(text.substr(begin, end - begin));
    if (!lines.back().empty() && width(lines.back()) + 1 + width(word) > columns)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return lines;
}

std::string shortened(const std::string& text, size_t widest) {
  if (width(text) <= widest)
    return text;
  const size_t kept = widest < 3 ? 0 : widest - 3;
  size_t end = 0;
  for (size_t columns = 0; end < text.size(); ++end)
    if (begins_character(text[end]) && ++columns > kept)
      break;
  return text.substr(0, end) + "...";
}

std::string table(const std::vector<Column>& columns, const std::vector<Row>& rows, const Style& style,
                  const std::vector<bool>& emphasised) {
  Row titles;
  std::vector<size_t> widths;
  for (const Column& column : columns) {
    titles.push_back(column.title);
    widths.push_back(width(column.title));
  }
  std::vector<Row> cut = rows;
  for (Row& row : cut) {
    row.resize(columns.size());
    for (size_t i = 0; i < columns.size(); ++i) {
      row[i] = shortened(base::printable(row[i]), columns[i].widest);
      widths[i] = std::max(widths[i], width(row[i]));
    }
  }
  std::string text = style.faint(line_of(columns, widths, titles)) + "\n";
  for (size_t i = 0; i < cut.size(); ++i) {
    const std::string line = line_of(columns, widths, cut[i]);
    text += (i < emphasised.size() && emphasised[i] ? style.bold(line) : line) + "\n";
  }
  return text;
}

Style style_of(int file_descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool allowed = !(no_colour && *no_colour) && !(terminal && std::string_view(terminal) == "dumb");
  return Style(allowed && isatty(file_descriptor));
}

SourceLine source_files(const std::vector<std::string>& folders) {
  auto files = std::make_shared<SourceText>(folders);
  return [files](const std::string& file, int line) -> std::optional<std::string> {
    const std::string* found = files->line(file, line);
    return found ? std::optional(*found) : std::nullopt;
  };
}

std::string excerpt(const SourceLine& source, const std::string& file, int line, int column, const Style& style) {
  const std::optional<std::string> found = source ? source(file, line) : std::nullopt;
  if (!found)
    return {};
  std::string text = fmt::format("{:5} | {}\n", line, shortened(printable(*found), widest_line));
  auto at = static_cast<size_t>(column);
  if (column < 1 || at > found->size() || at > widest_line - 3)
    return text;
  // The compiler counts bytes, the terminal counts characters.
  auto characters = [&](size_t from, size_t to) { return width(printable(found->substr(from - 1, to - from))); };
  const std::optional<Expression> expression = model::expression_in(file, *found, column);
  const size_t first = expression ? size_t(expression->first) : at, end = expression ? size_t(expression->end) : at + 1;
  at = std::max(at, first); // for a statement in Fortran: after the equals sign
  const std::string before(characters(first, at), '~'), after(characters(at + 1, std::max(end, at + 1)), '~');
  text += fmt::format("      | {}{}\n", std::string(characters(1, first), ' '), style.mark(before + "^" + after));
  return text;
}

std::string finding_text(const TargetReport& target, const Finding& finding, const SourceLine& source,
                         const Style& style) {
  const std::string subject = subject_of(target, finding);
  return opening(target, finding, subject, source, style) + judgement_fields(finding, style) +
         input_fields(finding, style) + output_fields(finding, style) +
         origin_fields(target, finding, subject, CauseForm::named, style) +
         labelled("also", witnesses_text(finding), style) + labelled("oracle", judged_by(finding), style) +
         labelled("strategy",
                  finding.found_by.empty() ? finding.strategy
                                           : fmt::format("{}, by {}", finding.strategy, finding.found_by),
                  style) +
         labelled("replay", finding.replay, style) + "\n";
}

std::string finding_at_input_text(const TargetReport& target, const Finding& finding,
                                  const std::optional<Output>& shown, const SourceLine& source, const Style& style) {
  const std::string subject = subject_of(target, finding);
  const auto same_number = [](const Number& one, const Number& other) {
    return one.decimal.empty() || one.decimal == other.decimal;
  };
  const bool same = !finding.output || (shown && finding.output->name == shown->name &&
                                        same_number(finding.output->computed, shown->computed) &&
                                        same_number(finding.output->reference, shown->reference));
  return opening(target, finding, subject, source, style) + judgement_fields(finding, style) +
         (same ? "" : output_fields(finding, style)) +
         origin_fields(target, finding, subject, CauseForm::with_place, style);
}

std::string sighting_text(const TargetReport& target, const Finding& finding) {
  const bool placed = finding.cause && finding.cause->line > 0;
  const std::string place = placed ? location_text(finding.cause->file, finding.cause->line, finding.cause->column)
                                   : location_text(target.file, target.line, 0);
  return printable(fmt::format("{}: {}: {} so far, at {}; the search goes on", place, text(finding.kind),
                               subject_of(target, finding), brief_input(finding.input)));
}

std::string measure_text(double measure) {
  if (std::isnan(measure))
    return "nan";
  return measure == 0 ? "0" : fmt::format("{:.2e}", measure);
}

std::string count_text(double count) {
  if (std::isnan(count))
    return "nan";
  return std::abs(count) < 1e6 && count == std::floor(count) ? fmt::format("{:.0f}", count)
                                                             : fmt::format("{:.3g}", count);
}

std::string number_text(const Number& value) {
  const bool word = value.hex.empty() || value.hex == value.decimal; // inf, nan
  return word ? value.decimal : fmt::format("{} ({})", value.decimal, value.hex);
}

std::vector<std::string> input_lines(const std::vector<NamedNumber>& input) {
  return input_texts(input, " = ", number_text);
}

std::string input_words(const std::vector<NamedNumber>& input) {
  std::vector<std::string> parts;
  for (const NamedNumber& number : input)
    parts.push_back(fmt::format("{}={}", number.name, number.value.decimal));
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string brief_number(const std::string& decimal, int digits) {
  const std::optional<numeric::Value> value = numeric::parse_long_double(decimal);
  return value && std::isfinite(*value) ? numeric::brief_decimal(*value, digits) : decimal;
}

std::string brief_input(const std::vector<NamedNumber>& input) {
  const auto typed = [](const Number& value) { return numeric::as_typed(value.decimal); };
  return fmt::format("{}", fmt::join(input_texts(input, "=", typed), ", "));
}

std::string error_text(const Error& error) {
  const std::string text = fmt::format("relative {}, absolute {}, {} ulps, {:.1f} bits", measure_text(error.relative),
                                       measure_text(error.absolute), count_text(error.ulps), error.bits);
  return error.norm.empty() ? text : fmt::format("{}, of the array in the {} norm", text, norm_name(error.norm));
}

std::string_view norm_name(const std::string& norm) { return norm == "inf" ? "max" : "Euclidean"; }

std::string array_error_text(const Finding& finding) {
  if (!finding.output || !finding.error || finding.error->norm.empty())
    return {};
  const std::string& name = finding.output->name;
  return fmt::format("error of {} in the {} norm: {}", name.substr(0, name.find('[')), norm_name(finding.error->norm),
                     measure_text(finding.error->relative));
}

std::string parts_text(const ErrorParts& parts) {
  return fmt::format("method {}, rounding {}", measure_text(parts.method.relative),
                     measure_text(parts.rounding.relative));
}

std::string cause_text(Kind kind, const Cause& cause) {
  std::string text = cause.operation;
  if (!cause.function.empty())
    text += (text.empty() ? "" : " in ") + cause.function;
  if (!is_error(kind))
    return text;
  if (cause.condition != 0)
    text += fmt::format(", condition {}", measure_text(cause.condition));
  if (cause.share != 0)
    text += fmt::format(", {:.0f} % of the error", 100 * cause.share);
  return text;
}

std::string verdict_text(Kind kind, Verdict verdict) {
  if (kind == Kind::inaccuracy)
    switch (verdict) {
    case Verdict::avoidable:
      return "avoidable: rounding the inputs alone would cause far less";
    case Verdict::ill_conditioned:
      return "ill-conditioned: rounding the inputs alone may change the result as much";
    case Verdict::inherent:
      return "inherent";
    case Verdict::unknown:
      return "unknown: the condition of the problem could not be determined";
    }
  if (info(kind).family == KindFamily::range)
    switch (verdict) {
    case Verdict::avoidable:
      return "avoidable: the exact result is representable";
    case Verdict::inherent:
    case Verdict::ill_conditioned:
      return "inherent: the exact result is out of range as well";
    case Verdict::unknown:
      return "unknown: the exact result could not be determined";
    }
  if (info(kind).family == KindFamily::undefined)
    switch (verdict) {
    case Verdict::avoidable:
      return "avoidable: exact arithmetic has a finite result";
    case Verdict::inherent:
    case Verdict::ill_conditioned:
      return "inherent: exact arithmetic has no finite result either";
    case Verdict::unknown:
      return "unknown: the exact result could not be determined";
    }
  return {};
}

std::string reported_text(const Aftermath& aftermath) {
  const std::string& by = aftermath.reported_by;
  if (by == "rejected")
    return "by a handler: the input was refused";
  if (by == "status" || by == "errno")
    return fmt::format("by {}", by == "status" ? "its status" : by);
  return by.empty() ? "by nothing: silent" : fmt::format("by ending the run: {}", by);
}

std::string witnesses_text(const Finding& finding) {
  constexpr size_t shown = 3;
  if (finding.merged == 0)
    return "";
  std::string text = counted(finding.merged, "more input");
  for (size_t i = 0; i < std::min(shown, finding.also.size()); ++i)
    if (const std::vector<NamedNumber>& input = finding.also[i].input; input.size() == 1)
      text += fmt::format("{} {} = {}", i == 0 ? ":" : ",", input[0].name, input[0].value.decimal);
  return text;
}

std::string oracle_text(const std::string& oracle) {
  if (oracle == "lifted")
    return "lifted execution";
  if (oracle == "replay")
    return "replay of the same path";
  if (oracle == "reference")
    return "the reference function";
  if (oracle == "meaning")
    return "the meaning (--means)";
  return oracle;
}

std::string location_text(const std::string& file, int line, int column) {
  std::string text = file.empty() ? "?" : file;
  if (line > 0)
    text += fmt::format(":{}", line);
  if (line > 0 && column > 0)
    text += fmt::format(":{}", column);
  return text;
}

} // namespace faultline::report
