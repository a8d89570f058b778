#include "frontend/capture/real_compiler.h"

#include "frontend/error.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace faultline::frontend {
namespace {

namespace fs = std::filesystem;

constexpr const char* inside = "FAULTLINE_INSIDE"; // the real compiler's environment has it

struct Names {
  const char* variable;
  std::vector<std::string> usual;
};

Names names_of(Driver driver) {
  switch (driver) {
  case Driver::cc:
    return {"FAULTLINE_CC", {"cc"}};
  case Driver::cxx:
    return {"FAULTLINE_CXX", {"c++"}};
  case Driver::fc:
    break;
  }
  return {"FAULTLINE_FC", {"gfortran", "flang-new-19"}};
}

// faultline, or the wrapper beside it.
bool is_ours(const fs::path& program) {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path target = fs::canonical(program, error);
  return !error && target.parent_path() == self.parent_path() && target.filename().string().starts_with("faultline");
}

// What starting it by this name starts, unless that is us: then the next one on PATH. Empty if there is none.
std::string program_named(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return is_ours(name) || access(name.c_str(), X_OK) != 0 ? "" : name;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  bool passed_over = false;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder.empty() ? "." : folder) / name;
    std::error_code error;
    if (!fs::is_regular_file(program, error) || access(program.c_str(), X_OK) != 0)
      continue;
    if (!is_ours(program))
      return passed_over ? program.string() : name; // by its name, if that is enough: its messages begin with it
    passed_over = true;
  }
  return {};
}

bool needs_lto(const std::string& argument) {
  constexpr std::string_view beginnings[] = {"-flto", "-fwhole-program", "-fsplit-lto-unit", "-fsanitize=cfi",
                                             "-fvirtual-function-elimination"};
  return std::ranges::any_of(beginnings, [&](std::string_view begin) { return argument.starts_with(begin); });
}

void start(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command)
    words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  setenv(inside, "1", 1);
  execvp(words[0], words.data());
}

UserError cannot_start(const std::string& program) {
  return UserError(status_usage, fmt::format("cannot run the compiler {}: {}", program, std::strerror(errno)),
                   "FAULTLINE_CC, FAULTLINE_CXX and FAULTLINE_FC name the real compilers");
}

} // namespace

std::vector<std::string> real_compiler(Driver driver) {
  const auto [variable, usual] = names_of(driver);
  if (std::getenv(inside))
    throw UserError(status_usage, "the real compiler starts faultline's compiler again",
                    fmt::format("{} names the real one by its full path", variable));
  std::vector<std::string> words;
  if (const char* said = std::getenv(variable)) {
    std::istringstream stream(said);
    for (std::string word; stream >> word;)
      words.push_back(word);
  }
  if (!words.empty()) {
    const std::string program = program_named(words.front());
    if (program.empty())
      throw UserError(status_usage, fmt::format("{}={}: there is no such compiler", variable, fmt::join(words, " ")),
                      "name a program on PATH, or its full path, and arguments that come first");
    words.front() = program;
    return words;
  }
  for (const std::string& name : usual)
    if (const std::string program = program_named(name); !program.empty())
      return {program};
  throw UserError(status_usage, fmt::format("there is no compiler {} on PATH", fmt::join(usual, " or ")),
                  fmt::format("{} names the real one", variable));
}

std::vector<std::string> without_lto(const std::vector<std::string>& arguments) {
  std::vector<std::string> kept = arguments;
  if (std::erase_if(kept, needs_lto) > 0)
    kept.emplace_back("-fno-lto"); // some compilers are set up to do it unasked
  return kept;
}

void become_real_compiler(const std::vector<std::string>& command) {
  start(command);
  throw cannot_start(command.front());
}

RealCompiler::RealCompiler(const std::vector<std::string>& command) {
  sigset_t held;
  sigemptyset(&held);
  for (const int signal : {SIGINT, SIGTERM, SIGCHLD})
    sigaddset(&held, signal);
  sigprocmask(SIG_BLOCK, &held, &before_);
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
      _exit(1);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
    start(command);
    const UserError error = cannot_start(command.front());
    fmt::print(stderr, "faultline: error: {}\n  try: {}\n", error.what(), error.hint);
    _exit(127); // what shells say, too
  }
  if (process_ < 0) {
    sigprocmask(SIG_SETMASK, &before_, nullptr);
    throw std::system_error(errno, std::generic_category(), "fork");
  }
}

RealCompiler::~RealCompiler() {
  if (process_ > 0) {
    kill(process_, SIGTERM);
    wait();
  }
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

int RealCompiler::wait() {
  sigset_t awaited;
  sigemptyset(&awaited);
  for (const int signal : {SIGINT, SIGTERM, SIGCHLD})
    sigaddset(&awaited, signal);
  int ending = 0; // the signal that is to end us
  while (process_ > 0) {
    const pid_t ended = waitpid(process_, &state_, WNOHANG);
    if (ended == process_ || (ended < 0 && errno != EINTR)) {
      process_ = 0;
    } else if (const int signal = sigwaitinfo(&awaited, nullptr); signal == SIGINT || signal == SIGTERM) {
      kill(process_, signal);
      ending = signal;
    }
  }
  if (ending)
    raise(ending); // held until this object is gone
  return state_;
}

} // namespace faultline::frontend
