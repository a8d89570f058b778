// faultline hunt's command line, read. replay needs it too: a saved report holds the command that made it.
#pragma once

#include "campaign/options.h"
#include "cli/command.h"

#include <string>
#include <vector>

namespace faultline::cli {

struct HuntRequest {
  campaign::Options options;
  std::vector<std::string> reports; // -o
  bool quiet = false;
};

// Throws Help or UserError.
HuntRequest parse_hunt(const Line& line);

} // namespace faultline::cli
