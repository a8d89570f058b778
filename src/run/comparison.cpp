#include "run/comparison.h"

#include "base/error.h"
#include "base/process.h"
#include "numeric/stable_sort.h"
#include "run/abi.h"
#include "run/alignment.h"
#include "run/quiet.h"
#include "run/twin_parts.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace faultline::run {

namespace {

constexpr size_t most_in_region = 1 << 22; // events that are kept until a region of threads ends: 100 MB

[[noreturn]] void fail_to_compare(const std::string& what) {
  throw base::UserError(base::status_inconclusive, fmt::format("{}: {}", what, std::strerror(errno)),
                        "free some memory");
}

// The file to which a twin writes its values.
class EventFile {
public:
  EventFile() : file_(memfd_create("faultline-events", 0)) {
    if (file_.number() < 0 || ftruncate(file_.number(), sizeof(EventMemory)) != 0)
      fail_to_compare("no memory for the values of a run");
    void* begin = mmap(nullptr, sizeof(EventMemory), PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), 0);
    if (begin == MAP_FAILED)
      fail_to_compare("no memory for the values of a run");
    memory_ = static_cast<EventMemory*>(begin);
  }
  ~EventFile() { munmap(memory_, sizeof(EventMemory)); }
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  int number() const { return file_.number(); }
  EventMemory& memory() const { return *memory_; }

private:
  base::Descriptor file_;
  EventMemory* memory_ = nullptr;
};

// The input of both programs: what this process would read, unless that is a terminal.
class CopiedInput {
public:
  CopiedInput() {
    struct stat input = {};
    if (isatty(STDIN_FILENO) || fstat(STDIN_FILENO, &input) != 0)
      return;
    file_ = base::Descriptor(memfd_create("faultline-input", 0));
    std::array<char, 65536> buffer;
    for (ssize_t bytes; file_.number() >= 0 && (bytes = read(STDIN_FILENO, buffer.data(), buffer.size())) > 0;)
      base::write_all(file_.number(), {buffer.data(), size_t(bytes)});
  }

  base::Descriptor reader() const {
    return base::Descriptor(
        file_.number() < 0 ? -1 : open(fmt::format("/proc/self/fd/{}", file_.number()).c_str(), O_RDONLY | O_CLOEXEC));
  }

private:
  base::Descriptor file_;
};

// A running twin, and its events in an order that does not depend on the clock: those of a region of threads come when
// it has ended, sorted by the threads' numbers.
class Running {
public:
  // `seconds` of CPU time for a quiet run; 0: the user's run.
  Running(const ComparedRun& run, base::Descriptor input, bool is_first, double seconds = 0)
      : input_(std::move(input)) {
    base::ProcessOptions options;
    const bool is_quiet = seconds > 0;
    options.keeps_all_descriptors = true;
    options.environment = run.environment;
    options.environment.push_back(fmt::format("{}={}", events_variable, file_.number()));
    if (input_.number() >= 0)
      options.input = input_.number();
    else if (!is_first || is_quiet)
      options.input = base::ProcessOptions::nothing;
    if (!is_first || is_quiet)
      options.output = options.errors = base::ProcessOptions::nothing;
    std::vector<char*> words;
    for (const std::string& word : run.command)
      words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    options.prepare = [&]() -> std::string {
      if (is_quiet) {
        base::limit_resource(RLIMIT_CPU, uint64_t(std::ceil(seconds)));
        base::limit_resource(RLIMIT_CORE, 0);
        if (const std::string refused = keep_quiet(); !refused.empty())
          return refused;
      }
      execv(run.twin.program.c_str(), words.data());
      return fmt::format("{}: {}", run.twin.program, std::strerror(errno));
    };
    process_ = base::Process::start(run.command, options);
  }

  // False after the last event.
  bool next(Event& event, bool& in_region) {
    in_region = !region_.empty();
    if (in_region) {
      event = region_.front();
      region_.pop_front();
      return true;
    }
    if (!wait_for(0))
      return false;
    event = take(0);
    if (event.place != region_begin)
      return true;
    read_region();
    return next(event, in_region);
  }

  // Printed numbers only from now on: what comes between is soon over.
  void mute() { __atomic_store_n(&file_.memory().muted, 1, __ATOMIC_RELAXED); }

  base::ProcessEnd end() { return process_.wait(); }

private:
  Ring& ring(unsigned number) const { return file_.memory().ring[number]; }
  bool has_event(unsigned number) const {
    return !buffers_[number].empty() || __atomic_load_n(&ring(number).written, __ATOMIC_ACQUIRE) != ring(number).read;
  }

  // Waits until the ring has an event; false if it never will. The other threads must not wait for this process.
  bool wait_for(unsigned number) {
    for (;;) {
      if (has_event(number))
        return true;
      const bool ended = process_.has_ended(); // before the last look
      if (has_event(number))
        return true;
      if (ended)
        return false;
      for (unsigned other = 1; other < most_rings; ++other)
        drain(other);
      usleep(20);
    }
  }

