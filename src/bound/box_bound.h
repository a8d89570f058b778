// The bound over one box: how far the results of straight code can be from those of exact arithmetic, for all inputs
// of the box at once.
//
// Let every operation add an error of its own, d_i, to its exact result: all zero for exact arithmetic, and some d with
// |d_i| <= e_i for the floats of a run. The result is a function of the inputs and of d; between the two its difference
// is the sum of its derivatives by the d_i, somewhere on the way, times d_i (the mean value theorem). So two sweeps do:
// forward, intervals that hold all values for all inputs and all d on the way, and the e_i (ops/rounding_error.h);
// backward, intervals of the derivatives on these. The sum of e_i times the largest derivative is a bound: of all
// orders, since the derivatives are taken over the whole way, not at its begin.
//
// The same intervals decide comparisons: one that is decided on them goes the same way in the run and in exact
// arithmetic, for every input of the box.
#pragma once

#include "finding/certificate.h"
#include "frontend/target.h"
#include "numeric/format.h"
#include "numeric/interval.h"
#include "ops/enclosures.h"
#include "ops/rounding_error.h"
#include "tape/tape.h"

#include <span>
#include <string>
#include <vector>

namespace faultline::bound {

// Straight code: what a run computes on its path, as operations without branches, and the conditions under which other
// inputs take the same path. It stands for every input that meets them, and for no other.
//
// Made from a tape that has integer conditions and the origin of leaves on it (exec::Recording). Code that is not
// determined by its decisions (bits of a float taken for an integer, what a function that is not instrumented returns)
// has none, and says why.
using numeric::Interval;

// As certificates have it, and what the search needs beside. Its steps are those that outputs or decisions depend on,
// in order; its outputs are those that were asked for.
struct StraightCode : finding::CertifiedPath {
  std::vector<numeric::Format> input_formats, output_formats;
  std::vector<uint32_t> sites;  // of the steps
  std::vector<double> integers; // of the inputs that are (InputDimension::whole), in order: it is code for these

  size_t inputs() const { return input_formats.size(); }
  uint32_t first_step() const { return uint32_t(inputs() + constants.size()); }
  uint32_t slots() const { return first_step() + uint32_t(steps.size()); }
};

// Why a run has no straight code, and where that is seen.
struct NoCode {
  std::string reason;
  uint32_t site = 0;
};

// `constant`: if no operation made it, it is a constant of the program, which one the path decides.
struct WantedOutput {
  size_t index = 0; // of the target's
  numeric::Format format = numeric::Format::binary64;
  bool constant = false;
};

// The integer inputs are taken to be what they are in this run.
struct StraightRead {
  StraightCode code;
  std::vector<NoCode> obstacles; // none: the code is good
};
StraightRead read_straight(const tape::Tape& tape, const std::vector<numeric::Format>& input_formats,
                           const std::vector<WantedOutput>& outputs);

// The inputs of the code, each a float from its interval.
using Box = std::vector<Interval>;

// How exact inputs may differ from the floats: by this, or by half a unit in the last place.
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
  double relative = 0; // to the exact result; infinity if that can be 0
  double ulps = 0;     // of the exact result
  Interval exact;      // and computed ones: all that the output can be
};

using Measure = frontend::ErrorMeasure;
inline constexpr size_t measures = frontend::all_measures.size();

double value_of(const OutputBound& bound, Measure measure);
// Of two bounds that both hold, what is better in each.
OutputBound better(const OutputBound& a, const OutputBound& b);

// A decision that does not come out the same for all inputs of a box, or not in the run and in exact arithmetic.
struct OpenDecision {
  uint32_t step = 0;         // of the code
  int64_t low = 0, high = 0; // its outcomes are some of these
  // What it compares has no error: the run and exact arithmetic decide the same, each input by itself.
  bool exact = false;
};

class BoxBound {
public:
  // `floor`: relative errors are taken of results no smaller than this. The code and the errors must outlive it.
  BoxBound(const StraightCode& code, std::span<const InputError> input_errors, double floor);

  Verdict evaluate(const Box& box);
  // The same for those inputs of the box that take this path, be it in the run or in exact arithmetic, as far as the
  // decisions leave that open.
  Verdict evaluate(const Box& box, std::vector<OpenDecision>& open);
  const StraightCode& code() const { return code_; }
  // Of the last box, if it was bounded.
  std::span<const OutputBound> outputs() const { return outputs_; }
  // How much each input's width makes of an output's error and value: which to split.
  std::span<const double> weights() const { return weights_; }

private:
  Verdict bound_outputs(const Box& box);
  void place_inputs(const Box& box);
  Verdict forward(const Box& box, std::vector<OpenDecision>* open);
  Verdict decide(const finding::CertifiedStep& step);
  OpenDecision open_decision(const finding::CertifiedStep& step) const;
  bool has_error(const finding::CertifiedStep& step) const;
  void read_operands(const finding::CertifiedStep& step);
  bool backward(size_t output);

  const StraightCode& code_;
  std::span<const InputError> input_errors_;
  double floor_;
  std::vector<Interval> values_, adjoints_;
  std::vector<double> errors_;
  std::vector<ops::Grain> grains_;
  std::vector<char> exact_; // is it the same in the run and in exact arithmetic?
  std::vector<OutputBound> outputs_;
  std::vector<double> weights_;
  ops::OperandRanges<Interval> operands_ = {};
  ops::RoundedOperand<Interval> rounded_[3];
};

} // namespace faultline::bound
