// Operations on the words of a constraint system (constraint::WordOp).
#pragma once

#include "constraint/system.h"
#include "solve/bits/words.h"

namespace faultline::solve {

Word apply(Gates& gates, const constraint::Node& node, const Word& a, const Word& b);
Gate less(Gates& gates, const Word& a, const Word& b, bool is_signed);
Word negated(Gates& gates, const Word& a);

} // namespace faultline::solve
