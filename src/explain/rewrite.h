// Other ways to write an operation: identities of real numbers that keep digits where the operation loses them. Each
// rule looks at how the operands were made, and sketches the other code (explain/sketch.h); whether that helps is for
// explain/remedy.h to find out.
#pragma once

#include "explain/sketch.h"

#include <optional>

namespace faultline::explain {

struct Rewritten {
  const char* name; // of the remedy: "log1p"
  Expression before, after;
  std::string legend = {}; // of the letters in them
};

// All rules that fit the operation that made this record.
std::vector<Rewritten> rewrites_of_differences(Sketch& sketch, uint32_t record); // x + (-y) is one too
std::vector<Rewritten> rewrites_of_sums(Sketch& sketch, uint32_t record);
std::vector<Rewritten> rewrites_of_functions(Sketch& sketch, uint32_t record); // log, pow, acos, sqrt, quotients

} // namespace faultline::explain
