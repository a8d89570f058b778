#include "cli/progress.h"

#include "report/text.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <sstream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace faultline::cli {

namespace {

// Removes colours, which take no columns.
std::string without_colours(const std::string& line) {
  std::string text;
  for (size_t i = 0; i < line.size(); ++i)
    if (line[i] == '\033')
      i = std::min(line.find('m', i), line.size() - 1);
    else
      text += line[i];
  return text;
}

std::string fitted(const std::string& line, size_t columns) {
  const std::string plain = without_colours(line);
  return report::width(plain) <= columns ? line : report::shortened(plain, columns);
}

} // namespace

TerminalSize terminal_size(std::FILE* stream) {
  winsize size{};
  TerminalSize usual;
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0)
    return usual;
  return {size.ws_col > 20 ? size.ws_col : usual.columns, size.ws_row > 4 ? size.ws_row : usual.lines};
}

void TerminalView::show(const std::string& text) {
  const TerminalSize size = terminal_size(stream_);
  clear();
  for (size_t begin = 0; begin < text.size() && lines_ + 1 < size.lines; ++lines_) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    fmt::print(stream_, "{}\n", fitted(line, size.columns - 1));
    begin = end + 1;
  }
  std::fflush(stream_);
}

void TerminalView::clear() {
  if (lines_ > 0)
    fmt::print(stream_, "\033[{}A\033[J", lines_);
  lines_ = 0;
}

void tell_remark(const std::string& text) {
  std::istringstream lines(text);
  std::string line, shown;
  while (std::getline(lines, line))
    shown += report::printable(line) + "\n";
  fmt::print(stderr, "faultline: {}", shown);
}

void tell_remark_once(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> told; // per process, as is standard error
  const std::lock_guard lock(mutex);
  if (told.insert(text).second)
    tell_remark(text);
}

namespace {

std::atomic<bool> stop = false;
static_assert(std::atomic<bool>::is_always_lock_free, "it is set in a signal handler");

constexpr int signals[] = {SIGINT, SIGTERM};

// The next signal kills, whichever it is.
void on_signal(int) {
  stop = true;
  for (const int signal : signals)
    std::signal(signal, SIG_DFL);
}

} // namespace

Interrupt::Interrupt() {
  stop = false;
  struct sigaction action {};
  action.sa_handler = on_signal; // no SA_RESTART: interrupts waiting calls
  for (const int signal : signals) {
    struct sigaction old {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_IGN) // ignored by nohup or a shell: keep it so
      sigaction(signal, &action, nullptr);
  }
}

Interrupt::~Interrupt() {
  for (const int signal : signals) {
    struct sigaction old {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler == on_signal)
      std::signal(signal, SIG_DFL);
  }
}

const std::atomic<bool>& Interrupt::flag() const { return stop; }

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

std::string progress_line(const model::Progress& progress) {
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

void ProgressDisplay::update(const model::Progress& progress) { update(progress_line(progress), progress.seconds); }

void ProgressDisplay::update(const std::string& line, double seconds) {
  const double pause = mode_ == ProgressMode::live ? live_seconds : plain_seconds;
  if (seconds < last_) // another hunt with a new clock
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
