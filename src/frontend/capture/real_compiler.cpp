#include "frontend/capture/real_compiler.h"

#include "frontend/error.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>
#include <string_view>
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

UserError cannot_start(const std::string& program, int error) {
  return UserError(status_usage, fmt::format("cannot run the compiler {}: {}", program, std::strerror(error)),
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
  setenv(inside, "1", 1);
  base::become(command);
  throw cannot_start(command.front(), errno);
}

RealCompiler::RealCompiler(const std::vector<std::string>& command) : held_{SIGINT, SIGTERM, SIGCHLD} {
  try {
    process_ = base::Process::start(command, {.keeps_all_descriptors = true,
                                              .environment = {fmt::format("{}=1", inside)},
                                              .death_signal = SIGTERM,
                                              .blocked = held_.before(),
                                              .default_signals = false});
  } catch (const base::CannotStart& error) {
    throw cannot_start(command.front(), error.code().value());
  }
}

RealCompiler::~RealCompiler() {
  process_.send(SIGTERM);
  wait();
}

base::ProcessEnd RealCompiler::wait() {
  int ending = 0; // the signal that is to end us
  for (;;) {
    if (const std::optional<base::ProcessEnd> end = process_.poll()) {
      if (ending)
        raise(ending); // held until this object is gone
      return *end;
    }
    if (const int signal = sigwaitinfo(&held_.signals(), nullptr); signal == SIGINT || signal == SIGTERM) {
      process_.send(signal);
      ending = signal;
    }
  }
}

} // namespace faultline::frontend
