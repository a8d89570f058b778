// A hunt: many targets, each in a worker of its own, and what they found.
#pragma once

#include "finding/message.h"
#include "finding/report.h"
#include "frontend/error.h"
#include "hunt/extents.h"
#include "search/space.h"

#include <atomic>
#include <functional>
#include <string>

namespace faultline::campaign {

// Who wants to know what happens in a hunt while it goes on. Called in the supervisor.
struct Listener {
  std::function<void(const finding::Progress&)> on_progress; // several times a second
  // While the search goes on: verified, but not yet what will be reported of it.
  std::function<void(const finding::TargetReport& target, const finding::Finding&)> on_sighting;
  // A report with one finding, that belongs into the corpus under this name.
  std::function<void(const finding::Report&, const std::string& file)> on_keep = {};
  // It was not confirmed, and does not belong there.
  std::function<void(const std::string& file)> on_drop = {};
};

// Throws frontend::UserError. The report has the targets in the order of the source, whatever `jobs` is. `stop` ends
// the hunt early and keeps what was found.
finding::Report hunt(const Options& options, const Listener& listener, const std::atomic<bool>& stop);

// Reports before anything is found.

// Without targets.
finding::Report blank_report(const Options& options);

// Of a target: its names, its place, its settings, and the inputs with their ranges.
finding::TargetReport blank_report(const frontend::Target& target, const finding::Settings& settings);

// Where each input is searched.
std::vector<finding::InputRange> searched_ranges(const frontend::Target& target, const finding::Settings& settings);

// Of a target that cannot be hunted in: its names, its place, and the reason.
finding::TargetReport refused_report(const frontend::Target& target);

// Why there was no hunt, as the outcome and the note of its report.
void take_refusal(const frontend::UserError& error, finding::TargetReport& report);

} // namespace faultline::campaign
