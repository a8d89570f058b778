// What a problem's finding says of itself, in words that every form of a report has in common.
#pragma once

#include "finding/finding.h"

#include <string>

namespace faultline::report {

// The diagnosis; without one the detail, unless the reader is told that elsewhere. Empty if there is nothing to add.
std::string why_text(const finding::Finding& finding, bool detail_is_told);

// "|x| < 1e-4; fewer than 1 in 700 everyday inputs", as far as it is known.
std::string when_text(const finding::Finding& finding);

// "fewer than 1 in 700 everyday inputs".
std::string share_text(const finding::Share& share);

// How many digits tell the result from the exact one.
int telling_digits(const finding::Finding& finding);

} // namespace faultline::report
