// The twin of a program: made from the bitcode that faultline-cc has kept in it, and cached by content. One run of it.
#pragma once

#include "model/run_report.h"
#include "program/capture/section.h"
#include "run/sites.h"

#include <string>
#include <vector>

namespace faultline::run {

struct Twin {
  std::string program; // the file to run
  SiteTable sites;
  program::CaptureSummary captured;
  double instrumented = -1;           // share of the program's code, by bytes; negative: unknown
  std::vector<std::string> libraries; // that run as they are
};

// `program` is a path. Throws UserError if nothing was captured, or if the twin does not link.
Twin twin_of(const std::string& program, const TwinOptions& options = {});

// Runs the twin with the user's arguments, files, environment and terminal, and waits for its end (run/execution.cpp).
// `command` is what the user typed: the first word is the name that the program sees. Interrupts go to the program.
// Throws UserError if it cannot be started.
model::RunReport execute(const Twin& twin, const std::vector<std::string>& command);

} // namespace faultline::run
