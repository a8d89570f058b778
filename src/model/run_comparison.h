// Where two runs of a program part (faultline run --against).
#pragma once

#include "model/run_report.h"

#include <array>
#include <optional>

namespace faultline::model {

enum class RunVerdict : uint8_t {
  same,      // all printed numbers are the same, bit by bit
  rounding,  // they differ, and the exact results are the same
  turned,    // rounding turned a decision, and the runs take different ways from there
  different, // the exact results differ: other inputs, constants, formulas, values without initial value
  unknown,   // residues do not tell
};

// A value or a decision that differs. The arrays have an element for each run.
struct RunDifference {
  std::array<RunPlace, 2> place;
  std::array<std::string, 2> operation;                   // as the build does it
  std::array<uint64_t, 2> execution = {0, 0};             // from 1; 0: this run does not execute it
  std::array<double, 2> value = {0, 0}, residue = {0, 0}; // of a comparison: the difference of its operands
  std::array<RunPlace, 2> cause;                          // what contributed most to the residue
  bool is_decision = false, is_output = false;
};

struct RunComparison {
  std::array<std::vector<std::string>, 2> command;
  std::array<int, 2> status = {0, 0}, signal = {0, 0};
  RunVerdict verdict = RunVerdict::unknown;
  std::string reason; // of rounding: "fused operations", "reassociation", "float for double"; or empty
  RunPlace reason_place;
  std::optional<RunDifference> first;  // what the verdict is about
  std::optional<RunDifference> before; // the first difference at all, if the verdict is about a later one
  std::optional<RunDifference> output; // the first printed number that differs
  std::optional<RunDifference> hidden; // one that rounding does not explain, and that the printed numbers do not show
  std::vector<RunPlace> changed;       // lines that differ in the sources of both builds, if these have other names
  uint64_t values = 0;                 // that were compared
  uint64_t places = 0, unmatched = 0;  // of the source, with values in both runs; of these, not aligned
  std::array<uint64_t, 2> printed = {0, 0};
  uint64_t differing = 0, unexplained = 0, unknown = 0; // printed numbers
  bool one_thread_only = false;                         // the other run had several
};

} // namespace faultline::model
