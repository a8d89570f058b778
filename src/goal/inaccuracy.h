// The goals of FPGen (ICSE 2020, section 3.1): that the k-th execution of an addition loses precision, because one
// operand is much smaller than the other, or cancels leading digits.
//
//   precision loss   |exp a - exp b| >= bits
//   cancellation     max(exp a, exp b) - exp result >= bits, or the result is 0
//
// Both operands must be normal numbers. exp is the exponent of the value, floor(log2 |x|), also of a subnormal result:
// the exponent field, which the paper's code reads, is the same for all of these. The constraint of these goals is
// constraint::inaccuracy_condition.
#pragma once

#include "tape/accumulation.h"

#include <string_view>

namespace faultline::goal {

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
