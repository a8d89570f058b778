#include "cli/progress.h"

#include "cli/terminal/terminal_view.h"
#include "report/excerpt.h"
#include "report/table.h"
#include "report/wording.h"

#include <fmt/format.h>
#include <unistd.h>

namespace faultline::cli {
namespace {

std::string rate_text(double rate) {
  return rate < 1e4   ? fmt::format("{:.0f}", rate)
         : rate < 1e6 ? fmt::format("{:.0f}k", rate / 1e3)
                      : fmt::format("{:.1f}M", rate / 1e6);
}

} // namespace

ProgressMode progress_mode(bool quiet, int file_descriptor) {
  if (quiet)
    return ProgressMode::silent;
  return isatty(file_descriptor) ? ProgressMode::live : ProgressMode::plain;
}

std::string progress_line(const finding::Progress& progress) {
  std::string line = fmt::format("{:.1f} s, {} of {} functions, {} evaluations", progress.seconds,
                                 progress.targets_done, progress.targets, progress.evaluations);
  if (progress.seconds > 0 && progress.evaluations > 0)
    line += fmt::format(" ({}/s)", rate_text(double(progress.evaluations) / progress.seconds));
  if (progress.sites > 0)
    line += fmt::format(", {} of {} sites reached", progress.reached, progress.sites);
  if (progress.worst_error > 0)
    line += fmt::format(", worst {}{}{}", report::measure_text(progress.worst_error),
                        progress.worst_where.empty() ? "" : " in ", progress.worst_where);
  if (!progress.function.empty())
    line += fmt::format(", now {} {}", progress.phase.empty() ? "in" : progress.phase + " in", progress.function);
  return report::printable(line);
}

void ProgressDisplay::update(const finding::Progress& progress) { update(progress_line(progress), progress.seconds); }

void ProgressDisplay::update(const std::string& line, double seconds) {
  const double pause = mode_ == ProgressMode::live ? live_seconds : plain_seconds;
  if (seconds < last_) // another hunt: its clock began anew
    last_ = 0;
  if (mode_ == ProgressMode::silent || seconds - last_ < pause)
    return;
  last_ = seconds;
  if (mode_ == ProgressMode::live) {
    fmt::print(stream_, "\r\033[K{}", report::shortened(line, terminal_size(stream_).columns - 1));
    shown_ = true;
  } else {
    fmt::print(stream_, "faultline: {}\n", line);
  }
  std::fflush(stream_);
}

void ProgressDisplay::clear() {
  if (!shown_)
    return;
  std::fputs("\r\033[K", stream_);
  std::fflush(stream_);
  shown_ = false;
}

} // namespace faultline::cli
