// The goal that an operation raises an exception (Ariadne, POPL 2013).
//
// The conditions under which an operation raises an exception are a column of the table of operations (ops/table.h).
// For conversions to integers they follow from the limits of the type, which the site has. The distance and the
// constraint (constraint/tape_terms.h) use only these triggers.
//
// Distances are in binades, in the order of the floats: an overflow at 2^1024 is as far from 1 as an underflow at
// 2^-1022, although one is 1e308 away and the other 1 ("function twisting"). One float is 2^-52 binades.
#pragma once

#include "ops/table.h"
#include "tape/path.h"
#include "tape/tape.h"
#include "tape/turns.h"

#include <string_view>
#include <vector>

namespace faultline::goal {

using ops::Condition;
using ops::Relation;
using ops::Trigger;

// Empty if the operation cannot raise the exception from finite operands.
std::vector<Trigger> triggers(const runtime::Site& site, ops::Exception kind);

struct Exception {
  uint32_t site = 0;
  ops::Exception kind = ops::Exception::none;

  auto operator<=>(const Exception&) const = default;
};

bool happened(const Exception& goal, const tape::Tape& tape);

// The distance of one execution from the triggers: 0 if their conditions hold (an exact underflow then still raises no
// exception), infinity if an operand is not finite.
double distance(const std::vector<Trigger>& triggers, const tape::Tape& tape, uint32_t record);
// The minimum over the executions of the site: infinity if it was not reached.
double distance(const Exception& goal, const tape::Tape& tape);

// The goal that a branch takes a given outcome.
//
// A goal defines three things for a tape: whether it happened, its distance, and the constraint that expresses it. The
// constraint of this goal is constraint::path_condition.
struct Branch {
  uint32_t site = 0;
  int64_t outcome = 0; // 0 or 1 of a comparison; an integer of a conversion
};

bool happened(const Branch& goal, const tape::Tape& tape);

// The distance of a decision from another outcome: the number of bits of the difference of its operands, in floats. It
// is 0 for equal and neighbouring operands, and 64 between the ends of the doubles. For a conversion to an integer it
// is the distance to the wanted integer.
double distance(const tape::Tape& tape, const tape::Branch& decision, int64_t wanted);

// The minimum over the executions of the site: 0 if the goal happened, infinity if the site was not reached.
double distance(const Branch& goal, const tape::Tape& tape);

// The goals of FPGen (ICSE 2020, section 3.1): the k-th execution of an addition loses precision, because one operand
// is much smaller than the other, or cancels leading digits.
//
//   precision loss   |exp a - exp b| >= bits
//   cancellation     max(exp a, exp b) - exp result >= bits, or the result is 0
//
// Both operands must be normal numbers. exp is the exponent of the value, floor(log2 |x|), also for subnormal results.
// The paper's code reads the exponent field instead, which is the same for all subnormals. The constraint of these
// goals is constraint::inaccuracy_condition.
enum class Check : uint8_t { precision_loss, cancellation };
std::string_view name(Check check);

struct Inaccuracy {
  Check check = Check::precision_loss;
  uint32_t place = 0;     // as in tape::Addition
  uint32_t execution = 1; // from 1
  int bits = 0;

  bool operator==(const Inaccuracy&) const = default;
};

bool happened(const Inaccuracy& goal, const tape::Tape& tape);

// The number of missing bits: 0 if the goal happened; infinity if the execution was not reached or an operand is not
// normal.
double distance(const Inaccuracy& goal, const tape::Tape& tape);
// As above, with precomputed tape::places: for searches.
double distance(const Inaccuracy& goal, const tape::Tape& tape, std::span<const uint32_t> places);

// As above, for operands of a format.
double distance(Check check, int bits, const tape::Summands& summands, numeric::Format format);

} // namespace faultline::goal
