// How much of a build was captured: told before anything else, so that nobody takes a part for the whole.
#pragma once

#include "frontend/capture/section.h"

#include <map>
#include <string>
#include <vector>

namespace faultline::frontend {

struct Missing {
  std::string name; // of the source, or of the object if nothing is known of that
  std::string reason;
};

struct CaptureSummary {
  size_t objects = 0;
  std::vector<Missing> missing;
  std::map<std::string, size_t> left_out; // flags that bitcode was compiled without, and in how many objects

  bool any() const { return objects > 0; }
  void add(const BuiltObject& built);
};

// "captured 212 of 215 objects; missing: a.s (assembly), b.c (does not compile ...) and 1 more". A few names are shown
// unless `all`. No newline.
std::string capture_text(const CaptureSummary& summary, bool all);

// "3 compiler flags that LLVM 19 lacks were left out: -fno-foo (12 objects), ..."; empty if there are none.
std::string left_out_text(const CaptureSummary& summary, bool all);

} // namespace faultline::frontend
