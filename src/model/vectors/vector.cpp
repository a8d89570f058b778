#include "model/vectors/vector.h"

#include "model/finding.h"
#include "model/uncovered.h"
#include "numeric/decimal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <set>

namespace faultline::model {

namespace {

// Two inputs are equal if a run cannot distinguish them: 0 and -0 differ.
std::string identity_of(const Input& input) {
  std::string text;
  for (const numeric::Value value : input)
    text += numeric::hex_float(value) + " ";
  return text;
}

// Returns sign and binade; zeros have no binade and are distinguished by sign.
int binade_of(numeric::Value value) {
  const int side = std::signbit(value) ? -1 : 1;
  if (value == 0 || !std::isfinite(value))
    return value == 0 ? side : side * 40'000; // beyond the exponents of all formats
  return side * (std::ilogb(value) + 20'000);
}

using Signature = std::tuple<std::vector<Decision>, size_t, std::vector<int>>;

Signature signature_of(const VectorCandidate& candidate) {
  std::vector<int> binades;
  for (const numeric::Value value : candidate.input)
    binades.push_back(binade_of(value));
  return {candidate.decisions, candidate.error, binades};
}

class Choice {
public:
  Choice(const std::vector<VectorCandidate>& candidates, size_t most) : candidates_(candidates), most_(most) {}

  std::vector<size_t> run() {
    for (size_t i = 0; i < candidates_.size(); ++i)
      if (candidates_[i].region == Region::problem)
        take(i, true);
    cover();
    fill(false);
    fill(true);
    std::ranges::sort(chosen_, {}, [&](size_t i) { return std::pair(candidates_[i].region, i); });
    return std::move(chosen_);
  }

private:
  bool take(size_t i, bool alike_too) {
    if (chosen_.size() >= most_ || !fresh(i, alike_too))
      return false;
    chosen_.push_back(i);
    inputs_.insert(identity_of(candidates_[i].input));
    signatures_.insert(signature_of(candidates_[i]));
    for (const Decision& decision : candidates_[i].decisions)
      shown_.insert(decision);
    return true;
  }

  bool fresh(size_t i, bool alike_too) const {
    return !inputs_.contains(identity_of(candidates_[i].input)) &&
           (alike_too || !signatures_.contains(signature_of(candidates_[i])));
  }

  // Selects candidates with outcomes that are not shown yet.
  void cover() {
    std::vector<Uncovered::Candidate> all;
    for (const VectorCandidate& candidate : candidates_)
      all.push_back({candidate.decisions});
    Uncovered uncovered(std::move(all), [&](const Decision& decision) { return !shown_.contains(decision); });
    for (std::optional<size_t> best; (best = uncovered.best()) && take(*best, true);)
      uncovered.take(*best);
  }

  // Takes one candidate of each region in turn, in the order of the region.
  void fill(bool alike_too) {
    constexpr Region turns[] = {Region::border, Region::special, Region::ordinary, Region::branch};
    std::map<Region, size_t> at;
    for (bool more = true; more && chosen_.size() < most_;) {
      more = false;
      for (const Region region : turns) {
        size_t& i = at[region];
        while (i < candidates_.size() && !(candidates_[i].region == region && take(i, alike_too)))
          ++i;
        more = more || i < candidates_.size();
      }
    }
  }

  const std::vector<VectorCandidate>& candidates_;
  size_t most_;
  std::vector<size_t> chosen_;
  std::set<std::string> inputs_;
  std::set<Signature> signatures_;
  std::set<Decision> shown_;
};

constexpr auto regions = std::to_array<std::pair<Region, std::string_view>>({
#define FAULTLINE_VECTOR_REGION_NAME(id, text) {Region::id, text},
    FAULTLINE_VECTOR_REGIONS(FAULTLINE_VECTOR_REGION_NAME)
#undef FAULTLINE_VECTOR_REGION_NAME
});

// The accuracy of good implementations of special functions: the tests of Boost.Math and of GSL allow several epsilons.
constexpr double few_ulps = 16;

} // namespace

std::vector<size_t> chosen_vectors(const std::vector<VectorCandidate>& candidates, size_t most) {
  return Choice(candidates, most).run();
}

size_t outcomes_shown(const std::vector<VectorCandidate>& candidates, const std::vector<size_t>& chosen) {
  std::set<Decision> shown;
  for (const size_t i : chosen)
    shown.insert(candidates[i].decisions.begin(), candidates[i].decisions.end());
  return shown.size();
}

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

} // namespace faultline::model
