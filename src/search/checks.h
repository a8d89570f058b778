// Selects the additions that are checked for precision loss and cancellation (FPGen, ICSE 2020, section 3.1.3), and the
// number of bits from which on they count.
//
// Sampling counts the executions of each place from 1: `start` is the first that is checked, `step` leads to the next.
// In logarithmic sampling the step is multiplied by 10 each time the counter has grown by one order of magnitude.
// Without a given step, it is the smallest that leaves about 64 checks; 1 for few executions.
#pragma once

#include "goal/exception.h"
#include "model/target.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::search {

using model::CheckedLine;
using model::CheckSampling;

struct Checks {
  CheckSampling sampling = CheckSampling::uniform;
  uint64_t start = 1;
  std::optional<uint64_t> step = {};
  std::optional<int> loss_bits = {}, cancellation_bits = {};
  std::vector<CheckedLine> lines = {}; // chosen by the user: all additions there, and no others

  // The paper's 32 and 40 are for the 53 bits of a double; other formats have proportional numbers. Given numbers are
  // used unchanged.
  int bits(goal::Check check, numeric::Format format) const;
};

bool stands_at(const runtime::Site& site, const CheckedLine& line);

// Returns the first line at which the program has no addition.
const CheckedLine* without_addition(const Checks& checks, const runtime::SiteTable& table);

// The numbers of the sampled executions, of `executions` in total.
std::vector<uint64_t> sampled(CheckSampling sampling, uint64_t start, uint64_t step, uint64_t executions);

// Returns the executions of this tape to check, in order.
std::vector<tape::Addition> checked_additions(const Checks& checks, const tape::Tape& tape);

} // namespace faultline::search
