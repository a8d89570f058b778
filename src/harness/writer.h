// The text of a harness.
#pragma once

#include "harness/harness.h"

namespace faultline::harness {

// Fills in the text and what goes with it, or the obstacle. `changes`: the function's results are its arguments, and
// what it returns, if it is no float, is left aside.
void write_harness(const Declaration& function, Language language, bool changes, Harness& harness);

} // namespace faultline::harness
