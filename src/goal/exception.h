// The goal that an operation raises an exception (Ariadne, POPL 2013).
//
// What makes an operation raise one is a column of the table of operations (ops/trigger.h); for conversions to integers
// it is the ends of their type, which the site knows. The distance and the constraint (constraint/exception.h) are made
// of these triggers and of nothing else.
//
// Distances are counted in binades, in the order of the floats: an overflow at 2^1024 is as far from 1 as an underflow
// at 2^-1022, though one is 1e308 away and the other 1 ("function twisting"). One float is 2^-52 of a binade.
#pragma once

#include "ops/table.h"
#include "tape/tape.h"

#include <vector>

namespace faultline::goal {

using ops::Condition;
using ops::Relation;
using ops::Trigger;

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
