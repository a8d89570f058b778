#include "report/wording.h"

#include "frontend/target.h"
#include "numeric/decimal.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>

namespace faultline::report {

using finding::Kind;
using finding::KindFamily;
using finding::NamedNumber;
using finding::Verdict;

namespace {

constexpr size_t most_values = 8; // a longer array is abbreviated
constexpr size_t shown_values = 3;
constexpr size_t few_others = 4;

std::string list_text(std::vector<std::string> values) {
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
                                     const std::function<std::string(const finding::Number&)>& text) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < input.size();) {
    if (const frontend::ArrayRun run = frontend::array_run(input, i); run.length > 0) {
      std::vector<std::string> values;
      for (const size_t end = i + run.length; i < end; ++i)
        values.push_back(input[i].value.decimal);
      texts.push_back(fmt::format("{}{}{}", run.array, equals, list_text(values)));
    } else {
      texts.push_back(fmt::format("{}{}{}", input[i].name, equals, text(input[i].value)));
      ++i;
    }
  }
  return texts;
}

} // namespace

std::string counted(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
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

std::string number_text(const finding::Number& value) {
  const bool word = value.hex.empty() || value.hex == value.decimal; // inf, nan
  return word ? value.decimal : fmt::format("{} ({})", value.decimal, value.hex);
}

std::vector<std::string> input_lines(const std::vector<NamedNumber>& input) {
  return input_texts(input, " = ", number_text);
}

std::string brief_number(const std::string& decimal, int digits) {
  const std::optional<numeric::Value> value = numeric::parse_long_double(decimal);
  return value && std::isfinite(*value) ? numeric::brief_decimal(*value, digits) : decimal;
}

std::string brief_input(const std::vector<NamedNumber>& input) {
  const auto typed = [](const finding::Number& value) { return numeric::as_typed(value.decimal); };
  return fmt::format("{}", fmt::join(input_texts(input, "=", typed), ", "));
}

std::string error_text(const finding::Error& error) {
  const std::string text = fmt::format("relative {}, absolute {}, {} ulps, {:.1f} bits", measure_text(error.relative),
                                       measure_text(error.absolute), count_text(error.ulps), error.bits);
  return error.norm.empty() ? text : fmt::format("{}, of the array in the {} norm", text, norm_name(error.norm));
}

std::string_view norm_name(const std::string& norm) { return norm == "inf" ? "max" : "Euclidean"; }

std::string array_error_text(const finding::Finding& finding) {
  if (!finding.output || !finding.error || finding.error->norm.empty())
    return {};
  const std::string& name = finding.output->name;
  return fmt::format("error of {} in the {} norm: {}", name.substr(0, name.find('[')), norm_name(finding.error->norm),
                     measure_text(finding.error->relative));
}

std::string parts_text(const finding::ErrorParts& parts) {
  return fmt::format("method {}, rounding {}", measure_text(parts.method.relative),
                     measure_text(parts.rounding.relative));
}

std::string cause_text(Kind kind, const finding::Cause& cause) {
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

std::string reported_text(const finding::Aftermath& aftermath) {
  const std::string& by = aftermath.reported_by;
  if (by == "rejected")
    return "by a handler: the input was refused";
  if (by == "status" || by == "errno")
    return fmt::format("by {}", by == "status" ? "its status" : by);
  return by.empty() ? "by nothing: silent" : fmt::format("by ending the run: {}", by);
}

std::string witnesses_text(const finding::Finding& finding) {
  constexpr size_t shown = 3;
  if (finding.merged == 0)
    return "";
  std::string text = fmt::format("{} more {}", finding.merged, finding.merged == 1 ? "input" : "inputs");
  for (size_t i = 0; i < std::min(shown, finding.also.size()); ++i)
    if (const std::vector<finding::NamedNumber>& input = finding.also[i].input; input.size() == 1)
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
