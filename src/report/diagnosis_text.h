// A diagnosis on the terminal: the fields of a finding that say why, and the way of the error.
#pragma once

#include "finding/finding.h"
#include "report/style.h"

#include <string>

namespace faultline::report {

// "tried on 1,000 inputs".
std::string tried_text(const finding::Remedy& remedy);

// "write log1p(x) for log(1 + x): the relative error becomes 1.1e-16 (tried on 1,000 inputs)"; empty if there is no
// remedy.
std::string hint_text(const finding::Diagnosis& diagnosis);

// "line 10 (100 %), line 11 (2e-03 %)": the lines that have a part in the error, largest first.
std::string shares_text(const finding::Diagnosis& diagnosis, const std::string& own_file);

// One line a step, "cos(1e-07) = 0.99 -> 4.0e-18", for a field with this label; empty if there is no chain.
std::string chain_text(const finding::Finding& finding, const Style& style);

} // namespace faultline::report
