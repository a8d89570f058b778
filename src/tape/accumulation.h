// Reader: the additions that update an accumulator or an element of an array (FPGen, section 3.1.3: "loops that iterate
// on the input data and update the variable that holds the result").
//
// They are found on the tape and not in the code: -O2 unrolls and vectorises loops, and the tape sees through memory. A
// place is what the programmer wrote: file, line, column, operation and format, so the copies that unrolling makes of
// an addition are one place (named by the first of their sites). A place accumulates if an operand of one of its
// executions descends from an earlier execution: directly, or through products, quotients, negations, absolute values
// and conversions (Horner's rule, scaled updates). Not through other additions or functions: x - m is no accumulator,
// although m is made from earlier differences.
//
// An execution is known by its place and its number, which counts all executions of the place from 1, also the first,
// which updates nothing yet. A program in which nothing accumulates (straight-line code) has all its additions here.
#pragma once

#include "tape/tape.h"

#include <vector>

namespace faultline::tape {

constexpr bool is_addition(ops::Op op) { return op == ops::Op::fadd || op == ops::Op::fsub || op == ops::Op::fma; }

struct Addition {
  uint32_t place = 0;     // a site: the first of those that stand there
  uint32_t execution = 0; // from 1
  uint32_t record = 0;
};

// The place of each site; 0 of those that are no additions.
std::vector<uint32_t> places(const runtime::SiteTable& table);

// All of them, in the order of execution.
std::vector<Addition> additions(const Tape& tape);

// Those of the places that accumulate; all if there are none.
std::vector<Addition> accumulations(const Tape& tape);

// The record of an execution; 0 if the run did not come to it. `places` saves the time to make them.
uint32_t find_execution(const Tape& tape, std::span<const uint32_t> places, uint32_t place, uint32_t execution);
uint32_t find_execution(const Tape& tape, uint32_t place, uint32_t execution);

// What an addition adds, and what it made. The product of an fma, which is no record, is rounded to the format here: it
// matters by its magnitude only.
struct Summands {
  long double a = 0, b = 0, result = 0;
};
Summands summands(const Tape& tape, uint32_t record);

} // namespace faultline::tape
