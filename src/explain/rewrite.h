// Other ways to write an operation: identities of real numbers that keep digits where the operation loses them. Each
// rule looks at how the operands were made, and sketches the other code (explain/sketch.h); whether that helps is for
// explain/remedy.h to find out.
#pragma once

#include "explain/sketch.h"

#include <functional>
#include <optional>
#include <vector>

namespace faultline::explain {

// Where a rule is meant for: "x / y is between 0.5 and 2". Elsewhere the operation stays as it is.
struct Guard {
  std::string text;
  bool holds = true; // on this run
};

struct Rewritten {
  const char* name; // of the remedy: "log1p"
  Expression before, after;
  int variant = 0; // tells rules of one name for one operation from each other, on every run
  std::optional<Guard> guard = {};
  bool may_be_meant = false; // a constant is added and taken away: perhaps in order to round
  std::string note = {};     // on a name in them that the source does not have: "m is the mean"
  std::string legend = {};   // of the letters in them
};

// All rules that fit the operation that made this record.
std::vector<Rewritten> rewrites_of_differences(Sketch& sketch, uint32_t record); // x + (-y) is one too
std::vector<Rewritten> rewrites_of_sums(Sketch& sketch, uint32_t record);
std::vector<Rewritten> rewrites_of_functions(Sketch& sketch, uint32_t record); // log, pow, acos, sqrt, quotients

std::vector<Rewritten> rewrites_of_inverses(Sketch& sketch, uint32_t record);  // asinh and kin spelt out; haversine
std::vector<Rewritten> rewrites_of_ranges(Sketch& sketch, uint32_t record);    // scaled, so that nothing overflows
std::vector<Rewritten> rewrites_of_variances(Sketch& sketch, uint32_t record); // in two passes

// Of all of them, the simplest first.
std::vector<Rewritten> rewrites_of(const tape::Tape& tape, uint32_t record, std::span<const long double> values,
                                   const std::vector<std::string>& inputs, Texts texts = Texts::written);

// x * x + y * y + ..., and the same of what the values are changed to: both sides of rules about norms and variances.
struct SquareSums {
  Expression before, after;
};

// Of one value at least. Sums of many terms are spelled out to the first.
SquareSums square_sums(Sketch& sketch, const std::vector<uint32_t>& values,
                       const std::function<Expression(const Expression&)>& changed);

} // namespace faultline::explain
