// One job's worker, seen from its supervisor: the child process, what it sends, and how it ends.
#pragma once

#include "base/clock.h"
#include "base/process.h"
#include "exec/worker.h"

namespace faultline::exec {

class WorkerProcess {
public:
  WorkerProcess(Job job, const WorkerLimits& limits);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  void start();
  int descriptor() const { return line_.number(); }

  // Reads what has arrived. False when there will be no more: the child has closed its end, or writes what no job
  // writes. Throws UserError if the child has no sandbox.
  bool receive();

  // Has it taken too long, by the clock? To be asked a few times a second.
  bool hangs();

  // Waits for the child, which has ended or, if it hung, is killed. True if the job is to start again.
  bool reap(bool hung);

  void ask_to_stop() { flight_->stop = 1; }
  void give_up() { job_.on_end(false); }
  std::optional<Job> next() const { return job_.then ? job_.then(in_code_seconds_) : std::nullopt; }

private:
  using Clock = base::Clock;

  bool take(std::string_view frame);
  std::optional<size_t> take_object(std::string_view rest);
  bool sleeps();
  double allowed() const;
  Death death_of(const base::ProcessEnd& end, bool hung) const;
  bool starts_again(const Death& death);

  Job job_;
  WorkerLimits limits_;
  Flight* flight_;
  base::Process child_;
  base::Descriptor line_;
  std::string buffer_;
  std::vector<uint64_t> skip_;
  std::optional<uint64_t> before_call_;
  std::optional<Clock::time_point> begun_at_; // of the first child

  bool greeted_ = false, corrupt_ = false;
  bool in_code_ = false;                      // code under test has run in this child
  double preparing_ = 0, preparing_ever_ = 0; // seconds before that: in this child, and the longest
  double in_code_seconds_ = 0;                // after that, in all children
  uint64_t seen_call_ = 0;
  double call_seconds_ = 0; // so far, of the call under way
  Clock::time_point looked_at_, looked_for_sleep_at_;
  uint64_t ticks_ = 0;
  double asleep_ = 0;
};

} // namespace faultline::exec
