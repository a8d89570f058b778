// Processes that this one starts: another program, without a shell, or a copy of this process that runs one function.
//
// Code under test, compilers and solvers are not trusted to end, to stay within their memory, or to leave files alone.
// A process therefore gets only the descriptors that its options name, and dies with the process that started it. A
// `Process` that is destroyed kills what it stands for, but not in a copy of the process that started it.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <system_error>
#include <utility>
#include <vector>

namespace faultline::base {

// Owns a file descriptor.
class Descriptor {
public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int number() const { return number_; }
  void close();

private:
  int number_;
};

// Programs that this process starts do not inherit it.
struct Pipe {
  Pipe(); // throws std::system_error
  Descriptor reading, writing;
};

// False if nothing reads it any more.
bool write_all(int descriptor, std::string_view bytes);

// While it lives, these signals wait.
class BlockedSignals {
public:
  BlockedSignals(std::initializer_list<int> signals);
  ~BlockedSignals();
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

  const sigset_t& signals() const { return blocked_; }
  const sigset_t& before() const { return before_; }

private:
  sigset_t blocked_, before_;
};

sigset_t all_signals();

// Limits this process: a resource of setrlimit(2), as far as its hard limit allows.
void limit_resource(int resource, uint64_t value);
uint64_t address_space_in_use(); // bytes

struct ProcessEnd {
  int signal = 0; // that killed the process; 0: it ended with `status`
  int status = 0;

  bool succeeded() const { return signal == 0 && status == 0; }
};

// The program of a process cannot be run; the code is that of execve(2).
struct CannotStart : std::system_error {
  using std::system_error::system_error;
};

// ProcessOptions::prepare has refused to start the program, and says why.
struct StartRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ProcessOptions {
  static constexpr int inherited = -1, nothing = -2; // nothing: /dev/null
  static constexpr int first_kept = 3;
  static constexpr uint64_t unlimited = ~uint64_t(0);

  int input = inherited, output = inherited, errors = inherited; // or a descriptor of this process
  std::vector<int> kept = {};                // further descriptors; in the new process they are 3, 4, ...
  bool keeps_all_descriptors = false;        // then `kept` is not used
  std::string directory = {};                // empty: that of this process
  std::vector<std::string> environment = {}; // NAME=VALUE, beside the variables of this process
  bool own_group = false;                    // signals go to the process and to what it has started
  int death_signal = SIGKILL;                // what it gets when this process dies; 0: it goes on
  std::optional<sigset_t> blocked = {};      // signals; none: those that this process blocks
  bool default_signals = true;               // what usually ends a process ends this one
  uint64_t memory = unlimited;               // bytes of address space
  uint64_t file_bytes = unlimited;           // of each file that it writes
  // The last step in the process before it becomes the program. A text that is not empty says why it must not.
  std::function<std::string()> prepare = {};
};

class Process {
public:
  Process() = default; // none
  // The first word is the program: a path, or a name that is looked for on PATH. Throws CannotStart and StartRefused,
  // and std::system_error where the system has no room for a process.
  static Process start(const std::vector<std::string>& command, const ProcessOptions& options = {});
  // A copy of this process that runs `work` and ends with its value: neither destructors nor exit handlers run.
  static Process copy(const std::function<int()>& work, const ProcessOptions& options = {});

  Process(Process&& other) noexcept
      : id_(std::exchange(other.id_, 0)), own_group_(other.own_group_), owner_(other.owner_) {}
  Process& operator=(Process&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(own_group_, other.own_group_);
    std::swap(owner_, other.owner_);
    return *this;
  }
  ~Process();

  pid_t id() const { return id_; } // 0: there is none, or its end has been taken
  bool has_ended() const;          // its end can be taken
  std::optional<ProcessEnd> poll();
  ProcessEnd wait();
  std::optional<ProcessEnd> wait(double seconds);
  void send(int signal) const;
  ProcessEnd kill();

private:
  Process(pid_t id, bool own_group);

  pid_t id_ = 0;
  bool own_group_ = false;
  pid_t owner_ = 0;
};

// This process becomes the program. Returns only if it cannot, with errno.
void become(const std::vector<std::string>& command);

struct ProgramLimits {
  double seconds = 60;             // on the clock
  size_t output = size_t(1) << 20; // bytes that are kept
};

struct ProgramEnd : ProcessEnd {
  bool started = false, timed_out = false;
  std::string output; // standard output and errors

  bool succeeded() const { return started && !timed_out && ProcessEnd::succeeded(); }
};

// Runs a program to its end, with nothing on its standard input and in a group of its own. Throws as Process::start,
// but for a program that cannot be started.
ProgramEnd run(const std::vector<std::string>& command, const ProgramLimits& limits = {}, ProcessOptions options = {});

} // namespace faultline::base
