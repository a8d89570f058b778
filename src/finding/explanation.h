// One input, and all that is known of it: what faultline explain shows.
#pragma once

#include "finding/operation_row.h"
#include "finding/report.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::finding {

struct Explanation {
  TargetReport target; // its findings are those of this input, exceptions in the order of execution; harmless ones too
  std::vector<NamedNumber> input;
  std::optional<Output> output; // the worst that is judged
  std::optional<Error> error;
  std::optional<ErrorParts> parts;
  size_t judged = 0;                // how many outputs are
  std::optional<Finding> uncounted; // an error of more than a few ulps that is no finding; `detail` says why not
  std::string oracle;
  std::string outcome;              // how the call ended: "returned", "called abort"
  std::vector<std::string> notes;   // one sentence each
  std::vector<std::string> printed; // lines, the first few
  std::vector<OperationRow> rows;   // as many as were asked for; `omitted` counts the rest
  size_t omitted = 0;
  bool too_long = false;    // there are more operations than are recorded
  bool interrupted = false; // the worker died: the list of operations is not complete
};

// Up to this many ulps counts as accurate: no cause is looked for. What good code makes: libm's functions are within
// one or two, and a few of them in a row stay below.
inline constexpr double accurate_ulps = 4;

} // namespace faultline::finding
