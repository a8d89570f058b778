// One job of a campaign while it is carried out: its settings, its collector, and what it comes to.
#pragma once

#include "campaign/collector.h"
#include "campaign/schedule/arms.h"
#include "campaign/store/job_table.h"
#include "campaign/workers.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace faultline::campaign {

// What a job is made of.
struct JobPlan {
  JobRow row;
  const frontend::Target* target = nullptr;
  Measured measured;
  finding::Settings settings;
  finding::HuntTask task;
  exec::Reference* reference = nullptr;
};

class LibraryJob : public std::enable_shared_from_this<LibraryJob> {
public:
  using Done = std::function<void(LibraryJob&)>;
  LibraryJob(Gathering& gathering, JobPlan plan, Done done);

  // To be carried out once. `done` is called when it has come to its end, confirmation included; never if it was
  // stopped.
  Assignment assignment();

  const JobRow& row() const { return plan_.row; }
  const frontend::Target& target() const { return *plan_.target; }
  // What was found, when it is done. Its time is that on the clock, as workers that are killed tell none.
  const finding::TargetReport& report();
  uint64_t reached() const { return reached_; }
  const std::map<std::string, finding::Finding>& again() const { return collector_.again(); }
  // The input of a call during which somebody killed the worker: it says nothing about the code, unless it happens
  // again. Empty: nobody did.
  const std::string& killed() const { return killed_; }

private:
  void take(const finding::Message& message);
  void take_overrun(const finding::Message& message);
  void take_confirmation(const finding::Message& message);
  void note_kill(const finding::WorkerDeath& death);
  std::optional<Assignment> look_at_overruns(double spent);
  std::optional<Assignment> confirm(double spent);
  void end();
  bool is_stopped() const;

  Gathering& gathering_;
  JobPlan plan_;
  Done done_;
  Collector collector_;
  std::chrono::steady_clock::time_point begun_ = {};
  double seconds_ = 0;
  uint64_t reached_ = 0;
  std::string killed_;
};

} // namespace faultline::campaign
