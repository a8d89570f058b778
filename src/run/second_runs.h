// Further runs of a program with the same input, after the first one: they confirm what it showed, and show what one run
// cannot.
//
// The second run fills fresh memory with NaN. If no such value is computed with, it must print the numbers of the first
// run: otherwise the clock, addresses, threads or an input that cannot be read twice decide what the program does, and
// nothing is confirmed. Its residues have 53 bits, so the digits of printed numbers are computed a second time. Then
// comparisons that rounding flips get their exact outcome, and tolerances of loops become smaller: numbers that change
// by more than their rounding errors show what mattered.
#pragma once

#include "model/run_report.h"
#include "run/twin.h"

#include <string>
#include <vector>

namespace faultline::run {

// `input` is where the first run began to read standard input.
void repeat_run(const std::string& program, const std::vector<std::string>& command, off_t input,
                model::RunReport& first);

} // namespace faultline::run
