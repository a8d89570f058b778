// The known paths of the code, each with its bound over boxes. More are read when boxes need them.
#pragma once

#include "prove/box_bound.h"
#include "prove/cut.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace faultline::prove {

// The bound over a box in which a comparison may have either outcome: at the border between two branches.
//
// A run and exact arithmetic may then be on different sides. If all paths that either can take in the box are known,
// the error is at most the largest of: the bound of each path, and, for two paths that part where the comparison has an
// error, the largest difference of their results. A comparison without an error (of inputs, for example) has the same
// outcome in both, and the difference is irrelevant.
//
// The set of paths is shown to be complete, not sampled: for each open decision of a path and each possible outcome,
// another path must reach the same decision in the same way.
struct BorderBound {
  std::vector<OutputBound> outputs;
  std::vector<double> weights; // select the input to split, like BoxBound::weights
  std::vector<const StraightCode*> paths;
  bool continuous = true; // where rounding may reverse a comparison, both sides are an error apart at most
};

struct InputDimension {
  numeric::Format format = numeric::Format::binary64;
  Interval range;
  InputError error;
  bool whole = false; // an integer: a box with a bound has one value of it

  Grid grid() const { return {format, whole}; }
};

// The straight code of the path that an input takes, or why there is none.
struct PathAt {
  const StraightCode* code = nullptr; // equal for the same path
  std::string obstacle;               // if it is null
  bool everywhere = false;            // the obstacle holds for every input
};
using PathOf = std::function<PathAt(const std::vector<double>& input)>;

// The middle of each side, as a float.
std::vector<double> middle_of(const Box& box, const std::vector<InputDimension>& inputs);

// All corners; for many inputs, the two extreme ones and those that differ from the lowest in one input.
std::vector<std::vector<double>> corners_of(const Box& box);

class KnownPaths {
public:
  // `checkable`: see BoxBound.
  KnownPaths(std::vector<InputDimension> inputs, double floor, PathOf path_of, bool checkable);
  ~KnownPaths();

  struct Evaluation {
    Verdict verdict = Verdict::undefined;
    std::string reason;
    bool hopeless = false; // splitting does not help
  };
  // Uses the path of the last box if it applies, otherwise that of the middle. Undecided as long as an integer has
  // several values, each of which may have its own paths.
  Evaluation evaluate(const Box& box);
  bool has_settled_integers(const Box& box) const;
  const BoxBound& last() const { return *codes_[last_].bound; } // for the last box

  // Set if several paths are all that its inputs may take.
  std::optional<BorderBound> at_border(const Box& box);

  const std::vector<InputDimension>& inputs() const { return inputs_; }
  uint64_t evaluated() const { return evaluated_; }

private:
  struct Tried {
    const StraightCode* code;
    std::unique_ptr<BoxBound> bound;
  };
  Evaluation try_code(const StraightCode& code, const Box& box);
  size_t place_of(const StraightCode& code);
  bool has_integers_of(const StraightCode& code, const Box& box) const;
  std::optional<BorderBound> at_border(const Box& box, const std::vector<std::vector<double>>& points);
  Box around(const Box& box, double widths) const;

  std::vector<InputDimension> inputs_;
  std::vector<InputError> errors_;
  double floor_;
  PathOf path_of_;
  bool checkable_;
  std::vector<Tried> codes_;
  std::unordered_map<const StraightCode*, size_t> places_; // indices into codes_
  size_t last_ = 0;
  uint64_t evaluated_ = 0;
};

} // namespace faultline::prove
