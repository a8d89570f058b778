#include "exec/sandbox.h"

#include "base/error.h"
#include "base/landlock.h"
#include "exec/system_calls.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <linux/capability.h>
#include <string_view>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace faultline::exec {

namespace {

using base::has_landlock;
using base::status_usage;
using base::UserError;

// The files that libraries of numerical code read: character sets, locales and time zones.
const std::vector<std::string>& library_data() {
  static const std::vector<std::string> paths = {
      "/usr/lib/locale",     "/usr/share/locale", "/usr/share/i18n", "/usr/lib/x86_64-linux-gnu/gconv",
      "/usr/share/zoneinfo", "/etc/localtime",    "/dev/null"};
  return paths;
}

// The files that a program needs to start: the dynamic linker and libraries.
const std::vector<std::string>& program_data() {
  static const std::vector<std::string> paths = {"/usr", "/lib", "/lib64", "/opt", "/etc/ld.so.cache"};
  return paths;
}

base::Readable readable_to(const Confinement& confinement) {
  base::Readable readable{library_data(), {}};
  readable.paths.insert(readable.paths.end(), confinement.readable.begin(), confinement.readable.end());
  if (!confinement.program.empty()) {
    readable.executables = program_data();
    readable.executables.push_back(confinement.program);
  }
  return readable;
}

// Drops capabilities, so that a worker started by root has no more rights than any other.
bool give_up_capabilities() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  return syscall(SYS_capset, &header, none) == 0;
}

std::string lacks(const char* what, int error) { return fmt::format("{}: {}", what, std::strerror(error)); }

} // namespace

void limit_process(uint64_t memory) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  base::limit_resource(RLIMIT_CORE, 0);
  base::limit_resource(RLIMIT_FSIZE, 0); // pipes are not files
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  base::limit_resource(RLIMIT_STACK, 8u << 20);
  base::limit_resource(RLIMIT_AS, base::address_space_in_use() + memory);
}

void clear_environment() {
  std::vector<std::string> kept;
  for (char** variable = environ; variable && *variable; ++variable) {
    const std::string_view text = *variable;
    if (text.starts_with("LC_") || text.starts_with("LANG="))
      kept.emplace_back(text);
    std::memset(*variable, 0, text.size()); // `setenv` may have copied it to another place
  }
  clearenv();
  // The kernel puts the words of the command line, the variables and the path of the program one after the other.
  char* const end = reinterpret_cast<char*>(getauxval(AT_EXECFN));
  if (char* const begin = program_invocation_name + std::strlen(program_invocation_name) + 1; end && begin < end)
    std::memset(begin, 0, size_t(end - begin));
  for (const std::string& variable : kept)
    setenv(variable.substr(0, variable.find('=')).c_str(), variable.substr(variable.find('=') + 1).c_str(), 1);
}

std::string confine(const Confinement& confinement) {
  if (!confinement.wanted)
    return {};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return lacks("privileges cannot be given up (no_new_privs)", errno);
  if (!give_up_capabilities())
    return lacks("capabilities cannot be given up", errno);
  const bool by_path = has_landlock();
  if (by_path && !base::open_only(readable_to(confinement)))
    return lacks("opening files cannot be restricted (Landlock)", errno);
  const bool becomes_another = !confinement.program.empty();
  // A starting program opens its libraries, so opening is unrestricted where paths cannot be checked.
  if (const int error = filter_system_calls({by_path || becomes_another, becomes_another}))
    return lacks("system calls cannot be filtered (seccomp)", error);
  return {};
}

void refuse_unconfined(const std::string& lack) {
  throw UserError(status_usage, fmt::format("this system has no sandbox for code under test: {}", lack),
                  "use a system whose kernel has it; --unsafe-no-sandbox runs the code without, with all your rights");
}

base::ProgramEnd run_confined(const std::vector<std::string>& command, double seconds, uint64_t memory,
                              Confinement confinement) {
  confinement.program = command.front();
  const auto prepare = [&] {
    clear_environment();
    limit_process(memory);
    return confine(confinement);
  };
  try {
    return base::run(command, {.seconds = seconds}, {.prepare = prepare});
  } catch (const base::StartRefused& refused) {
    refuse_unconfined(refused.what());
  }
}

void check_confinement(const Confinement& confinement) {
  if (!confinement.readable.empty() && confinement.wanted && !has_landlock())
    throw UserError(status_usage, "--allow-read: this system cannot restrict reading to a folder (it has no Landlock)",
                    "omit it (opening files then fails), or use Linux 5.13 or later with Landlock enabled");
  for (const std::string& path : confinement.readable)
    if (std::error_code error; !std::filesystem::exists(path, error))
      throw UserError(status_usage, fmt::format("--allow-read {}: there is no such file or folder", path),
                      "name a folder whose files the code may read");
}

} // namespace faultline::exec
