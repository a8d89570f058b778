// Direct construction of cancellation: inputs are solved, one after another, until an output's exact value is zero or
// another small target.
//
// Each step is Newton's, in exact arithmetic and by one input: the adjoint says how far it must move, its format how
// close it can come. The first input cancels the sum of the others to its last bit; the next, if it is small enough to
// have bits there, cancels what is left of that, and so on, 24 bits a step for binary32. Meanwhile the computed value
// loses what it cannot hold: that is the error.
#pragma once

#include "search/fpgen/true_error.h"

namespace faultline::search {

class Cancelling {
public:
  Cancelling(Quest& quest, TrueErrors& errors);

  // Changes the input so that the exact value of the output comes as close to the target as it can. `resting` inputs,
  // drawn at random, are set to zero first: they have all their bits for the later steps. Returns the error of the
  // last run that was kept.
  TrueError solve(exec::Input& input, size_t output, double target, size_t resting);

private:
  struct NewtonStep { // of one input
    size_t dimension;
    long double value;
    long double left; // of the distance, to first order
  };
  void rest(exec::Input& input, size_t count);
  std::vector<NewtonStep> steps(const exec::Input& input, size_t output, long double distance);
  long double distance(size_t output, double target);

  Quest& quest_;
  TrueErrors& errors_;
  numeric::BigFloat left_;
  std::vector<size_t> free_;
};

} // namespace faultline::search
