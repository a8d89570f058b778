// What a hunt is doing, on standard error: one live line on a terminal, now and then a plain line elsewhere.
//
// The line is cleared before anything else is printed on the terminal (call clear()) and when the object goes.
#pragma once

#include "hunt/hunt.h"

#include <atomic>
#include <cstdio>
#include <string>

namespace faultline::cli {

enum class ProgressMode { silent, live, plain };

// Live if the stream is a terminal, silent if the user asked for it.
ProgressMode progress_mode(bool quiet, int file_descriptor);

std::string progress_line(const finding::Progress& progress);

class ProgressDisplay {
public:
  static constexpr double live_seconds = 0.1; // between two lines
  static constexpr double plain_seconds = 5;

  ProgressDisplay(ProgressMode mode, std::FILE* stream) : mode_(mode), stream_(stream) {}
  ~ProgressDisplay() { clear(); }
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  // Shows the line, unless the last one is too fresh. The time is the progress's own.
  void update(const finding::Progress& progress);
  void update(const std::string& line, double seconds); // the same, of a line that is made
  void clear();
  bool is_silent() const { return mode_ == ProgressMode::silent; }

private:
  ProgressMode mode_;
  std::FILE* stream_;
  double last_ = 0; // when a line was shown; a plain line is not due before plain_seconds have passed
  bool shown_ = false;
};

// Ctrl-C. The first one asks a hunt to end and report what it has; the second one kills at once.

// While one lives, SIGINT and SIGTERM set the flag. There is one at a time: signals know no objects.
class Interrupt {
public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const std::atomic<bool>& flag() const;
};

// Remarks on standard error: what the user should know and no error is.

// "faultline: TEXT". Further lines of the text, such as what to try, are lines here as well.
void tell_remark(const std::string& text);

// The same, but a text that was told is not told again: plots and tests each load the program once more.
void tell_remark_once(const std::string& text);

// A text of several lines that takes the place of the one before, on a terminal. No alternate screen: the last one
// stays when it ends, and what stood above can be scrolled to.
struct TerminalSize {
  size_t columns = 80, lines = 24;
};
TerminalSize terminal_size(std::FILE* stream); // what is usual, where the terminal does not say

class TerminalView {
public:
  explicit TerminalView(std::FILE* stream) : stream_(stream) {}

  // One line less than the terminal has are shown, and of each as much as fits: lines that wrap cannot be counted back.
  void show(const std::string& text);
  void clear(); // what comes next stands where it was

private:
  std::FILE* stream_;
  size_t lines_ = 0; // that it has written
};

} // namespace faultline::cli
