// What a worker may do once it runs code under test: compute, and write to the descriptors it was given. It cannot
// create, change or remove files, opens those for reading that it needs or was allowed to, and starts no processes,
// opens no sockets and signals nobody; it has a limit on memory and dies with its supervisor.
//
// The sandbox fails closed: where the system cannot set it up, no code under test runs, unless somebody insists.
#pragma once

#include "base/process.h"

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::exec {

struct Confinement {
  bool wanted = true;                // --unsafe-no-sandbox: the limits hold alone
  std::vector<std::string> readable; // --allow-read
  std::string program = {};          // that the process is to become; empty: none
};

// Limits that the supervisor's death and the kernel enforce. `memory` is beyond what the process uses now.
void limit_process(uint64_t memory);

// Confines this process, for good. Returns what the system lacks for that, in words; empty: it is confined.
std::string confine(const Confinement& confinement);

// What `confine` said, as an error of the user's. Throws frontend::UserError.
[[noreturn]] void refuse_unconfined(const std::string& lack);

// Runs a program that was built from code under test: confined, with a limit on memory. Throws frontend::UserError
// where the system has no sandbox.
base::ProgramEnd run_confined(const std::vector<std::string>& command, double seconds, uint64_t memory,
                              Confinement confinement = {});

// Can the system keep to these? Throws frontend::UserError for folders that are to be read, if it cannot tell paths
// apart, and for those that are not there.
void check_confinement(const Confinement& confinement);

// Which files a process may still open, by their paths: a filter of system calls sees addresses of names and not the
// names, so this is the business of the kernel's Landlock. It also keeps signals from leaving the process.

// Has this kernel a Landlock, and is it switched on?
bool has_landlock();

struct Readable {
  std::vector<std::string> paths; // files, and folders with all that is in them; those that are not there are left out
  std::vector<std::string> executables; // may be read and started
};

// From now on this process opens these for reading, and nothing else. Needs no privilege but that of having given up
// new ones. False where the kernel refuses.
bool open_only(const Readable& readable);

} // namespace faultline::exec
