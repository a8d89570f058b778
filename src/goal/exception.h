// The goal that an operation raises an exception (Ariadne, POPL 2013).
//
// What makes an operation raise one is a column of the table of operations (ops/table.h); for conversions to integers
// it is the ends of their type, which the site knows. The distance and the constraint (constraint/tape_terms.h) are
// made of these triggers and of nothing else.
//
// Distances are counted in binades, in the order of the floats: an overflow at 2^1024 is as far from 1 as an underflow
// at 2^-1022, though one is 1e308 away and the other 1 ("function twisting"). One float is 2^-52 of a binade.
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

// The goal that a branch goes a certain way.
//
// A goal answers three questions about a tape: did it happen, how far away was it, and which constraint expresses it.
// The constraint of this one is constraint::path_condition.
struct Branch {
  uint32_t site = 0;
  int64_t outcome = 0; // 0 or 1 of a comparison; an integer of a conversion
};

bool happened(const Branch& goal, const tape::Tape& tape);

// How far a decision was from another outcome: how many bits of the distance of its operands, in floats, are left; so 0
// where they are equal or neighbours, 64 from one end of the doubles to the other. A conversion to an integer counts
// the distance to the goal.
double distance(const tape::Tape& tape, const tape::Branch& decision, int64_t wanted);

// The least over the executions of the site: 0 if the goal happened, infinity if the site was not reached.
double distance(const Branch& goal, const tape::Tape& tape);

// The goals of FPGen (ICSE 2020, section 3.1): that the k-th execution of an addition loses precision, because one
// operand is much smaller than the other, or cancels leading digits.
//
//   precision loss   |exp a - exp b| >= bits
//   cancellation     max(exp a, exp b) - exp result >= bits, or the result is 0
//
// Both operands must be normal numbers. exp is the exponent of the value, floor(log2 |x|), also of a subnormal result:
// the exponent field, which the paper's code reads, is the same for all of these. The constraint of these goals is
// constraint::inaccuracy_condition.
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

// How many bits are missing: 0 if it happened; infinity if the execution was not reached or an operand is not normal.
double distance(const Inaccuracy& goal, const tape::Tape& tape);
// The same, with tape::places at hand: for searches.
double distance(const Inaccuracy& goal, const tape::Tape& tape, std::span<const uint32_t> places);

// The same for these operands of this format.
double distance(Check check, int bits, const tape::Summands& summands, numeric::Format format);

} // namespace faultline::goal
