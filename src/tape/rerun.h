// Reader: the operations of a tape carried out again in their own formats, with some of the results replaced: what the
// code would have returned, had it computed something differently. Its decisions stay as they were, and so does what
// does not depend on a replaced result.
#pragma once

#include "tape/tape.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace faultline::tape {

// A result to take instead of the operation's, for a record, given the new values of the records before it.
using Replacement = std::function<std::optional<long double>(uint32_t record, std::span<const long double> values)>;

struct Rerun {
  std::vector<long double> values; // one a record
  bool flips = false;              // a decision would be another one now: the code would not have gone this way
  size_t replaced = 0;
};
Rerun rerun(const Tape& tape, const Replacement& replacement);

// An operation in a format, on values of its operands' formats.
long double evaluate(ops::Op op, numeric::Format format, long double a, long double b = 0, long double c = 0);

} // namespace faultline::tape
