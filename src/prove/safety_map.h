// The map of a range: where errors are proved to be below a threshold, where a witness exceeds it, and the rest.
#pragma once

#include "prove/branch_and_bound.h"

#include <map>
#include <optional>

namespace faultline::prove {

// The measure and size from which on errors count.
struct ErrorThreshold {
  Measure measure = Measure::relative;
  double threshold = 0;
  // The formats of the outputs, if errors that a hunt ignores do not count (judge/judge.cpp): those within an ulp, and
  // those below the smallest normal number. Empty: all count.
  std::vector<numeric::Format> formats = {};

  // The largest error of the output that counts; 0 if none does.
  double counted(const OutputBound& bound, size_t output) const;
  double counted(const BoundedBox& box) const; // over all outputs
};

struct MappedBox {
  Box box;
  double bound = 0;            // of the errors that count; infinity: no bound
  std::vector<double> witness; // an input whose error counts; empty: none known
  double error = 0;            // at the witness
};

struct DrawnMap {
  std::vector<MappedBox> safe, unsafe, open;
  double shares[3] = {}; // of the range's volume, in this order
};

class SafetyMap {
public:
  // `error_at`: the estimated error at an input. The proof must outlive this object.
  SafetyMap(BranchAndBound& proof, ErrorThreshold counts, std::function<double(const std::vector<double>&)> error_at);

  // Splits unsafe boxes until they are small or seem to be wrong throughout.
  void refine(uint64_t boxes, const std::function<bool()>& keep_going);
  void mark_unsafe(const std::vector<numeric::Value>& input, double error);

  // Joins neighbours if the function has one input. Returns at most this many boxes of each colour, the largest.
  // `confirmed`: the error of a witness by the oracle; nothing if it is not confirmed.
  using Confirm = std::function<std::optional<double>(const std::vector<double>&)>;
  DrawnMap drawn(size_t most, const Confirm& confirmed);

private:
  struct Witness {
    std::vector<double> input;
    double error = 0; // 0: no witness
  };
  // The result of running some inputs of a box: the worst, and whether the errors of all count.
  struct BoxProbe {
    Witness worst;
    bool all = false;
  };
  const BoxProbe& look_at(uint32_t node, const Box& box);
  Witness witness_in(uint32_t node, const Box& box, bool may_look);
  bool wants_split(const BoundedBox& box);
  std::vector<MappedBox> doubtful(size_t most_looks, const Box& whole);
  std::vector<MappedBox> joined(std::vector<MappedBox> boxes) const;

  BranchAndBound& proof_;
  ErrorThreshold counts_;
  std::function<double(const std::vector<double>&)> error_at_;
  std::map<uint32_t, BoxProbe> looks_; // by node
  std::vector<Witness> marked_;
};

// The largest box around a point in which no error counts.
//
// The position of each side is a fraction, from 0 to 1, of the way from the point to the end of the range: along the
// number line, or along the logarithms in a range of one sign that spans more than a factor of 64. All sides grow
// together as far as branch and bound, with a fixed number of boxes, proves the whole to be safe. Then each grows
// alone, in the order of the inputs, the lower side before the upper. So the box is safe, and no side could move much
// further alone. It is not proved that no other box is larger.
struct SafeBox {
  Box box;
  double bound = 0; // of the errors that count in it
};

// `point`: the value of each input, or nothing for its whole range. Returns nothing if not even the point is safe.
std::optional<SafeBox> safe_around(const std::vector<InputDimension>& inputs,
                                   const std::vector<std::optional<double>>& point, size_t outputs, double floor,
                                   const PathOf& path_of, const ErrorThreshold& counts,
                                   const std::function<bool()>& keep_going);

} // namespace faultline::prove
