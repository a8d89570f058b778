#include "base/error.h"
#include "cli/command_line.h"
#include "cli/parser.h"
#include "cli/writer.h"
#include "numeric/decimal.h"
#include "oracle/meaning/catalogue.h"
#include "oracle/meaning/evaluation.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <limits>
#include <sstream>

namespace faultline::cli {

using base::status_usage;
using base::UserError;
using numeric::Value;

namespace {

constexpr const char* exact_examples =
    R"(Each line of standard input has the inputs of one call, in the order of the parameters. The exact value of the
mathematical function is printed for each: 40 digits; or pole (it is infinite there), undefined (outside of the domain)
or unknown (it takes too long), with the reason. The code of the function is not run. docs/meaning.md lists the
functions; --means auto judges a hunt by the same values.

Examples:
  echo 1e-7 | faultline exact gsl_sf_expm1
  echo '2 0.5' | faultline exact gsl_sf_bessel_Jn)";

std::vector<Value> numbers_in(const std::string& line) {
  std::istringstream words(line);
  std::vector<Value> numbers;
  for (std::string word; words >> word;) {
    const std::optional<Value> value = numeric::parse_long_double(word);
    if (!value)
      throw UserError(status_usage, fmt::format("'{}' is not a number", word), "decimal or hex: 1e-7, 0x1p-20");
    numbers.push_back(*value);
  }
  return numbers;
}

std::string text(const oracle::MeaningValue& value) {
  constexpr int digits = 40;
  switch (value.kind) {
  case oracle::MeaningValue::Kind::value:
    return value.reference.value.to_string(digits);
  case oracle::MeaningValue::Kind::undefined:
    return fmt::format("{}: {}", value.pole ? "pole" : "undefined", value.why);
  case oracle::MeaningValue::Kind::unknown:
    break;
  }
  return fmt::format("unknown: {}", value.why);
}

} // namespace

int exact(const CommandLine& line) {
  const model::RawSettings raw = parse({.name = "exact",
                                        .description = "Prints exact values of a well-known function.",
                                        .examples = exact_examples,
                                        .operand = "FUNCTION",
                                        .operand_help = "gsl_sf_bessel_J0, tgamma, ..."},
                                       line);
  refuse_flags(line);
  const std::string& name = raw.value(operands);
  if (name.empty())
    throw UserError(status_usage, "no function given", "echo 1e-7 | faultline exact expm1");
  const std::vector<oracle::KnownFunction> functions = oracle::known_functions(name);
  if (functions.empty())
    throw UserError(status_usage, fmt::format("{}: is not among the well-known functions", name),
                    "docs/meaning.md lists them");
  // Tighter than a double, so that errors of doubles can be measured; what is smaller than any double may count as 0.
  constexpr numeric::Format format = numeric::Format::extended80;
  constexpr double smallest = std::numeric_limits<double>::denorm_min();
  for (std::string inputs; std::getline(std::cin, inputs);) {
    const std::vector<Value> numbers = numbers_in(inputs);
    const auto function = std::ranges::find_if(
        functions, [&](const oracle::KnownFunction& one) { return one.inputs.size() == numbers.size(); });
    if (function == functions.end())
      throw UserError(status_usage,
                      fmt::format("'{}': {} takes {} inputs", inputs, name, functions.front().inputs.size()),
                      "one line for each call, inputs with blanks between");
    print(text(oracle::evaluate(function->expression, function->inputs, numbers, format, smallest)) + "\n");
  }
  return 0;
}

} // namespace faultline::cli
