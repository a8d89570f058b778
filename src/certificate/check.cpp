#include "certificate/check.h"

#include "certificate/box_check.h"
#include "certificate/box_walk.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace faultline::certificate {

using finding::Certificate;
using finding::ErrorMeasure;

namespace {

// The first is a word of the machine, and more than doubles have: what a search has proved with doubles follows with
// it.
constexpr slong precisions[] = {64, 128, 256};
constexpr size_t boxes_at_once = 64; // a thread takes: some hundred microseconds
// Of paths that a thread keeps, 200 bytes each: every path has all inputs, so the square of a file's size would be
// kept.
constexpr size_t most_slots = 1'000'000;

finding::BoxEnds ends_of(const Box& box) {
  finding::BoxEnds ends;
  for (const Range& side : box)
    ends.emplace_back(arf_get_d(side.low.raw(), ARF_RND_NEAR), arf_get_d(side.high.raw(), ARF_RND_NEAR));
  return ends;
}

// What one thread has: the values of a box, for each path and precision that it met.
class Examiner {
public:
  explicit Examiner(const Certificate& certificate) : certificate_(certificate) {}

  // Empty: its bounds follow.
  std::string examine(const Leaf& leaf) {
    std::string why;
    for (size_t level = 0; level < std::size(precisions); ++level) {
      why = examine(leaf, level);
      if (why.empty()) {
        precision_ = std::max(precision_, long(precisions[level]));
        break;
      }
    }
    return why;
  }
  long precision() const { return precision_; }

private:
  std::string examine(const Leaf& leaf, size_t level) {
    BoxCheck& check = check_of(leaf.node.which, level);
    if (std::string why = check.evaluate(leaf.box); !why.empty())
      return why;
    const double* bound = leaf.bounds;
    for (size_t output = 0; output < certificate_.outputs.size(); ++output)
      for (const ErrorMeasure measure : finding::all_measures) {
        const double claim = certificate_.outputs[output].claims[size_t(measure)];
        if (claim == finding::no_claim)
          continue;
        const Real& error = check.errors(output)[size_t(measure)];
        if (!(arf_cmp_d(error.raw(), *bound) <= 0))
          return fmt::format("the {} error of {} may be {:.6g}, more than the bound of {:.6g}", finding::text(measure),
                             certificate_.outputs[output].name, arf_get_d(error.raw(), ARF_RND_UP), *bound);
        if (!(*bound++ <= claim))
          return fmt::format("its bound of the {} error of {} is above the claim", finding::text(measure),
                             certificate_.outputs[output].name);
      }
    return "";
  }

  BoxCheck& check_of(uint32_t path, size_t level) {
    if (const auto kept = checks_.find({path, level}); kept != checks_.end())
      return *kept->second;
    auto made = std::make_unique<BoxCheck>(certificate_, certificate_.paths[path], precisions[level]);
    if (slots_ + made->size() > most_slots) {
      checks_.clear();
      slots_ = 0;
    }
    slots_ += made->size();
    return *(checks_[{path, level}] = std::move(made));
  }

  const Certificate& certificate_;
  std::map<std::pair<uint32_t, size_t>, std::unique_ptr<BoxCheck>> checks_;
  size_t slots_ = 0; // of checks_
  long precision_ = 0;
};

class Checking {
public:
  explicit Checking(const Certificate& certificate) : certificate_(certificate), walk_(certificate) {}

  Checked run(int threads) {
    std::vector<std::jthread> others;
    for (int i = 1; i < threads; ++i)
      others.emplace_back([this] {
        examine_all();
        flint_cleanup(); // Arb's constants, which each thread has
      });
    examine_all();
    others.clear();
    result_.boxes = walk_.number();
    return std::move(result_);
  }

private:
  // The next boxes, in their order; none if all are given out, or one before has failed.
  std::vector<Leaf> take() {
    const std::lock_guard lock(mutex_);
    std::vector<Leaf> leaves;
    try {
      for (Leaf leaf; !result_.refusal && leaves.size() < boxes_at_once && walk_.next(leaf);)
        if (leaf.node.kind == finding::ProofNode::Kind::bounded)
          leaves.push_back(std::move(leaf));
        else
          ++result_.open;
    } catch (const BadCut& bad) {
      refuse(walk_.number(), walk_.box(), bad.what());
    }
    return leaves;
  }

  void examine_all() {
    Examiner examiner(certificate_);
    for (std::vector<Leaf> leaves = take(); !leaves.empty(); leaves = take())
      for (const Leaf& leaf : leaves)
        if (const std::string why = examiner.examine(leaf); !why.empty()) {
          const std::lock_guard lock(mutex_);
          refuse(leaf.number, leaf.box, why);
          break;
        }
    const std::lock_guard lock(mutex_);
    result_.precision = std::max(result_.precision, examiner.precision());
  }

  // All boxes before one that fails were given out before it: the first of those that fail is the first of all.
  void refuse(uint64_t number, const Box& box, const std::string& why) {
    if (!result_.refusal || number < *result_.refusal->box)
      result_.refusal = Refusal{why, number, ends_of(box)};
  }

  const Certificate& certificate_;
  std::mutex mutex_;
  BoxWalk walk_;
  Checked result_;
};

} // namespace

Checked check(const Certificate& certificate, int threads) {
  if (certificate.claims() == 0 && certificate.complete()) // otherwise it says itself that it proves nothing
    return {.refusal = Refusal{"it claims nothing"}};
  for (size_t path = 0; path < certificate.paths.size(); ++path)
    if (const std::string flaw = flaw_of(certificate, certificate.paths[path]); !flaw.empty())
      return {.refusal = Refusal{fmt::format("path {}: {}", path, flaw)}};
  return Checking(certificate).run(threads);
}

std::vector<std::vector<long double>> inputs_of_paths(const Certificate& certificate) {
  std::vector<std::vector<long double>> inputs(certificate.paths.size());
  BoxWalk walk(certificate);
  for (Leaf leaf; walk.next(leaf);)
    if (leaf.node.kind == finding::ProofNode::Kind::bounded && inputs[leaf.node.which].empty())
      for (const Range& side : leaf.box)
        inputs[leaf.node.which].push_back(
            arf_get_d(side.high.raw(), ARF_RND_NEAR)); // the lower one of x87 may be no double
  return inputs;
}

} // namespace faultline::certificate
