// How long the arrays of a function are of which nobody says so: it is run with arrays between guards, and they grow
// where it goes beyond them (growth.h), for various integers and contents; what it touches then is a formula of the
// integers, or a constant (formula.h). Where it is neither, the integers are held, and the most that was touched
// counts.
//
// Rejected: an analysis of the code. Loops that end by data, callees that are not here and strides that are computed
// would make most of its answers "unknown"; a run needs no more than the code itself.
#pragma once

#include "exec/extents/extent_probe.h"
#include "exec/worker.h"
#include "finding/extents.h"
#include "finding/job.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

// Of the budget, which a hunt must have most of; and seconds, where that is nothing. Guesses: what is counted ends long
// before, in milliseconds.
inline constexpr double extent_share = 0.1, least_seconds = 0.5;

finding::FoundExtents find_extents(exec::ExtentProbe& probe, const frontend::Target& target,
                                   const finding::Settings& settings);

// Would a call that went beyond its arrays stay within larger ones? What it needs then.
finding::OverrunJudged judge_overrun(exec::ExtentProbe& probe, const frontend::Target& target,
                                     const exec::Input& input);

// The task, in a worker's process. Takes the program.
void probe_extents(const finding::Job& job, const finding::ProbeTask& task, frontend::Program program,
                   const frontend::Target& target, const exec::Limits& limits, exec::Channel& channel,
                   const Tell& tell);

} // namespace faultline::judge
