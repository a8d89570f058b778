// The report of a run as an HTML page and in SARIF.
//
// The page (web/run.html) shows the source beside the digits that each line loses, the printed numbers by their right
// digits, and the time lines of watched variables. It contains one JSON document and inserts all of it as text.
#pragma once

#include "model/run_report.h"
#include "report/sarif.h"
#include "report/text.h"

#include <string>

namespace faultline::report {

std::string run_page(const model::RunReport& report, const SourceLine& source);

// A rule for each class of problems that occurs. `root` is the base of relative paths.
std::string run_sarif(const model::RunReport& report, const SourceLine& source, const SourceFile& whole,
                      const std::string& root);

} // namespace faultline::report
