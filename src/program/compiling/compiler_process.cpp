#include "program/compiling/compiler_process.h"

#include "base/clock.h"
#include "base/landlock.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace faultline::program {

UnnamedFile::UnnamedFile() : descriptor_(memfd_create("faultline", MFD_CLOEXEC)) {
  if (descriptor_ < 0)
    throw std::system_error(errno, std::generic_category(), "memfd_create");
}

UnnamedFile::~UnnamedFile() { close(descriptor_); }

void UnnamedFile::fill(std::string_view text) const {
  for (size_t at = 0; at < text.size();) {
    const ssize_t count = pwrite(descriptor_, text.data() + at, text.size() - at, off_t(at));
    if (count < 0 && errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "a file in memory");
    at += count < 0 ? 0 : size_t(count);
  }
}

std::string UnnamedFile::content(size_t most) const {
  struct stat status {};
  fstat(descriptor_, &status);
  std::string text(std::min(most, size_t(status.st_size)), '\0');
  for (size_t at = 0; at < text.size();) {
    const ssize_t count = pread(descriptor_, text.data() + at, text.size() - at, off_t(at));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      text.resize(at);
      break;
    }
    at += size_t(count);
  }
  return text;
}

namespace {

constexpr int line_descriptor = base::ProcessOptions::first_kept;

// Runs in a separate process with all signals blocked. Sends errno and the folder's name.
int keep(std::string name) {
  const bool made = mkdtemp(name.data());
  const int error = made ? 0 : errno;
  base::write_all(line_descriptor, {reinterpret_cast<const char*>(&error), sizeof error});
  base::write_all(line_descriptor, name);
  close(line_descriptor);
  if (made) {
    sigset_t death;
    sigemptyset(&death);
    sigaddset(&death, SIGTERM);
    int signal = 0;
    sigwait(&death, &signal);
    const timespec until_compilers_are_gone{0, 30'000'000}; // the compilers' keepers need less time to end them
    nanosleep(&until_compilers_are_gone, nullptr);
    std::error_code ignored;
    std::filesystem::remove_all(name, ignored);
  }
  return 0;
}

// Reads the keeper's answer; empty if the keeper was killed.
std::string read_keeper_message(int line, size_t length, int& error) {
  std::string name(length, '\0');
  size_t done = 0;
  if (read(line, &error, sizeof error) != sizeof error)
    error = ECHILD;
  while (error == 0 && done < length) {
    const ssize_t count = read(line, name.data() + done, length - done);
    if (count <= 0)
      error = ECHILD;
    else
      done += size_t(count);
  }
  return name;
}

[[noreturn]] void cannot_be_made(const std::string& why) {
  const char* from_environment = std::getenv("TMPDIR");
  throw base::UserError(base::status_usage,
                        fmt::format("no temporary folder can be made in {}: {}",
                                    from_environment && *from_environment ? from_environment : "/tmp", why),
                        "TMPDIR names a folder that exists and that you may write to");
}

} // namespace

TemporaryFolder::TemporaryFolder() : owner_(getpid()) {
  std::error_code problem;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(problem);
  if (problem)
    cannot_be_made(problem.message());
  const std::string name = (folder / "faultline-XXXXXX").string();
  base::Pipe line;
  constexpr int nothing = base::ProcessOptions::nothing;
  keeper_ = base::Process::copy([&] { return keep(name); }, {.input = nothing,
                                                             .output = nothing,
                                                             .errors = nothing,
                                                             .kept = {line.writing.number()},
                                                             .own_group = true,
                                                             .death_signal = SIGTERM,
                                                             .blocked = base::all_signals()});
  line.writing.close();
  int error = 0;
  path_ = read_keeper_message(line.reading.number(), name.size(), error);
  if (error != 0)
    cannot_be_made(std::strerror(error));
}

