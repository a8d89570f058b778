#include "base/error.h"
#include "base/process.h"
#include "numeric/stable_sort.h"
#include "run/abi.h"
#include "run/quiet.h"
#include "run/twin.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

namespace faultline::run {

namespace {

using base::UserError;

// A file without a name that the twin maps as its memory, and this process, too. It outlives the twin.
class SharedMemory {
public:
  explicit SharedMemory(const Layout& layout) : layout_(layout), file_(memfd_create("faultline-run", 0)) {
    const size_t bytes = bytes_of(layout);
    if (file_.number() < 0 || ftruncate(file_.number(), off_t(bytes)) != 0)
      fail();
    begin_ = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file_.number(), 0);
    if (begin_ == MAP_FAILED)
      fail();
  }
  ~SharedMemory() { munmap(begin_, bytes_of(layout_)); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  int file() const { return file_.number(); }
  Memory memory() const { return {static_cast<char*>(begin_), layout_}; }

private:
  [[noreturn]] static void fail() {
    throw UserError(base::status_inconclusive, fmt::format("no memory for the counters: {}", std::strerror(errno)),
                    "free some memory");
  }

  Layout layout_;
  base::Descriptor file_;
  void* begin_ = nullptr;
};

volatile sig_atomic_t program_id = 0;

void pass_on(int signal) {
  if (program_id > 0)
    kill(pid_t(program_id), signal);
}

// While the program runs, Ctrl-C reaches it from the terminal and is ignored here, and SIGTERM is passed on.
class PassedSignals {
public:
  PassedSignals()
      : interrupt_(std::signal(SIGINT, SIG_IGN)), quit_(std::signal(SIGQUIT, SIG_IGN)),
        end_(std::signal(SIGTERM, pass_on)), hangup_(std::signal(SIGHUP, pass_on)) {}
  ~PassedSignals() {
    program_id = 0;
    std::signal(SIGINT, interrupt_);
    std::signal(SIGQUIT, quit_);
    std::signal(SIGTERM, end_);
    std::signal(SIGHUP, hangup_);
  }

private:
  sighandler_t interrupt_, quit_, end_, hangup_;
};

volatile sig_atomic_t stop_asked = 0;

void ask_to_stop(int) { stop_asked = 1; }

// While a further run goes on, Ctrl-C ends it, and the report of the first run remains.
class StoppingSignals {
public:
  StoppingSignals() : interrupt_(std::signal(SIGINT, ask_to_stop)), end_(std::signal(SIGTERM, ask_to_stop)) {
    stop_asked = 0;
  }
  ~StoppingSignals() {
    std::signal(SIGINT, interrupt_);
    std::signal(SIGTERM, end_);
  }

private:
  sighandler_t interrupt_, end_;
};

constexpr double step_seconds = 0.1;

double child_seconds() {
  rusage used = {};
  getrusage(RUSAGE_CHILDREN, &used);
  return double(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * double(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

uint64_t bits_of(double residue) {
  uint64_t bits;
  std::memcpy(&bits, &residue, sizeof bits);
  return bits;
}

// Right decimal digits, at most 15.95: those of a correctly rounded binary64.
double digits_of(double value, double residue) {
  constexpr double most = 15.95;
  if (!std::isfinite(value) || std::isnan(residue))
    return model::unknown_digits;
  if (residue == 0)
    return most;
  const double exact = value + residue;
  const double error = exact == 0 ? 1 : std::fabs(residue / exact);
  return error >= 1 ? 0 : std::min(-std::log10(error), most);
}

model::RunPlace place_of(const Site& site) { return {site.file, site.function, site.line, site.column}; }

bool has_news(const SiteCounters& counters) {
  return counters.nan_ends > 0 || counters.uninitialised > 0 || counters.exits > 0 || counters.noise > 0 || counters.widened > 0 || counters.losses > 0 || counters.flips > 0 || counters.unknown > 0 || counters.nans > 0 ||
         counters.infinities > 0;
}

void read_outputs(const Memory& memory, const SiteTable& table, model::RunReport& report) {
  std::map<uint32_t, const Site*> places;
  for (const Site& site : table.sites)
    if (site.place != 0)
      places.try_emplace(site.place, &site);
  report.printed = memory.header().printed;
  const uint64_t kept = std::min<uint64_t>(report.printed, most_outputs);
  for (uint64_t i = 0; i < kept; ++i) {
    const PrintedNumber& number = memory.printed()[i];
    if (number.site >= table.sites.size())
      continue; // the program has overwritten it
    model::RunOutput output;
    output.line = number.line;
    output.value = number.value;
    output.residue = number.residue;
    output.digits = digits_of(number.value, number.residue);
    output.place = place_of(table.sites[number.site]);
    if (const auto cause = places.find(uint32_t(bits_of(number.residue) & place_bits));
        number.residue != 0 && cause != places.end())
      output.cause = place_of(*cause->second);
    report.outputs.push_back(output);
  }
}

void read_watched(const Memory& memory, const Twin& twin, model::RunReport& report) {
  const auto sample_of = [](const WatchSample& sample) {
    return model::RunSample{sample.event, sample.value, digits_of(sample.value, sample.residue)};
  };
  for (uint32_t i = 0; i < twin.watched.size(); ++i) {
    const WatchLine& line = memory.watched()[i];
    model::RunWatch watch{.name = twin.watched[i], .events = line.events, .elements = line.elements,
                          .last = sample_of(line.last), .worst = sample_of(line.worst)};
    for (const WatchedVariable& place : twin.sites.watched)
      if (place.variable == i)
        watch.places.push_back({.file = place.file, .function = {}, .line = place.line});
    for (uint64_t k = 0; k < std::min<uint64_t>(line.used, most_samples); ++k)
      watch.samples.push_back(sample_of(line.samples[k]));
    report.watched.push_back(watch);
  }
}

void add(model::RunSite& all, const model::RunSite& one) {
  if (one.loss > all.loss || (all.losses == 0 && all.flips == 0)) {
    all.loss = one.loss;
    all.value = one.value;
    all.residue = one.residue;
  }
  for (const auto count : {&model::RunSite::executions, &model::RunSite::losses, &model::RunSite::flips,
                           &model::RunSite::unknown, &model::RunSite::nans, &model::RunSite::infinities,
                           &model::RunSite::nan_ends, &model::RunSite::uninitialised, &model::RunSite::exits,
                           &model::RunSite::noise, &model::RunSite::widened})
    all.*count += one.*count;
  if (one.uninitialised > 0)
    all.origin = one.origin;
}

void read_sites(const Memory& memory, const SiteTable& table, model::RunReport& report) {
  std::map<std::tuple<std::string, int, int, std::string, double>, size_t> known; // loops are unrolled
  for (size_t i = 0; i < table.sites.size(); ++i) {
    const SiteCounters& counters = memory.sites()[i];
    const Site& site = table.sites[i];
    const bool constant = site.constant != 0 && site.counter < table.counters && memory.counters()[site.counter] > 0;
    if (!constant && !has_news(counters))
      continue;
    const uint64_t executions =
        site.counter < table.counters ? memory.counters()[site.counter] * site.lanes : counters.losses;
    model::RunSite found = {.place = place_of(site),
                            .operation = site.operation,
                            .executions = executions,
                            .loss = counters.loss,
                            .losses = counters.losses,
                            .flips = counters.flips,
                            .unknown = counters.unknown,
                            .nans = counters.nans,
                            .infinities = counters.infinities,
                            .value = counters.value,
                            .residue = counters.residue,
                            .nan_ends = counters.nan_ends,
                            .uninitialised = counters.uninitialised,
                            .exits = counters.exits,
                            .widened = counters.widened,
                            .noise = counters.noise,
                            .constant = site.constant};
    if (counters.uninitialised > 1 && counters.uninitialised - 2 < table.sites.size())
      found.origin = place_of(table.sites[counters.uninitialised - 2]);
    const auto [place, is_new] = known.try_emplace(
        {site.file, site.line, site.column, site.operation, site.constant}, report.sites.size());
    if (is_new)
      report.sites.push_back(found);
    else
      add(report.sites[place->second], found);
  }
  std::ranges::sort(report.sites, [](const model::RunSite& a, const model::RunSite& b) {
    return std::tuple(-double(a.nans), -a.loss, -double(a.flips), a.place.file, a.place.line, a.place.column,
                      a.operation) < std::tuple(-double(b.nans), -b.loss, -double(b.flips), b.place.file, b.place.line,
                                                b.place.column, b.operation);
  });
}

// The program sees the name that the user typed.
std::string become_twin(const Twin& twin, const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command)
    words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(twin.program.c_str(), words.data());
  return fmt::format("{}: {}", twin.program, std::strerror(errno));
}

// Operations that have residues and those that have none, and calls of other code: of floats, or of named libraries.
void read_shares(const Memory& memory, const Twin& twin, model::RunReport& report) {
  const SiteTable& table = twin.sites;
  const auto count = [&](uint32_t counter) { return counter < table.counters ? memory.counters()[counter] : 0; };
  for (const Site& site : table.sites)
    if (site.is_arithmetic())
      report.followed += count(site.counter) * site.lanes;
  for (const uint32_t counter : table.long_doubles)
    report.not_followed += count(counter);
  std::map<std::string, model::RunCalls> calls;
  for (const ForeignCall& call : table.calls) {
    const auto library = twin.library_of.find(call.function);
    const uint64_t times = count(call.counter);
    if (times == 0 || (!call.floats && library == twin.library_of.end()))
      continue;
    model::RunCalls& one = calls[call.function];
    one.function = call.function;
    one.library = library == twin.library_of.end() ? "" : library->second;
    one.times += times;
  }
  for (const auto& [name, one] : calls)
    report.calls.push_back(one);
  numeric::sort_stably(report.calls, std::ranges::greater{}, &model::RunCalls::times);
}

void read_counters(const Twin& twin, const Memory& memory, model::RunReport& report) {
  read_shares(memory, twin, report);
  report.processes = memory.header().started;
  read_outputs(memory, twin.sites, report);
  read_watched(memory, twin, report);
  read_sites(memory, twin.sites, report);
}

} // namespace

model::RunReport execute(const Twin& twin, const std::vector<std::string>& command) {
  const SharedMemory shared({twin.sites.counters, twin.sites.sites.size()});
  base::ProcessOptions options;
  options.keeps_all_descriptors = true;
  options.environment = {fmt::format("{}={}", memory_variable, shared.file())};
  options.death_signal = 0;
  options.prepare = [&] { return become_twin(twin, command); };
  model::RunReport report;
  report.command = command;
  const double before = child_seconds();
  {
    const PassedSignals passed;
    base::Process process = base::Process::start(command, options);
    program_id = process.id();
    const base::ProcessEnd end = process.wait();
    report.status = end.status;
    report.signal = end.signal;
  }
  report.seconds = child_seconds() - before;
  report.instrumented = twin.instrumented;
  report.captured = program::capture_text(twin.captured, false);
  report.libraries = twin.libraries;
  report.foreign = twin.sites.foreign;
  read_counters(twin, shared.memory(), report);
  return report;
}

model::RunReport execute(const Twin& twin, const std::vector<std::string>& command, QuietRun& quiet) {
  const SharedMemory shared({twin.sites.counters, twin.sites.sites.size()});
  const base::Descriptor output(memfd_create("faultline-output", 0)),
      input(quiet.input < 0 ? -1 : open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC));
  if (pwrite(shared.file(), &quiet.probe, sizeof quiet.probe, offsetof(Header, probe)) != sizeof quiet.probe ||
      output.number() < 0)
    throw UserError(base::status_inconclusive, fmt::format("no memory for a further run: {}", std::strerror(errno)),
                    "free some memory");
  if (input.number() >= 0)
    lseek(input.number(), quiet.input, SEEK_SET);
  base::ProcessOptions options;
  options.keeps_all_descriptors = true;
  options.environment = {fmt::format("{}={}", memory_variable, shared.file())};
  options.own_group = true;
  options.input = input.number() >= 0 ? input.number() : base::ProcessOptions::nothing;
  options.output = output.number();
  options.errors = base::ProcessOptions::nothing;
  options.prepare = [&]() -> std::string {
    base::limit_resource(RLIMIT_CPU, uint64_t(std::ceil(quiet.seconds)));
    base::limit_resource(RLIMIT_CORE, 0);
    const std::string refused = keep_quiet();
    return refused.empty() ? become_twin(twin, command) : refused;
  };
  model::RunReport report;
  report.command = command;
  const double before = child_seconds();
  {
    const StoppingSignals stopping;
    base::Process process = base::Process::start(command, options);
    constexpr double waits = 10; // the elapsed time of programs that wait, as a multiple of the CPU time
    std::optional<base::ProcessEnd> end;
    for (double elapsed = 0; !end && !stop_asked && elapsed < waits * quiet.seconds; elapsed += step_seconds)
      end = process.wait(step_seconds);
    quiet.interrupted = stop_asked != 0;
    quiet.ended_early = !end || end->signal == SIGXCPU || end->signal == SIGKILL;
    if (!end)
      end = process.kill();
    report.status = end->status;
    report.signal = end->signal;
  }
  report.seconds = child_seconds() - before;
  read_counters(twin, shared.memory(), report);
  constexpr off_t most_output = 64 << 20; // bytes that are compared
  quiet.output.resize(size_t(std::min(lseek(output.number(), 0, SEEK_END), most_output)));
  quiet.output.resize(size_t(std::max<ssize_t>(0, pread(output.number(), quiet.output.data(), quiet.output.size(), 0))));
  return report;
}

off_t input_position() {
  struct stat file {};
  return fstat(STDIN_FILENO, &file) == 0 && S_ISREG(file.st_mode) ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1;
}

} // namespace faultline::run
