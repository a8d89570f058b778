#include "model/json/finding_json.h"
#include "targets.h"

#include <nlohmann/json.hpp>

namespace faultline::fuzz {

int fuzz_findings(const uint8_t* data, size_t size) {
  const model::Report report = model::parse_report(text_of(data, size), "fuzz.json");
  const std::string written = model::json_text(model::to_json(report));
  const model::Report again = own([&] { return model::parse_report(written, "written.json"); });
  if (model::json_text(model::to_json(again)) != written)
    throw Broken("a report reads back as another: " + written);
  return 0;
}

} // namespace faultline::fuzz
