// Does a diagnosis agree with itself? From its data alone: the shares of the lines have the sum 1, what the chain says
// of an operation's error is the difference of the two values beside it, each step's value is an operand of the next,
// and the last step has the error that the oracle saw, as far as the path accounts for it.
#pragma once

#include "finding/message.h"

#include <vector>

namespace faultline::judge {

// Nothing if the finding has no diagnosis.
std::vector<finding::Violation> chain_violations(const finding::Finding& finding);

} // namespace faultline::judge
