// Branch and bound: splits the box of all inputs where the bound is largest, until the bound is as good as this method
// can prove, or time is up. At every moment the boxes cover all inputs, so the largest of their bounds is proved.
#pragma once

#include "prove/known_paths.h"

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace faultline::prove {

// The tree of splits: each box is a node, and a box that was split has two parts.
struct SplitNode {
  uint32_t input = 0;           // the input that was split
  double cut = 0;               // the largest float of the lower part
  uint32_t parts = 0;           // the node of the lower part, the next is the upper part; 0: not split
  std::optional<uint32_t> leaf; // its box, if that was ever bounded
};

struct BoundedBox {
  Box box;                            // empty once it is split
  const StraightCode* code = nullptr; // null at a border with several paths (prove/known_paths.h)
  std::vector<OutputBound> outputs;
  std::optional<uint32_t> split; // the input to split; empty for a single point
  uint32_t node = 0;
  bool alive = true; // not split yet
};

struct OpenBox {
  Box box;
  std::string reason;
  uint32_t node = 0;
};

struct BranchLimits {
  uint64_t boxes = 0; // computed bounds
  // Splitting ends when no point can have a bound that is smaller by more than this fraction.
  double tolerance = 0.005;
  // Limits for boxes without a bound, which then stay open: the number of splits of one, and the number of such boxes.
  int most_splits = 1200; // from the largest double to the smallest takes 11 cuts for the exponent, 53 for the digits
  size_t most_unbounded = 4'096;
  // Before that, a box with an open comparison is treated as a border after this many cuts per input: a guess.
  int splits_before_borders = 10;
  // If false, only boxes that cannot be split are borders: for certificates, which have no borders.
  bool wide_borders = true;
};

class BranchAndBound {
public:
  // `checkable`: for a certificate (BoxBound).
  BranchAndBound(std::vector<InputDimension> inputs, size_t outputs, double floor, PathOf path_of,
                 bool checkable = false);

  // Reduces the bounds of one measure until they are as good as this method can prove, or `keep_going`, called after
  // every few boxes, returns false. Bounded boxes stay bounded.
  void run(Measure measure, const BranchLimits& limits, const std::function<bool()>& keep_going);

  // Splits bounded boxes while `wanted` is true for one, the widest first. Boxes without a bound come before.
  void refine_where(const std::function<bool(const BoundedBox&)>& wanted, const BranchLimits& limits,
                    const std::function<bool()>& keep_going);

  // The largest bound of all bounded boxes; infinity if there is none.
  double proven(size_t output, Measure measure) const;
  // The same during `run`, when parts of split boxes wait for their bounds: infinity as long as some box never had one.
  double proven_so_far(size_t output, Measure measure);
  // True if the bound is near the bound at some single point: no splitting brings it below that.
  bool converged(size_t output, Measure measure, double tolerance);

  std::vector<const BoundedBox*> boxes() const;
  const std::vector<SplitNode>& nodes() const { return nodes_; } // the whole range first
  const BoundedBox& leaf(uint32_t index) const { return leaves_[index]; }
  // The boxes with the largest bounds, the largest first.
  std::vector<const BoundedBox*> worst(size_t output, Measure measure, size_t most) const;
  // Open boxes, including those not reached if `run` was stopped.
  std::vector<OpenBox> open() const;
  bool complete() const;
  uint64_t evaluated() const { return paths_.evaluated(); }
  std::vector<size_t> free_inputs() const; // those with more than one value
  const std::vector<InputDimension>& inputs() const { return inputs_; }
  numeric::Format format(size_t input) const { return inputs_[input].format; }

private:
  struct Pending {
    Box box;
    int splits = 0;
    std::string reason;
    uint32_t node = 0;
    std::vector<OutputBound> inherited = {}; // bounds of the enclosing box, if it had any
    const StraightCode* code = nullptr;      // the path of that box
  };
  void place(Pending pending, const BranchLimits& limits);
  bool may_be_continuous(const Pending& pending, const BranchLimits& limits) const;
  void place_halves(const Pending& whole, size_t input);
  void place_bounded(Pending pending, const StraightCode* code, std::vector<OutputBound> bounds,
                     std::span<const double> weights);
  std::optional<size_t> widest(const Box& box) const;
  void settle();
  bool refine(size_t output, Measure measure);
  void split(uint32_t leaf);
  void place_pending(const BranchLimits& limits);
  void attain(const Box& box);
  void push(uint32_t leaf);
  size_t heap_of(size_t output, Measure measure) const { return output * measures + size_t(measure); }
  double key(uint32_t leaf, size_t heap) const;
  void drop_dead(size_t heap);

  KnownPaths paths_;
  const std::vector<InputDimension>& inputs_; // of the paths
  std::vector<SplitNode> nodes_ = {SplitNode{}};
  std::vector<BoundedBox> leaves_;
  std::vector<std::vector<uint32_t>> heaps_;
  std::deque<Pending> pending_; // first in, first out: the widest come first
  std::vector<OpenBox> open_;
  std::vector<double> attained_;
};

// The improvement of a bound over time.
class History {
public:
  // Adds a bound and its time; infinity if nothing is proved.
  void note(double seconds, double bound);

  // The time from which on the bound was within this fraction of its final value; 0 if nothing was proved.
  double seconds_to_within(double share) const;

private:
  std::vector<std::pair<double, double>> better_; // seconds and bound, each bound smaller than those before
};

} // namespace faultline::prove
