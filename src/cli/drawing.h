// Plots for the reports that draw them: hunt and report have this in common.
#pragma once

#include "cli/progress.h"
#include "cli/writer.h"
#include "finding/report.h"
#include "hunt/options.h"

#include <atomic>
#include <functional>
#include <unistd.h>
#include <vector>

namespace faultline::cli {

// Samples the plots if one of the reports draws them, and says on standard error how far it is. Whatever prevents it is
// told in one line on standard error, and in the report: findings without plots are better than no report.
void draw(finding::Report& report, const std::vector<finding::Problem>& problems, const std::vector<Writer>& writers,
          const std::function<campaign::Options()>& options, const std::atomic<bool>& stop,
          ProgressMode mode = progress_mode(false, STDERR_FILENO));

} // namespace faultline::cli
