// Repairs: for each problem of a hunt, edits of the source that a trial has passed (faultline fix).
//
//   problem -> body of the function (program/harnessed_source.h) -> questions (fix/source_question.h) -> candidates
//   (fix/candidates.h) -> edits (fix/source_edits.h) -> trial (judge/tasks/trial.h) -> hunt on the repaired code
//
// The reference of trial and hunt is the original code in exact arithmetic. What the hunt finds wrong goes back into
// the trial; a repair that fails is not shown.
#pragma once

#include "hunt/hunt.h"
#include "model/fix_report.h"

#include <atomic>
#include <functional>
#include <map>
#include <string>

namespace faultline::hunt {

enum class Prefer : uint8_t { any, accuracy, speed, size };

struct FixRequest {
  std::map<std::string, std::string> at; // --at: the problem at this input; empty: those that a hunt finds
  double seconds = 10;                   // for each problem
  double most_cost = 4;                  // run time against the original's
  Prefer prefer = Prefer::any;
};

struct FixListener {
  Listener hunting;
  std::function<void(const std::string& phase)> on_phase; // what is being done
};

// Throws UserError.
model::FixReport fix(const Options& options, const FixRequest& request, const FixListener& listener,
                     const std::atomic<bool>& stop);

// Judges a patch that someone else wrote by the same trial, on each function of -f or each one that the patch changes.
model::FixReport check_patch(const Options& options, const FixRequest& request, const std::string& patch,
                             const FixListener& listener, const std::atomic<bool>& stop);

} // namespace faultline::hunt
