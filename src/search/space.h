// The input space of a target: one dimension an input cell, each with a range and a format.
#pragma once

#include "constraint/tape_terms.h"
#include "exec/session.h"
#include "frontend/target.h"
#include "numeric/format.h"
#include "numeric/random.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace faultline::search {

// Ranges that are meant as stretches of the real line are no wider, and those that nobody gave (all floats, all
// everyday ones) are: a guess.
inline constexpr long double widest_given = 1e9L;

// Values that an input has in practice. `least`: the smallest magnitude other than 0; 0: any.
struct Stretch {
  long double low = 0, high = 0, least = 0;

  bool operator==(const Stretch&) const = default;
};

struct Dimension {
  std::string name;
  bool floating = true;
  numeric::Format format = numeric::Format::binary64; // of the values that may be used, not wider than the cell's
  long double low = 0, high = 0;                      // both included; equal if the input is held
  // Of an integer that has these alone, from low to high: their indices are its order. Empty: it has all.
  std::vector<long double> values = {};
  long double least = 0; // of the magnitudes other than 0: what lies between is left out, as if it did not exist

  std::optional<Stretch> everyday = {}; // if somebody knows (search/space.h)

  bool operator==(const Dimension&) const = default;
  bool held() const { return low == high; }
  bool given() const { return high - low <= widest_given; }
  // The values of the dimension as ordered integers: of its format, or the integers themselves.
  numeric::Int128 order(long double value) const;
  long double at(numeric::Int128 order) const;
  numeric::Int128 width() const { return order(high) - order(low); } // how many steps from one end to the other
  // The nearest value of the dimension: rounded to its format, moved into its range. NaN becomes `low`.
  long double nearest(long double value) const;
  // The same, but a value beyond an end of the range is mirrored there, so that a search does not gather at the ends.
  long double reflected(long double value) const;

private:
  numeric::Int128 order_of_all(long double value) const; // as if nothing were left out
  numeric::Int128 left_out() const;                      // how many values, on each side of 0
};

// Of order numbers, both ends included.
numeric::Int128 uniform_between(numeric::Int128 low, numeric::Int128 high, numeric::Rng& rng);

struct Space {
  std::vector<Dimension> dimensions;

  bool operator==(const Space&) const = default;

  // Uniform over the values of the format (ATOMU: "uniformly at random in the space of floating-point numbers"), so
  // every exponent is as likely as any other.
  exec::Input sample_floats(numeric::Rng& rng) const;
  // All inputs of about the same magnitude with random signs, or nearly equal: what sums and differences need to
  // interact.
  exec::Input sample_alike(numeric::Rng& rng) const;
  // Uniform over the range as a stretch of the real line.
  exec::Input sample_reals(numeric::Rng& rng) const;

  // With the nearest of its values for each integer that has these alone, and for what is known in practice, which may
  // have nothing near 0: solvers know of ranges only.
  exec::Input with_own_values(exec::Input input) const;
};

// Everyday inputs: those that people use code on. Each float is 0 or has a magnitude of 1e-9 to 1e9 (binary32: 1e-6 to
// 1e6), within the ranges that were given; a range that has nothing of that but 0 counts as everyday itself. All
// integers are everyday. Where it is known what an input is in practice (--everyday, --seen), that is everyday instead.
bool is_everyday(const Dimension& dimension, long double value);
bool is_everyday(const Space& space, const exec::Input& input);

// Does any range go beyond the everyday values at its ends? If not, there is no rest to be searched after it.
bool reaches_beyond_everyday(const Space& space);

// The part of the space that has the everyday inputs only.
Space everyday_part(const Space& space);

// The ranges cut at the ends of the everyday values: what a solver is asked first.
std::vector<constraint::InputRange> everyday_ranges(std::vector<constraint::InputRange> ranges, const Space& space);

// An input with as many zeros as possible: of an array most values do not matter.

// All cells that are not held at once, then halves, quarters, ... of them, to 0 or the nearest value that the space
// has; what is accepted stays. Nothing is tried that changes nothing.
exec::Input with_zeros(const Space& space, exec::Input input, const std::function<bool(const exec::Input&)>& accepts);

// The dimensions of a space as constraints know them.
std::vector<constraint::InputRange> input_ranges(const Space& space, const frontend::Target& target);

} // namespace faultline::search
