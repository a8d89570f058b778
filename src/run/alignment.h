// Aligns the values of two runs of a program, and finds where the runs part.
//
// Builds differ in which instructions they have and in how often these run. So values are aligned by what the source
// says: file, line, column and operation, and the number of the execution there. A value that one run computes again,
// unchanged, is left out where the other does not (a build may take it out of a loop). Places that only one build has
// are not compared.
//
// Two values agree if the exact results (value and residue) are the same as far as the residues show: then the
// difference is rounding. The first value by the time of the first run that differs by more tells a different program,
// unless rounding has turned a decision before.
//
// Memory is bounded: at each place one run may be `most_waiting` values ahead, then the place is given up. What is
// given up depends on the order of the values in each run only, not on the clock.
#pragma once

#include "model/run_comparison.h"
#include "run/abi.h"
#include "run/sites.h"
#include "run/source_lines.h"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace faultline::run {

enum class Relation : uint8_t { equal, rounding, unknown, more };

// How two values of the same formula relate. `coarse`: one is a binary32 and the other is not, so that constants may
// have been rounded, too.
Relation relation(double first, double first_residue, double second, double second_residue, bool coarse);

// A place where the second run's values are farther from those of the first one than a tolerance.
struct Excess {
  model::RunPlace place; // in the first build
  uint64_t time = 0;     // of the first value that is
};

class Alignment {
public:
  // With a tolerance, both runs compute the same in other precisions, and errors are measured: relative to the largest
  // value at the place, as small differences of large numbers may lose their digits without harm.
  Alignment(const SiteTable& first, const SiteTable& second, double tolerance = 0);

  // Takes the next event of a run (0 or 1). `in_region`: in a region of several threads, in the order of their numbers.
  void add(unsigned run, const Event& event, bool in_region);
  // The run that should be read next: the one that is less far ahead of what was aligned last.
  unsigned next() const;
  // Notes that a thread other than the first has computed something.
  void add_thread(unsigned run, unsigned thread) { threads_[run] = std::max(threads_[run], thread + 1); }

  // After the last event of both runs. Sets all fields that do not concern processes.
  model::RunComparison finish();

  const std::vector<double>& output_errors() const { return output_errors_; } // relative, of printed numbers
  std::vector<Excess> excesses() const;                                       // the first ones first

private:
  struct Item {
    double value, residue;
    uint32_t outcome; // of a printed number: the site
    bool in_region;
    uint64_t time;
    uint64_t execution;
  };
  struct Found {
    const void* key = nullptr; // null: none
    bool has[2] = {false, false};
    Item item[2] = {};
  };
  // A place of the source.
  struct Key {
    std::vector<const ValueSite*> sites[2];
    std::deque<Item> waiting;
    unsigned ahead = 0; // the run of the waiting values
    Item last[2] = {};
    uint64_t executions[2] = {0, 0}, matched = 0;
    double largest = 0;       // of the first run's values
    uint64_t excess_time = 0; // 0: none
    bool is_closed = false, is_ignored = false;
    bool reassociates = false, accumulates = false, is_coarse = false;
  };

  std::tuple<std::string, int, int, std::string> name_of(unsigned run, const ValueSite& site) const;
  void match(Key& key, const Item& first, const Item& second);
  void measure(Key& key, const Item& first, const Item& second);
  void compare(Key& key, const Item& first, const Item& second);
  void add_output(unsigned run, const Event& event);
  void look_at_rest(Key& key);
  bool is_earlier(const Found& one, const Found& other) const;
  void keep_earlier(Found& kept, const Found& found) const;
  model::RunDifference difference(const Found& found) const;
  void decide(model::RunComparison& result);
  void explain_rounding(model::RunComparison& result, const Found& found) const;
  model::RunPlace cause_of(unsigned run, double residue) const;
  bool threads_differ() const { return threads_[0] != threads_[1]; }

  const SiteTable* tables_[2];
  double tolerance_;
  std::vector<double> output_errors_;
  std::map<std::string, std::string> names_; // of the second build's files
  std::map<std::string, LineMap> lines_;     // of the second build's files that have another name in the first one
  std::map<std::tuple<std::string, int, std::string>, std::set<int>> columns_[2];
  std::map<uint32_t, const Site*> causes_[2];
  std::deque<Key> keys_;
  std::vector<Key*> key_of_[2]; // by place; null: the other build has none
  Key outputs_;
  uint64_t time_[2] = {0, 0}, matched_time_[2] = {0, 0};
  unsigned threads_[2] = {1, 1};
  uint64_t values_ = 0, differing_ = 0, unexplained_ = 0, unknown_ = 0;
  Found first_rounding_, turned_, more_, output_, output_more_; // the first ones
  std::vector<Found> weak_; // of places where a build may change the order of operations
};

// The names of the second build's files, as the first build names them: the same path, else the one with the most equal
// last folders, else the only ones that are left.
std::map<std::string, std::string> file_names(const SiteTable& first, const SiteTable& second);

} // namespace faultline::run
