// Findings in SARIF 2.1.0 (an OASIS standard), for code scanning services and editors: one run, a rule for each kind
// that occurs, a result for each finding, with the way of its error through the code as a code flow.
//
// A result is at the operation at fault. Its partial fingerprint (faultline/v1) is the finding's
// (finding/fingerprint.h); other keys are the business of who uploads the file. Suppressed findings are there and say
// so, and with a baseline each result says whether it is new.
#pragma once

#include "finding/report.h"
#include "report/excerpt.h"

#include <string>

namespace faultline::report {

// `root`: the folder that relative files are relative to.
std::string sarif_text(const finding::Report& report, const SourceLine& source, const std::string& root);

} // namespace faultline::report
