// The jobs of one hunt in a function, in order, each in a fresh worker: the search; the probe of runs that went beyond
// their arrays; the confirmation of findings; and, over given ranges, the proof that there is no error, or the map of
// where there is. Hunts and campaigns use the same chain.
#pragma once

#include "finding/job.h"
#include "finding/message.h"
#include "finding/set_aside.h"
#include "finding/settings/settings.h"
#include "frontend/error.h"
#include "frontend/target.h"
#include "hunt/hunt.h"
#include "hunt/targets.h"
#include "hunt/workers.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace faultline::hunt {

// The corpus during a hunt: which inputs are tried again, which findings are kept, and which no longer occur.
class CorpusSession {
public:
  explicit CorpusSession(std::shared_ptr<const finding::Corpus> corpus) : corpus_(std::move(corpus)) {}

  // The distinct inputs of this target's findings and their witnesses that fit its ranges and formats.
  std::vector<finding::Retry> retries(const frontend::Target& target, const finding::Settings& settings);

  // True if the finding is to be kept. A suppressed or harmless one is not; nor is one with a smaller error than the
  // finding in its file, whose input was out of range this time.
  bool keeps(const finding::Finding& finding) const;
  static std::string file_of(const finding::TargetReport& target, const finding::Finding& finding);

  // A sentence for each finding that was tried again and no longer occurs.
  std::vector<std::string> remarks(const finding::Report& report) const;

private:
  const finding::Kept* find(const std::string& fingerprint) const;

  std::shared_ptr<const finding::Corpus> corpus_; // or none
  std::set<std::string> retried_;                 // files
};

// Confirms findings in a fresh worker that has not searched. The code under test shares a worker with its judge and
// could have written the message itself, or the input of the call in which the worker died. One worker per function
// confirms all of its findings, and dies again for those whose ids are among the deaths: they come last.
class Confirmation {
public:
  // Throws UserError if a finding is not of this target.
  Confirmation(const frontend::Target& target, const finding::Settings& settings,
               const std::vector<finding::Finding>& findings, const std::set<std::string>& deaths);

  bool empty() const { return wanted_.empty(); }
  finding::Task task() const;

  void take(const finding::Message& message);

  // After the job: the places of the findings that did not occur again, and the number of findings that were not tried
  // because the time was up.
  std::vector<size_t> refuted() const;
  size_t left_over() const;

private:
  enum class Answer : uint8_t { open, yes, no };
  struct Wanted {
    size_t place = 0;
    finding::FoundAt found;
    bool is_death = false;
    Answer answer = Answer::open;
  };
  void take(const finding::WorkerDeath& death);

  const frontend::Target& target_;
  const finding::Settings& settings_;
  std::vector<Wanted> wanted_; // grouped by input, which is run once
  size_t next_ = 0;
};

// The state that the collectors of one hunt share.
struct HuntContext {
  const Options& options;
  const Listener& listener;
  finding::SetAside set_aside;
  CorpusSession corpus;
  finding::Progress progress;              // the worst so far, and the target that made progress last
  const std::atomic<bool>* stop = nullptr; // the user has ended the hunt
};

// Turns the messages of one hunt in a target into its report, however the worker ends.
class Collector {
public:
  // `measured`: the extents of the target's arrays.
  Collector(HuntContext& context, const frontend::Target& target, const finding::Settings& settings,
            const MeasuredExtents& measured);

  // Throws UserError for a message that a worker of this target would not send.
  void take(const finding::Message& message);
  // The lines of the target's code: findings with other places are refused.
  void know(exec::Lines lines) { lines_ = std::move(lines); }
  // Records that a message could not be read: the result of this job is not reliable.
  void unreadable(const std::string& why);

  // The task to judge runs that went beyond arrays whose size the code does not state. They are findings if larger
  // arrays do not help. None if there are no such runs. Its messages go to take_overrun().
  std::optional<finding::Task> overruns() const;
  void take_overrun(const finding::Message& message);

  // The task to confirm the findings so far in a fresh worker; none if there is nothing to confirm. Its messages go to
  // take_confirmation().
  std::optional<finding::Task> confirmation();
  void take_confirmation(const finding::Message& message);

