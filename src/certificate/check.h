// Verifies a certificate: that its bounds follow from its code, over all of its ranges. There is no search in it, and
// nothing of what made the certificate; what it believes is this folder, the formulas of ops, which a test compares
// with MPFR (ops/formulas.h), Arb, and the errors that libm's functions are known to have (ops/enclosures.h).
#pragma once

#include "finding/certificate.h"
#include "ops/enclosures.h"
#include "ops/rounding_error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace faultline::certificate {

// What follows for one box: that all of its inputs take the path that is claimed, and how large the errors can be
// there.
//
// The reasoning is docs/bounds.md's. Let each operation add an error d_i of its own to its exact result, and each input
// one: all 0 in exact arithmetic, and within ops::rounding_error's limits e_i in a run. Forward, ranges that hold all
// values for all inputs and all errors between the two; backward, ranges of the derivatives of a result by the d_i on
// these. By the mean value theorem the sum of e_i times the largest derivative is a bound of the difference between run
// and exact arithmetic, with nothing left out.
using numeric::Range;
using numeric::Real;

// For each input all of its floats between two numbers.
using Box = std::vector<Range>;

// In the order of finding::all_measures.
using Errors = std::array<Real, finding::all_measures.size()>;

// Whether the operands of each operation are numbers that it can have, as a run has them. Empty: they are; otherwise
// which is not.
std::string flaw_of(const finding::Certificate& certificate, const finding::CertifiedPath& path);

// Is it one of the format's numbers?
bool is_float(const Real& number, numeric::Format format);
// The next larger one, of a number of the format.
Real float_above(const Real& number, numeric::Format format);
Real largest(numeric::Format format);

class BoxCheck {
public:
  // The certificate must outlive it, and have no flaws. Ranges are rounded to so many bits.
  BoxCheck(const finding::Certificate& certificate, const finding::CertifiedPath& path, slong precision);

  // Empty: the box takes this path, and `errors` has bounds. Otherwise why nothing follows for it.
  std::string evaluate(const Box& box);
  const Errors& errors(size_t output) const { return errors_[output]; }
  // How much it keeps, in slots.
  size_t size() const { return slots_.size() + errors_.size(); }

private:
  struct Slot {
    Range values;
    Real error;
    ops::Grain grain = ops::no_grain;
    bool is_constant = false;
    bool is_exact = true; // the same in the run and in exact arithmetic
  };

  void place_inputs(const Box& box);
  std::string forward();
  std::string decide(const finding::CertifiedStep& step) const;
  bool leads_elsewhere(const finding::CertifiedStep& step) const;
  bool backward(size_t output);
  bool pass_back(const finding::CertifiedStep& step, const Range& adjoint, const Range& result);
  void measure(size_t output, Real sum);
  ops::OperandRanges<Range> operands_of(const finding::CertifiedStep& step) const;
  uint32_t first_step() const { return uint32_t(certificate_.inputs.size() + path_.constants.size()); }

  const finding::Certificate& certificate_;
  const finding::CertifiedPath& path_;
  slong precision_;
  std::array<Real, numeric::all_formats.size()> largest_; // by format
  std::vector<Slot> slots_;
  std::vector<Range> adjoints_;
  std::vector<Errors> errors_;
};

struct Refusal {
  std::string reason;
  std::optional<uint64_t> box = {}; // its number, from 0
  finding::BoxEnds ends = {};       // its ends, to the nearest doubles
};

struct Checked {
  std::optional<Refusal> refusal; // of the first box that fails
  uint64_t boxes = 0, open = 0;
  long precision = 0; // the largest that was needed, in bits
};

// On so many threads; the answer does not depend on it.
Checked check(const finding::Certificate& certificate, int threads);

// For each path an input that takes it, if the certificate is right: a corner of its first box. Paths that no box has
// have an empty one.
std::vector<std::vector<long double>> inputs_of_paths(const finding::Certificate& certificate);

// The boxes of a certificate, one after the other: what its cuts leave of the ranges. Together they are all floats of
// the ranges, and no float is in two of them.
struct Leaf {
  uint64_t number = 0; // of the boxes, open ones too
  finding::ProofNode node;
  const double* bounds = nullptr; // one for each claim, of a bounded box
  Box box;
};

// A cut that does not divide its box.
struct BadCut : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class BoxWalk {
public:
  explicit BoxWalk(const finding::Certificate& certificate);

  // False: there are no more. Throws BadCut.
  bool next(Leaf& leaf);
  // Where it is, at a bad cut too.
  uint64_t number() const { return number_; }
  const Box& box() const { return box_; }

private:
  // A cut on the way to where it is.
  struct Cut {
    uint32_t input = 0;
    Range whole;
    Real upper; // where the upper part begins
    bool in_upper = false;
  };
  void cut(const finding::ProofNode& node);
  void leave();

  const finding::Certificate& certificate_;
  size_t claims_;
  std::vector<Cut> way_;
  Box box_;
  size_t node_ = 0;
  size_t bound_ = 0;
  uint64_t number_ = 0;
};

} // namespace faultline::certificate
