#include "report/problem_wording.h"

#include "numeric/decimal.h"
#include "report/wording.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::report {

using finding::Finding;

std::string why_text(const Finding& finding, bool detail_is_told) {
  if (finding.diagnosis && !finding.diagnosis->why.empty())
    return numeric::as_typed(finding.diagnosis->why);
  const bool told = detail_is_told || finding.detail == "it reaches the output"; // the result says so
  return told ? "" : numeric::as_typed(finding.detail);
}

std::string when_text(const Finding& finding) {
  std::string text = finding.when;
  if (finding.share)
    text += fmt::format("{}{}", text.empty() ? "" : "; ", share_text(*finding.share));
  return text;
}

std::string share_text(const finding::Share& share) {
  const char* of = share.of_range ? "inputs in the range" : "everyday inputs";
  constexpr double rare = 0.1; // from here on people say "1 in"
  auto one_in = [](double part) { return fmt::format("1 in {}", count_text(std::round(1 / part))); };
  if (share.low <= 0)
    return fmt::format("fewer than {} {}", one_in(share.high), of);
  if (share.high > rare)
    return fmt::format("{:.0f} to {:.0f} % of {}", 100 * share.low, 100 * share.high, of);
  return fmt::format("{} to {} {}", one_in(share.low), one_in(share.high), of);
}

int telling_digits(const Finding& finding) {
  const double relative = finding.error && finding.error->relative > 0 ? finding.error->relative : 1;
  // Two beyond the right ones; 3 at least, as measures have, and 17 at most, which tell all of binary64 apart.
  return std::clamp(int(std::ceil(-std::log10(relative))) + 2, 3, 17);
}

} // namespace faultline::report
