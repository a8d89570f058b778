// The worker's part of explain: runs the input, has it judged by those who judge a hunt's candidates, and sends what
// they say.
#pragma once

#include "campaign/judge.h"
#include "exec/worker.h"

namespace faultline::campaign {

inline constexpr const char* given_strategy = "given"; // who found the input: the user

// One JSON object a message, told apart by its first key.
//   { "outcome": how the call ended }
//   { "finding": {...} }, { "judged": the result as a finding, right or wrong }, { "uncounted": {...} }
//   { "unknown": why nothing is known of the result }, { "note": a sentence }
//   { "row": an operation }, and in the end { "rows": how many there are, "sites", "too_long" }
void explain_here(exec::Session& session, Judge& judge, const Options& options, exec::Line& line,
                  const exec::Input& input, size_t most_rows);

} // namespace faultline::campaign
