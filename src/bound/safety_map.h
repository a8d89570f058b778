// The map of a range: where no error can be above a threshold (proved), where one is (a witness was found), and what
// lies between.
#pragma once

#include "bound/branch_and_bound.h"

#include <map>
#include <optional>

namespace faultline::bound {

// From which size on errors count.
struct WhatCounts {
  Measure measure = Measure::relative;
  double threshold = 0;
  // Of the outputs, if errors do not count that a hunt does not count either (judge/judge.cpp): those within an ulp,
  // and those below the smallest normal number. Empty: all do.
  std::vector<numeric::Format> formats = {};

  // The largest error of the output that counts at all; 0 if none does.
  double counted(const OutputBound& bound, size_t output) const;
  double counted(const BoundedBox& box) const; // of all outputs
};

struct MappedBox {
  Box box;
  double bound = 0;            // of what counts; infinity: there is none
  std::vector<double> witness; // an input whose error counts; empty: none is known
  double error = 0;            // of it
};

struct DrawnMap {
  std::vector<MappedBox> safe, unsafe, open;
  double shares[3] = {}; // of the range's volume, in this order
};

class SafetyMap {
public:
  // `error_at`: at an input, estimated. The proof must outlive it.
  SafetyMap(BranchAndBound& proof, WhatCounts counts, std::function<double(const std::vector<double>&)> error_at);

  // Splits boxes that are not safe, until they are small, or seem to be wrong throughout.
  void refine(uint64_t boxes, const std::function<bool()>& keep_going);
  void mark_unsafe(const std::vector<long double>& input, double error);

  // Neighbours are joined where the function has one input. Of each colour, the largest of more than so many are told.
  // `confirmed`: the error of a witness, by the oracle, or nothing: then it is none.
  using Confirmed = std::function<std::optional<double>(const std::vector<double>&)>;
  DrawnMap drawn(size_t most, const Confirmed& confirmed);

private:
  struct Witness {
    std::vector<double> input;
    double error = 0; // 0: there is none
  };
  // What is known of a box by running some of its inputs: the worst, and whether all count.
  struct Look {
    Witness worst;
    bool all = false;
  };
  const Look& look_at(uint32_t node, const Box& box);
  Witness witness_in(uint32_t node, const Box& box, bool may_look);
  bool wants_split(const BoundedBox& box);
  std::vector<MappedBox> doubtful(size_t most_looks, const Box& whole);
  std::vector<MappedBox> joined(std::vector<MappedBox> boxes) const;

  BranchAndBound& proof_;
  WhatCounts counts_;
  std::function<double(const std::vector<double>&)> error_at_;
  std::map<uint32_t, Look> looks_; // by node
  std::vector<Witness> marked_;
};

// The largest box around a point in which no error counts.
//
// A box is given by how far each of its sides is on the way from the point to the end of the range, from 0 to 1: along
// the number line, or, in a range of one sign that spans more than a factor of 64, along the logarithms. All sides grow
// together as far as branch and bound, with a fixed number of boxes, proves the whole to be safe; then each by itself,
// in the order of the inputs, the lower before the upper. So the box is safe, and none of its sides could be moved
// alone by much; that no other box is larger is not proved.
struct SafeBox {
  Box box;
  double bound = 0; // of what counts in it
};

// `point`: of each input its value, or nothing: it has all of its range. Nothing if not even the point is safe.
std::optional<SafeBox> safe_around(const std::vector<InputDimension>& inputs,
                                   const std::vector<std::optional<double>>& point, size_t outputs, double floor,
                                   const PathOf& path_of, const WhatCounts& counts,
                                   const std::function<bool()>& keep_going);

} // namespace faultline::bound
