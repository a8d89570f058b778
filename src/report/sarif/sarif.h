// Problems in SARIF 2.1.0 (an OASIS standard), for code scanning services and editors: one run, a rule for each class
// that occurs, a result for each problem, with the way of its error through the code as a code flow. The level is the
// problem's tier.
//
// A result is at the expression at fault; functions that reach it and further lines that it shows in are related
// locations. Its partial fingerprints are that of the finding which speaks for it (faultline/v1, finding/fingerprint.h)
// and GitHub's (report/sarif/line_hash.h). Suppressed problems are there and say so, and with a baseline each result
// says whether it is new.
#pragma once

#include "finding/problem.h"
#include "report/excerpt.h"
#include "report/sarif/sarif_place.h"

#include <string>

namespace faultline::report {

// `root`: the folder that relative files are relative to.
std::string sarif_text(const finding::RankedReport& ranked, const SourceLine& source, const SourceFile& whole,
                       const std::string& root);

} // namespace faultline::report
