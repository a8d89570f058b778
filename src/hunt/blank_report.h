// Reports before anything is found.
#pragma once

#include "finding/report.h"
#include "frontend/error.h"
#include "hunt/options.h"
#include "search/space.h"

namespace faultline::campaign {

// Without targets.
finding::Report blank_report(const Options& options);

// Of a target: its names, its place, its settings, and the inputs with their ranges.
finding::TargetReport blank_report(const frontend::Target& target, const finding::Settings& settings);

// Where each input is searched.
std::vector<finding::InputRange> searched_ranges(const frontend::Target& target, const finding::Settings& settings);

// Of a target that cannot be hunted in: its names, its place, and the reason.
finding::TargetReport refused_report(const frontend::Target& target);

// Why there was no hunt, as the outcome and the note of its report.
void take_refusal(const frontend::UserError& error, finding::TargetReport& report);

} // namespace faultline::campaign
