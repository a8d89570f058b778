// What a build with faultline cc has made, as units of a program.
#include "frontend/error.h"
#include "frontend/harness/built_harnesses.h"
#include "frontend/program.h"
#include "frontend/unit.h"

#include <fmt/format.h>

namespace faultline::frontend {

// Throws UserError if nothing of it was captured.
void Program::add_built(const std::string& file, const Sources& sources) {
  size_t captured = 0, records = 0;
  CaptureSummary summary;
  const std::vector<BuiltObject> objects = built_objects(file);
  for (const BuiltObject& object : objects) {
    summary.add(object);
    captured_.add(object);
    records += object.records.size();
  }
  BuiltHarnesses harnesses(sources, records);
  for (const BuiltObject& object : objects)
    for (const Record& record : object.records)
      if (record.reason.empty()) {
        units_.push_back(Unit::of_build(fmt::format("{} in {}", record.source, file), harnesses.bitcode_of(record)));
        ++captured;
      }
  if (const std::string remark = harnesses.remark(); !remark.empty())
    without_harness_ = remark;
  if (captured == 0)
    throw UserError(status_unsuitable, fmt::format("{}: has no bitcode: {}", file, capture_text(summary, false)),
                    "build it with faultline cc in the place of the compiler: CC=faultline-cc CXX=faultline-c++ "
                    "FC=faultline-fc");
}

} // namespace faultline::frontend
