// What code under test prints. It goes nowhere, and costs little, but in a run whose output somebody asks for.
#pragma once

#include <functional>
#include <string>

namespace faultline::exec {

// Before the sandbox closes: later nothing can be opened. Only where output is asked for.
void prepare_printing();

// What is printed on standard output and standard error while this runs, the first 64 KiB of it. Empty if nothing was
// prepared. What is written beyond that fails: the run is for nothing else.
std::string printed_by(const std::function<void()>& run);

} // namespace faultline::exec
