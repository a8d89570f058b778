#include "model/json/finding_json.h"
#include "model/set_aside.h"
#include "targets.h"

namespace faultline::fuzz {

int fuzz_baseline(const uint8_t* data, size_t size) {
  const model::Report report = model::parse_report(text_of(data, size), "fuzz.json");
  if (model::gone(model::baseline_from(report, "fuzz.json"), report) != 0)
    throw Broken("a finding is gone from its own report");
  return 0;
}

} // namespace faultline::fuzz
