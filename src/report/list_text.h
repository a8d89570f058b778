// faultline list as text: the functions that can be hunted in with their inputs, outputs and sites, then those that
// cannot, each with the reason and what to do about it.
#pragma once

#include "finding/listed_target.h"
#include "report/style.h"

#include <string>
#include <vector>

namespace faultline::report {

std::string list_text(const std::vector<finding::ListedTarget>& targets, const Style& style);

} // namespace faultline::report
