// The jobs of one hunt in a function, in order, each in a fresh worker: the search; the probe of runs that went beyond
// their arrays; the confirmation of findings, and their comparison with the machine code of the user's own build; and,
// over given ranges, the proof that there is no error, or the map of where there is. Hunts and campaigns use the same
// chain.
#pragma once

#include "base/error.h"
#include "hunt/hunt.h"
#include "hunt/targets.h"
#include "hunt/workers.h"
#include "model/job.h"
#include "model/message.h"
#include "model/set_aside.h"
#include "model/settings/settings.h"
#include "model/target.h"

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
  explicit CorpusSession(std::shared_ptr<const model::Corpus> corpus) : corpus_(std::move(corpus)) {}

  // The distinct inputs of this target's findings and their witnesses that fit its ranges and formats.
  std::vector<model::Retry> retries(const model::Target& target, const model::Settings& settings);

  // True if the finding is to be kept. A suppressed or harmless one is not; nor is one with a smaller error than the
  // finding in its file, whose input was out of range this time.
  bool keeps(const model::Finding& finding) const;
  static std::string file_of(const model::TargetReport& target, const model::Finding& finding);

  // A sentence for each finding that was tried again and no longer occurs.
  std::vector<std::string> remarks(const model::Report& report) const;

private:
  const model::Kept* find(const std::string& fingerprint) const;

  std::shared_ptr<const model::Corpus> corpus_; // or none
  std::set<std::string> retried_;               // files
};

// Confirms findings in a fresh worker that has not searched. The code under test shares a worker with its judge and
// could have written the message itself, or the input of the call in which the worker died. One worker per function
// confirms all of its findings, and dies again for those whose ids are among the deaths: they come last.
class Confirmation {
public:
  // Throws UserError if a finding is not of this target.
  Confirmation(const model::Target& target, const model::Settings& settings,
               const std::vector<model::Finding>& findings, const std::set<std::string>& deaths);

  bool empty() const { return wanted_.empty(); }
  model::Task task() const;

  void take(const model::Message& message);

  // After the job: the places of the findings that did not occur again, and the number of findings that were not tried
  // because the time was up.
  std::vector<size_t> refuted() const;
  size_t left_over() const;

private:
  enum class Answer : uint8_t { open, yes, no };
  struct Wanted {
    size_t place = 0;
    model::FoundAt found;
    bool is_death = false;
    Answer answer = Answer::open;
  };
  void take(const model::WorkerDeath& death);

  const model::Target& target_;
  const model::Settings& settings_;
  std::vector<Wanted> wanted_; // grouped by input, which is run once
  size_t next_ = 0;
};

// The state that the collectors of one hunt share.
struct HuntContext {
  const Options& options;
  const Listener& listener;
  model::SetAside set_aside;
  CorpusSession corpus;
  model::Progress progress;                // the worst so far, and the target that made progress last
  const std::atomic<bool>* stop = nullptr; // the user has ended the hunt
};

// Turns the messages of one hunt in a target into its report, however the worker ends.
class Collector {
public:
  // `measured`: the extents of the target's arrays.
  Collector(HuntContext& context, const model::Target& target, const model::Settings& settings,
            const MeasuredExtents& measured);

  // Throws UserError for a message that a worker of this target would not send.
  void take(const model::Message& message);
  // The lines of the target's code: findings with other places are refused.
  void know(exec::Lines lines) { lines_ = std::move(lines); }
  // Records that a message could not be read: the result of this job is not reliable.
  void unreadable(const std::string& why);

  // The task to judge runs that went beyond arrays whose size the code does not state. They are findings if larger
  // arrays do not help. None if there are no such runs. Its messages go to take_overrun().
  std::optional<model::Task> overruns() const;
  void take_overrun(const model::Message& message);

  // The task to confirm the findings so far in a fresh worker; none if there is nothing to confirm. Its messages go to
  // take_confirmation().
  std::optional<model::Task> confirmation();
  void take_confirmation(const model::Message& message);

  // The task to compare the findings that count with the machine code of the user's build; none if there are none. Its
  // messages go to take_built().
  std::optional<model::Task> comparison();
  void take_built(const model::Message& message);
  // Why they could not be compared; empty if they were.
  const std::string& not_compared() const { return not_compared_; }

