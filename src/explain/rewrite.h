// Rewrites of an operation: identities of real numbers that keep digits where the operation loses them. Each rule
// examines how the operands were computed and sketches other code (explain/sketch.h). explain/remedy.h tests whether
// that helps.
#pragma once

#include "explain/sketch.h"

#include <functional>
#include <optional>
#include <vector>

namespace faultline::explain {

// The domain of a rule: "x / y is between 0.5 and 2". Elsewhere the operation stays unchanged.
struct Guard {
  std::string text;
  bool holds = true; // on this run
};

struct Rewrite {
  const char* name; // of the remedy: "log1p"
  Expression before, after;
  int variant = 0; // distinguishes rules with the same name for one operation, consistently on every run
  std::optional<Guard> guard = {};
  bool may_be_meant = false; // a constant is added and subtracted: perhaps an intended rounding
  std::string note = {};     // explains a name that the source does not have: "m is the mean"
  std::string legend = {};   // explains the letters
};

// Return all rules that match the operation of this record.
std::vector<Rewrite> rewrites_of_differences(Sketch& sketch, uint32_t record); // includes x + (-y)
std::vector<Rewrite> rewrites_of_sums(Sketch& sketch, uint32_t record);
std::vector<Rewrite> rewrites_of_functions(Sketch& sketch, uint32_t record); // log, pow, acos, sqrt, quotients

std::vector<Rewrite> rewrites_of_inverses(Sketch& sketch, uint32_t record);  // asinh in other terms; haversine
std::vector<Rewrite> rewrites_of_ranges(Sketch& sketch, uint32_t record);    // scaled against overflow
std::vector<Rewrite> rewrites_of_variances(Sketch& sketch, uint32_t record); // two passes

// Returns the matches of all rules, the simplest first.
std::vector<Rewrite> rewrites_of(const tape::Tape& tape, uint32_t record, std::span<const numeric::Value> values,
                                 const std::vector<std::string>& inputs, Texts texts = Texts::written);

// x * x + y * y + ..., and the same sum of the changed values: both sides of rules about norms and variances.
struct SquareSums {
  Expression before, after;
};

} // namespace faultline::explain
