// What a run shows: the faults of its wrong outputs, by their place and class. So the inputs that show one problem are
// told from those that show another problem of the same function.
#pragma once

#include "exec/session.h"
#include "judge/judge.h"
#include "ops/fault_kind.h"

#include <vector>

namespace faultline::judge {

struct ShownFault {
  finding::Kind kind = finding::Kind::inaccuracy;
  finding::Cause cause; // line 0: nobody on the path is to blame
  ops::Fault fault = ops::Fault::unclassified;
  double relative = 0, absolute = 0;
};

// Of the few outputs that are wrong most. None if the oracle does not confirm that one is.
std::vector<ShownFault> shown_faults(exec::Session& session, Judge& judge, const exec::Input& input);

// Are both evidence of one problem (finding/problem.h)?
bool is_of(const ShownFault& shown, const finding::Finding& finding);

} // namespace faultline::judge
