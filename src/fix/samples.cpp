#include "fix/samples.h"

#include "fix/forms.h"
#include "numeric/stable_sort.h"

#include <algorithm>
#include <cmath>

namespace faultline::fix {

using numeric::BigFloat;

namespace {

constexpr int most_tries = 30'000; // for one legal input; a guess

Value clamped(Value value, const Variable& variable) {
  return std::clamp(numeric::nearest(value, variable.format), variable.low, variable.high);
}

Value largest_of(const Variable& variable) { return numeric::largest(variable.format); }

} // namespace

bool Sampler::is_legal(const Point& point) const {
  for (size_t i = 0; i < point.size(); ++i)
    if (!(point[i] >= question_.variables[i].low && point[i] <= question_.variables[i].high) || !std::isfinite(point[i]))
      return false;
  return !question_.legal || question_.legal(point);
}

Value Sampler::random_value(const Variable& variable) {
  if (variable.whole)
    return whole_value(variable);
  const numeric::Int128 low = numeric::ordered(std::max(variable.low, -largest_of(variable)), variable.format);
  const numeric::Int128 high = numeric::ordered(std::min(variable.high, largest_of(variable)), variable.format);
  const numeric::Uint128 width = numeric::Uint128(high - low) + 1;
  const numeric::Uint128 bits = (numeric::Uint128(rng_.next()) << 64 | rng_.next()) % width;
  return numeric::from_ordered(low + numeric::Int128(bits), variable.format);
}

// Of any size up to the variable's ends, mostly small.
Value Sampler::whole_value(const Variable& variable) {
  const double largest = double(std::min<Value>({std::fabs(variable.low), std::fabs(variable.high), 0x1p31L}));
  const double size = std::exp(rng_.uniform(0, std::log(std::max(2.0, std::max(largest, 100.0)))));
  return clamped(std::round(rng_.coin() ? size : -size), variable);
}

Value Sampler::everyday_value(const Variable& variable) {
  if (variable.whole)
    return whole_value(variable);
  const double power = numeric::info(variable.format).everyday_power;
  const double least = std::pow(10.0, -power), most = std::pow(10.0, power);
  const bool positive = variable.high > 0, negative = variable.low < 0;
  const bool minus = negative && (!positive || rng_.coin());
  const double low = std::max(least, double(minus ? -variable.high : variable.low));
  const double high = std::min(most, double(minus ? -variable.low : variable.high));
  if (!(low <= high))
    return random_value(variable);
  const double magnitude = std::exp(rng_.uniform(std::log(low), std::log(high)));
  return clamped(minus ? -magnitude : magnitude, variable);
}

template <class Draw> std::optional<Point> Sampler::legal(Draw draw) {
  for (int i = 0; i < most_tries; ++i) {
    const Point point = draw();
    if (is_legal(point))
      return point;
  }
  return std::nullopt;
}

std::optional<Point> Sampler::random() {
  return legal([&] {
    Point point;
    for (const Variable& variable : question_.variables)
      point.push_back(random_value(variable));
    return point;
  });
}

std::optional<Point> Sampler::everyday() {
  return legal([&] {
    Point point;
    for (const Variable& variable : question_.variables)
      point.push_back(everyday_value(variable));
    return point;
  });
}

Value Sampler::special_value(const Variable& variable) {
  if (variable.whole)
    return clamped(Value(int64_t(rng_.below(7)) - 3), variable);
  const numeric::FormatInfo& info = numeric::info(variable.format);
  const Value sign = rng_.coin() ? 1 : -1;
  switch (rng_.below(6)) {
  case 0:
    return clamped(sign * std::ldexp(Value(1 + rng_.uniform()), info.min_exponent - int(rng_.below(uint64_t(info.precision)))), variable);
  case 1:
    return clamped(sign * std::ldexp(Value(1 + rng_.uniform()), info.max_exponent - int(rng_.below(4))), variable);
  case 2:
    return clamped(sign * Value(rng_.below(4)), variable);
  case 3:
    return everyday_value(variable);
  default:
    return random_value(variable);
  }
}

std::optional<Point> Sampler::special() {
  return legal([&] {
    Point point;
    for (const Variable& variable : question_.variables)
      point.push_back(special_value(variable));
    return point;
  });
}

std::optional<Point> Sampler::near(const Point& center) {
  for (int i = 0; i < 50; ++i) {
    Point point = center;
    for (size_t k = 0; k < point.size(); ++k) {
      if (rng_.below(4) == 0)
        continue;
      const double distance = std::ldexp(1 + rng_.uniform(), -int(rng_.below(50)));
      point[k] = clamped(point[k] * (1 + (rng_.coin() ? distance : -distance / 2)), question_.variables[k]);
      if (question_.variables[k].whole)
        point[k] = std::round(point[k]);
    }
    if (is_legal(point))
      return point;
  }
  return std::nullopt;
}

namespace {

bool is_everyday(const Question& question, const Point& point) {
  for (size_t i = 0; i < point.size(); ++i) {
    const double power = numeric::info(question.variables[i].format).everyday_power;
    const Value size = std::fabs(point[i]);
    if (size != 0 && (size < std::pow(Value(10), -power) || size > std::pow(Value(10), power)))
      return false;
  }
  return true;
}

} // namespace

std::optional<Sample> sample_at(const Question& question, const Point& point, SampleKind kind) {
  Sample sample{.point = point, .kind = kind};
  const auto value = exact(question.term, point, 80, 8192, &sample.precision);
  if (!value)
    return std::nullopt;
  sample.exact = numeric::rounded(value->raw(), question.format);
  sample.counts = question.everywhere || is_everyday(question, point);
  if (value->is_zero() || !std::isfinite(sample.exact))
    return sample;
  double spread = 0;
  for (size_t i = 0; i < point.size(); ++i) {
    Point moved = point;
    moved[i] = point[i] + numeric::ulp(point[i], question.variables[i].format) / 2; // not a float: the balls are exact
    BigFloat precise(point[i], 256);
    if (moved[i] == point[i]) // extended80
      moved[i] = numeric::next_up(point[i], question.variables[i].format);
    const numeric::Ball ball = enclosure(question.term, moved, sample.precision);
    if (!ball.is_finite())
      continue; // at the end of the domain
    BigFloat difference = ball.middle();
    mpfr_sub(difference.raw(), difference.raw(), value->raw(), MPFR_RNDN);
    mpfr_div(difference.raw(), difference.raw(), value->raw(), MPFR_RNDN);
    spread += std::fabs(difference.to_double());
  }
  sample.allowance = 8 * spread;
  return sample;
}

namespace {

// The inputs at which the code is worst, to draw others near them.
std::vector<Point> worst_points(const Question& question, const std::vector<Sample>& samples) {
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < samples.size(); ++i) {
    const double error =
        avoidable_error(evaluate(question.term, samples[i].point, question.format), samples[i], question.format);
    if (error > bar_of(question.format))
      order.emplace_back(samples[i].kind == SampleKind::everyday ? -std::min(error, 1.0) - 1 : -std::min(error, 1.0), i);
  }
  numeric::sort_stably(order);
  std::vector<Point> points;
  constexpr size_t most = 40;
  for (size_t i = 0; i < order.size(); i += std::max<size_t>(1, order.size() / most))
    points.push_back(samples[order[i].second].point);
  return points;
}

} // namespace

