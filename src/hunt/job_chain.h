// The jobs of one hunt in a function, one after the other, each by a fresh worker: the search; a look at runs that went
// beyond their arrays; the confirmation of what was found; and, over ranges that were given, the proof that there is
// nothing to be found, or the map of where there is. Hunts and campaigns go by the same chain.
#pragma once

#include "finding/corpus.h"
#include "finding/job.h"
#include "finding/message.h"
#include "finding/set_aside.h"
#include "finding/settings/settings.h"
#include "frontend/error.h"
#include "frontend/target.h"
#include "hunt/extents.h"
#include "hunt/hunt.h"
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

namespace faultline::campaign {

// The corpus in the course of a hunt: which inputs are tried again, what is kept, and what is not seen any more.
class CorpusSession {
public:
  explicit CorpusSession(std::shared_ptr<const finding::Corpus> corpus) : corpus_(std::move(corpus)) {}

  // The inputs of this target's findings and of their witnesses, as far as they fit its ranges and formats. Each once.
  std::vector<finding::Retry> retries(const frontend::Target& target, const finding::Settings& settings);

  // Is the finding to be kept? Not one that is suppressed or harmless; nor one that says less than its file does: the
  // file's own input was out of range this time, and its error is larger.
  bool keeps(const finding::Finding& finding) const;
  static std::string file_of(const finding::TargetReport& target, const finding::Finding& finding);

  // A sentence for each finding that was tried again and is not seen any more.
  std::vector<std::string> remarks(const finding::Report& report) const;

private:
  const finding::Kept* find(const std::string& fingerprint) const;

  std::shared_ptr<const finding::Corpus> corpus_; // or none
  std::set<std::string> retried_;                 // files
};

// What becomes of the messages of one hunt in a target: its report, however the worker ends.

// A finding is believed when a fresh worker, which has not searched, sees it again: the code under test shares a worker
// with the judge of what it does, and could have written the message itself. One worker a function does it, for all of
// its findings.
class Confirmation {
public:
  // Of these findings, but for those whose ids are `certain`: deaths, which the supervisor has seen itself. Throws
  // UserError if one is not of this target.
  Confirmation(const frontend::Target& target, const std::vector<finding::Finding>& findings,
               const std::set<std::string>& certain);

  bool empty() const { return wanted_.empty(); }
  finding::Task task() const;

  void take(const finding::Message& message);

  // When it is over: the places of the findings that were looked for and are not there, and how many were not looked
  // for, as the time was up.
  std::vector<size_t> refuted() const;
  size_t left_over() const;

private:
  enum class Answer : uint8_t { open, yes, no };
  struct Wanted {
    size_t place = 0;
    finding::FoundAt found;
    Answer answer = Answer::open;
  };
  std::vector<Wanted> wanted_; // those of one input follow each other: it is run once
  size_t next_ = 0;
};

// What the collectors of one hunt share.
struct HuntContext {
  const Options& options;
  const Listener& listener;
  finding::SetAside set_aside;
  CorpusSession corpus;
  finding::Progress progress;              // the worst so far, and who made progress last
  const std::atomic<bool>* stop = nullptr; // the user has ended the hunt
};

class Collector {
public:
  // `measured`: what is known of its arrays.
  Collector(HuntContext& context, const frontend::Target& target, const finding::Settings& settings,
            const Measured& measured);

  // Throws UserError for what a worker of this target would not send.
  void take(const finding::Message& message);
  // A message that could not be read: this job's result is not to be relied on.
  void unreadable(const std::string& why);

  // Runs that went beyond arrays whose size is not the code's own word: they are findings if larger arrays do not help.
  // None: there are none. The messages then come here.
  std::optional<finding::Task> overruns() const;
  void take_overrun(const finding::Message& message);

  // The findings so far, for a fresh worker to confirm; none if there are none to confirm. Its messages then come here.
  std::optional<finding::Task> confirmation();
  void take_confirmation(const finding::Message& message);

  const finding::TargetReport& report() const { return report_; }
  finding::TargetReport& report() { return report_; }
  // Findings that the job knew, and that were met again, by their fingerprints.
  const std::map<std::string, finding::Finding>& again() const { return again_; }
  const std::optional<frontend::UserError>& error() const { return error_; } // why there was no hunt

private:
  void take(const finding::SearchProgress& progress);
  void take(const finding::FindingMessage& message);
  void take(const finding::HuntDone& done);
  void take(const finding::Failure& failure);
  void take(const finding::WorkerDeath& death);
  void take(const finding::OverrunJudged& judged);
  void end();
  void end_confirmation();
  void add_note(const std::string& words);

  void check(const finding::Finding& finding) const;
  void sighted(finding::Finding finding, bool news);
  void met_again(finding::Finding finding);
  void add(finding::Finding finding);
  void name_commands(finding::Finding& finding) const;
  void note_worst(const finding::Finding& finding);
  void keep(const finding::Finding& finding) const;
  bool is_stopped() const;
  finding::TargetOutcome outcome() const;

  HuntContext& context_;
  const frontend::Target& target_;
  const finding::Settings& settings_;
  const Measured measured_;
  finding::TargetReport report_;
  std::vector<finding::Finding> overruns_; // that are not judged yet
  bool last_word_ = false;                 // the worker has said that it is done, or why it is not
  bool done_ = false;
  bool timed_out_ = false;
  std::set<std::string> deaths_; // ids of findings
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
  Measured measured;                    // what is known of its arrays
  finding::HuntTask task;               // of the search
  exec::Reference* reference = nullptr; // or none
  uint64_t oracle_part = 1;             // the oracle has this part of its operations in the search
  bool proves = true;
};

class JobChain : public std::enable_shared_from_this<JobChain> {
public:
  // `on_end` is called when the last job has ended, but not if the hunt was stopped before.
  using OnEnd = std::function<void(JobChain&)>;
  JobChain(HuntContext& context, ChainPlan plan, OnEnd on_end = {});

  // The first job. The others follow it. Jobs keep the chain alive.
  Assignment search();

  const frontend::Target& target() const { return *plan_.target; }
  Collector& collector() { return collector_; }
  const Collector& collector() const { return collector_; }
  double seconds() const { return seconds_; }   // on the clock, of all jobs: workers that are killed tell none
  uint64_t reached() const { return reached_; } // operations that the search executed
  // The input of a call during which another process killed the worker, which says nothing about the code unless it
  // happens again. Empty: there was none.
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

} // namespace faultline::campaign
