// Where to look first along a line: evenly over the floats, so that every exponent has its turn; more closely where
// programs are used, from 2^-30 to 2^100 and most of all around 1; evenly over the reals of the range; at the
// constants of the code, and beside them; at zero, one and the ends.
#pragma once

#include "search/line.h"

#include <vector>

namespace faultline::search {

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

} // namespace faultline::search
