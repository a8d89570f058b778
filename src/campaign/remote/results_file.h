// A results file, as its task writes it and as a collector reads it.
//
// A line is one write(2), at the end of a file that nobody else writes to: a reader sees whole lines, and at the end
// perhaps a part of one, which it leaves for later. What is written is on the disk after a checkpoint: if the machine
// dies, the last seconds are lost.
#pragma once

#include "base/clock.h"
#include "campaign/remote/share_folder.h"
#include "campaign/remote/share_line.h"

#include <optional>
#include <string>

namespace faultline::campaign {

class ResultsWriter {
public:
  // A new file, with its head. Throws frontend::UserError: it cannot be written.
  ResultsWriter(const ShareFolder& folder, const ResultsHead& head);
  ~ResultsWriter();
  ResultsWriter(const ResultsWriter&) = delete;
  ResultsWriter& operator=(const ResultsWriter&) = delete;

  void append(const ShareLine& line); // throws frontend::UserError: the disk is full
  // A checkpoint, if the last one is some seconds ago; a sign of life, if nothing was written for long.
  void keep_alive();
  void checkpoint();
  const ResultsName& name() const { return name_; }

private:
  ResultsName name_;
  std::string file_;
  int descriptor_ = -1;
  base::Stopwatch life_, since_line_, since_sync_;
  bool is_synced_ = true;
};

// So often a task tells at least that it lives.
inline constexpr double alive_seconds = 10;

// Lines from an offset on.
class ResultsReader {
public:
  // Throws frontend::UserError: it is not there, or no plain file.
  ResultsReader(const std::string& file, uint64_t offset);
  ~ResultsReader();
  ResultsReader(const ResultsReader&) = delete;
  ResultsReader& operator=(const ResultsReader&) = delete;

  struct Line {
    std::string_view text;   // until the next one is asked for
    bool too_long = false;   // for anything that a task writes: it was skipped
    uint64_t end_offset = 0; // after it
  };
  std::optional<Line> next(); // none: no whole line is left

private:
  bool read_more();

  std::string file_;
  int descriptor_ = -1;
  uint64_t offset_; // of the buffer's begin
  std::string buffer_;
  size_t begin_ = 0; // of what was not given yet
  bool skipping_ = false;
};

} // namespace faultline::campaign
