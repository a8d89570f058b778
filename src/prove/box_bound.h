// The bound over one box: how far the results of straight code can be from those of exact arithmetic, for all inputs of
// the box at once.
//
// Let every operation add an error of its own, d_i, to its exact result: all zero for exact arithmetic, and some d with
// |d_i| <= e_i for the floats of a run. The result is a function of the inputs and of d. By the mean value theorem, its
// difference between the two is the sum of d_i times the derivative by d_i at some point between them. So two sweeps
// suffice. Forward: intervals that hold all values for all inputs and all d between the two, and the e_i
// (ops/rounding_error.h). Backward: intervals of the derivatives on these. The sum of e_i times the largest derivative
// is a bound of all orders, since the derivatives are taken over all of d, not only at 0.
//
// Choices between numbers, min and max, are 1-Lipschitz: the error of the result is at most the larger one of the two
// operands'. Slopes lose this where the choice is open, as each operand then has one between 0 and 1. Likewise, the
// error of a square root is at most the root of the operand's error, where its slope may be infinite. The backward
// sweep is done with these bounds and without, and the smaller sum counts.
//
// The same intervals decide comparisons: a comparison decided on them has the same outcome in the run and in exact
// arithmetic, for every input of the box.
#pragma once

#include "model/certificate.h"
#include "model/target.h"
#include "numeric/format.h"
#include "numeric/interval.h"
#include "ops/enclosures.h"
#include "ops/rounding_error.h"
#include "prove/linear_forms.h"
#include "tape/tape.h"

#include <span>
#include <string>
#include <vector>

namespace faultline::prove {

// Straight code: what a run computes on its path, as operations without branches, and the conditions under which other
// inputs take the same path. It represents exactly the inputs that meet them.
//
// Made from a tape with integer conditions and the origin of leaves (exec::Recording). Code that is not determined by
// its decisions (bits of a float used as an integer, results of functions without instrumentation) has none; NoCode
// gives the reason.
using numeric::Interval;

// The certificate's path, and additional data for the search. Its steps are those that outputs or decisions depend on,
// in order; its outputs are the requested ones.
struct StraightCode : model::CertifiedPath {
  std::vector<numeric::Format> input_formats, output_formats;
  std::vector<uint32_t> sites; // of the steps
  // The values of integer inputs (InputDimension::whole), in order: the code is for these
  std::vector<double> integers;

  size_t inputs() const { return input_formats.size(); }
  uint32_t first_step() const { return uint32_t(inputs() + constants.size()); }
  uint32_t slots() const { return first_step() + uint32_t(steps.size()); }
};

// Why a run has no straight code, and the place of the reason.
struct NoCode {
  std::string reason;
  uint32_t site = 0;
};

// `constant`: the value of an output that no operation made; it is a constant of the program, which the path decides.
struct WantedOutput {
  size_t index = 0; // of the target's
  numeric::Format format = numeric::Format::binary64;
  bool constant = false;
};

// Reads straight code. The integer inputs have the values of this run.
struct StraightRead {
  StraightCode code;
  std::vector<NoCode> obstacles; // empty: the code is good
};
StraightRead read_straight(const tape::Tape& tape, const std::vector<numeric::Format>& input_formats,
                           const std::vector<WantedOutput>& outputs);

// The inputs of the code, each a float from its interval.
using Box = std::vector<Interval>;

// How far exact inputs may be from the floats: by this, or by half a unit in the last place.
struct InputError {
  double absolute = 0;
  bool rounded = false;
};

enum class Verdict : uint8_t {
  bounded,   // every output has a bound
  undecided, // some input of the box may take another path
  elsewhere, // no input of the box takes this path
  undefined, // an operation may have no result: a division by 0, an overflow
};

struct OutputBound {
  double absolute = 0;
  double relative = 0; // relative to the exact result; infinity if that can be 0
  double ulps = 0;     // in ulps of the exact result
  Interval exact;      // all exact and computed values of the output
};

using Measure = model::ErrorMeasure;
inline constexpr size_t measures = model::all_measures.size();

double value_of(const OutputBound& bound, Measure measure);
// The better parts of two valid bounds.
OutputBound better(const OutputBound& a, const OutputBound& b);

// A decision whose outcome differs between inputs of a box, or between the run and exact arithmetic.
struct OpenDecision {
  uint32_t step = 0;         // of the code
  int64_t low = 0, high = 0; // the range of its outcomes
  // Its operands have no error: for each input, the run and exact arithmetic decide alike.
  bool exact = false;
};

class BoxBound {
public:
  // `floor`: relative errors are for results no smaller than this. The code and the errors must outlive this object.
  // `checkable`: uses only what a certificate's checker does, too (docs/bounds.md).
  BoxBound(const StraightCode& code, std::span<const InputError> input_errors, double floor, bool checkable = false);

  Verdict evaluate(const Box& box);
  // The same, restricted to the inputs of the box that take this path, in the run or in exact arithmetic, if the
  // decisions leave that open.
  Verdict evaluate(const Box& box, std::vector<OpenDecision>& open);
  const StraightCode& code() const { return code_; }
  // The operation that had no known result in the last box; none if the derivatives are unknown.
  ops::Op undefined() const { return undefined_; }
  // The bounds of the last box, if it was bounded.
  std::span<const OutputBound> outputs() const { return outputs_; }
  // The largest error of a value in the last box, if that was bounded.
  double error_of(uint32_t slot);
  // The contribution of each input's width to an output's error and value: selects the input to split.
  std::span<const double> weights() const { return weights_; }

private:
  Verdict bound_outputs(const Box& box);
  void place_inputs(const Box& box);
  Verdict forward(const Box& box, std::vector<OpenDecision>* open);
  Verdict decide(const model::CertifiedStep& step);
  OpenDecision open_decision(const model::CertifiedStep& step) const;
  bool has_error(const model::CertifiedStep& step) const;
  void read_operands(const model::CertifiedStep& step);
  void fix_constants();
  double own_error(const model::CertifiedStep& step, double error) const;
  Interval results_of(const model::CertifiedStep& step, const Interval& exact, double error) const;
  void bound_choice(const model::CertifiedStep& step, uint32_t slot);
  double sweep(uint32_t last, bool by_choices);
  bool backward(size_t output);
  void judge_linear_forms(const Box& box);

  const StraightCode& code_;
  std::span<const InputError> input_errors_;
  double floor_;
  std::vector<Interval> values_, adjoints_;
  std::vector<double> errors_;
  std::vector<ops::Grain> grains_;
  std::vector<char> exact_;     // the same in the run and in exact arithmetic
  std::vector<double> choices_; // the error of a choice or root as a whole; negative if there is none
  std::vector<double> fixed_;   // the rounding error of an operation on constants, by step; negative: not constant
  bool checkable_, has_choices_ = false;
  LinearForms forms_;
  bool uses_forms_;
  ops::Op undefined_ = ops::Op::none;
  int judged_ = 0; // boxes bounded with and without linear forms
  std::vector<OutputBound> outputs_;
  std::vector<double> weights_;
  ops::OperandRanges<Interval> operands_ = {};
  ops::RoundedOperand<Interval> rounded_[3];
};

} // namespace faultline::prove
