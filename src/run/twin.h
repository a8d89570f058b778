// The twin of a program: made from the bitcode that faultline-cc has kept in it, and cached by content.
#pragma once

#include "program/capture/section.h"
#include "run/module_twin.h"
#include "run/sites.h"

#include <functional>
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

} // namespace faultline::run
