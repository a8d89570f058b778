#include "model/json/finding_json.h"
#include "model/set_aside.h"
#include "targets.h"

#include <nlohmann/json.hpp>

namespace faultline::fuzz {

int fuzz_corpus(const uint8_t* data, size_t size) {
  const model::Kept kept = model::kept_in(model::parse_report(text_of(data, size), "fuzz.json"), "corpus", "fuzz.json");
  model::Report report;
  report.targets = {kept.target};
  report.targets.front().findings = {kept.finding};
  const std::string written = model::json_text(model::to_json(report));
  const model::Kept again =
      own([&] { return model::kept_in(model::parse_report(written, "written.json"), "corpus", "fuzz.json"); });
  if (again.finding.fingerprint != kept.finding.fingerprint || again.target.function != kept.target.function)
    throw Broken("a finding that is kept again is another: " + written);
  return 0;
}

} // namespace faultline::fuzz
