#include "exec/worker_process.h"

#include "exec/guard.h"
#include "exec/process_state.h"
#include "exec/worker_protocol.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace faultline::exec {

using base::seconds_of;

namespace {

Flight* shared_flight() {
  void* memory = mmap(nullptr, sizeof(Flight), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  return new (memory) Flight;
}

constexpr double moment = 0.5; // for a child that has nothing more to send to end by itself

} // namespace

WorkerProcess::WorkerProcess(Job job, const WorkerLimits& limits)
    : job_(std::move(job)), limits_(limits), flight_(shared_flight()) {}

WorkerProcess::~WorkerProcess() {
  child_.kill();
  munmap(flight_, sizeof(Flight));
}

void WorkerProcess::start() {
  if (!begun_at_)
    begun_at_ = Clock::now();
  const double spent = seconds_of(Clock::now() - *begun_at_);
  base::Pipe line;
  new (flight_) Flight; // and no zeros for all of its values
  constexpr int nothing = base::ProcessOptions::nothing;
  child_ =
      base::Process::copy([&] { return run_child(job_, flight_, skip_, before_call_, spent, limits_); },
                          {.input = nothing, .output = nothing, .errors = nothing, .kept = {line.writing.number()}});
  line_ = std::move(line.reading);
  buffer_.clear();
  greeted_ = corrupt_ = in_code_ = false;
  preparing_ = 0;
  seen_call_ = ticks_ = 0;
  call_seconds_ = asleep_ = 0;
  looked_at_ = looked_for_sleep_at_ = Clock::now();
}

bool WorkerProcess::receive() {
  char chunk[1 << 16];
  const ssize_t count = read(line_.number(), chunk, sizeof chunk);
  if (count < 0)
    return errno == EINTR || errno == EAGAIN;
  if (count == 0)
    return false;
  asleep_ = 0;
  buffer_.append(chunk, size_t(count));
  size_t at = 0;
  while (buffer_.size() - at >= sizeof(uint32_t) && !corrupt_) {
    uint32_t length;
    std::memcpy(&length, buffer_.data() + at, sizeof length);
    if (length == code_begins_mark && greeted_ && !in_code_) {
      in_code_ = true;
      at += sizeof length;
      continue;
    }
    if (length == object_mark && greeted_ && !in_code_) {
      const std::optional<size_t> taken = take_object(std::string_view(buffer_).substr(at + sizeof length));
      if (!taken)
        break;
      at += sizeof length + *taken;
      continue;
    }
    if (length > longest_message)
      corrupt_ = true; // the code under test wrote to the pipe
    if (corrupt_ || buffer_.size() - at - sizeof length < length)
      break;
    corrupt_ = !take(std::string_view(buffer_).substr(at + sizeof length, length));
    at += sizeof length + length;
  }
  buffer_.erase(0, at);
  return !corrupt_;
}

// How long it is; nothing if the rest of it has yet to arrive.
std::optional<size_t> WorkerProcess::take_object(std::string_view rest) {
  uint32_t length;
  if (rest.size() < sizeof length)
    return std::nullopt;
  std::memcpy(&length, rest.data(), sizeof length);
  if (length > CompiledObjects::longest)
    corrupt_ = true;
  if (corrupt_ || rest.size() - sizeof length < length)
    return std::nullopt;
  corrupt_ = !job_.objects->add(rest.substr(sizeof length, length));
  return sizeof length + length;
}

// The first frame is ours: no code under test has run yet.
bool WorkerProcess::take(std::string_view frame) {
  if (greeted_)
    return job_.on_message(frame);
  greeted_ = true;
  if (!frame.empty())
    refuse_unconfined(std::string(frame));
  return true;
}

// Is it asleep, and has it been for long? A worker never is: it computes, or waits for us to read.
bool WorkerProcess::sleeps() {
  const auto now = Clock::now();
  const double since = seconds_of(now - looked_for_sleep_at_);
  if (since < look_seconds)
    return false;
  looked_for_sleep_at_ = now;
  const std::optional<ProcessState> state = state_of(child_.id());
  if (!state || !state->sleeps() || state->ticks != ticks_)
    asleep_ = 0;
  else
    asleep_ += std::min(since, 2 * look_seconds); // while we are stopped ourselves, nobody sleeps
  ticks_ = state ? state->ticks : 0;
  return asleep_ > limits_.asleep_seconds;
}

// For all children. What compiling took once, it may take again: for lifted runs.
double WorkerProcess::allowed() const { return job_.seconds.value_or(limits_.job_seconds) + preparing_ever_; }

bool WorkerProcess::hangs() {
  const auto now = Clock::now();
  const double since = std::min(seconds_of(now - looked_at_), longest_look_seconds);
  looked_at_ = now;
  (in_code_ ? in_code_seconds_ : preparing_) += since;
  preparing_ever_ = std::max(preparing_, preparing_ever_);
  const uint64_t call = flight_->call;
  call_seconds_ = call != seen_call_ || !flight_->running ? 0 : call_seconds_ + since;
  seen_call_ = call;
  const bool late = sleeps() || call_seconds_ > limits_.silence_seconds || preparing_ > limits_.compile_seconds ||
                    in_code_seconds_ > allowed();
  return late && !child_.has_ended(); // what it has said last may have kept us busy
}

Death WorkerProcess::death_of(const base::ProcessEnd& end, bool hung) const {
  Death death;
  death.hung = hung;
  death.signal = end.signal;
  death.status = end.status;
  const uint64_t running = flight_->running;
  death.in_call = running == Flight::target;
  death.in_reference = running == Flight::reference;
  death.in_constructors = running == Flight::constructors;
  death.out_of_time = in_code_seconds_ > allowed();
  const uint64_t inputs = std::min<uint64_t>(flight_->inputs, Flight::most_inputs);
  death.input.assign(flight_->values, flight_->values + inputs);
  return death;
}

bool WorkerProcess::reap(bool hung) {
  line_.close(); // first: a child that goes on to write into a full pipe would never end
  std::optional<base::ProcessEnd> end;
  if (!hung && !corrupt_)
    end = child_.wait(moment);
  if (!end) {
    hung = true; // or it closed its end of the line, and lives on
    end = child_.kill();
  }
  if (corrupt_) { // whoever is told nonsense has said so
    job_.on_end(false);
    return false;
  }
  if (!hung && end->succeeded() && flight_->running == Flight::nothing) {
    job_.on_end(true);
    return false;
  }
  const Death death = death_of(*end, hung);
  job_.on_death(death);
  const bool again = starts_again(death);
  if (!again)
    job_.on_end(false);
  return again;
}

// Jobs are deterministic: a death outside of a call would happen again.
bool WorkerProcess::starts_again(const Death& death) {
  if (!death.in_call || death.out_of_time)
    return false;
  if (int(skip_.size()) < limits_.restarts) {
    skip_.push_back(uint64_t(flight_->call));
    return true;
  }
  if (skip_.empty() || before_call_)
    return false;
  before_call_ = skip_.front();
  return true;
}

} // namespace faultline::exec
