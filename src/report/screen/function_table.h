// The table of functions: the largest error at everyday inputs and anywhere, and the problems. "None" is an answer: the
// largest error that was seen is told, however small.
#pragma once

#include "finding/problem.h"
#include "report/style.h"

#include <string>
#include <vector>

namespace faultline::report {

inline constexpr size_t most_rows = 20; // of the table, where a report is to fit on a screen

std::string function_table(const finding::Report& report, const std::vector<finding::Problem>& problems, size_t rows,
                           const Style& style);

} // namespace faultline::report
