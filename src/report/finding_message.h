// A finding in a few plain sentences, for reports that give it one message: what happened, on which input, why, whether
// it can be avoided, and how.
#pragma once

#include "finding/report.h"

#include <string>

namespace faultline::report {

// What, in a line: "cancellation: relative error 7.99e-04 in foo".
std::string finding_headline(const finding::TargetReport& target, const finding::Finding& finding);

// All of it; one sentence a line.
std::string finding_message(const finding::TargetReport& target, const finding::Finding& finding);

} // namespace faultline::report
