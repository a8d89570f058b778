// The commands about one target: its bounds, its coverage, its code as FPCore, and one of its runs.
#pragma once

#include "hunt/targets.h"
#include "model/bound_report.h"
#include "model/certificate.h"
#include "model/explanation.h"
#include "model/job.h"
#include "model/message.h"
#include "model/report.h"

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace faultline::hunt {

// The largest error of the target over a range, from both sides (faultline bound).
struct BoundResult {
  model::BoundReport report;
  std::optional<model::Certificate> certificate; // if the task requests one and the worker finished it
};

// Throws UserError.
BoundResult bound(const Options& options, const model::BoundTask& how,
                  const std::function<void(const model::SearchProgress&)>& on_progress, const std::atomic<bool>& stop);

// Checks that a certificate is about this program. Runs each of its paths again at one input and compares what the
// program computes with the code in the certificate. One input per path suffices, because the decisions on a path
// determine its code (prove/box_bound.h).
// Returns an empty text if it is, otherwise the difference. `options` names the sources; the certificate names the
// function and how it is called. Throws UserError.
std::string difference_from(const model::Certificate& certificate, Options options);

// Coverage of one target: an input for each branch outcome, or the reason why there is none (faultline cover).
//
// A worker explores the paths. Then a fresh worker runs every input again and checks the branches it claims to take.

// Throws UserError.
model::CoverReport cover(const Options& options, const model::ExploreTask& how,
                         const std::function<void(uint64_t runs)>& on_progress, const std::atomic<bool>& stop);

// Returns the one function that the options name as FPCore (faultline export). Throws UserError if there is
// none, or if FPCore cannot express it.
std::string export_fpcore(const Options& options);

// faultline explain: everything known about one input. The findings are those that a hunt would report there, judged by
// the same code. In addition, it shows the result, right or wrong, and the operations of the run in order.

// `at`: the input, by name (judge/given_input.h). Throws UserError.
model::Explanation explain(const Options& options, const std::map<std::string, std::string>& at, size_t most_rows);

// The findings alone, as a hunt would report them. They determine the exit status and the JSON.
model::Report report_of(const model::Explanation& explanation, const Options& options);

} // namespace faultline::hunt
