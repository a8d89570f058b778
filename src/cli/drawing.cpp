#include "cli/drawing.h"

#include "base/clock.h"
#include "frontend/error.h"
#include "hunt/plots.h"
#include "report/html.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::cli {
void draw(finding::Report& report, const std::vector<finding::Problem>& problems, const std::vector<Writer>& writers,
          const std::function<campaign::Options()>& options, const std::atomic<bool>& stop, ProgressMode mode) {
  if (std::ranges::none_of(writers, &Writer::draws))
    return;
  try {
    if (!report::can_plot())
      report.without_plots = "this faultline was built without uPlot, which draws them";
    else if (stop)
      report.without_plots = "the hunt was interrupted";
    else {
      // The search is over, and without a word ten seconds look like a hang.
      ProgressDisplay display(mode, stderr);
      const base::Stopwatch watch;
      campaign::add_plots(report, problems, options(), stop, {}, [&](size_t done, size_t all) {
        display.update(fmt::format("drawing plots: {} of {} findings", done, all), watch.seconds());
      });
    }
  } catch (const frontend::UserError& problem) {
    const std::string what = problem.what();
    report.without_plots = what.substr(0, what.find('\n'));
  }
  if (!report.without_plots.empty())
    fmt::print(stderr, "faultline: without plots: {}\n", report.without_plots);
}

} // namespace faultline::cli
