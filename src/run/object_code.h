// From captured bitcode to the object file of a twin.
#pragma once

#include "program/capture/section.h"
#include "run/module_twin.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace faultline::run {

// The processor for whose operations objects are made.
std::string processor();

// Links the records' bitcode, instruments it and compiles it for this machine. Throws UserError if the bitcode is
// damaged. Needs seconds for a large program; run it in a process of its own.
SiteTable write_object(const std::vector<program::Record>& records, const TwinOptions& options,
                       const std::string& object_file);

// The object of one record, whose functions note their calls (run/call_hooks.h). Throws UserError as above.
void write_recording_object(const program::Record& record, const std::string& object_file);

// The libraries that a program names (DT_NEEDED), and where it searches them (DT_RUNPATH, DT_RPATH).
struct Needed {
  std::vector<std::string> libraries, folders;
  std::string name;                                        // of a library (DT_SONAME)
  bool is_program = false;                                 // with a program interpreter
  std::vector<std::pair<std::string, uint64_t>> functions; // with their bytes; none if it is stripped
};
// Throws UserError if this is no program for this machine, nor a shared library where one is allowed.
Needed needed_by(const std::string& program, bool is_library = false);

// The names that a linked file offers to others, and those that it takes from others.
struct DynamicSymbols {
  std::set<std::string> defined, undefined;
};
DynamicSymbols dynamic_symbols(const std::string& file); // none if it cannot be read

} // namespace faultline::run
