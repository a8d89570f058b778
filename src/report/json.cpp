#include "report/json.h"

namespace faultline::report {

std::string json_text(const finding::RankedReport& report) {
  std::string text;
  write_report(report, [&](std::string_view part) { text += part; });
  return text;
}

} // namespace faultline::report
