// What tasks on other machines have found becomes part of a store: line by line, by the same code that records rounds
// of this machine.
//
// A line is merged once, however often it is seen: how far a file was read is stored in the transaction that stores
// what was read; and a round that the store has already, by whoever carried it out, changes nothing. Lines that make no
// sense are told and skipped. A task itself uses this to go on where one that died has ended.
#pragma once

#include "base/clock.h"
#include "campaign/recording.h"
#include "campaign/remote/share_folder.h"
#include "campaign/remote/share_job.h"
#include "campaign/rounds.h"
#include "finding/set_aside.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace faultline::campaign {

// A results file, as its task writes it and as a collector reads it.
//
// A line is one write(2), at the end of a file that nobody else writes to: a reader sees whole lines, and at the end
// perhaps a part of one, which it leaves for later. What is written is on the disk after a checkpoint: if the machine
// dies, the last seconds are lost.
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

// What a results file has brought since it was last looked at.
struct FileNews {
  bool grew = false;
  uint64_t merged = 0, known = 0, refused = 0; // rounds
  std::optional<RunEnding> ending;             // how its task has ended; none: it has not, as far as the file tells
  std::string failed;                          // why its job could not be done
};

class Merging {
public:
  using OnMerged = std::function<void(size_t i, const Recorded& recorded)>;

  // `rows`: the functions, which are brought up to date. Results of others are refused.
  Merging(const RoundsOf& of, std::vector<TargetRow>& rows, OnMerged on_merged);

  // From where it was read last. A torn last line is left for later; a file that is none of results is told and left
  // out. Throws frontend::UserError: the store cannot be written.
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
  finding::SetAside set_aside_;
  std::map<std::pair<std::string, std::string>, size_t> places_; // of rows, by function and symbol
  std::map<std::string, Seen> seen_;                             // by file
};

// Is it a file of results, by its first line?
bool is_results_file(const std::string& file);

// Which findings a function is known to have: a round that tried their inputs is one of these findings alone.
std::string hash_of_known(Database& database, int64_t target);

} // namespace faultline::campaign
