// faultline list as text: the functions that can be hunted in with their inputs, outputs and sites, and how many there
// are that cannot, and for which reasons.
#pragma once

#include "finding/explanation.h"
#include "report/style.h"

#include <string>
#include <vector>

namespace faultline::report {

// `all`: those that cannot be hunted in by their names, each with the reason and what to do about it. Where there is
// nothing else to show, and it is little, that is done anyway.
std::string list_text(const std::vector<finding::ListedTarget>& targets, const Style& style, bool all = false);

} // namespace faultline::report
