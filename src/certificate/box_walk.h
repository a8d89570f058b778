// The boxes of a certificate, one after the other: what its cuts leave of the ranges. Together they are all floats of
// the ranges, and no float is in two of them.
#pragma once

#include "certificate/box_check.h"
#include "finding/certificate/certificate.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace faultline::certificate {

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
