#include "judge/what_counts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {

using finding::Settings;

bool says_what_counts(const Settings& settings) { return settings.threshold || settings.ulps || settings.absolute; }

namespace {

double size_of_any(const auto& error, const Settings& settings) {
  return settings.absolute ? error.absolute : settings.ulps ? error.ulps : error.relative;
}

} // namespace

double size_of(const oracle::OutputJudgement& output, const Settings& settings) {
  return size_of_any(output, settings);
}
double size_of(const finding::Error& error, const Settings& settings) { return size_of_any(error, settings); }

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

bool small_errors_count(const Settings& settings) {
  return settings.absolute || settings.ulps ||
         (!settings.ranges.empty() && settings.threshold.value_or(finding::failure) < finding::failure);
}

double searched_threshold(const Settings& settings, const frontend::Target& target,
                          const std::vector<size_t>& outputs) {
  if (settings.absolute)
    return *settings.absolute;
  if (!settings.ulps)
    return settings.threshold.value_or(finding::failure);
  int precision = numeric::info(numeric::all_formats.back()).precision;
  for (const size_t output : outputs)
    precision = std::min(precision, numeric::info(target.outputs[output].type.format).precision);
  return std::ldexp(*settings.ulps, 1 - precision);
}

search::ErrorMeasure counted_in(const Settings& settings) {
  return settings.absolute ? search::ErrorMeasure::absolute
         : settings.ulps   ? search::ErrorMeasure::ulps
                           : search::ErrorMeasure::relative;
}

} // namespace faultline::judge