  const finding::TargetReport& report() const { return report_; }
  finding::TargetReport& report() { return report_; }
  // Known findings of the job that occurred again, by fingerprint.
  const std::map<std::string, finding::Finding>& again() const { return again_; }
  const std::optional<frontend::UserError>& error() const { return error_; } // why there was no hunt

private:
  void take(const finding::SearchProgress& progress);
  void take(const finding::FindingMessage& message);
  void take(const finding::HuntDone& done);
  void take(const finding::Failure& failure);
  void take(const finding::WorkerDeath& death);
  void take(const finding::OverrunJudgement& judged);
  void end(const finding::JobEnd& end);
  void distrust(const std::string& why);
  void end_confirmation();
  void add_note(const std::string& words);

  void check(const finding::Finding& finding) const;
  void check_places(const finding::Finding& finding) const;
  void sighted(finding::Finding finding, bool news);
  void met_again(finding::Finding finding);
  void add(finding::Finding finding);
  void name_commands(finding::Finding& finding) const;
  void note_worst(const finding::Finding& finding);
  void keep(const finding::Finding& finding) const;
  bool is_stopped() const;
  finding::TargetOutcome outcome() const;
  bool lacks_evidence() const;

  HuntContext& context_;
  const frontend::Target& target_;
  const finding::Settings& settings_;
  const MeasuredExtents measured_;
  std::optional<exec::Lines> lines_;
  finding::TargetReport report_;
  std::vector<finding::Finding> overruns_; // that are not judged yet
  bool last_word_ = false;                 // the worker has sent its result or its failure
  bool done_ = false;
  bool timed_out_ = false;
  std::set<std::string> deaths_; // ids of findings
  uint64_t evaluations_ = 0;     // of the search, as its last message says
  std::map<std::string, finding::Finding> again_;
  std::optional<Confirmation> confirmation_;
  std::chrono::steady_clock::time_point confirming_since_;
  uint64_t unknown_ = 0;
  std::optional<finding::Finding> sighting_; // the last one
  std::optional<frontend::UserError> error_;
};

struct ChainPlan {
  const frontend::Target* target = nullptr;
  finding::Settings settings;
  MeasuredExtents measured;             // the extents of its arrays
  finding::HuntTask task;               // of the search
  exec::Reference* reference = nullptr; // or none
  uint64_t oracle_part = 1;             // the search gets this fraction (1/n) of the oracle's operations
  bool proves = true;
};

class JobChain : public std::enable_shared_from_this<JobChain> {
public:
  // `on_end` is called after the last job, but not if the hunt was stopped before.
  using OnEnd = std::function<void(JobChain&)>;
  JobChain(HuntContext& context, ChainPlan plan, OnEnd on_end = {});

  // Returns the first job; the others follow it. Jobs keep the chain alive.
  Assignment search();

  const frontend::Target& target() const { return *plan_.target; }
  Collector& collector() { return collector_; }
  const Collector& collector() const { return collector_; }
  double seconds() const { return seconds_; }   // wall-clock time of all jobs; killed workers report none
  uint64_t reached() const { return reached_; } // operations that the search executed
  // The input of a call during which another process killed the worker; empty: none. It proves nothing about the code
  // unless it happens again.
  const std::string& killed() const { return killed_; }

private:
  using Clock = std::chrono::steady_clock;

  Assignment job(finding::Task task, double seconds, void (JobChain::*take)(const finding::Message&));
  std::optional<Assignment> probe(double spent);
  std::optional<Assignment> confirm(double spent);
  std::optional<Assignment> prove(double spent);
  std::optional<Assignment> end();
  void take_search(const finding::Message& message);
  void take_probe(const finding::Message& message) { collector_.take_overrun(message); }
  void take_confirmation(const finding::Message& message) { collector_.take_confirmation(message); }
  void take_proof(const finding::Message& message);
  void note_kill(const finding::Message& message);
  bool is_stopped() const { return context_.stop && *context_.stop; }

  HuntContext& context_;
  ChainPlan plan_;
  OnEnd on_end_;
  Collector collector_;
  Clock::time_point begin_, proving_since_;
  double seconds_ = 0;
  uint64_t reached_ = 0;
  std::string killed_;
};

} // namespace faultline::hunt
