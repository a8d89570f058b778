// The lower bound: finds an input with an error as large as possible. It lies in one of the boxes with the largest
// bounds, so these are searched: random points, and from the best of them steps of all sizes in units in the last
// place, since roundings react to small steps as much as to large ones.
#pragma once

#include "exec/session.h"
#include "numeric/random.h"
#include "prove/branch_and_bound.h"
#include "prove/known_paths.h"
#include "tape/residue.h"

namespace faultline::prove {

struct WorstInput {
  double error = 0; // an estimate by residues (tape/residue.h), to be confirmed
  exec::Input input;
};

class Climb {
public:
  // `outputs`: indices into the target's, in the order of the bounds.
  Climb(exec::Session& session, const std::vector<InputDimension>& inputs, std::vector<size_t> outputs,
        std::vector<numeric::Format> formats, double floor, uint64_t seed);

  // Searches the boxes with at most this many evaluations.
  void run(const std::vector<const BoundedBox*>& boxes, size_t output, Measure measure, uint64_t evaluations,
           const std::function<bool()>& keep_going);

  // The largest error of all outputs at this input.
  double error_at(const std::vector<double>& input, Measure measure);

  const WorstInput& best(size_t output, Measure measure) const { return best_[output * measures + size_t(measure)]; }
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
  std::vector<WorstInput> best_;
  uint64_t evaluations_ = 0;
};

// Points at which to look for an error at a border: floats near a change of path.

// The corners and the middle of the box. If runs at opposite corners take different paths, also the floats on both
// sides of a place between them where the path changes, with some of their neighbours. All are in the ranges of the
// inputs.
std::vector<std::vector<double>> points_near_border(const Box& box, const std::vector<InputDimension>& inputs,
                                                    const PathOf& path_of);

} // namespace faultline::prove
