// An error that the oracle has measured, as a bound tells it.
#pragma once

#include "finding/bound/bound_report.h"
#include "oracle/judgement.h"

#include <cmath>

namespace faultline::judge {

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

// Measured errors are rounded to nearest: what is told as found is not more than what was.
inline double rounded_down(double error) { return std::isfinite(error) ? error * (1 - 0x1p-50) : error; }

} // namespace faultline::judge
