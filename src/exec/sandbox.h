// Limits a worker that runs code under test to computing and to writing to the descriptors it was given. It cannot
// create, change or remove files, start processes, open sockets, or send signals to other processes. It opens only
// permitted files, for reading. It has a memory limit and dies with its supervisor.
//
// The sandbox fails closed: where the system cannot set it up, no code under test runs unless the user disables it.
#pragma once

#include "base/process.h"

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::exec {

struct Confinement {
  bool wanted = true;                // false with --unsafe-no-sandbox: only the limits apply
  std::vector<std::string> readable; // --allow-read
  std::string program = {};          // the program that replaces the process; empty: none
};

// Sets limits that the kernel and the supervisor's death enforce. `memory` is in addition to the current use.
void limit_process(uint64_t memory);

// Removes all environment variables except those of the locale, and overwrites the texts of the environment and of the
// command line in this process.
void clear_environment();

// Confines this process irreversibly. Returns what the system lacks; empty if the process is confined.
std::string confine(const Confinement& confinement);

// Throws base::UserError for a nonempty result of `confine`.
[[noreturn]] void refuse_unconfined(const std::string& lack);

// Runs a program built from code under test, confined, with a memory limit. Throws base::UserError where the system
// has no sandbox.
base::ProgramEnd run_confined(const std::vector<std::string>& command, double seconds, uint64_t memory,
                              Confinement confinement = {});

// Checks that the system can enforce this confinement. Throws base::UserError if folders are to be readable and the
// system cannot check paths, or if they do not exist.
void check_confinement(const Confinement& confinement);

} // namespace faultline::exec
