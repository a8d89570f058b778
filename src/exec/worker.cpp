#include "exec/worker.h"

#include "base/clock.h"
#include "base/process.h"
#include "exec/guard.h"
#include "exec/heap.h"
#include "exec/jit.h"
#include "exec/linked_objects.h"
#include "instrument/instrument.h"
#include "runtime/entry_points.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <poll.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <system_error>
#include <time.h>
#include <unistd.h>

namespace faultline::exec {

using base::seconds_of;

namespace {

// A sample of the constructs of numerical code, with and without the attributes that clang gives functions: LLVM keeps
// tables for each set of attributes.
const char* const sample = R"(
  target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
  target triple = "x86_64-pc-linux-gnu"
  @table = internal constant [2 x double] [double 3.0, double 5.0]
  @state = internal global i64 0
  declare double @sin(double)
  declare double @llvm.fabs.f64(double)
  define internal double @g(double %x, ptr %result) noinline #1 {
    %square = fmul double %x, %x
    store double %square, ptr %result
    %near = fsub double 1.0, %square
    ret double %near
  }
  define double @f(double %x, i32 %n, ptr %out) #0 {
  start:
    %local = alloca double
    br label %loop
  loop:
    %i = phi i32 [ 0, %start ], [ %next, %step ]
    %sum = phi double [ 0.0, %start ], [ %more, %step ]
    %entry = getelementptr double, ptr @table, i32 %i
    %number = load double, ptr %entry
    %small = fcmp olt double %number, %x
    br i1 %small, label %step, label %other
  other:
    %sine = call double @sin(double %sum)
    br label %step
  step:
    %value = phi double [ %number, %loop ], [ %sine, %other ]
    %called = call double @g(double %value, ptr %local)
    %size = call double @llvm.fabs.f64(double %called)
    %more = fadd double %sum, %size
    %whole = fptosi double %more to i32
    %next = add i32 %i, 1
    %count = add i32 %next, %whole
    %end = icmp eq i32 %count, %n
    br i1 %end, label %done, label %loop
  done:
    %seen = load i64, ptr @state
    store i64 %seen, ptr %out
    %kept = load double, ptr %local
    %result = fdiv double %more, %kept
    ret double %result
  }
  attributes #0 = { "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87"
                   "min-legal-vector-width"="0" "tune-cpu"="generic" }
  attributes #1 = { "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87"
                   "min-legal-vector-width"="0" })";

} // namespace

void warm_up() {
  std::vector<Replacement> symbols;
  for (const runtime::EntryPoint& entry : runtime::entry_points())
    symbols.push_back({entry.name, entry.address});
  for (const auto execution : {instrument::Execution::taped, instrument::Execution::lifted}) {
    llvm::orc::ThreadSafeContext context(std::make_unique<llvm::LLVMContext>());
    llvm::SMDiagnostic problem;
    std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(sample, problem, *context.getContext());
    instrument::prepare(*module);
    instrument::instrument(*module, execution);
    const Jit jit(std::move(module), context, symbols, Translation::quick);
  }
}

void fix_address_space(char** argv) {
  constexpr const char* tried = "FAULTLINE_FIXED_ADDRESSES"; // prevents a second attempt, whatever the system reports
  constexpr unsigned long ask = 0xffffffff;
  const int now = personality(ask);
  if (now == -1 || (now & ADDR_NO_RANDOMIZE) || std::getenv(tried))
    return;
  if (personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) == -1)
    return;
  setenv(tried, "1", 1);
  execv("/proc/self/exe", argv);
  unsetenv(tried);
}

