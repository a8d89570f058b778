// Branch and bound: the box of all inputs is split where the bound is largest, until what is proved is as good as this
// way of proving can make it, or time is up. At every moment the boxes cover all inputs, so the largest of their bounds
// is proved.
#pragma once

#include "bound/known_paths.h"

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace faultline::bound {

// How the boxes came about: each is a node, and one that was split has two others as its parts.
struct SplitNode {
  uint32_t input = 0;           // that was split
  double cut = 0;               // the largest float of the lower part
  uint32_t parts = 0;           // the lower part's node, the upper part's is the next; 0: it was not split
  std::optional<uint32_t> leaf; // its bounded box, if it ever was one
};

struct BoundedBox {
  Box box;                            // gone once it is split
  const StraightCode* code = nullptr; // none: it is at a border, and has several (bound/known_paths.h)
  std::vector<OutputBound> outputs;
  std::optional<uint32_t> split; // the input to split; none: it is a single point
  uint32_t node = 0;
  bool alive = true; // not split yet
};

struct OpenBox {
  Box box;
  std::string reason;
  uint32_t node = 0;
};

struct BranchLimits {
  uint64_t boxes = 0; // bounds that are computed
  // Splitting ends when no point can have a bound that is smaller by more than this share of it.
  double tolerance = 0.005;
  // Boxes without a bound are split no further than this often, or if there are so many of them: these stay open.
  int most_splits = 1200; // from the largest double to the smallest takes 11 cuts for the exponent, 53 for the digits
  size_t most_unbounded = 4'096;
  // Before that, what a comparison divides is looked at as a border, once it was cut so often for each input: a guess.
  int splits_before_borders = 10;
  // Otherwise only what cannot be split is: for certificates, which do not have borders.
  bool wide_borders = true;
};

class BranchAndBound {
public:
  BranchAndBound(std::vector<InputDimension> inputs, size_t outputs, double floor, PathOf path_of);

  // Makes the bounds of one measure small, until they are as good as this way of proving can make them, or
  // `keep_going` says no: it is asked after every few boxes. What is bounded at any time stays so.
  void run(Measure measure, const BranchLimits& limits, const std::function<bool()>& keep_going);

  // Splits boxes that have a bound as long as somebody wants that, the widest first. Boxes without one come before.
  void refine_where(const std::function<bool(const BoundedBox&)>& wanted, const BranchLimits& limits,
                    const std::function<bool()>& keep_going);

  // Over all boxes that have one: infinity if there is none yet.
  double proven(size_t output, Measure measure) const;
  // The same while `run` is under way, when boxes that were split wait for bounds of their own: infinity as long as
  // some box never had one.
  double proven_so_far(size_t output, Measure measure);
  // Is it near what the bound is at some single point? No splitting brings it below that.
  bool converged(size_t output, Measure measure, double tolerance);

  std::vector<const BoundedBox*> boxes() const;
  const std::vector<SplitNode>& nodes() const { return nodes_; } // the whole range first
  const BoundedBox& leaf(uint32_t index) const { return leaves_[index]; }
  // Those with the largest bounds, the largest first.
  std::vector<const BoundedBox*> worst(size_t output, Measure measure, size_t most) const;
  // With boxes that nobody came to, if `run` was broken off.
  std::vector<OpenBox> open() const;
  bool complete() const;
  uint64_t evaluated() const { return paths_.evaluated(); }
  std::vector<size_t> free_inputs() const; // those that have more than one value
  const std::vector<InputDimension>& inputs() const { return inputs_; }
  numeric::Format format(size_t input) const { return inputs_[input].format; }

private:
  struct Pending {
    Box box;
    int splits = 0;
    std::string reason;
    uint32_t node = 0;
    std::vector<OutputBound> inherited = {}; // of the box that it is a part of, if that had a bound
    const StraightCode* code = nullptr;      // and its path
  };
  void place(Pending pending, const BranchLimits& limits);
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

// How a bound became better over time: what one had after so many seconds.
class History {
public:
  // Later, and what was proved then: infinity for nothing.
  void note(double seconds, double bound);

  // Until when the bound was no more than this share above what it came to in the end; 0 if nothing was proved.
  double seconds_to_within(double share) const;

private:
  std::vector<std::pair<double, double>> better_; // seconds and bound, each bound smaller than those before
};

} // namespace faultline::bound
