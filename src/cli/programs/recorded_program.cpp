#include "cli/programs/recorded_program.h"

#include "frontend/error.h"
#include "recorder/signatures.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace faultline::cli {

namespace fs = std::filesystem;
using frontend::UserError;

namespace {

std::string found_on_path(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return name;
  std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path path = fs::path(folder) / name; access(path.c_str(), X_OK) == 0)
      return path.string();
  return name;
}

// An ELF program that asks for no dynamic linker. Scripts are none.
bool is_static(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  Elf64_Ehdr header{};
  if (!stream.read(reinterpret_cast<char*>(&header), sizeof header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return false;
  stream.seekg(std::streamoff(header.e_phoff));
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (!stream.read(reinterpret_cast<char*>(&segment), sizeof segment))
      return false;
    if (segment.p_type == PT_INTERP)
      return false;
  }
  return true;
}

std::vector<std::string> environment_for(const std::string& folder) {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const std::string recorder = (self.parent_path().parent_path() / "lib/faultline/recorder.so").string();
  if (!fs::exists(recorder, error))
    throw UserError(frontend::status_usage, fmt::format("{}: there is no such file", recorder),
                    "install faultline with its lib/faultline folder");
  std::vector<std::string> environment;
  std::string preload = "LD_PRELOAD=" + recorder;
  for (char** variable = environ; *variable; ++variable) {
    if (std::string_view(*variable).starts_with("LD_PRELOAD="))
      preload += fmt::format(":{}", *variable + std::strlen("LD_PRELOAD="));
    else
      environment.emplace_back(*variable);
  }
  environment.push_back(preload);
  environment.push_back(fmt::format("{}={}", recorder::folder_variable, folder));
  environment.push_back(fmt::format("{}={}", recorder::program_variable, self.string()));
  return environment;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// While the program runs, what is typed at it is its own business: it ends as it likes, and we note what it did.
class IgnoredInterrupts {
public:
  IgnoredInterrupts() : interrupt_(std::signal(SIGINT, SIG_IGN)), quit_(std::signal(SIGQUIT, SIG_IGN)) {}
  ~IgnoredInterrupts() {
    std::signal(SIGINT, interrupt_);
    std::signal(SIGQUIT, quit_);
  }

private:
  sighandler_t interrupt_, quit_;
};

} // namespace

int run_recorded(const std::vector<std::string>& command, const std::string& folder) {
  const std::string program = found_on_path(command.front());
  if (is_static(program))
    throw UserError(frontend::status_usage,
                    fmt::format("{}: is linked statically, and cannot be recorded", command.front()),
                    "link it without -static");
  std::vector<std::string> words = command, environment = environment_for(folder);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGINT);
  sigaddset(&usual, SIGQUIT);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const IgnoredInterrupts ignored;
  pid_t child = 0;
  const int failed = posix_spawn(&child, program.c_str(), nullptr, &attributes, pointers_to(words).data(),
                                 pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  if (failed)
    throw UserError(frontend::status_usage, fmt::format("{}: {}", command.front(), std::strerror(failed)),
                    "name a program that can be run: faultline record -- ./app");
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      break;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace faultline::cli
