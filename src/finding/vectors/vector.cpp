#include "finding/vectors/vector.h"

#include "finding/names.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace faultline::finding {
namespace {

constexpr auto regions = std::to_array<std::pair<Region, std::string_view>>({
#define FAULTLINE_VECTOR_REGION_NAME(id, text) {Region::id, text},
    FAULTLINE_VECTOR_REGIONS(FAULTLINE_VECTOR_REGION_NAME)
#undef FAULTLINE_VECTOR_REGION_NAME
});

// What good implementations of special functions promise: the tests of Boost.Math and of GSL allow some epsilons.
constexpr double few_ulps = 16;

} // namespace

std::string_view text(Region region) { return name_of(regions, region); }
std::optional<Region> region_of(std::string_view text) { return id_of(regions, text); }

double TestVector::worst() const {
  double worst = std::numeric_limits<double>::quiet_NaN();
  for (const VectorOutput& output : outputs)
    if (output.is_known() && !(output.ulps <= worst))
      worst = output.ulps;
  return worst;
}

std::string class_of(const TestVector& vector, int precision) {
  if (!vector.ending.empty())
    return "ended";
  const double worst = vector.worst();
  if (std::isnan(worst))
    return "unknown";
  const bool exact = std::ranges::all_of(vector.outputs, [](const VectorOutput& output) {
    return !output.is_known() || output.computed.hex == output.reference.hex;
  });
  if (exact)
    return "correctly rounded";
  if (worst < 1)
    return "faithful";
  if (worst <= few_ulps)
    return "few ulps";
  return worst < std::ldexp(1.0, precision - 1) ? "inaccurate" : "wrong";
}

size_t error_bucket(double ulps) {
  if (std::isinf(ulps))
    return ErrorHistogram::most.size() + 1;
  const auto place = std::ranges::find_if(ErrorHistogram::most, [&](double most) { return ulps <= most; });
  return size_t(place - ErrorHistogram::most.begin());
}

ErrorHistogram histogram_of(const std::vector<TestVector>& vectors) {
  ErrorHistogram histogram;
  for (const TestVector& vector : vectors) {
    const double worst = vector.worst();
    if (std::isnan(worst)) {
      ++histogram.unknown;
      continue;
    }
    ++histogram.counts[error_bucket(worst)];
    histogram.largest = std::max(histogram.largest, worst);
  }
  return histogram;
}

std::string text(const ErrorHistogram& histogram) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& name, uint64_t count) {
    if (count > 0)
      parts.push_back(fmt::format("{}: {}", name, count));
  };
  for (size_t i = 0; i < ErrorHistogram::most.size(); ++i)
    add(fmt::format("{}{}", i == 0 ? "" : "<=", ErrorHistogram::most[i]), histogram.counts[i]);
  add("more", histogram.counts[ErrorHistogram::most.size()]);
  add("infinite", histogram.counts[ErrorHistogram::most.size() + 1]);
  add("unknown", histogram.unknown);
  return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace faultline::finding
