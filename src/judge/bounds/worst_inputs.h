// Inputs with large errors of all sizes in one measure, as a hunt to which small errors count finds them: brackets,
// samples, and a climb (search/auto.cpp). What a bound is set against, beside the climb within its boxes.
#pragma once

#include "exec/session.h"
#include "finding/bound/bound_report.h"
#include "finding/settings/settings.h"
#include "search/strategy.h"

#include <vector>

namespace faultline::judge {

// The most promising first; no more evaluations nor seconds than this.
std::vector<exec::Input> worst_inputs(exec::Session& session, const finding::Settings& settings,
                                      const std::vector<size_t>& outputs, search::ErrorMeasure counted_in,
                                      uint64_t evaluations, double seconds);

} // namespace faultline::judge
