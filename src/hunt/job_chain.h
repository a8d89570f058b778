// The jobs of one hunt in a function, one after the other, each by a fresh worker: the search; a look at runs that went
// beyond their arrays; the confirmation of what was found; and, over ranges that were given, the proof that there is
// nothing to be found, or the map of where there is. Hunts and campaigns go by the same chain.
#pragma once

#include "hunt/collector.h"
#include "hunt/workers.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace faultline::campaign {

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
