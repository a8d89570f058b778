// The map of a range, as a report has it: what was drawn (bound/safety_map.h), with witnesses that the oracle confirms.
#pragma once

#include "bound/branch_and_bound.h"
#include "bound/safety_map.h"
#include "exec/session.h"
#include "finding/bound/safety_map.h"
#include "oracle/judgement.h"

#include <optional>
#include <vector>

namespace faultline::judge {

finding::BoxEnds ends_of(const bound::Box& box);
// The smallest box that has them all; empty if there are none.
finding::BoxEnds hull_of(const std::vector<bound::OpenBox>& boxes);

// The oracle's word on one output at an input; nothing if it has none.
std::optional<oracle::OutputJudgement> judge_at(exec::Session& session, const exec::Input& input, size_t output,
                                                double floor);

// Draws the map: at most so many boxes of each colour. `outputs`: indices into the target's.
finding::SafetyMap drawn(bound::SafetyMap& map, size_t most, exec::Session& session, const std::vector<size_t>& outputs,
                         finding::ErrorMeasure measure, double floor);

} // namespace faultline::judge
