// faultline explain: everything known about one input. The findings are those that a hunt would report there, judged by
// the same code. In addition, it shows the result, right or wrong, and the operations of the run in order.
#pragma once

#include "finding/explanation.h"
#include "hunt/extents.h"

#include <map>
#include <string>

namespace faultline::campaign {

// `at`: the input, by name (judge/given_input.h). Throws frontend::UserError.
finding::Explanation explain(const Options& options, const std::map<std::string, std::string>& at, size_t most_rows);

// The findings alone, as a hunt would report them. They determine the exit status and the JSON.
finding::Report report_of(const finding::Explanation& explanation, const Options& options);

} // namespace faultline::campaign
