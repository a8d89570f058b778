// The twin of a program: made from the bitcode that faultline-cc has kept in it, and cached by content. One run of it.
#pragma once

#include "model/run_report.h"
#include "program/capture/section.h"
#include "run/abi.h"
#include "run/sites.h"

#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace faultline::run {

struct Twin {
  std::vector<std::string> watched; // names
  std::string program; // the file to run
  SiteTable sites;
  program::CaptureSummary captured;
  double instrumented = -1;           // share of the program's code, by bytes; negative: unknown
  std::vector<std::string> libraries; // that run as they are
  std::map<std::string, std::string> library_of; // by the names of the functions that the twin calls
};

// `program` is a path. Throws UserError if nothing was captured, or if the twin does not link.
Twin twin_of(const std::string& program, const TwinOptions& options = {});

// The records of a program. Throws UserError if none has bitcode.
std::vector<program::Record> records_of(const std::string& program);

// A twin with other bitcode for some of the sources, in this folder.
Twin changed_twin(const std::string& program, const std::vector<program::Record>& changed, const TwinOptions& options,
                  const std::string& folder);

// Runs the twin with the user's arguments, files, environment and terminal, and waits for its end (run/execution.cpp).
// `command` is what the user typed: the first word is the name that the program sees. Interrupts go to the program.
// Throws UserError if it cannot be started.
model::RunReport execute(const Twin& twin, const std::vector<std::string>& command);

// A further run, which leaves no trace: its output is kept here, it reads standard input only if that is a file, and it
// may neither change files nor use the network (run/quiet_run.cpp).
struct QuietRun {
  Probe probe;
  off_t input = -1;           // where the program began to read standard input; negative: it gets none
  double seconds = 0;         // CPU time after which the run is ended
  std::string output = {};    // standard output
  bool ended_early = false;   // by its time, or by Ctrl-C
  bool interrupted = false;
};
model::RunReport execute(const Twin& twin, const std::vector<std::string>& command, QuietRun& quiet);

// The position in standard input; negative if it is no file.
off_t input_position();

} // namespace faultline::run
