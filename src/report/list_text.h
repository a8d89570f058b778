// faultline list as text: the functions that can be tested with their inputs, outputs and sites, and how many functions
// cannot, by reason.
#pragma once

#include "model/explanation.h"
#include "report/text.h"

#include <map>
#include <string>
#include <vector>

namespace faultline::report {

// "2 need the size of an array (--size NAME=N), 1 has no input": the most frequent reasons come first.
std::string obstacles_text(const std::map<model::Obstacle, size_t>& counts);

// `all` lists the functions that cannot be tested by name, with the reason and a remedy. If there is nothing else to
// show and the list is short, they are listed anyway.
std::string list_text(const std::vector<model::ListedTarget>& targets, const Style& style, bool all = false);

} // namespace faultline::report
