// Child processes: another program, started without a shell, or a copy of this process that runs one function.
//
// Code under test, compilers and solvers may run forever, exhaust memory or damage files. A child therefore gets only
// the descriptors that its options name, and dies with its parent. Destroying a `Process` kills the child, except in a
// copy of the parent process.
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

// A pipe that child programs do not inherit.
struct Pipe {
  Pipe(); // throws std::system_error
  Descriptor reading, writing;
};

// Writes all bytes. False if nothing reads them any more.
bool write_all(int descriptor, std::string_view bytes);

// Blocks these signals while it exists.
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

// Limits a resource of this process (setrlimit(2)), as far as its hard limit allows.
void limit_resource(int resource, uint64_t value);
uint64_t address_space_in_use(); // bytes

struct ProcessEnd {
  int signal = 0; // the signal that killed the process; 0: it exited with `status`
  int status = 0;

  bool succeeded() const { return signal == 0 && status == 0; }
};

// The program cannot be run; the code is that of execve(2).
struct CannotStart : std::system_error {
  using std::system_error::system_error;
};

// ProcessOptions::prepare refused to start the program; the text gives the reason.
struct StartRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ProcessOptions {
  static constexpr int inherited = -1, nothing = -2; // nothing: /dev/null
  static constexpr int first_kept = 3;
  static constexpr uint64_t unlimited = ~uint64_t(0);

  int input = inherited, output = inherited, errors = inherited; // or a descriptor of this process
  std::vector<int> kept = {};                                    // further descriptors; 3, 4, ... in the child
  bool keeps_all_descriptors = false;                            // `kept` is then ignored
  std::string directory = {};                                    // empty: that of this process
  std::vector<std::string> environment = {};                     // NAME=VALUE, added to the variables of this process
  bool own_group = false;                                        // signals reach the child and its descendants
  int death_signal = SIGKILL;                                    // sent to the child when this process dies; 0: none
  std::optional<sigset_t> blocked = {};                          // signals; none: those that this process blocks
  bool default_signals = true;                                   // restores the default action of fatal signals
  uint64_t memory = unlimited;                                   // bytes of address space
  uint64_t file_bytes = unlimited;                               // per file that it writes
  // Runs last in the child before the program starts. A nonempty text refuses the start and gives the reason.
  std::function<std::string()> prepare = {};
};

class Process {
public:
  Process() = default; // none
  // Starts a program. The first word is a path, or a name that is looked up in PATH. Throws CannotStart, StartRefused,
  // or std::system_error if the system cannot create a process.
  static Process start(const std::vector<std::string>& command, const ProcessOptions& options = {});
  // Starts a copy of this process that runs `work` and exits with its value, without running destructors or exit
  // handlers.
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

  pid_t id() const { return id_; } // 0: none, or its end has been collected
  bool has_ended() const;          // its end can be collected
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

// Replaces this process by the program. Returns only on failure, with errno.
void become(const std::vector<std::string>& command);

struct ProgramLimits {
  double seconds = 60;             // of elapsed time
  size_t output = size_t(1) << 20; // bytes to keep
};

struct ProgramEnd : ProcessEnd {
  bool started = false, timed_out = false;
  std::string output; // standard output and errors

  bool succeeded() const { return started && !timed_out && ProcessEnd::succeeded(); }
};

// Runs a program to its end in its own process group, with empty standard input. Throws like Process::start, except
// that a program that cannot be started is reported in the result.
ProgramEnd run(const std::vector<std::string>& command, const ProgramLimits& limits = {}, ProcessOptions options = {});

} // namespace faultline::base
