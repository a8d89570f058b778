// Makes the certificate of a proof, in the worker: what faultline check needs, reduced to what the claims need.
#pragma once

#include "bound/branch_and_bound.h"
#include "bound/climb.h"
#include "bound/safety_map.h"
#include "exec/session.h"
#include "finding/bound/bound_report.h"
#include "finding/bound/safety_map.h"
#include "finding/certificate.h"
#include "finding/job.h"
#include "finding/settings/settings.h"
#include "judge/tasks/tell.h"
#include "oracle/judgement.h"

#include <cmath>
#include <optional>
#include <vector>

namespace faultline::judge {

// `inputs` and `outputs` are the proof's. The supervisor adds the function's name and place.
finding::Certificate certificate_of(const bound::BranchAndBound& proof, std::vector<finding::CertifiedInput> inputs,
                                    std::vector<finding::CertifiedOutput> outputs, double floor);

// The worker's part of comparing a certificate with a program: sends the code that each input runs, or why it has none.
void tell_paths(exec::Session& session, const finding::Settings& settings, const finding::PathsTask& task,
                const Tell& tell);

// Errors and bounds along the only input of a function, for a plot.

// The target of a bound: the code's paths over these ranges.
struct BoundedTarget {
  const std::vector<bound::InputDimension>& inputs;
  size_t outputs = 0;
  double floor = 0;
  const bound::PathOf& path_of;
};

// For a function with one free input; otherwise empty.
finding::ErrorCurve error_curve(const BoundedTarget& target, bound::Climb& climb,
                                const std::function<bool()>& keep_going);

// The ends of a box for a report.
finding::BoxEnds ends_of(const bound::Box& box);
// The smallest box that contains them all; empty if there are none.
finding::BoxEnds hull_of(const std::vector<bound::OpenBox>& boxes);

// The oracle's judgement of one output at an input; nothing if it has none.
std::optional<oracle::OutputJudgement> judge_at(exec::Session& session, const exec::Input& input, size_t output,
                                                double floor);

// Draws the map (bound/safety_map.h): at most this many boxes of each colour, with witnesses that the oracle confirms.
// `outputs`: indices into the target's.
finding::SafetyMap drawn(bound::SafetyMap& map, size_t most, exec::Session& session, const std::vector<size_t>& outputs,
                         finding::ErrorMeasure measure, double floor);

// The measured error of an output, in this measure.
inline double error_of(const oracle::OutputJudgement& judged, finding::ErrorMeasure measure) {
  switch (measure) {
  case finding::ErrorMeasure::absolute:
    return judged.absolute;
  case finding::ErrorMeasure::ulps:
    return judged.ulps;
  case finding::ErrorMeasure::relative:
    break;
  }
  return judged.relative;
}

// Measured errors are rounded to nearest; a reported lower limit must not exceed the real error.
inline double rounded_down(double error) { return std::isfinite(error) ? error * (1 - 0x1p-50) : error; }

} // namespace faultline::judge
