#include "judge/what_counts.h"

#include <fmt/format.h>

namespace faultline::judge {

using finding::Settings;

bool says_what_counts(const Settings& settings) { return settings.threshold || settings.ulps || settings.absolute; }

double size_of(const oracle::OutputJudgement& output, const Settings& settings) {
  return settings.absolute ? output.absolute : output.relative;
}

bool is_above_threshold(const oracle::OutputJudgement& output, const Settings& settings) {
  if (settings.absolute)
    return output.absolute > *settings.absolute;
  if (settings.ulps)
    return output.ulps > *settings.ulps;
  return output.relative > settings.threshold.value_or(finding::failure);
}

std::string below_threshold_words(const Settings& settings) {
  if (settings.absolute)
    return fmt::format("the absolute error is not above {:g} (--absolute)", *settings.absolute);
  if (settings.ulps)
    return fmt::format("that is not above {:g} ulps (--ulps)", *settings.ulps);
  return fmt::format("the relative error is not above {:g} (--threshold)",
                     settings.threshold.value_or(finding::failure));
}

double searched_threshold(const Settings& settings) {
  constexpr double ulp_of_one = 0x1p-52; // of binary64
  if (settings.absolute)
    return *settings.absolute;
  return settings.ulps ? *settings.ulps * ulp_of_one : settings.threshold.value_or(finding::failure);
}

} // namespace faultline::judge
