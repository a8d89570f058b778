// Reader: the comparisons of a run and how they came out. With the operations before them they are the path condition.
#pragma once

#include "runtime/lift.h"
#include "tape/tape.h"

#include <optional>
#include <span>
#include <vector>

namespace faultline::tape {

struct Branch {
  uint32_t record = 0;
  uint32_t site = 0;
  bool outcome = false;
};

std::vector<Branch> path(const Tape& tape);

// A number that is the same for the same path.
uint64_t path_hash(const Tape& tape);

// Where a lifted run of the same input left this run's path: the first comparison that differs.
std::optional<Branch> divergence(const Tape& tape, std::span<const runtime::Decision> lifted);

} // namespace faultline::tape
