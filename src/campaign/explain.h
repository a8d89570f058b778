// faultline explain: one input, and all that is known of it. What a hunt would report there are the same findings, made
// by the same judges; beside them stand the result, right or wrong, and the operations of the run in order.
//
// `wanted` (--for) is not asked: who names an input wants to know everything about it.
#pragma once

#include "campaign/finding.h"
#include "campaign/operation_row.h"
#include "campaign/options.h"

#include <map>

namespace faultline::campaign {

struct Explanation {
  TargetReport target; // its findings are those of this input, exceptions in the order of execution; harmless ones too
  std::vector<NamedNumber> input;
  std::optional<Output> output; // the worst that is judged
  std::optional<Error> error;
  size_t judged = 0;                // how many outputs are
  std::optional<Finding> uncounted; // an error of more than a few ulps that is no finding; `detail` says why not
  std::string oracle;
  std::string outcome;            // how the call ended: "returned", "called abort"
  std::vector<std::string> notes; // one sentence each
  std::vector<OperationRow> rows; // at most Options' limit; `omitted` counts the rest
  size_t omitted = 0;
  bool too_long = false;    // there are more operations than are recorded
  bool interrupted = false; // the worker died: the list of operations is not complete
};

// An error of so many ulps at most is what good code makes: no cause is looked for.
inline constexpr double accurate_ulps = 4;

// Throws frontend::UserError. `at`: the input, by name (campaign/given_input.h).
Explanation explain(const Options& options, const std::map<std::string, std::string>& at, size_t most_rows);

// The findings alone, as a hunt would report them: the exit status and the JSON are those of this.
Report report_of(const Explanation& explanation, const Options& options);

} // namespace faultline::campaign
