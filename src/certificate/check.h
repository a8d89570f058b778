// Verifies a certificate: its bounds must follow from its code, over all of its ranges. The checker does not search and
// uses no part of the prover. It trusts this folder, the formulas of ops, which a test compares with MPFR
// (ops/formulas.h), Arb, and the known errors of libm's functions (ops/enclosures.h).
#pragma once

#include "model/certificate.h"
#include "ops/enclosures.h"
#include "ops/rounding_error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace faultline::certificate {

// The check of one box: all of its inputs take the claimed path, and the errors have these bounds there.
//
// The reasoning is that of docs/bounds.md. Let each operation add an error d_i of its own to its exact result, and each
// input one: all 0 in exact arithmetic, and within ops::rounding_error's limits e_i in a run. Forward: ranges that hold
// all values for all inputs and all errors between the two. Backward: ranges of the derivatives of a result by the d_i
// on these. By the mean value theorem the sum of e_i times the largest derivative is a bound of the difference between
// run and exact arithmetic, with nothing left out.
using numeric::Range;
using numeric::Real;

// For each input, all floats between two numbers.
using Box = std::vector<Range>;

// In the order of model::all_measures.
using Errors = std::array<Real, model::all_measures.size()>;

// True for a number of the format.
bool is_float(const Real& number, numeric::Format format);
// The next larger number of the format; `number` is one.
Real float_above(const Real& number, numeric::Format format);
Real largest(numeric::Format format);

struct Refusal {
  std::string reason;
  std::optional<uint64_t> box = {}; // its number, from 0
  model::BoxEnds ends = {};         // its ends, to the nearest doubles
};

struct Checked {
  std::optional<Refusal> refusal; // for the first box that fails
  uint64_t boxes = 0, open = 0;
  long precision = 0; // the largest precision needed, in bits
};

// Checks on this number of threads, which does not affect the answer.
Checked check(const model::Certificate& certificate, int threads);

// For each path an input that takes it, if the certificate is right: a corner of its first box. Empty for paths without
// a box.
std::vector<std::vector<numeric::Value>> inputs_of_paths(const model::Certificate& certificate);

// The boxes of a certificate in order: the parts of the ranges between its cuts. Together they contain all floats of
// the ranges, each in exactly one box.
struct Leaf {
  uint64_t number = 0; // counts open boxes too
  model::ProofNode node;
  const double* bounds = nullptr; // one per claim, for a bounded box
  Box box;
};

// A cut that does not divide its box.
struct BadCut : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class BoxWalk {
public:
  explicit BoxWalk(const model::Certificate& certificate);

  // Moves to the next box; false at the end. Throws BadCut.
  bool next(Leaf& leaf);
  // The current position, also at a bad cut.
  uint64_t number() const { return number_; }
  const Box& box() const { return box_; }

private:
  // A cut on the way to the current box.
  struct Cut {
    uint32_t input = 0;
    Range whole;
    Real upper; // where the upper part begins
    bool in_upper = false;
  };
  void cut(const model::ProofNode& node);
  void leave();

  const model::Certificate& certificate_;
  size_t claims_;
  std::vector<Cut> way_;
  Box box_;
  size_t node_ = 0;
  size_t bound_ = 0;
  uint64_t number_ = 0;
};

} // namespace faultline::certificate
