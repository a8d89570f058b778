// Plots for the reports that draw them: hunt and report have this in common.
#pragma once

#include "campaign/finding.h"
#include "campaign/options.h"
#include "report/writer.h"

#include <atomic>
#include <functional>
#include <vector>

namespace CLI {
class App;
}

namespace faultline::cli {

void add_plots_option(CLI::App& app, bool& no_plots); // --no-plots

// Samples the plots if one of the reports draws them. Whatever prevents it is told in one line on standard error, and
// in the report: findings without plots are better than no report.
void draw(campaign::Report& report, const std::vector<report::Writer>& writers,
          const std::function<campaign::Options()>& options, const std::atomic<bool>& stop);

} // namespace faultline::cli
