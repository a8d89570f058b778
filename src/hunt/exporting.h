// A function as FPCore (faultline export).
#pragma once

#include "hunt/options.h"

#include <string>

namespace faultline::campaign {

struct Exported {
  frontend::Target target;
  finding::Settings settings; // of the function
  std::string text;           // FPCore
};

// The one function that the options name. Throws frontend::UserError: there is none, or it cannot be written.
Exported export_fpcore(const Options& options);

} // namespace faultline::campaign
