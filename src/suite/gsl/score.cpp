#include "suite/gsl/score.h"

#include "numeric/decimal.h"
#include "numeric/ordered.h"
#include "numeric/ulp.h"

#include <cmath>
#include <limits>

namespace faultline::suite {

using benchmarks::Exact;
using finding::Finding;
using finding::Kind;
using finding::NamedNumber;

namespace {

// GSL's gsl_mode_t chooses a precision; it is no argument of the mathematical function.
bool is_argument(const NamedNumber& cell) { return cell.name != "mode"; }

// Hex text holds the double exactly. What cannot be read counts as not a number.
double value_of(const finding::Number& number) {
  return numeric::parse_double(number.hex).value_or(std::numeric_limits<double>::quiet_NaN());
}

ReportedInput reported(const std::vector<NamedNumber>& input, const finding::Number& computed) {
  ReportedInput result;
  result.computed = value_of(computed);
  std::string named;
  for (const NamedNumber& cell : input) {
    if (!is_argument(cell))
      continue;
    result.arguments.push_back(value_of(cell.value));
    result.text = cell.value.hex;
    named += (named.empty() ? "" : " ") + cell.name + "=" + cell.value.hex;
  }
  if (result.arguments.size() > 1)
    result.text = named;
  return result;
}

bool is_right(double computed, const numeric::BigFloat& exact) {
  numeric::BigFloat nearest = exact;
  nearest.round_to(numeric::Format::binary64);
  return numeric::ulps_between(computed, nearest.to_double()) <= 1;
}

bool is_error(const Finding& finding) {
  return (finding.kind == Kind::inaccuracy || finding.kind == Kind::branch_flip) && finding.output;
}

// Does the oracle's reference agree with the exact value?
bool agrees(double computed, const finding::Number& reference, const numeric::BigFloat& exact) {
  constexpr double nearer = 10; // times
  numeric::BigFloat given(exact.precision()), difference(exact.precision());
  if (mpfr_set_str(given.raw(), reference.decimal.c_str(), 10, MPFR_RNDN) != 0)
    return false;
  if (is_right(given.to_double(), exact))
    return true;
  mpfr_sub(difference.raw(), given.raw(), exact.raw(), MPFR_RNDN);
  numeric::BigFloat error(computed, exact.precision());
  mpfr_sub(error.raw(), error.raw(), exact.raw(), MPFR_RNDN);
  mpfr_mul_d(difference.raw(), difference.raw(), nearer, MPFR_RNDN);
  return mpfr_cmpabs(difference.raw(), error.raw()) <= 0;
}

void score_references(TargetScore& total, const finding::TargetReport& target, const Reference& reference) {
  for (const Finding& finding : target.findings) {
    if (!is_error(finding))
      continue;
    const ReportedInput input = reported(finding.input, finding.output->computed);
    const Exact exact = reference(input.arguments);
    if (exact.kind != Exact::Kind::value || finding.output->reference.decimal.empty())
      continue;
    ++total.references;
    if (agrees(input.computed, finding.output->reference, exact.value))
      ++total.agreeing;
    else
      ++total.disagreeing[std::string(rule(finding))];
  }
}

} // namespace

std::vector<ReportedInput> reported_inputs(const finding::TargetReport& target) {
  std::vector<ReportedInput> inputs;
  for (const Finding& finding : target.findings)
    if (is_error(finding)) {
      inputs.push_back(reported(finding.input, finding.output->computed));
      for (const finding::Witness& witness : finding.also)
        inputs.push_back(reported(witness.input, witness.computed));
    }
  return inputs;
}

Score score(double computed, const Exact& exact, double threshold) {
  if (exact.kind == Exact::Kind::undefined)
    return {Grade::undefined, 0};
  if (exact.kind == Exact::Kind::pole)
    return {std::isfinite(computed) ? Grade::pole : Grade::right, 0};
  if (exact.kind == Exact::Kind::unknown)
    return {Grade::unknown, 0};
  if (is_right(computed, exact.value))
    return {Grade::right, 0};
  const double error = numeric::relative_error(computed, exact.value);
  return {error > threshold ? Grade::significant : Grade::insignificant, error};
}

TargetScore score(const finding::TargetReport& target, const Reference& reference, double threshold) {
  TargetScore total;
  for (const ReportedInput& input : reported_inputs(target)) {
    const Score score = suite::score(input.computed, reference(input.arguments), threshold);
    const bool significant = score.grade == Grade::significant || score.grade == Grade::pole;
    if (total.reported++ == 0)
      total.first_significant = significant;
    total.significant += significant;
    total.poles += score.grade == Grade::pole;
    total.undefined += score.grade == Grade::undefined;
    total.unknown += score.grade == Grade::unknown;
    if (score.relative_error > total.largest_error) {
      total.largest_error = score.relative_error;
      total.input = input.text;
    }
  }
  score_references(total, target, reference);
  return total;
}

} // namespace faultline::suite
