#include "cli/programs/recorded_program.h"

#include "base/process.h"
#include "frontend/error.h"
#include "recorder/signatures.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
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
  std::string preload = "LD_PRELOAD=" + recorder;
  if (const char* others = std::getenv("LD_PRELOAD"))
    preload += fmt::format(":{}", others);
  return {preload, fmt::format("{}={}", recorder::folder_variable, folder),
          fmt::format("{}={}", recorder::program_variable, self.string())};
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
  const base::ProcessOptions options{
      .keeps_all_descriptors = true, .environment = environment_for(folder), .death_signal = 0};
  const IgnoredInterrupts ignored;
  try {
    const base::ProcessEnd end = base::Process::start(command, options).wait();
    return end.signal != 0 ? 128 + end.signal : end.status;
  } catch (const base::CannotStart& error) {
    throw UserError(frontend::status_usage, fmt::format("{}: {}", command.front(), std::strerror(error.code().value())),
                    "name a program that can be run: faultline record -- ./app");
  }
}

} // namespace faultline::cli
