#include "report/json.h"

#include "finding/json/finding_json.h"

#include <nlohmann/json.hpp>

namespace faultline::report {

std::string json_text(const finding::Report& report) { return finding::json_text(finding::to_json(report), 2) + "\n"; }

} // namespace faultline::report
