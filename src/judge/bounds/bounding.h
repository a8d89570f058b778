// The worker's part of bound: proves how large the error can be over the ranges, and looks for inputs where it is.
#pragma once

#include "exec/session.h"
#include "finding/settings/settings.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

// Throws UserError: an input without a range, an integer that is not held.
void bound(exec::Session& session, const finding::Settings& settings, const finding::BoundTask& task, const Tell& tell);

// The error that counts, if the user says one: its size, and in what it is measured.
struct Counting {
  std::optional<double> threshold;
  finding::ErrorMeasure measure = finding::ErrorMeasure::relative;
};
Counting counting_of(const finding::Settings& settings);

} // namespace faultline::judge
