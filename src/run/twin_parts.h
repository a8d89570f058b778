// What twins with residues (run/twin.h) and recording twins (run/recording_twin.h) share.
#pragma once

#include <csignal>
#include <filesystem>
#include <map>
#include <string>

namespace faultline::run {

std::string runtime_archive();
std::filesystem::path cache_folder();

// The paths to which the loader resolves the libraries that a program or a library needs, by their names.
std::map<std::string, std::string> resolved_libraries(const std::string& program);

// Libraries that the drivers add, and those of GCC's Fortran, in whose place LLVM's runtime library comes.
bool comes_with_driver(const std::string& library);

// "foo, bar and 3 more", from a linker's messages.
std::string missing_symbols(const std::string& errors);

// Ignores interrupts while programs run: they handle Ctrl-C themselves, and what they left is read afterwards.
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

} // namespace faultline::run
