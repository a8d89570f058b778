// The paths of the code that are known, each with its bound over boxes; others are asked for as boxes need them.
#pragma once

#include "bound/box_bound.h"
#include "bound/cut.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace faultline::bound {

// The bound over a box in which a comparison may come out either way: at the border between two branches.
//
// A run and exact arithmetic may then be on different sides. If all paths that either of them can take in the box are
// known, the error is at most the largest of: the bound of each path by itself, and, of two paths that part where the
// comparison has an error, the largest difference of their results. Of a comparison that has no error (of inputs, say)
// both take the same side, and the difference says nothing.
//
// That all paths are known is shown, not sampled: wherever the decisions of a path are open over the box, there has to
// be another path that comes to the same decision by the same way, for each outcome that it can have.
struct BorderBound {
  std::vector<OutputBound> outputs;
  std::vector<double> weights; // which input to split, as BoxBound::weights
  std::vector<const StraightCode*> paths;
};

// None: some path that an input of the box may take is not among these, or has no bound.
std::optional<BorderBound> border_bound(std::span<BoxBound* const> paths, const Box& box, double floor);

struct InputDimension {
  numeric::Format format = numeric::Format::binary64;
  Interval range;
  InputError error;
  bool whole = false; // an integer: boxes with a bound have one value of it

  Grid grid() const { return {format, whole}; }
};

// What runs of the code say: the straight code of the path that an input takes, or why there is none.
struct PathAt {
  const StraightCode* code = nullptr; // equal for the same path
  std::string obstacle;               // if it is null
  bool everywhere = false;            // the obstacle is there for every input
};
using PathOf = std::function<PathAt(const std::vector<double>& input)>;

// Of each input the middle of its side: a float.
std::vector<double> middle_of(const Box& box, const std::vector<InputDimension>& inputs);

// Of many inputs the two opposite ones, and those that differ from the lowest in one input.
std::vector<std::vector<double>> corners_of(const Box& box);

class KnownPaths {
public:
  KnownPaths(std::vector<InputDimension> inputs, double floor, PathOf path_of);
  ~KnownPaths();

  struct Evaluation {
    Verdict verdict = Verdict::undefined;
    std::string reason;
    bool hopeless = false; // splitting does not help
  };
  // By the path that was good for the last box, or by that of its middle. Undecided as long as an integer has several
  // values, each of which may have paths of its own.
  Evaluation evaluate(const Box& box);
  bool has_settled_integers(const Box& box) const;
  const BoxBound& last() const { return *codes_[last_].bound; } // that of the last box

  // If several paths are all that its inputs may take.
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
  std::vector<Tried> codes_;
  std::unordered_map<const StraightCode*, size_t> places_; // in these
  size_t last_ = 0;
  uint64_t evaluated_ = 0;
};

} // namespace faultline::bound
