// The goal that an operation raises an exception (Ariadne, POPL 2013).
//
// There are a few triggers for an operation to raise one, and each is a handful of conditions on its operands and its
// result, all of them finite: a quotient is invalid where both operands are zero; a product underflows where neither
// operand is zero and the result is tiny. For functions of libm the triggers are their domains, poles and ranges, for
// conversions to integers the ends of the type. This list is all that the distance and the constraint
// (constraint/exception.h) are made of.
//
// Distances are counted in binades, in the order of the floats: an overflow at 2^1024 is as far from 1 as an underflow
// at 2^-1022, though one is 1e308 away and the other 1 ("function twisting"). One float is 2^-52 of a binade.
#pragma once

#include "ops/table.h"
#include "tape/tape.h"

#include <vector>

namespace faultline::goal {

enum class Relation : uint8_t {
  below,    // x < value
  above,    // x > value
  at_least, // x >= value
  at_most,  // x <= value
  beyond,   // |x| > value
  equal,
  unequal,
  whole,    // an integer
  broken,   // not an integer
  infinite, // of the result
  tiny      // smaller than the smallest normal number: of the result
};

struct Condition {
  static constexpr int result = 3;
  int operand = 0; // 0 to 2, or `result`
  Relation relation = Relation::equal;
  long double value = 0;
};
using Trigger = std::vector<Condition>; // all of them hold

// None if the operation cannot raise it from finite operands.
std::vector<Trigger> triggers(const runtime::Site& site, ops::Exception kind);

struct Exception {
  uint32_t site = 0;
  ops::Exception kind = ops::Exception::none;

  auto operator<=>(const Exception&) const = default;
};

bool happened(const Exception& goal, const tape::Tape& tape);

// Of one execution, given the triggers: 0 if the conditions hold (an underflow may be exact all the same, and none
// then), infinity if an operand is not finite.
double distance(const std::vector<Trigger>& triggers, const tape::Tape& tape, uint32_t record);
// The least over the executions of the site: infinity if it was not reached.
double distance(const Exception& goal, const tape::Tape& tape);

} // namespace faultline::goal
