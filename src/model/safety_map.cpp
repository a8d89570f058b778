#include "model/safety_map.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <optional>

namespace faultline::model {

namespace {

constexpr size_t most_stretches = 3; // per sentence

enum class Towards : uint8_t { inside, outside };

struct Stretch {
  double low = 0, high = 0;
};

// Rounds to two digits, or to more if two digits would leave the stretch (`inside`) or not cover it. `up` rounds up.
// `nearness` is a guess: with a larger one, a stretch would look shorter than it is or overlap another.
std::string rounded(double value, bool up, double nearness = 0.05) {
  for (int digits = 1; digits < 17; ++digits) {
    const double unit = value == 0 ? 0 : std::pow(10.0, std::floor(std::log10(std::fabs(value))) - digits);
    double tried = value;
    for (int step = 0; step < 2; ++step) {
      const std::string text = fmt::format("{:.{}g}", tried, digits + 1);
      const double back = std::strtod(text.c_str(), nullptr);
      if ((up ? back >= value : back <= value) && std::fabs(back - value) <= nearness * std::fabs(value))
        return text;
      tried = up ? back + unit : back - unit; // rounds the printed number: 1.06 is 1.1, and 1.0 rounded down
    }
  }
  return fmt::format("{}", value);
}

std::vector<Stretch> stretches_of(const std::vector<MapBox>& boxes, size_t input) {
  std::vector<Stretch> all;
  for (const MapBox& box : boxes)
    if (input < box.ends.size())
      all.push_back({box.ends[input].first, box.ends[input].second});
  std::ranges::sort(all, {}, &Stretch::low);
  return all;
}

Stretch range_of(const SafetyMap& map, size_t input) {
  Stretch range{INFINITY, -INFINITY};
  for (const auto* boxes : {&map.safe, &map.unsafe, &map.open})
    for (const Stretch& one : stretches_of(*boxes, input))
      range = {std::min(range.low, one.low), std::max(range.high, one.high)};
  return range;
}

// Joins stretches that have no stretch of `between` between them.
std::vector<Stretch> join_adjacent(const std::vector<Stretch>& all, const std::vector<Stretch>& between) {
  std::vector<Stretch> joined;
  for (const Stretch& one : all) {
    const auto parts = [&](const Stretch& other) { return other.low >= joined.back().high && other.high <= one.low; };
    if (joined.empty() || std::ranges::any_of(between, parts))
      joined.push_back(one);
    else
      joined.back().high = std::max(joined.back().high, one.high);
  }
  return joined;
}

// Returns the parts of `all` outside of `others`.
std::vector<Stretch> subtract(const std::vector<Stretch>& all, const std::vector<Stretch>& others) {
  std::vector<Stretch> left;
  for (const Stretch& one : all)
    if (std::ranges::none_of(others, [&](const Stretch& o) { return one.low >= o.low && one.high <= o.high; }))
      left.push_back(one);
  return left;
}

// Describes the two safe stretches at the ends of the range, whatever lies between them. Both are described as one by
// magnitude, which is less than what is proved if one side reaches further.
std::optional<std::string> outer_words(const std::vector<Stretch>& all, const Stretch& range, const std::string& name) {
  if (all.size() < 2 || range.low != -range.high || all.front().low != range.low || all.back().high != range.high)
    return std::nullopt;
  const double below = -all.front().high, above = all.back().low;
  if (!(below > 0 && above > 0 && below < 4 * above && above < 4 * below)) // a guess: otherwise the sides differ
    return std::nullopt;
  return fmt::format("|{}| >= {}", name, rounded(std::max(below, above), true));
}

// True if both sides can be described as one, by the weaker of the two.
bool is_about(double a, double b) { return std::fabs(a - b) <= 0.1 * std::max(std::fabs(a), std::fabs(b)); }

// Describes stretches by magnitude: two at the ends of a range that is symmetric around 0, or one around 0.
std::optional<std::string> magnitude_words(const std::vector<Stretch>& all, const Stretch& range, Towards towards,
                                           const std::string& name) {
  const bool inside = towards == Towards::inside;
  if (range.low != -range.high)
    return std::nullopt;
  if (all.size() == 1 && all[0].low > range.low && all[0].high < range.high && is_about(-all[0].low, all[0].high)) {
    const double size = inside ? std::min(-all[0].low, all[0].high) : std::max(-all[0].low, all[0].high);
    return fmt::format("|{}| <= {}", name, rounded(size, !inside));
  }
  if (all.size() == 2 && all[0].low == range.low && all[1].high == range.high && all[0].high < 0 && all[1].low > 0 &&
      is_about(-all[0].high, all[1].low)) {
    const double size = inside ? std::max(-all[0].high, all[1].low) : std::min(-all[0].high, all[1].low);
    return fmt::format("|{}| >= {}", name, rounded(size, inside));
  }
  if (all.size() == 2 && is_about(-all[0].high, all[1].low) && is_about(-all[0].low, all[1].high) && all[1].low > 0) {
    const double low = inside ? std::max(-all[0].high, all[1].low) : std::min(-all[0].high, all[1].low);
    const double high = inside ? std::min(-all[0].low, all[1].high) : std::max(-all[0].low, all[1].high);
    return fmt::format("{} <= |{}| <= {}", rounded(low, inside), name, rounded(high, !inside));
  }
  return std::nullopt;
}

std::string stretch_words(const Stretch& one, const Stretch& range, Towards towards, const std::string& name) {
  const bool inside = towards == Towards::inside;
  if (one.low == one.high)
    return fmt::format("{} = {}", name, one.low);
  if (one.low <= range.low && one.high >= range.high)
    return fmt::format("all {}", name);
  if (one.low <= range.low)
    return fmt::format("{} <= {}", name, rounded(one.high, !inside));
  if (one.high >= range.high)
    return fmt::format("{} >= {}", name, rounded(one.low, inside));
  return fmt::format("{} <= {} <= {}", rounded(one.low, inside), name, rounded(one.high, !inside));
}

std::string words_of(std::vector<Stretch> all, const Stretch& range, Towards towards, const std::string& name) {
  if (const std::optional<std::string> words = magnitude_words(all, range, towards, name))
    return *words;
  const size_t count = all.size();
  std::ranges::sort(all, std::ranges::greater{}, [](const Stretch& one) { return one.high / 2 - one.low / 2; });
  if (count > most_stretches)
    all.resize(most_stretches);
  std::ranges::sort(all, {}, &Stretch::low);
  std::vector<std::string> parts;
  for (const Stretch& one : all)
    parts.push_back(stretch_words(one, range, towards, name));
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  if (count > most_stretches)
    text += fmt::format(" and {} shorter stretch{}", count - most_stretches, count - most_stretches == 1 ? "" : "es");
  return text;
}

// Rounds down and omits the exponent: 1.2 %, 99.9 %, 250 %.
std::string percent_words(double percent) {
  return percent >= 100  ? fmt::format("{:.0f} %", std::floor(percent))
         : percent >= 99 ? fmt::format("{:.1f} %", std::floor(10 * percent) / 10)
                         : fmt::format("{} %", rounded(percent, false));
}

} // namespace

std::string found_words(double error, ErrorMeasure measure) {
  const auto about = [&] { return rounded(error, false, 0.1); };
  switch (measure) {
  case ErrorMeasure::ulps:
    return about() + " ulps";
  case ErrorMeasure::absolute:
    return about();
  case ErrorMeasure::relative:
    break;
  }
  constexpr double percent = 0.01, most = 100; // the range in which percentages are used
  return error >= percent && error <= most ? percent_words(100 * error) : about();
}

std::string safe_words(const SafetyMap& map, size_t input, const std::string& name) {
  const std::vector<Stretch> all = stretches_of(map.safe, input);
  const Stretch range = range_of(map, input);
  const auto length = [](const Stretch& one) {
    return one.high / 2 - one.low / 2;
  }; // half of the length, which cannot overflow
  std::vector<double> lengths;
  for (const Stretch& one : all)
    lengths.push_back(length(one));
  const double safe = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  // Most of the safe part may lie between the ends.
  const bool is_outside = !all.empty() && length(all.front()) + length(all.back()) >= 0.5 * safe;
  if (const std::optional<std::string> outer = outer_words(all, range, name); outer && is_outside)
    return fmt::format("safe for {} (proved)", *outer);
  std::ranges::sort(lengths, std::ranges::greater{});
  lengths.resize(std::min(lengths.size(), most_stretches));
  if (std::accumulate(lengths.begin(), lengths.end(), 0.0) < 0.9 * safe) // the share that would be named: a guess
    return fmt::format("safe in {:.1f} % of the range (proved)", std::floor(1000 * safe / length(range)) / 10);
  return all.empty() ? "" : fmt::format("safe for {} (proved)", words_of(all, range, Towards::inside, name));
}

std::string unsafe_words(const SafetyMap& map, size_t input, const std::string& name, ErrorMeasure measure) {
  const std::vector<Stretch> all = join_adjacent(stretches_of(map.unsafe, input), stretches_of(map.safe, input));
  if (all.empty())
    return "";
  double worst = 0;
  for (const MapBox& box : map.unsafe)
    worst = std::max(worst, box.error);
  return fmt::format("wrong by up to {} within {}", found_words(worst, measure),
                     words_of(all, range_of(map, input), Towards::outside, name));
}

std::string open_words(const SafetyMap& map, size_t input, const std::string& name) {
  const std::vector<Stretch> safe = stretches_of(map.safe, input), unsafe = stretches_of(map.unsafe, input);
  const std::vector<Stretch> outside = subtract(stretches_of(map.open, input), join_adjacent(unsafe, safe));
  std::vector<Stretch> between = safe;
  between.insert(between.end(), unsafe.begin(), unsafe.end());
  const std::vector<Stretch> all = join_adjacent(outside, between);
  return all.empty() ? "" : fmt::format("open for {}", words_of(all, range_of(map, input), Towards::outside, name));
}

} // namespace faultline::model