TemporaryFolder::~TemporaryFolder() {
  if (getpid() != owner_)
    return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

namespace {

constexpr int poll_milliseconds = 50; // the delay until a signal is noticed
constexpr size_t most_errors = 1 << 20;
constexpr const char* compile_it_yourself =
    "compile it yourself, with clang-19 -O2 -g -emit-llvm -c, and name the .bc; or split the file";

// The keeper's message.
struct KeeperMessage {
  base::ProcessEnd end = {};
  int start_error = 0; // errno if the program could not be started
  bool in_time = false;
};

[[noreturn]] void report_and_end_all(int line, const KeeperMessage& ended) {
  base::write_all(line, {reinterpret_cast<const char*>(&ended), sizeof ended}); // fails only if the reader is dead
  kill(0, SIGKILL); // the process group, including this process
  _exit(1);
}

struct Start {
  const std::vector<std::string>& command;
  base::ProcessOptions options;
  double seconds;
  CompilerEnvironment environment;
};

// A name that ends in * stands for all names with this beginning. The sanitizers' variables are for our own programs.
constexpr std::string_view kept_variables[] = {"PATH", "TMPDIR",          "LANG",         "LANGUAGE",
                                               "LC_*", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS"};
constexpr std::string_view variables_of_build[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                                   "SOURCE_DATE_EPOCH"};

bool is_one_of(std::string_view name, auto& patterns) {
  return std::ranges::any_of(patterns, [&](std::string_view pattern) {
    return pattern.ends_with("*") ? name.starts_with(pattern.substr(0, pattern.size() - 1)) : name == pattern;
  });
}

void clean_environment(CompilerEnvironment kept) {
  std::vector<std::string> gone;
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view name = std::string_view(*variable).substr(0, std::string_view(*variable).find('='));
    if (!is_one_of(name, kept_variables) &&
        (kept != CompilerEnvironment::of_build || !is_one_of(name, variables_of_build)))
      gone.emplace_back(name);
  }
  for (const std::string& name : gone)
    unsetenv(name.c_str());
  setenv("LLVM_DISABLE_SYMBOLIZATION", "1", 1); // a crash would leave a temporary file for each of LLVM's libraries
}

base::Process started(const Start& start, int line) {
  try {
    return base::Process::start(start.command, start.options);
  } catch (const std::system_error& error) {
    report_and_end_all(line, {.start_error = error.code().value()});
  } catch (const base::StartRefused&) { // Landlock is there and does not work
    report_and_end_all(line, {.start_error = EPERM});
  }
}

// The keeper's main function. All signals are blocked.
[[noreturn]] void keep(const Start& start, int line) {
  clean_environment(start.environment);
  base::Process compiler = started(start, line);
  const sigset_t all = base::all_signals();
  const base::Deadline deadline(start.seconds);
  for (;;) {
    const double left = std::max(0.0, deadline.left());
    const timespec wait{time_t(left), long((left - std::floor(left)) * 1e9)};
    const int signal = sigtimedwait(&all, nullptr, &wait);
    const bool in_time = signal >= 0 || errno != EAGAIN;
    if (signal == SIGTERM)
      kill(0, SIGKILL); // the parent died
    if (const std::optional<base::ProcessEnd> end = compiler.poll())
      report_and_end_all(line, {.end = *end, .in_time = true});
    if (!in_time)
      report_and_end_all(line, {});
  }
}

bool interrupted() {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM);
}

enum class Ending : uint8_t { reported, killed, interrupted };

// Reads the keeper's message, or finds out why there is none.
Ending wait_for(base::Process& keeper, int line, KeeperMessage& ended) {
  Ending ending = Ending::killed;
  for (;;) {
    pollfd waiting{line, POLLIN, 0};
    if (poll(&waiting, 1, poll_milliseconds) > 0) {
      if (read(line, &ended, sizeof ended) == sizeof ended)
        ending = Ending::reported;
      break;
    }
    if (interrupted()) {
      ending = Ending::interrupted;
      break;
    }
  }
  keeper.kill();
  return ending;
}

bool contains_any(const std::string& text, std::initializer_list<const char*> words) {
  return std::ranges::any_of(words, [&](const char* word) { return text.find(word) != std::string::npos; });
}

[[noreturn]] void did_not_end(const std::string& file, const std::string& how, const char* hint) {
  throw base::UserError(base::status_inconclusive, fmt::format("{}: the compiler {}", file, how), hint);
}

[[noreturn]] void was_killed(const std::string& file, const std::string& how) {
  throw CompilerKilled(base::status_inconclusive, fmt::format("{}: the compiler {}", file, how),
                       "memory may be short: try again, or with fewer other programs");
}

// Reports a failure of the compiler proper, which its driver describes in its messages.
void check_end(const KeeperMessage& ended, const CompilerRun& run, const std::string& file,
               const CompilerLimits& limits) {
  const int signal = ended.end.signal;
  const bool failed = !ended.end.succeeded();
  if (!ended.in_time)
    did_not_end(file, fmt::format("was stopped after {} s, which is its limit", limits.seconds),
                "--compile-time TIME gives it more; or compile it yourself, with clang-19 -O2 -g -emit-llvm -c");
  if (failed && contains_any(run.errors, {"out of memory", "bad_alloc", "Cannot allocate memory"}))
    did_not_end(file, fmt::format("needs more than {} MiB of memory, which is its limit", limits.memory >> 20),
                compile_it_yourself);
  if (signal == SIGXFSZ || (failed && contains_any(run.errors, {"File too large", "File size limit exceeded"}))) {
    rlimit own = {};
    if (getrlimit(RLIMIT_FSIZE, &own) == 0 && own.rlim_cur < limits.output)
      did_not_end(file, fmt::format("may not write more than {} bytes", own.rlim_cur), "ulimit -f shows the limit");
    did_not_end(file, fmt::format("writes more than {} MiB, which is its limit", limits.output >> 20),
                compile_it_yourself);
  }
  if (signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGQUIT)
    was_killed(file, fmt::format("was killed ({}) by another process", strsignal(signal)));
  if (failed &&
      contains_any(run.errors, {"unable to execute command: Killed", "unable to execute command: Terminated"}))
    was_killed(file, "was killed by another process");
}

double compiler_seconds = 120;

CompilerRun run_once(const std::vector<std::string>& command, const std::string& directory, const std::string& file,
                     const CompilerFiles& files, const CompilerLimits& limits) {
  const base::BlockedSignals held{SIGINT, SIGTERM};
  const UnnamedFile input, output, errors;
  input.fill(files.input);
  sigset_t none;
  sigemptyset(&none);
  Start start{command,
              {.input = input.descriptor(),
               .output = output.descriptor(),
               .errors = errors.descriptor(),
               .directory = directory,
               .blocked = none,
               .memory = limits.memory,
               .file_bytes = limits.output},
              limits.seconds,
              files.environment};
  start.options.kept = files.kept;
  if (!files.readable.empty() && base::has_landlock())
    start.options.prepare = [&files] {
      return base::read_only_from(files.readable) ? "" : "the files that the compiler may read cannot be restricted";
    };
  if (!files.temporary_folder.empty())
    start.options.environment.push_back("TMPDIR=" + files.temporary_folder);
  base::Pipe line;
  base::Process keeper = base::Process::copy(
      [&]() -> int { keep(start, line.writing.number()); },
      {.keeps_all_descriptors = true, .own_group = true, .death_signal = SIGTERM, .blocked = base::all_signals()});
  line.writing.close();
  KeeperMessage ended;
  const Ending ending = wait_for(keeper, line.reading.number(), ended);
  if (ending == Ending::interrupted)
    throw base::UserError(base::status_inconclusive, fmt::format("interrupted while {} was compiled", file));
  if (ending == Ending::killed)
    was_killed(file, "was killed by another process");
  if (ended.start_error == EMFILE || ended.start_error == EAGAIN || ended.start_error == ENOMEM) // a limit
    throw std::system_error(ended.start_error, std::generic_category(), command[0]);
  if (ended.start_error != 0)
    throw base::UserError(base::status_unsuitable,
                          fmt::format("cannot run {}: {}", command[0], std::strerror(ended.start_error)),
                          "install it with scripts/install-deps, and see that it is on PATH");
  CompilerRun run{ended.end.signal == 0 ? ended.end.status : 1, {}, errors.content(most_errors)};
  check_end(ended, run, file, limits);
  run.output = output.content();
  return run;
}

} // namespace

double usual_compiler_seconds() { return compiler_seconds; }
void limit_compilers(double seconds) { compiler_seconds = seconds; }

uint64_t usual_compiler_memory() {
  const uint64_t machine = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  return std::min(uint64_t(8) << 30, machine / 4 * 3);
}

CompilerRun run_compiler(const std::vector<std::string>& command, const std::string& directory, const std::string& file,
                         const CompilerLimits& limits) {
  return run_compiler(command, directory, file, {}, limits);
}

CompilerRun run_compiler(const std::vector<std::string>& command, const std::string& directory, const std::string& file,
                         const CompilerFiles& files, const CompilerLimits& limits) {
  try {
    return run_once(command, directory, file, files, limits);
  } catch (const CompilerKilled&) {
    return run_once(command, directory, file, files, limits);
  }
}

} // namespace faultline::program
