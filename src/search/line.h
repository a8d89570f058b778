// A line through the input space, walked in steps of floats: position t and t + 1 differ by one float in the input that
// moves most, and by no more in any other. Searches bisect and scan along lines; in one dimension the line is the
// space.
#pragma once

#include "search/space.h"
#include "search/strategy.h"

#include <vector>

namespace faultline::search {

class Line {
public:
  // All values of one input, the others as in `base`.
  static Line along(const Space& space, const exec::Input& base, size_t dimension);
  // From one input to another.
  static Line between(const Space& space, const exec::Input& from, const exec::Input& to);

  numeric::Int128 length() const { return length_; } // positions are 0 .. length()
  void at(numeric::Int128 position, exec::Input& input) const;
  exec::Input at(numeric::Int128 position) const;
  // Where the moving input has this value, or the nearest to it on the line. For lines along one input.
  numeric::Int128 position(long double value) const;

  size_t dimension() const { return dimension_; } // the one that moves most
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

// Where to look first along a line: evenly over the floats, so that every exponent has its turn; more closely where
// programs are used, from 2^-30 to 2^100 and most of all around 1; evenly over the reals of the range; at the
// constants of the code, and beside them; at zero, one and the ends.

// How many of each. The numbers are guesses, the ranges of exponents too: `faultline bench gsl --compare none` shows
// what they find, and what they cost.
struct Density {
  int floats;                   // evenly over the floats of the line
  int reals;                    // evenly over the reals
  int per_binade;               // between 2^-30 and 2^100, each sign
  int around_one;               // between 2^-3 and 2^7, each sign of a binade
  bool beyond_everyday = false; // where programs are used has been searched: the last two only beyond 2^30
};
inline constexpr Density whole_space{192, 32, 2, 12};
inline constexpr Density everyday_space{96, 32, 2, 12};
inline constexpr Density rest_of_space{192, 32, 2, 12, true};
inline constexpr Density one_of_many_lines{24, 8, 0, 1};

// Increasing, without repetitions. `constants`: values worth a try.
std::vector<numeric::Int128> sample_positions(const Line& line, const Density& density,
                                              const std::vector<long double>& constants, numeric::Rng& rng);

// The program's constants, without their signs: what it compares with and takes away is where it turns.
std::vector<long double> telling_constants(const runtime::SiteTable& table);

// What other strategies borrow from the random search.

// At most this share of the budget.
std::vector<Candidate> sample_at_random(Quest& quest, uint64_t samples, double share, const char* strategy);

} // namespace faultline::search
