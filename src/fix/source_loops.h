// Repairs of loops: other algorithms for what a loop computes, recognised by its code.
//
//   shifted exponentials  sums of exp(E) that overflow: exp(E - m) with m, the largest E; log(s) becomes m + log(s)
//   scaled squares        sums of E * E under a root that overflow: (E / m)^2 with m, the largest |E|
//   two passes            s2 - s * s / n of raw sums that cancels: the sum of (E - s / n)^2 in its place
//
// A repair is offered if the pattern is there; the trial decides whether it is one.
#pragma once

#include "fix/source_question.h"
#include "model/edit.h"

#include <string>
#include <vector>

namespace faultline::fix {

struct LoopRepair {
  std::vector<model::Edit> edits;
  std::string advice; // "subtract the largest argument of exp"
};

std::vector<LoopRepair> loop_repairs(const Function& function, const std::string& file, const std::string& why);

} // namespace faultline::fix
