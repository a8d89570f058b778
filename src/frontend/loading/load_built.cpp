// What a build with faultline cc has made, as units of a program.
#include "frontend/error.h"
#include "frontend/program.h"
#include "frontend/unit.h"

#include <fmt/format.h>

namespace faultline::frontend {

// Throws UserError if nothing of it was captured.
void Program::add_built(const std::string& file) {
  size_t captured = 0;
  CaptureSummary summary;
  for (const BuiltObject& object : built_objects(file)) {
    summary.add(object);
    captured_.add(object);
    for (const Record& record : object.records)
      if (record.reason.empty()) {
        units_.push_back(Unit::of_build(fmt::format("{} in {}", record.source, file), record.bitcode));
        ++captured;
      }
  }
  if (captured == 0)
    throw UserError(status_unsuitable, fmt::format("{}: has no bitcode: {}", file, capture_text(summary, false)),
                    "build it with faultline cc in the place of the compiler: CC=faultline-cc CXX=faultline-c++ "
                    "FC=faultline-fc");
}

} // namespace faultline::frontend
