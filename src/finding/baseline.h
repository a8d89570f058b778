// The findings of an earlier hunt, with which a new one is compared (--baseline FILE.json): what stands there is known,
// and no reason to fail. Findings are matched by their fingerprints, so that lines may have moved.
#pragma once

#include "finding/report.h"

#include <cstdint>
#include <map>
#include <string>

namespace faultline::finding {

struct Baseline {
  std::string file;
  struct Entry {
    std::string function;
    std::string source; // its file's name, without the folder
  };
  std::map<std::string, Entry> findings; // by fingerprint
};

// Throws frontend::UserError if its findings have no fingerprints: an earlier version has written them.
Baseline baseline_from(const Report& report, const std::string& file);

// Findings in it, of functions that the report has, that are not in the report.
uint64_t gone(const Baseline& baseline, const Report& report);

} // namespace faultline::finding