  const model::TargetReport& report() const { return report_; }
  model::TargetReport& report() { return report_; }
  // Known findings of the job that occurred again, by fingerprint.
  const std::map<std::string, model::Finding>& again() const { return again_; }
  const std::optional<base::UserError>& error() const { return error_; } // why there was no hunt

private:
  void take(const model::SearchProgress& progress);
  void take(const model::FindingMessage& message);
  void take(const model::HuntDone& done);
  void take(const model::Failure& failure);
  void take(const model::WorkerDeath& death);
  void take(const model::OverrunJudgement& judged);
  void end(const model::JobEnd& end);
  void distrust(const std::string& why);
  void end_confirmation();
  void add_note(const std::string& words);

  void check(const model::Finding& finding) const;
  void check_places(const model::Finding& finding) const;
  void sighted(model::Finding finding, bool news);
  void met_again(model::Finding finding);
  void add(model::Finding finding);
  void name_commands(model::Finding& finding) const;
  void note_worst(const model::Finding& finding);
  void keep(const model::Finding& finding) const;
  bool is_stopped() const;
  model::TargetOutcome outcome() const;
  bool lacks_evidence() const;

  HuntContext& context_;
  const model::Target& target_;
  const model::Settings& settings_;
  const MeasuredExtents measured_;
  std::optional<exec::Lines> lines_;
  model::TargetReport report_;
  std::vector<model::Finding> overruns_; // that are not judged yet
  bool last_word_ = false;               // the worker has sent its result or its failure
  bool done_ = false;
  bool timed_out_ = false;
  std::set<std::string> deaths_; // ids of findings
  uint64_t evaluations_ = 0;     // of the search, as its last message says
  std::map<std::string, model::Finding> again_;
  std::optional<Confirmation> confirmation_;
  std::chrono::steady_clock::time_point confirming_since_;
  std::vector<size_t> compared_; // the places of findings that are compared with the user's build, in order
  size_t next_compared_ = 0;
  std::string not_compared_;
  uint64_t unknown_ = 0;
  std::optional<model::Finding> sighting_; // the last one
  std::optional<base::UserError> error_;
};

struct ChainPlan {
  const model::Target* target = nullptr;
  model::Settings settings;
  MeasuredExtents measured;             // the extents of its arrays
  model::HuntTask task;                 // of the search
  exec::Reference* reference = nullptr; // or none
  uint64_t oracle_part = 1;             // the search gets this fraction (1/n) of the oracle's operations
  bool proves = true;
  bool built = false; // the program has machine code of the user's own build
};

class JobChain : public std::enable_shared_from_this<JobChain> {
public:
  // `on_end` is called after the last job, but not if the hunt was stopped before.
  using OnEnd = std::function<void(JobChain&)>;
  JobChain(HuntContext& context, ChainPlan plan, OnEnd on_end = {});

  // Returns the first job; the others follow it. Jobs keep the chain alive.
  Assignment search();

  const model::Target& target() const { return *plan_.target; }
  Collector& collector() { return collector_; }
  const Collector& collector() const { return collector_; }
  double seconds() const { return seconds_; }   // wall-clock time of all jobs; killed workers report none
  uint64_t reached() const { return reached_; } // operations that the search executed
  // The input of a call during which another process killed the worker; empty: none. It proves nothing about the code
  // unless it happens again.
  const std::string& killed() const { return killed_; }

private:
  using Clock = std::chrono::steady_clock;

  Assignment job(model::Task task, double seconds, void (JobChain::*take)(const model::Message&));
  std::optional<Assignment> probe(double spent);
  std::optional<Assignment> confirm(double spent);
  std::optional<Assignment> compare(double spent);
  std::optional<Assignment> prove(double spent);
  std::optional<Assignment> end();
  void take_search(const model::Message& message);
  void take_probe(const model::Message& message) { collector_.take_overrun(message); }
  void take_confirmation(const model::Message& message) { collector_.take_confirmation(message); }
  void take_built(const model::Message& message) { collector_.take_built(message); }
  void take_proof(const model::Message& message);
  void note_kill(const model::Message& message);
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
