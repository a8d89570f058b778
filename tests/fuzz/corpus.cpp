#include "finding/set_aside.h"
#include "finding/json/finding_json.h"
#include "targets.h"

#include <nlohmann/json.hpp>

namespace faultline::fuzz {

int fuzz_corpus(const uint8_t* data, size_t size) {
  const finding::Kept kept =
      finding::kept_in(finding::parse_report(text_of(data, size), "fuzz.json"), "corpus", "fuzz.json");
  finding::Report report;
  report.targets = {kept.target};
  report.targets.front().findings = {kept.finding};
  const std::string written = finding::json_text(finding::to_json(report));
  const finding::Kept again =
      own([&] { return finding::kept_in(finding::parse_report(written, "written.json"), "corpus", "fuzz.json"); });
  if (again.finding.fingerprint != kept.finding.fingerprint || again.target.function != kept.target.function)
    throw Broken("a finding that is kept again is another: " + written);
  return 0;
}

} // namespace faultline::fuzz
