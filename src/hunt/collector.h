// What becomes of the messages of one hunt in a target: its report, however the worker ends.
#pragma once

#include "finding/message.h"
#include "finding/set_aside.h"
#include "frontend/error.h"
#include "hunt/confirmation.h"
#include "hunt/corpus_session.h"
#include "hunt/listener.h"
#include "hunt/options.h"
#include "hunt/targets/extents.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace faultline::campaign {

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

} // namespace faultline::campaign
