// Reads the command line of faultline hunt, also for replay: a saved report contains the command that made it.
#pragma once

#include "cli/command_line.h"
#include "cli/options.h"
#include "finding/report.h"
#include "hunt/extents.h"
#include "report/screen.h"

#include <string>
#include <vector>

namespace faultline::cli {

struct HuntRequest {
  campaign::Options options;
  std::string baseline, corpus, seen; // files; empty: none
  std::vector<std::string> reports;   // -o
  size_t vectors = 0;                 // --vectors
  bool no_plots = false;
  bool quiet = false;
  report::Screen screen;
};

// `saved`: the report that this command made. Its recorded configuration is used instead of a faultline.toml, which may
// have changed. Throws Help or UserError.
HuntRequest parse_hunt(const CommandLine& line, const Saved* saved = nullptr);

} // namespace faultline::cli
