// faultline hunt's command line, read. replay needs it too: a saved report holds the command that made it.
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
  report::Screen screen; // what is shown of it
};

// Throws Help or UserError. `saved`: the report that this command has made; what it recorded is used instead of a
// faultline.toml, which may have changed.
HuntRequest parse_hunt(const CommandLine& line, const Saved* saved = nullptr);

} // namespace faultline::cli
