#include "finding/json/finding_json.h"
#include "targets.h"

#include <nlohmann/json.hpp>

namespace faultline::fuzz {

int fuzz_findings(const uint8_t* data, size_t size) {
  const finding::Report report = finding::parse_report(text_of(data, size), "fuzz.json");
  const std::string written = finding::json_text(finding::to_json(report));
  const finding::Report again = own([&] { return finding::parse_report(written, "written.json"); });
  if (finding::json_text(finding::to_json(again)) != written)
    throw Broken("a report reads back as another: " + written);
  return 0;
}

} // namespace faultline::fuzz
