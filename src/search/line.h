// A line through the input space in steps of floats: positions t and t + 1 differ by one float in the input that moves
// most, and by at most one in any other. Searches bisect and scan along lines. In one dimension the line is the space.
#pragma once

#include "search/space.h"
#include "search/strategy.h"

#include <vector>

namespace faultline::search {

class Line {
public:
  // The line of all values of one input, with the others as in `base`.
  static Line along(const Space& space, const exec::Input& base, size_t dimension);
  // The line from one input to another.
  static Line between(const Space& space, const exec::Input& from, const exec::Input& to);

  numeric::Int128 length() const { return length_; } // positions are 0 .. length()
  void at(numeric::Int128 position, exec::Input& input) const;
  exec::Input at(numeric::Int128 position) const;
  // The position where the moving input is nearest to this value. For lines along one input.
  numeric::Int128 position(Value value) const;

  size_t dimension() const { return dimension_; } // the input that moves most
  const Space& space() const { return *space_; }

private:
  Line(const Space& space, exec::Input base, size_t dimension)
      : space_(&space), base_(std::move(base)), dimension_(dimension) {}

  struct MovingInput {
    size_t dimension;
    numeric::Int128 from, change;
  };
  const Space* space_;
  exec::Input base_;
  size_t dimension_;
  std::vector<MovingInput> moving_;
  numeric::Int128 length_ = 0;
};

// The positions of the first samples of a line: evenly over the floats, so that every exponent is covered; more densely
// from 2^-30 to 2^100, where programs are used, and most densely around 1; evenly over the reals of the range; at and
// next to the constants of the code; at zero, one and the ends.

// The number of samples of each kind. The numbers and the ranges of exponents are guesses: `faultline bench gsl
// --compare none` shows what they find and cost.
struct Density {
  int floats;                   // evenly over the floats of the line
  int reals;                    // evenly over the reals
  int per_binade;               // between 2^-30 and 2^100, each sign
  int around_one;               // between 2^-3 and 2^7, each sign of a binade
  bool beyond_everyday = false; // everyday ranges have been searched: the last two only beyond 2^30
};
inline constexpr Density whole_space{192, 32, 2, 12};
inline constexpr Density everyday_space{96, 32, 2, 12};
inline constexpr Density rest_of_space{192, 32, 2, 12, true};
inline constexpr Density one_of_many_lines{24, 8, 0, 1};

// Increasing, without repetitions. `constants`: promising values.
std::vector<numeric::Int128> sample_positions(const Line& line, const Density& density,
                                              const std::vector<Value>& constants, numeric::Rng& rng);

// The magnitudes of the program's constants that are finite and not 0, in order.
std::vector<Value> magnitudes_of_constants(const runtime::SiteTable& table);

// The program's constants without signs: code branches where it compares with them and subtracts them.
std::vector<Value> telling_constants(const runtime::SiteTable& table);

// The random search that other strategies use.

// Uses at most this share of the budget.
std::vector<Candidate> sample_at_random(Quest& quest, uint64_t samples, double share, const char* strategy);

} // namespace faultline::search
