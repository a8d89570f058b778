// Merges the results of tasks on other machines into a store, line by line, with the code that records rounds of this
// machine.
//
// A line is merged once, however often it is seen: the offset up to which a file was read is stored in the same
// transaction as the results. A round that the store has already changes nothing. Invalid lines are reported and
// skipped. A task itself uses this to continue where one that died has ended.
#pragma once

#include "base/clock.h"
#include "campaign/recording.h"
#include "campaign/remote/share_folder.h"
#include "campaign/remote/share_job.h"
#include "campaign/rounds.h"
#include "model/set_aside.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace faultline::campaign {

// Writes a results file.
//
// A line is one write(2) at the end of a file with a single writer. So a reader sees whole lines and perhaps a part of
// the last one, which it leaves for later. A checkpoint syncs the file: if the machine dies, the last seconds are lost.
class ResultsWriter {
public:
  // Creates a new file with this head. Throws base::UserError if it cannot be written.
  ResultsWriter(const ShareFolder& folder, const ResultsHead& head);
  ~ResultsWriter();
  ResultsWriter(const ResultsWriter&) = delete;
  ResultsWriter& operator=(const ResultsWriter&) = delete;

  void append(const ShareLine& line); // throws base::UserError if the disk is full
  // Makes a checkpoint if the last one is some seconds ago, and writes a sign of life if the last line is.
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

// The longest time between two lines of a live task.
inline constexpr double alive_seconds = 10;

// Reads the lines of a results file from an offset on.
class ResultsReader {
public:
  // Throws base::UserError if it does not exist or is not a regular file.
  ResultsReader(const std::string& file, uint64_t offset);
  ~ResultsReader();
  ResultsReader(const ResultsReader&) = delete;
  ResultsReader& operator=(const ResultsReader&) = delete;

  struct Line {
    std::string_view text;   // valid until the next call
    bool too_long = false;   // longer than any line of a task: it was skipped
    uint64_t end_offset = 0; // after it
  };
  std::optional<Line> next(); // none if no whole line is left

private:
  bool read_more();

  std::string file_;
  int descriptor_ = -1;
  uint64_t offset_; // of the buffer's begin
  std::string buffer_;
  size_t begin_ = 0; // of the unread part
  bool skipping_ = false;
};

// The new lines of a results file since it was last read.
struct FileNews {
  bool grew = false;
  uint64_t merged = 0, known = 0, refused = 0; // rounds
  std::optional<RunEnding> ending;             // of its task; none: the file has no end yet
  std::string failed;                          // why its job failed
};

class Merging {
public:
  using OnMerged = std::function<void(size_t i, const RoundResult& recorded)>;

  // `rows`: the functions; merging updates them. Results of other functions are refused.
  Merging(const RoundsOf& of, std::vector<TargetRow>& rows, OnMerged on_merged);

  // Merges a file from where it was read last. Leaves an incomplete last line for later. Reports a file that is not a
  // results file and skips it. Throws base::UserError if the store cannot be written.
  FileNews merge(const std::string& file);

private:
  struct Reading;
  struct Seen {
    std::string key;   // in the store
    uint64_t read = 0; // bytes
  };
  struct Next { // a round that the store lacks
    size_t i = 0;
    RoundLine line;
  };
  std::optional<Seen> first_look_at(const std::string& file);
  bool merge_some(ResultsReader& reader, Seen& seen, Reading& reading);
  void take(const ResultsReader::Line& line, Reading& reading);
  std::optional<Next> next_in(RoundLine line, Reading& reading);
  void merge(Next next, Reading& reading);
  std::optional<size_t> find(const RoundLine& line) const;
  bool is_next(const RoundLine& line, const TargetRow& row) const;
  void check(const RoundLine& line, const TargetRow& row) const;
  void complete(RoundLine& line, const TargetRow& row);

  RoundsOf of_;
  std::vector<TargetRow>& rows_;
  OnMerged on_merged_;
  model::SetAside set_aside_;
  std::map<std::pair<std::string, std::string>, size_t> places_; // of rows, by function and symbol
  std::map<std::string, Seen> seen_;                             // by file
};

// True if it is a results file, by its first line.
bool is_results_file(const std::string& file);

// Returns a hash of a function's known findings. A round that tried their inputs is valid for these findings alone.
std::string hash_of_known(Database& database, int64_t target);

} // namespace faultline::campaign
