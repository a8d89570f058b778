// faultline explain: one input, and all that is known of it. What a hunt would report there are the same findings, made
// by the same judges; beside them stand the result, right or wrong, and the operations of the run in order.
#pragma once

#include "finding/explanation.h"
#include "hunt/extents.h"

#include <map>
#include <string>

namespace faultline::campaign {

// Throws frontend::UserError. `at`: the input, by name (judge/given_input.h).
finding::Explanation explain(const Options& options, const std::map<std::string, std::string>& at, size_t most_rows);

// The findings alone, as a hunt would report them: the exit status and the JSON are those of this.
finding::Report report_of(const finding::Explanation& explanation, const Options& options);

} // namespace faultline::campaign
