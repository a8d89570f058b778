// Findings that were saved: FINDINGS.json.
#pragma once

#include "campaign/baseline.h"
#include "campaign/finding.h"

#include <string>

namespace faultline::cli {

// Throws UserError: no such file, or not a report (with the place that is wrong).
campaign::Report load_findings(const std::string& file);

// The same for --baseline.
campaign::Baseline load_baseline(const std::string& file);

} // namespace faultline::cli
