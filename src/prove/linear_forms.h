// The values of straight code over a box as linear forms of the inputs: c + sum a_i (x_i - m_i) + r with |r| <= rest,
// where m is the middle of the box. Intervals forget that two values depend on the same input, so in
//
//   for (...) y += 0.1 * (x - y);
//
// the interval of y grows by a tenth in each turn, although the loop forgets its start. The form of y does not.
//
// This is affine arithmetic (Comba and Stolfi, 1993) with symbols for the inputs only. Operations other than sums are
// expanded around the centers of their operands by the mean value theorem, with the slopes of ops/enclosures.h. What
// rounding adds, here and in the run, is part of the rest.
#pragma once

#include "model/certificate.h"
#include "numeric/interval.h"
#include "ops/enclosures.h"

#include <span>
#include <vector>

namespace faultline::prove {

class LinearForms {
public:
  LinearForms(size_t slots, size_t inputs);

  // Starts a new box. The values of an input include its error, which is not part of the box.
  void place_input(size_t input, const numeric::Interval& box, double error);
  // Gives up the form of a value: only its range is known.
  void place_range(uint32_t slot, const numeric::Interval& values);
  // Sets the form of an operation's result. `operands` and `exact` are the known ranges. Returns a range of the exact
  // result, unknown if there is no form.
  numeric::Interval place_result(uint32_t slot, const model::CertifiedStep& step,
                                 const ops::OperandRanges<numeric::Interval>& operands, const numeric::Interval& exact);
  // Adds the error of a rounding. `values` is the range that the search continues with.
  void round(uint32_t slot, double error, const numeric::Interval& values);

private:
  double reach(uint32_t slot) const; // the largest distance from the center

  double* coefficients(uint32_t slot) { return &coefficients_[slot * inputs_]; }
  const double* coefficients(uint32_t slot) const { return &coefficients_[slot * inputs_]; }

  size_t inputs_;
  std::vector<double> widths_; // of the inputs, from the middle
  std::vector<double> centers_, rests_, coefficients_;
};

} // namespace faultline::prove