  Event take(unsigned number) {
    Ring& from = ring(number);
    const Event event = from.events[from.read % ring_events];
    __atomic_store_n(&from.read, from.read + 1, __ATOMIC_RELEASE);
    return event;
  }

  // Threads that OpenMP has not started (thread 0 in a ring of its own) cannot be aligned.
  void drain(unsigned number) {
    while (__atomic_load_n(&ring(number).written, __ATOMIC_ACQUIRE) != ring(number).read) {
      const Event event = take(number);
      if (buffers_[number].size() < most_in_region)
        buffers_[number].push_back(event);
      else
        ++taken_[number];
    }
  }

  // The ring may already have events of the next region.
  void take_until(unsigned number, uint64_t written, std::vector<Event>& events) {
    while (taken_[number] + buffers_[number].size() < written && !process_.has_ended())
      drain(number);
    drain(number);
    for (; taken_[number] < written && !buffers_[number].empty(); ++taken_[number]) {
      const Event event = buffers_[number].front();
      buffers_[number].pop_front();
      if (event.thread != 0 && events.size() < most_in_region)
        events.push_back(event);
    }
  }

  void read_region() {
    std::vector<Event> events;
    while (wait_for(0)) {
      const Event event = take(0);
      if (event.place == region_end)
        break;
      if (event.place == region_ring) {
        take_until(event.thread, uint64_t(event.value), events);
      } else if (events.size() < most_in_region) {
        events.push_back(event);
      }
    }
    numeric::sort_stably(events, [](const Event& a, const Event& b) { return a.thread < b.thread; });
    region_.assign(events.begin(), events.end());
  }

  EventFile file_;
  base::Descriptor input_;
  base::Process process_;
  std::deque<Event> region_;
  std::array<std::deque<Event>, most_rings> buffers_;
  std::array<uint64_t, most_rings> taken_ = {}; // out of the buffers
};

} // namespace

namespace {

// Errors are looked for in this many values of each run: a few seconds.
constexpr uint64_t most_measured = 20'000'000;

void feed(Alignment& alignment, Running& first, Running& second, uint64_t most_values = ~uint64_t(0)) {
  std::array<uint64_t, 2> values = {0, 0};
  const std::array<Running*, 2> runs = {&first, &second};
  std::array<bool, 2> ended = {false, false};
  while (!ended[0] || !ended[1]) {
    const unsigned run = ended[0] ? 1 : ended[1] ? 0 : alignment.next();
    Event event;
    bool in_region = false;
    if (!runs[run]->next(event, in_region)) {
      ended[run] = true;
      continue;
    }
    if (event.place != printed_event && ++values[run] > most_values) {
      runs[run]->mute();
      continue;
    }
    if (in_region && event.place != printed_event)
      alignment.add_thread(run, event.thread);
    alignment.add(run, event, in_region);
  }
}

// The file that is standard input, from where the program begins to read it.
base::Descriptor input_from(off_t position) {
  base::Descriptor file(position < 0 ? -1 : open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC));
  if (file.number() >= 0)
    lseek(file.number(), position, SEEK_SET);
  return file;
}

} // namespace

MeasuredErrors measure_errors(const ComparedRun& first, const ComparedRun& second, double tolerance, off_t input,
                              double seconds) {
  Alignment alignment(first.twin.sites, second.twin.sites, tolerance);
  Running one(first, input_from(input), true, seconds), other(second, input_from(input), false, seconds);
  feed(alignment, one, other, most_measured);
  MeasuredErrors errors{
      .outputs = alignment.output_errors(), .printed = alignment.finish().printed, .excesses = alignment.excesses()};
  for (unsigned run = 0; run < 2; ++run) {
    const base::ProcessEnd end = (run == 0 ? one : other).end();
    errors.status[run] = end.status;
    errors.signal[run] = end.signal;
  }
  return errors;
}

model::RunComparison compare_runs(const ComparedRun& first, const ComparedRun& second) {
  Alignment alignment(first.twin.sites, second.twin.sites);
  const CopiedInput input;
  const IgnoredInterrupts ignored;
  std::array<std::unique_ptr<Running>, 2> runs = {std::make_unique<Running>(first, input.reader(), true),
                                                  std::make_unique<Running>(second, input.reader(), false)};
  feed(alignment, *runs[0], *runs[1]);
  model::RunComparison result = alignment.finish();
  for (unsigned run = 0; run < 2; ++run) {
    const base::ProcessEnd end = runs[run]->end();
    result.status[run] = end.status;
    result.signal[run] = end.signal;
  }
  result.command = {first.command, second.command};
  return result;
}

} // namespace faultline::run
