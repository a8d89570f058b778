// The input space of a target: one dimension per input cell, with a range and a format.
#pragma once

#include "constraint/tape_terms.h"
#include "exec/session.h"
#include "model/target.h"
#include "numeric/format.h"
#include "numeric/random.h"
#include "search/legal.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace faultline::search {

// The largest width of ranges that are treated as stretches of the real line. Default ranges (all floats, all everyday
// ones) are wider. A guess.
inline constexpr Value widest_given = 1e9L;

// The values that an input has in practice. `least`: the smallest nonzero magnitude, or 0 for any.
struct Stretch {
  Value low = 0, high = 0, least = 0;

  bool operator==(const Stretch&) const = default;
};

struct Dimension {
  std::string name;
  bool floating = true;
  numeric::Format format = numeric::Format::binary64; // of the values that may be used; not wider than the cell's
  Value low = 0, high = 0;                            // both included; equal if the input is held
  // The allowed values of an integer, from low to high; their indices are its order. Empty: all values.
  std::vector<Value> values = {};
  Value least = 0; // the smallest nonzero magnitude: smaller values are left out of the order

  std::optional<Stretch> everyday = {}; // if known
  bool all_everyday = false;            // the user gave the range: all of its values are everyday

  bool operator==(const Dimension&) const = default;
  bool held() const { return low == high; }
  bool given() const { return high - low <= widest_given; }
  // The value as an ordered integer: of its format, or the integer itself.
  numeric::Int128 order(Value value) const;
  Value at(numeric::Int128 order) const;
  // The same; numbers beyond an end of the range give that end.
  Value at_within(numeric::Int128 number) const { return at(std::clamp(number, order(low), order(high))); }
  numeric::Int128 width() const { return order(high) - order(low); } // the number of steps from one end to the other
  // A random value. All values are equally likely.
  Value draw(numeric::Rng& rng) const;
  // The nearest value of the dimension: rounded to its format, moved into its range. NaN becomes `low`.
  Value nearest(Value value) const;
  // The same, but values beyond an end of the range are mirrored there, so that a search does not gather at the ends.
  Value reflected(Value value) const;

private:
  numeric::Int128 order_of_all(Value value) const; // with no values left out
  numeric::Int128 left_out() const;                // the number of values left out on each side of 0
};

// A uniform choice of order numbers, both ends included.
numeric::Int128 uniform_between(numeric::Int128 low, numeric::Int128 high, numeric::Rng& rng);

struct Space {
  std::vector<Dimension> dimensions;
  std::shared_ptr<const Legality> legality = {}; // --assume; null if all inputs are legal
  exec::Input anchor = {};                       // a legal input, if not all are

  bool operator==(const Space&) const = default;

  // Restricts the space to inputs that the assumptions allow. Throws UserError if none is found.
  void assume(std::shared_ptr<const Legality> assumptions);
  bool allows(const exec::Input& input) const { return !legality || legality->allows(input, dimensions); }
  // The legal input for this one: itself if it is legal (search/legal.h).
  exec::Input legal(exec::Input input) const;

  // The dimensions that are not held, and those of them that are floats.
  std::vector<size_t> free() const;
  std::vector<size_t> free_floats() const;

  // Uniform over the values of the format (ATOMU: "uniformly at random in the space of floating-point numbers"), so all
  // exponents are equally likely.
  exec::Input sample_floats(numeric::Rng& rng) const;
  // Inputs of about the same magnitude with random signs, or nearly equal ones: sums and differences need these to
  // interact.
  exec::Input sample_alike(numeric::Rng& rng) const;
  // Uniform over the range as a stretch of the real line.
  exec::Input sample_reals(numeric::Rng& rng) const;

  // Moves integers with a list of values, and values known from practice, which may exclude those near 0, to the
  // nearest allowed value: solvers know only ranges.
  exec::Input with_own_values(exec::Input input) const;
};

// True for everyday values. A float is everyday if it is 0 or has a magnitude of 1e-9 to 1e9 (binary32: 1e-6 to 1e6),
// within the given ranges; in a range without such values except 0, all values are. All integers are everyday. Where
// the practical values of an input are known (--everyday, --seen), those are everyday instead. In a range that the user
// gave, all values are everyday.
bool is_everyday(const Dimension& dimension, Value value);
bool is_everyday(const Space& space, const exec::Input& input);

// True if a range goes beyond the usual part. If not, no rest is left to search after it.
bool reaches_beyond_usual(const Space& space);

// The part of the space with only everyday inputs.
Space everyday_part(const Space& space);

// The same, but with the usual magnitudes alone of a range that the user gave: what is searched first.
Space usual_part(const Space& space);

// The ranges cut at the ends of the everyday values: the solvers' first question.
std::vector<constraint::InputRange> everyday_ranges(std::vector<constraint::InputRange> ranges, const Space& space);

// An input with as many zeros as possible: most values of an array do not matter.

// Changes all cells that are not held at once, then halves, quarters, ... of them, to 0 or the nearest value of the
// space, and keeps accepted changes. Skips attempts that change nothing.
exec::Input with_zeros(const Space& space, exec::Input input, const std::function<bool(const exec::Input&)>& accepts);

// The dimensions of a space as input ranges of constraints.
std::vector<constraint::InputRange> input_ranges(const Space& space, const model::Target& target);

} // namespace faultline::search
