// The paths of the code that are known, each with its bound over boxes; others are asked for as boxes need them.
#pragma once

#include "bound/border.h"
#include "bound/box_bound.h"
#include "bound/cut.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace faultline::bound {

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
