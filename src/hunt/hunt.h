// A hunt: searches many targets, each in its own worker, and reports the findings.
#pragma once

#include "base/error.h"
#include "hunt/targets.h"
#include "model/message.h"
#include "model/report.h"
#include "search/space.h"

#include <atomic>
#include <functional>
#include <string>

namespace faultline::hunt {

// Callbacks for events during a hunt. They are called in the supervisor.
struct Listener {
  std::function<void(const model::Progress&)> on_progress; // several times a second
  // During the search: the finding is verified, but not yet in its final form.
  std::function<void(const model::TargetReport& target, const model::Finding&)> on_sighting;
  // A report with one finding that is to be kept in the corpus under this name.
  std::function<void(const model::Report&, const std::string& file)> on_keep = {};
  // The finding was not confirmed: its file is to be removed from the corpus.
  std::function<void(const std::string& file)> on_drop = {};
};

// Runs a hunt. The report lists the targets in the order of the source, whatever `jobs` is. `stop` ends the hunt early
// and keeps the findings. Throws UserError.
model::Report hunt(const Options& options, const Listener& listener, const std::atomic<bool>& stop);

// A report without targets.
model::Report blank_report(const Options& options);

// A target's report without findings: its names, place, settings, and inputs with their ranges.
model::TargetReport blank_report(const model::Target& target, const model::Settings& settings);

// The range in which each input is searched.
std::vector<model::InputRange> searched_ranges(const model::Target& target, const model::Settings& settings);

// The report of a target that cannot be tested: its names, its place, and the reason.
model::TargetReport refused_report(const model::Target& target);

// Records why a target was not tested, as the outcome and the note of its report.
void take_refusal(const base::UserError& error, model::TargetReport& report);

} // namespace faultline::hunt
