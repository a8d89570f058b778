#include "judge/self_check/chain_check.h"

#include "judge/diagnosis/diagnose.h"
#include "numeric/bigfloat.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {

using finding::ChainLink;
using finding::Diagnosis;
using finding::Finding;
using finding::Kind;
using finding::Violation;

namespace {

constexpr double close_enough = 1e-6;    // issue 18's bound for sums of shares; the same for errors
constexpr double printed_digits = 5e-18; // relative: half a unit of the last one of 18 digits
constexpr double largest = 1.7e308;      // JSON has no infinities: they are written as the largest number

bool same(double a, double b) {
  if (std::fabs(a) > largest || std::fabs(b) > largest)
    return std::fabs(a) > largest && std::fabs(b) > largest;
  return std::fabs(a - b) <= close_enough * std::max(std::fabs(a), std::fabs(b)) + printed_digits;
}

std::string place(const ChainLink& step) { return fmt::format("{}:{}, {}", step.file, step.line, step.text); }

// The parts of "1 - 0.5 = 0.5".
std::string operands_in(const ChainLink& step) { return step.text.substr(0, step.text.rfind(" = ")); }
std::string result_in(const ChainLink& step) {
  const size_t equals = step.text.rfind(" = ");
  return equals == std::string::npos ? "" : step.text.substr(equals + 3);
}

// |recorded - exact| / |exact|, from the texts of both; nothing where they are no finite numbers. The shortest decimal
// of a float reads back as the same float in its own format only, which the step does not tell: one for each format.
std::vector<double> errors_in(const ChainLink& step) {
  const std::string text = result_in(step);
  const std::optional<long double> rounded = numeric::parse_long_double(step.reference);
  if (!rounded || !std::isfinite(*rounded) || *rounded == 0)
    return {};
  numeric::BigFloat exact(128);
  mpfr_set_str(exact.raw(), step.reference.c_str(), 10, MPFR_RNDN);
  std::vector<double> errors;
  for (const numeric::Format format : numeric::all_formats)
    if (const std::optional<long double> recorded = numeric::parse_number(text, format);
        recorded && std::isfinite(*recorded)) {
      numeric::BigFloat difference(*recorded, 128);
      mpfr_sub(difference.raw(), difference.raw(), exact.raw(), MPFR_RNDN);
      mpfr_div(difference.raw(), difference.raw(), exact.raw(), MPFR_RNDN);
      errors.push_back(std::fabs(difference.to_double()));
    }
  return errors;
}

void check_lines(const Diagnosis& diagnosis, std::vector<Violation>& violations) {
  if (diagnosis.lines.empty() || diagnosis.lines.size() >= most_lines) // the smallest of many are left out
    return;
  double sum = 0, magnitude = 1;
  for (const finding::LineShare& line : diagnosis.lines) {
    sum += line.share;
    magnitude = std::max(magnitude, std::fabs(line.share));
  }
  if (!(std::fabs(sum - 1) <= close_enough * magnitude))
    violations.push_back({"sum of the shares of the lines", "1", fmt::format("{:.9g}", sum)});
}

void check_steps(const Diagnosis& diagnosis, bool ends_in_decision, std::vector<Violation>& violations) {
  const std::vector<ChainLink>& chain = diagnosis.chain;
  for (size_t i = 0; i < chain.size(); ++i) {
    const ChainLink& step = chain[i];
    const bool decision = ends_in_decision && i + 1 == chain.size();
    const std::vector<double> errors = decision ? std::vector<double>() : errors_in(step);
    if (!errors.empty() && std::ranges::none_of(errors, [&](double error) { return same(error, step.error); }))
      violations.push_back({"error of a step: " + place(step), fmt::format("{:.6g}", errors.front()),
                            fmt::format("{:.6g}", step.error)});
    if (i == 0 || step.skipped > 0)
      continue;
    const std::string before = result_in(chain[i - 1]);
    if (!before.empty() && operands_in(step).find(before) == std::string::npos)
      violations.push_back({"operand of a step: " + place(step), before, operands_in(step)});
  }
}

} // namespace

std::vector<Violation> chain_violations(const Finding& finding) {
  std::vector<Violation> violations;
  if (!finding.diagnosis)
    return violations;
  const Diagnosis& diagnosis = *finding.diagnosis;
  check_lines(diagnosis, violations);
  const bool flipped = diagnosis.fault == finding::Fault::branch_flip && finding.kind == Kind::branch_flip;
  check_steps(diagnosis, flipped, violations);
  if (!std::isfinite(diagnosis.accounted) || diagnosis.accounted < 0)
    violations.push_back({"part that is accounted for", "a number", fmt::format("{:g}", diagnosis.accounted)});
  else if (!flipped && finding.error && finding.error->norm.empty() && !diagnosis.chain.empty() &&
           !same(diagnosis.accounted * finding.error->relative, diagnosis.chain.back().error))
    violations.push_back({"error at the end of the chain",
                          fmt::format("{:.6g}", diagnosis.accounted * finding.error->relative),
                          fmt::format("{:.6g}", diagnosis.chain.back().error)});
  return violations;
}

} // namespace faultline::judge
