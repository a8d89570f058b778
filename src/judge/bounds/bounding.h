// The worker's part of bound: proves a limit of the error over the ranges, and looks for inputs with large errors.
#pragma once

#include "exec/session.h"
#include "finding/settings/settings.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

// Throws UserError for an input without a range or an integer that is not held.
void bound(exec::Session& session, const finding::Settings& settings, const finding::BoundTask& task, const Tell& tell);

// The size and measure of the errors that count, if the user gave one.
struct Counting {
  std::optional<double> threshold;
  finding::ErrorMeasure measure = finding::ErrorMeasure::relative;
};
Counting counting_of(const finding::Settings& settings);

} // namespace faultline::judge
