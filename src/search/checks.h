// Which additions are checked for precision loss and cancellation (FPGen, ICSE 2020, section 3.1.3), and from how many
// bits on.
//
// Sampling counts the executions of each place from 1: `start` is the first that is checked, `step` leads to the next.
// In logarithmic sampling the step is multiplied by 10 each time the counter has grown by one order of magnitude. Where
// no step is given, it is the least that leaves about 64 checks: 1, while there are few executions.
#pragma once

#include "frontend/target.h"
#include "goal/exception.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::search {

using frontend::CheckedLine;
using frontend::CheckSampling;

struct Checks {
  CheckSampling sampling = CheckSampling::uniform;
  uint64_t start = 1;
  std::optional<uint64_t> step = {};
  std::optional<int> loss_bits = {}, cancellation_bits = {};
  std::vector<CheckedLine> lines = {}; // chosen by hand: all additions there, and no others

  // The paper's 32 and 40 are for the 53 bits of a double; other formats have their share of them. What was given is
  // taken as it is.
  int bits(goal::Check check, numeric::Format format) const;
};

bool stands_at(const runtime::Site& site, const CheckedLine& line);

// The first line at which the program has no addition.
const CheckedLine* without_addition(const Checks& checks, const runtime::SiteTable& table);

// Numbers of executions, of `executions` many.
std::vector<uint64_t> sampled(CheckSampling sampling, uint64_t start, uint64_t step, uint64_t executions);

// The executions of this tape to check, in their order.
std::vector<tape::Addition> checked_additions(const Checks& checks, const tape::Tape& tape);

} // namespace faultline::search
