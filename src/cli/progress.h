// Shows the progress of a hunt on standard error: one live line on a terminal, otherwise a plain line now and then.
//
// The line must be cleared with clear() before anything else is printed on the terminal. The destructor clears it.
#pragma once

#include "hunt/hunt.h"

#include <atomic>
#include <cstdio>
#include <string>

namespace faultline::cli {

enum class ProgressMode { silent, live, plain };

// Live if the stream is a terminal, silent if the user requested it.
ProgressMode progress_mode(bool quiet, int file_descriptor);

std::string progress_line(const model::Progress& progress);

class ProgressDisplay {
public:
  static constexpr double live_seconds = 0.1; // between two lines
  static constexpr double plain_seconds = 5;

  ProgressDisplay(ProgressMode mode, std::FILE* stream) : mode_(mode), stream_(stream) {}
  ~ProgressDisplay() { clear(); }
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  // Shows the line, unless the last one is too recent by the time in the progress.
  void update(const model::Progress& progress);
  void update(const std::string& line, double seconds); // the same for a given line
  void clear();
  bool is_silent() const { return mode_ == ProgressMode::silent; }

private:
  ProgressMode mode_;
  std::FILE* stream_;
  double last_ = 0; // the time of the last line; the first plain line comes after plain_seconds
  bool shown_ = false;
};

// Handles Ctrl-C. The first one requests a hunt to end and report what it has; the second one kills at once. During the
// lifetime of an object, SIGINT and SIGTERM set the flag. There must be at most one object at a time.
class Interrupt {
public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const std::atomic<bool>& flag() const;
};

// Prints a remark, which is not an error, on standard error: "faultline: TEXT". The text may have further lines, such
// as a hint.
void tell_remark(const std::string& text);

// The same, but prints each text only once per process: plots and tests each load the program again.
void tell_remark_once(const std::string& text);

struct TerminalSize {
  size_t columns = 80, lines = 24;
};
TerminalSize terminal_size(std::FILE* stream); // the defaults if the terminal does not report a size

// Shows a text of several lines on a terminal in place of the previous one. It does not use the alternate screen, so
// the last text stays, and earlier output can be scrolled to.
class TerminalView {
public:
  explicit TerminalView(std::FILE* stream) : stream_(stream) {}

  // Shows one line less than the terminal has, and cuts each line at its width: the number of wrapped lines is unknown.
  void show(const std::string& text);
  void clear(); // the next output takes its place

private:
  std::FILE* stream_;
  size_t lines_ = 0; // of the last text
};

} // namespace faultline::cli
