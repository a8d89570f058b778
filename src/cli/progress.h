// What a hunt is doing, on standard error: one live line on a terminal, now and then a plain line elsewhere.
//
// The line is cleared before anything else is printed on the terminal (call clear()) and when the object goes.
#pragma once

#include "hunt/hunt.h"

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

} // namespace faultline::cli
