// Makes the certificate of a proof, in the worker: what faultline check needs, reduced to what the claims need.
#pragma once

#include "exec/session.h"
#include "judge/tasks/tell.h"
#include "model/bound_report.h"
#include "model/certificate.h"
#include "model/job.h"
#include "model/safety_map.h"
#include "model/settings/settings.h"
#include "oracle/judgement.h"
#include "prove/branch_and_bound.h"
#include "prove/climb.h"
#include "prove/safety_map.h"

#include <cmath>
#include <optional>
#include <vector>

namespace faultline::judge {

// `inputs` and `outputs` are the proof's. The supervisor adds the function's name and place.
model::Certificate certificate_of(const prove::BranchAndBound& proof, std::vector<model::CertifiedInput> inputs,
                                  std::vector<model::CertifiedOutput> outputs, double floor);

// The worker's part of comparing a certificate with a program: sends the code that each input runs, or why it has none.
void tell_paths(exec::Session& session, const model::Settings& settings, const model::PathsTask& task,
                const Tell& tell);

// Errors and bounds along the only input of a function, for a plot.

// The target of a bound: the code's paths over these ranges.
struct BoundedTarget {
  const std::vector<prove::InputDimension>& inputs;
  size_t outputs = 0;
  double floor = 0;
  const prove::PathOf& path_of;
};

// For a function with one free input; otherwise empty.
model::ErrorCurve error_curve(const BoundedTarget& target, prove::Climb& climb,
                              const std::function<bool()>& keep_going);

// The ends of a box for a report.
model::BoxEnds ends_of(const prove::Box& box);
// The smallest box that contains them all; empty if there are none.
model::BoxEnds hull_of(const std::vector<prove::OpenBox>& boxes);

// The oracle's judgement of one output at an input; nothing if it has none.
std::optional<oracle::OutputJudgement> judge_at(exec::Session& session, const exec::Input& input, size_t output,
                                                double floor);

// Draws the map (prove/safety_map.h): at most this many boxes of each colour, with witnesses that the oracle confirms.
// `outputs`: indices into the target's.
model::SafetyMap drawn(prove::SafetyMap& map, size_t most, exec::Session& session, const std::vector<size_t>& outputs,
                       model::ErrorMeasure measure, double floor);

// The measured error of an output, in this measure.
inline double error_of(const oracle::OutputJudgement& judged, model::ErrorMeasure measure) {
  switch (measure) {
  case model::ErrorMeasure::absolute:
    return judged.absolute;
  case model::ErrorMeasure::ulps:
    return judged.ulps;
  case model::ErrorMeasure::relative:
    break;
  }
  return judged.relative;
}

// Measured errors are rounded to nearest; a reported lower limit must not exceed the real error.
inline double rounded_down(double error) { return std::isfinite(error) ? error * (1 - 0x1p-50) : error; }

} // namespace faultline::judge
