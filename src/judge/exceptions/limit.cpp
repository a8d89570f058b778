#include "judge/exceptions/limit.h"

#include "numeric/bigfloat.h"
#include "numeric/random.h"
#include "oracle/judgement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace faultline::judge {

using numeric::BigFloat;
using numeric::Value;

namespace {

// Guesses. Distances are relative, or absolute from 0, and end a few ulps away. The precision leaves digits to a result
// from which the square of the last distance cancels.
constexpr size_t most_directions = 8;
constexpr std::array<double, 3> shares_of_precision = {0.25, 0.6, 0.95};
constexpr long precision = 512;

using Results = std::vector<BigFloat>; // of the outputs

class Approach {
public:
  Approach(exec::Session& session, const search::Space& space, const exec::Input& input,
           const std::vector<size_t>& outputs)
      : session_(session), space_(space), input_(input) {
    for (const size_t output : outputs)
      places_.push_back(oracle::among_floats(session.target(), output));
  }

  // The results at the distances from far to near; nothing if one is not a number.
  std::optional<std::vector<Results>> along(const std::vector<double>& direction) {
    std::vector<Results> all;
    for (const double share : shares_of_precision) {
      exec::Input near = input_;
      for (size_t i = 0; i < near.size(); ++i)
        near[i] = moved(i, direction[i], share);
      if (near == input_)
        return std::nullopt;
      std::optional<Results> results = at(near);
      if (!results)
        return std::nullopt;
      all.push_back(std::move(*results));
    }
    return all;
  }

private:
  Value moved(size_t cell, double direction, double share) const {
    const search::Dimension& dimension = space_.dimensions[cell];
    if (!dimension.floating || dimension.held())
      return input_[cell];
    const Value size = input_[cell] == 0 ? 1 : std::fabs(input_[cell]);
    const int bits = int(share * numeric::info(dimension.format).precision);
    return dimension.nearest(input_[cell] + std::ldexp(Value(direction) * size, -bits));
  }

  std::optional<Results> at(const exec::Input& input) {
    const exec::LiftedRun run = session_.lift(input, precision, exec::LiftedFor::search);
    if (run.outcome != exec::Outcome::returned)
      return std::nullopt;
    Results results;
    for (const size_t place : places_) {
      if (!run.outputs[place].is_finite())
        return std::nullopt;
      results.push_back(run.outputs[place]);
    }
    return results;
  }

  exec::Session& session_;
  const search::Space& space_;
  const exec::Input& input_;
  std::vector<size_t> places_; // among the floating outputs
};

BigFloat distance(const BigFloat& a, const BigFloat& b) {
  BigFloat result(precision);
  mpfr_sub(result.raw(), a.raw(), b.raw(), MPFR_RNDN);
  mpfr_abs(result.raw(), result.raw(), MPFR_RNDN);
  return result;
}

// True if `near` is 0 or much smaller than `far`, or beside a result of this size.
bool shrinks(const BigFloat& near, const BigFloat& far, const BigFloat& result) {
  constexpr double much = 6, all = 40; // binades: a root still converges, a logarithm does not
  const double left = near.log2_magnitude();
  return near.is_zero() || (!far.is_zero() && left < far.log2_magnitude() - much) ||
         (!result.is_zero() && left < result.log2_magnitude() - all);
}

} // namespace

bool has_limit(exec::Session& session, const search::Space& space, const exec::Input& input,
               const std::vector<size_t>& outputs, uint64_t seed) {
  Approach approach(session, space, input, outputs);
  numeric::Rng rng = numeric::Rng(seed).fork("limits");
  std::vector<std::vector<Results>> ways;
  const size_t free = space.free_floats().size();
  const size_t directions = free == 1 ? 2 : most_directions;
  for (size_t i = 0; i < directions && free > 0; ++i) {
    std::vector<double> direction;
    for (size_t cell = 0; cell < input.size(); ++cell)
      direction.push_back((i % 2 == 0 ? 1 : -1) * (free == 1 ? 1 : rng.uniform(0.5, 1) * (rng.coin() ? 1 : -1)));
    if (auto way = approach.along(direction))
      ways.push_back(std::move(*way));
  }
  for (size_t output = 0; output < outputs.size(); ++output)
    for (const std::vector<Results>& way : ways) {
      const BigFloat &far = way[0][output], &middle = way[1][output], &near = way[2][output];
      const BigFloat &first_far = ways[0][0][output], &first_near = ways[0][2][output];
      BigFloat scale = distance(first_far, far);
      if (mpfr_cmp(scale.raw(), distance(far, middle).raw()) < 0)
        scale = distance(far, middle);
      if (!shrinks(distance(middle, near), distance(far, middle), near) ||
          !shrinks(distance(first_near, near), scale, near))
        return false;
    }
  return !ways.empty();
}

bool is_at_one_value(exec::Session& session, const search::Space& space, const exec::Input& input,
                     const std::vector<size_t>& outputs, uint64_t seed) {
  constexpr int tries = 3; // a guess
  numeric::Rng rng = numeric::Rng(seed).fork("corners");
  const std::vector<size_t> free = space.free_floats();
  const auto is_undefined = [&](const exec::Input& at) {
    const exec::LiftedRun run = session.lift(at, oracle::first_precision, exec::LiftedFor::search);
    return run.outcome == exec::Outcome::returned && std::ranges::any_of(outputs, [&](size_t output) {
             return !run.outputs[oracle::among_floats(session.target(), output)].is_finite();
           });
  };
  const auto moved_but = [&](size_t held) {
    exec::Input other = input;
    for (const size_t cell : free)
      if (cell != held)
        other[cell] = space.dimensions[cell].nearest(input[cell] + std::max<Value>(std::fabs(input[cell]), 1) *
                                                                       rng.uniform(0.1, 0.5));
    return other;
  };
  return free.size() == 1 || std::ranges::any_of(free, [&](size_t held) {
           for (int i = 0; i < tries; ++i)
             if (!is_undefined(moved_but(held)))
               return false;
           return true;
         });
}

} // namespace faultline::judge
