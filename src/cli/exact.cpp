#include "cli/commands.h"
#include "cli/parser.h"
#include "cli/writer.h"
#include "frontend/error.h"
#include "numeric/decimal.h"
#include "oracle/meaning/catalogue.h"
#include "oracle/meaning/evaluation.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <limits>
#include <sstream>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* exact_examples =
    R"(Each line of standard input has the inputs of one call, in the order of the parameters. The exact value of the
mathematical function is printed for each: 40 digits; or pole (it is infinite there), undefined (outside of the domain)
or unknown (it takes too long), with the reason. The code of the function is not run. docs/meaning.md lists the
functions; --means auto judges a hunt by the same values.

Examples:
  echo 1e-7 | faultline exact gsl_sf_expm1
  echo '2 0.5' | faultline exact gsl_sf_bessel_Jn)";

struct ExactFunction {
  oracle::Expression expression;
  std::vector<std::string> names;
};

// A name may have several entries, with different numbers of inputs.
std::vector<ExactFunction> functions_named(const std::string& name) {
  std::vector<ExactFunction> found;
  for (const oracle::CatalogueEntry* entry : oracle::catalogue_entries())
    if (entry->name == name)
      for (const oracle::ReadyMeaning& ready : oracle::ready_meanings(oracle::target_of(*entry)))
        found.push_back({oracle::parse_meaning(ready.expression, ready.names), ready.names});
  if (found.empty())
    throw UserError(status_usage, fmt::format("{}: is not among the well-known functions", name),
                    "docs/meaning.md lists them");
  return found;
}

std::vector<long double> numbers_in(const std::string& line) {
  std::istringstream words(line);
  std::vector<long double> numbers;
  for (std::string word; words >> word;) {
    const std::optional<long double> value = numeric::parse_long_double(word);
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
  const finding::Said said = parse({.name = "faultline exact",
                                    .description = "Prints exact values of a well-known function.",
                                    .examples = exact_examples,
                                    .operand = "FUNCTION",
                                    .operand_help = "gsl_sf_bessel_J0, tgamma, ..."},
                                   line);
  refuse_flags(line);
  if (said.value(operands).empty())
    throw UserError(status_usage, "no function given", "echo 1e-7 | faultline exact expm1");
  const std::vector<ExactFunction> functions = functions_named(said.value(operands));
  // Tighter than a double, so that errors of doubles can be measured; what is smaller than any double may count as 0.
  constexpr numeric::Format format = numeric::Format::extended80;
  constexpr double smallest = std::numeric_limits<double>::denorm_min();
  for (std::string inputs; std::getline(std::cin, inputs);) {
    const std::vector<long double> numbers = numbers_in(inputs);
    const auto function =
        std::ranges::find_if(functions, [&](const ExactFunction& one) { return one.names.size() == numbers.size(); });
    if (function == functions.end())
      throw UserError(
          status_usage,
          fmt::format("'{}': {} takes {} inputs", inputs, said.value(operands), functions.front().names.size()),
          "one line for each call, inputs with blanks between");
    print(text(oracle::evaluate(function->expression, function->names, numbers, format, smallest)) + "\n");
  }
  return 0;
}

} // namespace faultline::cli
