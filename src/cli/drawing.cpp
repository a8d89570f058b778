#include "cli/drawing.h"

#include "campaign/plots.h"
#include "frontend/error.h"
#include "report/html.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace faultline::cli {
namespace {

// How far the plots are, on standard error: the search is over, and without a word ten seconds look like a hang.
class PlotProgress {
public:
  explicit PlotProgress(ProgressMode mode) : mode_(mode) {
    if (mode != ProgressMode::live) // a short time is passed over in silence
      last_ = std::chrono::steady_clock::now();
  }
  ~PlotProgress() {
    if (shown_)
      fmt::print(stderr, "\r\033[K");
  }
  PlotProgress(const PlotProgress&) = delete;
  PlotProgress& operator=(const PlotProgress&) = delete;

  void update(size_t done, size_t all) {
    const auto now = std::chrono::steady_clock::now();
    const double pause = mode_ == ProgressMode::live ? ProgressDisplay::live_seconds : ProgressDisplay::plain_seconds;
    if (mode_ == ProgressMode::silent || now - last_ < std::chrono::duration<double>(pause))
      return;
    last_ = now;
    shown_ = mode_ == ProgressMode::live;
    fmt::print(stderr, "{}drawing plots: {} of {} findings{}", shown_ ? "\r\033[K" : "faultline: ", done, all,
               shown_ ? "" : "\n");
    std::fflush(stderr);
  }

private:
  ProgressMode mode_;
  std::chrono::steady_clock::time_point last_ = {};
  bool shown_ = false;
};

} // namespace

void draw(finding::Report& report, const std::vector<Writer>& writers,
          const std::function<campaign::Options()>& options, const std::atomic<bool>& stop, ProgressMode mode) {
  if (std::ranges::none_of(writers, &Writer::draws))
    return;
  try {
    if (!report::can_plot())
      report.without_plots = "this faultline was built without uPlot, which draws them";
    else if (stop)
      report.without_plots = "the hunt was interrupted";
    else {
      PlotProgress progress(mode);
      campaign::add_plots(report, options(), stop, {}, [&](size_t done, size_t all) { progress.update(done, all); });
    }
  } catch (const frontend::UserError& problem) {
    const std::string what = problem.what();
    report.without_plots = what.substr(0, what.find('\n'));
  }
  if (!report.without_plots.empty())
    fmt::print(stderr, "faultline: without plots: {}\n", report.without_plots);
}

} // namespace faultline::cli
