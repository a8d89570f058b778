// The largest safe box around a point (faultline bound --around).
#pragma once

#include "bound/safety_map.h"
#include "finding/bound/bound_report.h"
#include "finding/job.h"
#include "frontend/target.h"

namespace faultline::judge {

// The point of --around, by input. Throws UserError: a name that is no input, a point beyond the ranges, nothing said
// about what counts.
std::vector<std::optional<double>> point_of(const finding::BoundTask& task, const frontend::Target& target,
                                            const std::vector<bound::InputDimension>& inputs, bool says_what_counts);

finding::SafeAround safe_around(const std::vector<std::optional<double>>& point,
                                const std::vector<bound::InputDimension>& inputs, size_t outputs, double floor,
                                const bound::PathOf& path_of, const bound::WhatCounts& counts,
                                const std::function<bool()>& keep_going);

} // namespace faultline::judge
