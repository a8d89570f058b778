// Samples: inputs of a question with their exact results, and how accurate code is at them.
#pragma once

#include "fix/candidates.h"
#include "numeric/random.h"

namespace faultline::fix {

enum class SampleKind : uint8_t { random, everyday, near };

struct Sample {
  Point point = {};
  SampleKind kind = SampleKind::random;
  Value exact = 0;         // rounded to the format
  double allowance = 0;    // relative: eight times what half an ulp of each input does
  long precision = 128;    // that its exact value needs
  bool counts = true;      // to be repaired; else candidates need only not be worse
};

// Draws inputs of a question: all legal.
class Sampler {
public:
  Sampler(const Question& question, uint64_t seed) : question_(question), rng_(seed) {}
  std::optional<Point> random();
  std::optional<Point> everyday();
  // With numbers at the ends of the format, and small whole ones.
  std::optional<Point> special();
  // Near a point: at random distances from it in each variable.
  std::optional<Point> near(const Point& center);
  bool is_legal(const Point& point) const;
  numeric::Rng& rng() { return rng_; }

private:
  Value whole_value(const Variable& variable);
  Value special_value(const Variable& variable);
  Value random_value(const Variable& variable);
  Value everyday_value(const Variable& variable);
  template <class Draw> std::optional<Point> legal(Draw draw);
  const Question& question_;
  numeric::Rng rng_;
};

// The sample at a point; nothing where the result is undefined, or not a number of the format.
std::optional<Sample> sample_at(const Question& question, const Point& point, SampleKind kind);

struct SampleCounts {
  int random = 200, everyday = 200, near = 120, special = 60;
};
std::vector<Sample> draw_samples(const Question& question, uint64_t seed, SampleCounts counts = {});

// The error above what is allowed, relative; 0 if there is none. NaN and infinities: infinity.
double avoidable_error(Value computed, const Sample& sample, Format format);

// No avoidable error above this counts as right (the bar of the reviews' comparison).
inline constexpr double avoidable_bar = 2e-15;
double bar_of(Format format); // for binary64: avoidable_bar; others: as many units in the last place

Accuracies measure(const std::vector<Sample>& samples, const std::function<Value(const Point&)>& code, Format format);
bool is_fixed(const Accuracies& accuracies, Format format);
// Like `measure`, for a candidate: no avoidable error at samples that count, and none that the original has not.
bool is_repaired(const std::vector<Sample>& samples, const std::vector<Value>& original,
                 const std::function<Value(const Point&)>& code, Format format);

} // namespace faultline::fix
