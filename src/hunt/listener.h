// Who wants to know what happens in a hunt while it goes on. Called in the supervisor.
#pragma once

#include "finding/progress.h"
#include "finding/report.h"

#include <functional>
#include <string>

namespace faultline::campaign {

struct Listener {
  std::function<void(const finding::Progress&)> on_progress; // several times a second
  // While the search goes on: verified, but not yet what will be reported of it.
  std::function<void(const finding::TargetReport& target, const finding::Finding&)> on_sighting;
  // A report with one finding, that belongs into the corpus under this name.
  std::function<void(const finding::Report&, const std::string& file)> on_keep = {};
  // It was not confirmed, and does not belong there.
  std::function<void(const std::string& file)> on_drop = {};
};

} // namespace faultline::campaign
