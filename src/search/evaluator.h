// The evaluator runs inputs for a strategy, keeps to the budget, and lets listeners watch every run: every strategy
// finds exceptions and crashes on the way.
#pragma once

#include "base/clock.h"
#include "exec/session.h"
#include "tape/tape.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>

namespace faultline::search {

// Evaluations and records are counted, not timed: a hunt that ends by them is the same on every machine. The clock is
// the emergency limit for code that is slow for other reasons.
struct Budget {
  uint64_t evaluations = ~uint64_t(0);
  uint64_t break_off = ~uint64_t(0); // Stop after this many calls; the next one killed a worker
  uint64_t records = 400'000'000;    // 40 million per second: more than a core makes
  double seconds = 10;               // the default of --budget
  // The rest of a search is not worth its time after this many such runs: guesses. A run of the first kind costs
  // seconds.
  int timeouts = 3;  // calls that time out or exceed their memory
  int outgrown = 16; // runs that outgrow the tape
};

// The cost of a sweep over a tape (residues, derivatives) per record, relative to recording it: a guess.
inline constexpr uint64_t sweep_cost = 2;

struct Space;

class Evaluator {
public:
  using Watch = std::function<void(const exec::Input&, const exec::Run&, const tape::Tape&)>;

  // With a space, each input is run as the legal input for it.
  Evaluator(exec::Session& session, const Budget& budget, Watch watch, const Space* space = nullptr);

  // The tape of this input's run, on lease until the next call. Look at `usable` before reading outputs.
  tape::Tape run(const exec::Input& input);
  // The same for at most this many records. A longer run is cut short, and only listeners see it.
  tape::Tape peek(const exec::Input& input, uint64_t most_records);
  // False also if the code refuses the input: there is no result then.
  bool usable() const { return outcome_ == exec::Outcome::returned && !refused_; }
  exec::Outcome outcome() const { return outcome_; }
  // True if the last run ended in time and within its memory, including by a crash.
  bool ended() const { return outcome_ != exec::Outcome::timed_out && outcome_ != exec::Outcome::out_of_memory; }

  // During its lifetime, runs count as found by this means ("sampling", the name of a solver), which JSON calls
  // `found_by`.
  class FoundBy {
  public:
    FoundBy(Evaluator& evaluator, std::string_view name) : evaluator_(evaluator), before_(evaluator.found_by_) {
      evaluator.found_by_ = name; // has static storage
    }
    ~FoundBy() { evaluator_.found_by_ = before_; }
    FoundBy(const FoundBy&) = delete;
    FoundBy& operator=(const FoundBy&) = delete;

  private:
    Evaluator& evaluator_;
    std::string_view before_;
  };
  std::string_view found_by() const { return found_by_; }

  // Adds the cost of other work, in records.
  void charge(uint64_t records) { records_ += records; }
  // Ends the search because another component ran out of time.
  void break_off() { cut_ = out_of_time_ = true; }

  // True if this share of the budget is spent.
  bool spent(double share = 1) const;

  // During its lifetime, limits the budget from now on: what a portfolio gives to one of its parts. `share`: of the
  // seconds left.
  class Allowance {
  public:
    static constexpr uint64_t unlimited = ~uint64_t(0) >> 1; // half, so that the amount spent can be added
    Allowance(Evaluator& evaluator, uint64_t evaluations, uint64_t records, double share = 1);
    ~Allowance() {
      evaluator_.budget_ = whole_;
      evaluator_.until_ = until_;
    }
    Allowance(const Allowance&) = delete;
    Allowance& operator=(const Allowance&) = delete;

  private:
    Evaluator& evaluator_;
    Budget whole_;
    double until_;
  };
  // During its lifetime, adds a listener: a strategy that learns from the runs of its parts.
  class Listening {
  public:
    Listening(Evaluator& evaluator, Watch watch) : evaluator_(evaluator) { evaluator.listener_ = std::move(watch); }
    ~Listening() { evaluator_.listener_ = nullptr; }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

  private:
    Evaluator& evaluator_;
  };

  // `pause` is called before each run, when the previous tape is no longer read: the session is free for other runs.
  void between_runs(std::function<void()> pause) { pause_ = std::move(pause); }

  uint64_t evaluations() const { return evaluations_; }
  uint64_t records() const { return records_; } // including charged records
  // Empty if their number is not limited. For strategies that scale their populations with it.
  std::optional<uint64_t> evaluations_left() const;
  uint64_t records_left() const { return budget_.records - std::min(budget_.records, records_); }
  double seconds() const { return since_start_.seconds(); }
  double seconds_allowed() const { return budget_.seconds; } // the same in every run, unlike the seconds left
  double seconds_left(double share = 1) const { return budget_.seconds * share - seconds(); }
  bool cut() const { return cut_; }                 // the clock ended it or a part of it
  bool out_of_time() const { return out_of_time_; } // ended by the clock or by runs that did not end, not by the count
  exec::Session& session() { return session_; }

private:
  tape::Tape account(const exec::Input& input, const exec::Run& run, bool whole);

  // The input to run instead of this one.
  const exec::Input& legal(const exec::Input& input);

  exec::Session& session_;
  const Space* space_;
  exec::Input legal_; // the last one that differs
  Budget budget_;
  Watch watch_, listener_;
  std::function<void()> pause_;
  exec::Outcome outcome_ = exec::Outcome::returned; // of the last run
  bool refused_ = false;                            // the code refused the last run
  std::string_view found_by_ = "sampling";
  uint64_t evaluations_ = 0;
  uint64_t records_ = 0;
  double until_ = std::numeric_limits<double>::infinity(); // seconds, for an allowance that ends before the budget
  int timeouts_ = 0;
  int outgrown_ = 0;
  mutable uint64_t asked_at_evaluation_ = 0, asked_at_record_ = 0; // the last readings of the clock
  mutable bool out_of_time_ = false, cut_ = false;
  base::Stopwatch since_start_;
};

} // namespace faultline::search
