// The other side of a bound: an input whose error is as large as can be found. It lies in one of the boxes with the
// largest bounds, so these are searched: points at random, and from the best of them steps of all sizes, in units in
// the last place, which roundings are as sensitive to as to large ones.
#pragma once

#include "bound/branch_and_bound.h"
#include "bound/known_paths.h"
#include "exec/session.h"
#include "numeric/random.h"
#include "tape/residue.h"

namespace faultline::bound {

struct Climbed {
  double error = 0; // by residues (tape/residue.h): an estimate, to be confirmed
  exec::Input input;
};

class Climb {
public:
  // `outputs`: indices into the target's, in the order in which the bounds have them.
  Climb(exec::Session& session, const std::vector<InputDimension>& inputs, std::vector<size_t> outputs,
        std::vector<numeric::Format> formats, double floor, uint64_t seed);

  // Within the boxes, so many evaluations at most.
  void run(const std::vector<const BoundedBox*>& boxes, size_t output, Measure measure, uint64_t evaluations,
           const std::function<bool()>& keep_going);

  // The largest error of all outputs at this input.
  double error_at(const std::vector<double>& input, Measure measure);

  const Climbed& best(size_t output, Measure measure) const { return best_[output * measures + size_t(measure)]; }
  uint64_t evaluations() const { return evaluations_; }

private:
  struct Point {
    exec::Input input;
    double error = 0;
  };
  double evaluate(const exec::Input& input, size_t output, Measure measure);
  exec::Input sample(const Box& box);
  exec::Input step(const exec::Input& input);

  exec::Session& session_;
  const std::vector<InputDimension>& inputs_;
  std::vector<size_t> outputs_;
  std::vector<numeric::Format> formats_;
  double floor_;
  numeric::Rng rng_;
  tape::Residues residues_;
  std::vector<Climbed> best_;
  uint64_t evaluations_ = 0;
};

// Where to look for an error at a border: floats next to where runs begin to take another path.

// Corners and middle of the box, and, where runs at opposite corners take different paths, the floats on both sides of
// a place between them where the path changes, with some of their neighbours. All are in the ranges of the inputs.
std::vector<std::vector<double>> points_near_border(const Box& box, const std::vector<InputDimension>& inputs,
                                                    const PathOf& path_of);

} // namespace faultline::bound