namespace {

// The protocol of a worker, and the child's side: frames of a length and that many bytes. The first frame explains why
// there is no sandbox, or is empty. Marks in place of a length announce that code under test begins to run, that a
// compiled object or lines follow, or that static constructors begin or end. What a worker sends before
// code_begins_mark is trusted. Code under test can forge all that follows, so that a secret between the two would
// protect nothing: both share one memory.
constexpr uint32_t code_begins_mark = ~uint32_t(0), object_mark = code_begins_mark - 1,
                   constructors_begin_mark = object_mark - 1, constructors_end_mark = constructors_begin_mark - 1,
                   lines_mark = constructors_end_mark - 1;

constexpr size_t bytes_a_second = size_t(1) << 18; // for progress, beside most_long_messages

// The interval at which a supervisor checks its workers. A longer interval counts as longest_look_seconds, because the
// supervisor was suspended.
constexpr double look_seconds = 0.1, longest_look_seconds = 1;

constexpr int line_descriptor = base::ProcessOptions::first_kept;
bool is_worker = false;
bool code_has_begun = false, constructors_have_begun = false;
bool lines_are_wanted = false;
const CompiledObjects* objects = nullptr;

void write_or_end(int descriptor, const std::string& bytes) {
  if (!base::write_all(descriptor, bytes))
    _exit(2); // the code under test closed its end, or the supervisor has ended
}

std::string bytes_of(uint32_t number) { return {reinterpret_cast<const char*>(&number), sizeof number}; }

// The pages that workers share with this supervisor. A worker inherits all of them, and must have its own only. The
// others keep their addresses, so that those of the worker's memory do not depend on the workers beside it.
std::vector<CallInProgress*>& calls_in_progress() {
  static std::vector<CallInProgress*> all;
  return all;
}

void hide_other_calls(const CallInProgress* own) {
  for (CallInProgress* other : calls_in_progress())
    if (other != own && mmap(other, sizeof(CallInProgress), PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
      _exit(2);
}

// Runs the child. Returns its exit status.
int run_child(const Job& job, CallInProgress* progress, std::vector<uint64_t> skip, std::optional<uint64_t> before_call,
              double spent, const WorkerLimits& limits) {
  is_worker = true;
  hide_other_calls(progress);
  clear_environment();
  std::signal(SIGINT, SIG_IGN); // the supervisor decides
  if (job.shows_output)
    prepare_printing();
  limit_process(limits.memory);
  install_guard();
  Channel channel(line_descriptor, progress, std::move(skip), before_call, spent);
  Confinement confinement = limits.confinement;
  confinement.readable.insert(confinement.readable.end(), job.readable.begin(), job.readable.end());
  const std::string lack = confine(confinement);
  channel.send(lack);
  if (!lack.empty())
    return 1;
  objects = job.objects.get();
  lines_are_wanted = bool(job.on_lines);
  job.work(channel);
  return 0;
}

} // namespace

bool in_worker() { return is_worker; }

std::string CompiledObjects::message(const Key& key, std::string_view object) {
  return std::string(reinterpret_cast<const char*>(key.data()), sizeof key) + std::string(object);
}

bool CompiledObjects::add(std::string_view message) {
  Key key;
  if (message.size() < sizeof key || objects_.size() == most)
    return false;
  std::memcpy(key.data(), message.data(), sizeof key);
  objects_.try_emplace(key, message.substr(sizeof key));
  return true;
}

const std::string* CompiledObjects::find(const Key& key) const {
  const auto known = objects_.find(key);
  return known == objects_.end() ? nullptr : &known->second;
}

const std::string* known_object(const CompiledObjects::Key& key) { return objects ? objects->find(key) : nullptr; }

void send_object(const CompiledObjects::Key& key, std::string_view object) {
  if (!objects || code_has_begun || object.size() + sizeof key > CompiledObjects::longest)
    return;
  const std::string message = CompiledObjects::message(key, object);
  write_or_end(line_descriptor, bytes_of(object_mark) + bytes_of(uint32_t(message.size())) + message);
}

namespace {

constexpr size_t longest_lines = CompiledObjects::longest; // as text

// C strings: a file, which begins with a slash, then its lines, then the next file.
std::string text_of(const Lines& lines) {
  std::string text;
  const std::string* last = nullptr;
  for (const auto& [file, line] : lines) {
    std::string next = last && *last == file ? "" : '/' + file + '\0';
    next += std::to_string(line) + '\0';
    if (text.size() + next.size() > longest_lines)
      return text; // what names a missing line is refused
    text += next;
    last = &file;
  }
  return text;
}

Lines lines_in(std::string_view text) {
  Lines lines;
  std::string file;
  for (size_t end = 0; (end = text.find('\0')) != text.npos; text.remove_prefix(end + 1)) {
    const std::string word(text.substr(0, end));
    if (word.starts_with('/'))
      file = word.substr(1);
    else
      lines.emplace_hint(lines.end(), file, std::atoi(word.c_str()));
  }
  return lines;
}

} // namespace

void send_lines(const Lines& lines) {
  if (!lines_are_wanted || code_has_begun)
    return;
  const std::string text = text_of(lines);
  write_or_end(line_descriptor, bytes_of(lines_mark) + bytes_of(uint32_t(text.size())) + text);
}

void code_begins() {
  if (!is_worker || code_has_begun)
    return;
  code_has_begun = true;
  write_or_end(line_descriptor, bytes_of(code_begins_mark));
}

void constructors_begin() {
  if (is_worker && !constructors_have_begun)
    write_or_end(line_descriptor, bytes_of(constructors_begin_mark));
}

void constructors_end() {
  if (is_worker && !std::exchange(constructors_have_begun, true))
    write_or_end(line_descriptor, bytes_of(constructors_end_mark));
}

void Channel::send(std::string_view message) {
  write_or_end(descriptor_, bytes_of(uint32_t(message.size())) + std::string(message));
}

namespace {

// The kernel's view of a process.
struct ProcessState {
  char state = 0;     // R: running or runnable; S: sleeping; T: stopped; ...
  uint64_t ticks = 0; // of CPU time so far

  bool sleeps() const { return state == 'S' || state == 'T'; }
};

// None if there is no /proc or no such process.
std::optional<ProcessState> state_of(pid_t process) {
  const int file = open(fmt::format("/proc/{}/stat", process).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return std::nullopt;
  char text[1024];
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0)
    return std::nullopt;
  text[length] = 0;
  // The name of the program is in parentheses before the state, and may contain parentheses (proc(5)).
  const char* after_name = std::strrchr(text, ')');
  ProcessState state;
  unsigned long user = 0, system = 0;
  if (!after_name || std::sscanf(after_name + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state.state,
                                 &user, &system) != 3)
    return std::nullopt;
  state.ticks = user + system;
  return state;
}

CallInProgress* shared_call() {
  void* memory = mmap(nullptr, sizeof(CallInProgress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  return calls_in_progress().emplace_back(new (memory) CallInProgress);
}

// A connection from a child. Its reader never blocks, and unlike a pipe, the child cannot open the reading end through
// /proc.
struct Line {
  Line() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw std::system_error(errno, std::generic_category(), "socketpair");
    reading = base::Descriptor(ends[0]);
    writing = base::Descriptor(ends[1]);
    if (fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0)
      throw std::system_error(errno, std::generic_category(), "socketpair");
  }
  base::Descriptor reading, writing;
};

// CPU time of this thread.
double reading_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

constexpr double moment = 0.5; // for a child without further messages to end by itself

// The worker of one job, as its supervisor sees it: the child process, its messages, and its end.
class WorkerProcess {
public:
  WorkerProcess(Job job, const WorkerLimits& limits)
      : job_(std::move(job)), limits_(limits), progress_(shared_call()) {}

  ~WorkerProcess() {
    child_.kill();
    std::erase(calls_in_progress(), progress_);
    munmap(progress_, sizeof(CallInProgress));
  }

  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  void start() {
    if (!begun_at_)
      begun_at_ = Clock::now();
    const double spent = seconds_of(Clock::now() - *begun_at_);
    Line line;
    new (progress_) CallInProgress; // without zeros for all of its values
    constexpr int nothing = base::ProcessOptions::nothing;
    child_ =
        base::Process::copy([&] { return run_child(job_, progress_, skip_, before_call_, spent, limits_); },
                            {.input = nothing, .output = nothing, .errors = nothing, .kept = {line.writing.number()}});
    line_ = std::move(line.reading);
    buffer_.clear();
    greeted_ = corrupt_ = in_code_ = in_constructors_ = false;
    preparing_ = 0;
    seen_call_ = ticks_ = 0;
    call_seconds_ = asleep_ = 0;
    looked_at_ = looked_for_sleep_at_ = Clock::now();
  }

  int descriptor() const { return line_.number(); }

  // Reads available messages. False at the end: the child has closed its end or sent a malformed message. Throws
  // UserError if the child has no sandbox.
  bool receive() {
    char chunk[1 << 16];
    const ssize_t count = read(line_.number(), chunk, sizeof chunk);
    if (count < 0)
      return errno == EINTR || errno == EAGAIN;
    if (count == 0)
      return false;
    asleep_ = 0;
    buffer_.append(chunk, size_t(count));
    count_time();
    const double before = reading_seconds();
    take_frames();
    count_time(reading_seconds() - before);
    return !corrupt_;
  }

  // True if the child has exceeded a time limit. Call a few times a second.
  bool hangs() {
    count_time();
    const bool late = sleeps() || call_seconds_ > limits_.silence_seconds || preparing_ > limits_.compile_seconds ||
                      in_code_seconds_ > allowed();
    return late && !child_.has_ended(); // the supervisor may have been busy with its last messages
  }

  // Waits for the child, and kills it if it hung. True if the job must start again.
  bool reap(bool hung) {
    line_.close(); // first: a child that waits for a reader would never end
    std::optional<base::ProcessEnd> end;
    if (!hung && !corrupt_)
      end = child_.wait(moment);
    if (!end) {
      hung = true; // or it closed its end of the line and still runs
      end = child_.kill();
    }
    if (corrupt_) { // the receiver has reported it
      conclude(false);
      return false;
    }
    if (!hung && end->succeeded() && progress_->running == CallInProgress::nothing && !in_constructors_) {
      conclude(true);
      return false;
    }
    const Death death = death_of(*end, hung);
    job_.on_death(death);
    const bool again = starts_again(death);
    if (!again)
      conclude(false);
    return again;
  }

  void ask_to_stop() { progress_->stop = 1; }
  void give_up() { conclude(false); }
  std::optional<Job> next() const { return job_.then ? job_.then(in_code_seconds_) : std::nullopt; }

private:
  using Clock = base::Clock;

  void conclude(bool completed) { job_.on_end({completed, progress_->call}); }

  void take_frames() {
    const size_t most = most_long_messages * job_.longest_message + size_t(in_code_seconds_) * bytes_a_second;
    size_t at = 0;
    while (buffer_.size() - at >= sizeof(uint32_t) && !corrupt_) {
      uint32_t length;
      std::memcpy(&length, buffer_.data() + at, sizeof length);
      const std::string_view rest = std::string_view(buffer_).substr(at + sizeof length);
      if ((length == object_mark || length == lines_mark) && greeted_ && !in_code_) {
        const std::optional<size_t> taken = take_trusted(length, rest);
        if (!taken)
          break;
        at += sizeof length + *taken;
        continue;
      }
      if (take_mark(length)) {
        at += sizeof length;
        continue;
      }
      if (in_constructors_)
        refuse("static constructors wrote it");
      else if (length > job_.longest_message)
        refuse(fmt::format("it has more than {} bytes", job_.longest_message));
      else if (received_ + length > most)
        refuse(fmt::format("it and those before it have more than {} bytes", most));
      if (corrupt_ || rest.size() < length)
        break;
      received_ += length;
      take(rest.substr(0, length));
      at += sizeof length + length;
    }
    buffer_.erase(0, at);
  }

  // False if it is the length of a frame.
  bool take_mark(uint32_t mark) {
    if (!greeted_)
      return false;
    if (mark == code_begins_mark && !in_code_)
      return in_code_ = true;
    if (mark == constructors_begin_mark && in_code_ && !in_constructors_)
      return in_constructors_ = true;
    if (mark == constructors_end_mark && in_constructors_)
      return !(in_constructors_ = false);
    return false;
  }

  // The first frame is trusted: no code under test has run yet.
  void take(std::string_view frame) {
    if (greeted_) {
      corrupt_ = !job_.on_message(frame);
      return;
    }
    greeted_ = true;
    if (!frame.empty())
      refuse_unconfined(std::string(frame));
  }

  // Returns the length of an object, or of lines; none while it is incomplete.
  std::optional<size_t> take_trusted(uint32_t mark, std::string_view rest) {
    uint32_t length;
    if (rest.size() < sizeof length)
      return std::nullopt;
    std::memcpy(&length, rest.data(), sizeof length);
    if (length > std::max<size_t>(CompiledObjects::longest, longest_lines))
      refuse("it is no compiled object");
    if (corrupt_ || rest.size() - sizeof length < length)
      return std::nullopt;
    const std::string_view content = rest.substr(sizeof length, length);
    if (mark == lines_mark && job_.on_lines)
      job_.on_lines(lines_in(content));
    else if (mark == lines_mark || !job_.objects->add(content))
      refuse("it is no compiled object");
    return sizeof length + length;
  }

  void refuse(const std::string& why) {
    corrupt_ = true;
    if (job_.on_corrupt)
      job_.on_corrupt(why);
  }

  // Counts the time since the last look: the worker's own, in which it ran or its messages were read. `at_least`: time
  // for reading, which has no limit.
  void count_time(double at_least = 0) {
    const auto now = Clock::now();
    const double since = std::max(std::min(seconds_of(now - looked_at_), longest_look_seconds), at_least);
    looked_at_ = now;
    (in_code_ ? in_code_seconds_ : preparing_) += since;
    preparing_ever_ = std::max(preparing_, preparing_ever_);
    const uint64_t call = progress_->call;
    call_seconds_ = call != seen_call_ || !progress_->running ? 0 : call_seconds_ + since;
    seen_call_ = call;
  }

  // True if the child has slept for too long. A worker computes, or waits for the supervisor to read.
  bool sleeps() {
    const auto now = Clock::now();
    const double since = seconds_of(now - looked_for_sleep_at_);
    if (since < look_seconds)
      return false;
    looked_for_sleep_at_ = now;
    const std::optional<ProcessState> state = state_of(child_.id());
    if (!state || !state->sleeps() || state->ticks != ticks_)
      asleep_ = 0;
    else
      asleep_ += std::min(since, 2 * look_seconds); // do not count time while the supervisor itself is suspended
    ticks_ = state ? state->ticks : 0;
    return asleep_ > limits_.asleep_seconds;
  }

  // The limit for all children. Compilation may take as long again, for lifted runs.
  double allowed() const { return job_.seconds.value_or(limits_.job_seconds) + preparing_ever_; }

  Death death_of(const base::ProcessEnd& end, bool hung) const {
    Death death;
    death.hung = hung;
    death.signal = end.signal;
    death.status = end.status;
    const uint64_t running = progress_->running;
    death.in_call = running == CallInProgress::target;
    death.in_reference = running == CallInProgress::reference;
    death.in_constructors = running == CallInProgress::constructors || in_constructors_;
    death.out_of_time = in_code_seconds_ > allowed();
    const uint64_t inputs = std::min<uint64_t>(progress_->inputs, CallInProgress::most_inputs);
    death.input.assign(progress_->values, progress_->values + inputs);
    return death;
  }

  // True if a new child can continue the job. Jobs are deterministic: a death outside of a call would happen again.
  bool starts_again(const Death& death) {
    if (!death.in_call || death.out_of_time)
      return false;
    if (int(skip_.size()) < limits_.restarts) {
      skip_.push_back(uint64_t(progress_->call));
      return true;
    }
    if (skip_.empty() || before_call_)
      return false;
    before_call_ = skip_.front();
    return true;
  }

  Job job_;
  WorkerLimits limits_;
  CallInProgress* progress_;
  base::Process child_;
  base::Descriptor line_;
  std::string buffer_;
  std::vector<uint64_t> skip_;
  std::optional<uint64_t> before_call_;
  std::optional<Clock::time_point> begun_at_; // of the first child

  bool greeted_ = false, corrupt_ = false;
  bool in_code_ = false;                      // this child has run code under test
  bool in_constructors_ = false;              // the first ones of this child
  size_t received_ = 0;                       // bytes, of all children
  double preparing_ = 0, preparing_ever_ = 0; // seconds before that: of this child, and the longest of all
  double in_code_seconds_ = 0;                // seconds after that, of all children
  uint64_t seen_call_ = 0;
  double call_seconds_ = 0; // of the current call
  Clock::time_point looked_at_, looked_for_sleep_at_;
  uint64_t ticks_ = 0;
  double asleep_ = 0;
};

using base::Clock;
using Workers = std::vector<std::unique_ptr<WorkerProcess>>;
constexpr std::chrono::seconds grace(3); // for stopped workers to send their results

// Waits for messages, at most look_seconds. `revents` is set for workers that have sent something.
std::vector<pollfd> wait_for(const Workers& workers) {
  std::vector<pollfd> waiting;
  for (const auto& worker : workers)
    waiting.push_back(pollfd{worker->descriptor(), POLLIN, 0});
  const int ready = poll(waiting.data(), waiting.size(), int(look_seconds * 1000));
  if (ready < 0 && errno != EINTR)
    throw std::runtime_error(std::string("poll: ") + std::strerror(errno));
  if (ready <= 0)
    for (pollfd& each : waiting)
      each.revents = 0;
  return waiting;
}

} // namespace

void run_jobs(const JobSource& next, int parallel, const WorkerLimits& limits, const std::atomic<bool>& stop,
              const std::function<void()>& on_idle) {
  load_fortran_runtime();
  Workers active;
  std::optional<Clock::time_point> stopping;
  const auto begin = [&](Job job) {
    auto worker = std::make_unique<WorkerProcess>(std::move(job), limits);
    worker->start();
    return worker;
  };
  const auto fill = [&] {
    while (!stop && int(active.size()) < std::max(1, parallel))
      if (std::optional<Job> job = next())
        active.push_back(begin(std::move(*job)));
      else
        return;
  };
  for (fill(); !active.empty(); fill()) {
    if (stop && !stopping) {
      stopping = Clock::now();
      for (auto& worker : active)
        worker->ask_to_stop();
    }
    if (stopping && Clock::now() - *stopping > grace) {
      for (auto& worker : active)
        worker->give_up();
      return;
    }
    const std::vector<pollfd> waiting = wait_for(active);
    for (size_t i = active.size(); i-- > 0;) {
      const bool gone = waiting[i].revents != 0 && !active[i]->receive();
      const bool hung = !gone && active[i]->hangs();
      if (!gone && !hung)
        continue;
      if (active[i]->reap(hung))
        active[i]->start();
      else if (std::optional<Job> then = active[i]->next(); then && !stop)
        active[i] = begin(std::move(*then));
      else
        active.erase(active.begin() + long(i));
    }
    on_idle();
  }
}

void run_jobs(std::vector<Job> jobs, int parallel, const WorkerLimits& limits, const std::atomic<bool>& stop,
              const std::function<void()>& on_idle) {
  if (jobs.size() > 1)
    warm_up();
  size_t begun = 0;
  run_jobs([&] { return begun < jobs.size() ? std::optional(std::move(jobs[begun++])) : std::nullopt; }, parallel,
           limits, stop, on_idle);
  for (; begun < jobs.size(); ++begun) // stopped early
    jobs[begun].on_end({});
}

} // namespace faultline::exec
