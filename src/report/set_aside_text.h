// Findings that are set aside (finding/set_aside.h): counted for a person, shown only with --all.
#pragma once

#include "finding/report.h"
#include "report/excerpt.h"
#include "report/style.h"

#include <string>

namespace faultline::report {

// A line for each reason why something is not shown; empty if there is none.
std::string set_aside_text(const finding::Report& report);

// Why this finding is set aside; empty if it is not.
std::string set_aside_text(const finding::Finding& finding);

} // namespace faultline::report
