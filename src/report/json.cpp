#include "report/json.h"

#include "campaign/finding_json.h"

#include <nlohmann/json.hpp>

namespace faultline::report {

std::string json_text(const campaign::Report& report) {
  return campaign::json_text(campaign::to_json(report), 2) + "\n";
}

} // namespace faultline::report