std::vector<Sample> draw_samples(const Question& question, uint64_t seed, SampleCounts counts) {
  Sampler sampler(question, seed);
  std::vector<Sample> samples;
  const auto draw = [&](int count, SampleKind kind, auto next) {
    int found = 0;
    for (int tries = 0; found < count && tries < 4 * count; ++tries) {
      const std::optional<Point> point = next();
      if (!point)
        break;
      if (const auto sample = sample_at(question, *point, kind)) {
        samples.push_back(*sample);
        ++found;
      }
    }
  };
  draw(counts.random, SampleKind::random, [&] { return sampler.random(); });
  draw(counts.everyday, SampleKind::everyday, [&] { return sampler.everyday(); });
  draw(counts.special, SampleKind::near, [&] { return sampler.special(); });
  for (const Point& point : question.failing)
    if (auto sample = sampler.is_legal(point) ? sample_at(question, point, SampleKind::near) : std::nullopt) {
      sample->counts = true;
      samples.push_back(*sample);
    }
  std::vector<Point> centers = question.failing;
  if (centers.empty())
    centers = worst_points(question, samples);
  if (!centers.empty())
    draw(counts.near, SampleKind::near, [&] { return sampler.near(centers[sampler.rng().below(centers.size())]); });
  return samples;
}

double bar_of(Format format) { return avoidable_bar * (numeric::epsilon(format) / numeric::epsilon(Format::binary64)); }

double avoidable_error(Value computed, const Sample& sample, Format format) {
  if (computed == sample.exact)
    return 0;
  constexpr Value almost = 0.999999L; // of the largest number, beside an exact result beyond it
  if (std::isinf(sample.exact) && std::fabs(computed) >= almost * numeric::largest(format) &&
      std::signbit(computed) == std::signbit(sample.exact))
    return 0;
  if (!std::isfinite(computed) || std::isinf(sample.exact))
    return std::numeric_limits<double>::infinity();
  const Value smallest = numeric::ulp(0, format);
  const double error = double(std::fabs(computed - sample.exact));
  if (error <= 4 * double(smallest)) // of subnormal results
    return 0;
  if (sample.exact == 0)
    return std::numeric_limits<double>::infinity();
  const double relative = double(std::fabs((computed - sample.exact) / sample.exact));
  return relative > sample.allowance ? relative : 0;
}

bool is_repaired(const std::vector<Sample>& samples, const std::vector<Value>& original,
                 const std::function<Value(const Point&)>& code, Format format) {
  double bits = 0;
  size_t counted = 0;
  const double bar = bar_of(format);
  for (size_t i = 0; i < samples.size(); ++i) {
    const Value computed = code(samples[i].point);
    const double error = avoidable_error(computed, samples[i], format);
    if (error > bar && (samples[i].counts || error > 2 * avoidable_error(original[i], samples[i], format)))
      return false;
    if (samples[i].counts && samples[i].kind != SampleKind::near) {
      bits += bits_between(computed, samples[i].exact, format);
      ++counted;
    }
  }
  return bits <= double(counted);
}

Accuracies measure(const std::vector<Sample>& samples, const std::function<Value(const Point&)>& code, Format format) {
  Accuracies all;
  for (const Sample& sample : samples) {
    if (std::isinf(sample.exact))
      continue; // the code's overflow is right
    Accuracy& one = sample.kind == SampleKind::random     ? all.random
                    : sample.kind == SampleKind::everyday ? all.everyday
                                                          : all.near;
    const Value computed = code(sample.point);
    one.average_bits += bits_between(computed, sample.exact, format);
    one.largest = std::max(one.largest, avoidable_error(computed, sample, format));
    ++one.samples;
  }
  for (Accuracy* one : {&all.random, &all.everyday, &all.near})
    one->average_bits /= double(std::max<size_t>(1, one->samples));
  return all;
}

bool is_fixed(const Accuracies& accuracies, Format format) {
  const double bar = bar_of(format);
  return accuracies.random.largest <= bar && accuracies.everyday.largest <= bar && accuracies.near.largest <= bar &&
         accuracies.random.average_bits <= 1 && accuracies.everyday.average_bits <= 1;
}

} // namespace faultline::fix
