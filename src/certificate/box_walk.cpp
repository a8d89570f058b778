#include "certificate/box_walk.h"

#include <fmt/format.h>

namespace faultline::certificate {
namespace {

// A thousand inputs, each cut down to single floats; the way is kept in memory.
constexpr size_t deepest = 100'000;

} // namespace

BoxWalk::BoxWalk(const finding::Certificate& certificate) : certificate_(certificate), claims_(certificate.claims()) {
  for (const finding::CertifiedInput& input : certificate.inputs)
    box_.emplace_back(Real(input.low), Real(input.high));
}

void BoxWalk::cut(const finding::ProofNode& node) {
  const finding::CertifiedInput& input = certificate_.inputs[node.which];
  Range& side = box_[node.which];
  const Real at(node.at);
  if (!is_float(at, input.format))
    throw BadCut(fmt::format("{} is cut at {}, which is no {}", input.name, node.at, numeric::info(input.format).name));
  Real above = float_above(at, input.format);
  if (at < side.low || side.high < above)
    throw BadCut(fmt::format("{} is cut at {}, where nothing is divided", input.name, node.at));
  if (way_.size() >= deepest)
    throw BadCut(fmt::format("there are more than {} cuts on the way to a box", deepest));
  way_.push_back({node.which, side, std::move(above)});
  side.high = at;
}

// From a box that is done to the next one.
void BoxWalk::leave() {
  while (!way_.empty()) {
    Cut& last = way_.back();
    Range& side = box_[last.input];
    side = last.whole;
    if (!last.in_upper) {
      last.in_upper = true;
      side.low = last.upper;
      return;
    }
    way_.pop_back();
  }
}

bool BoxWalk::next(Leaf& leaf) {
  using Kind = finding::ProofNode::Kind;
  if (node_ == certificate_.tree.size())
    return false;
  while (certificate_.tree[node_].kind == Kind::cut)
    cut(certificate_.tree[node_++]);
  leaf.node = certificate_.tree[node_++];
  leaf.number = number_++;
  leaf.box = box_;
  leaf.bounds = certificate_.bounds.data() + bound_;
  bound_ += leaf.node.kind == Kind::bounded ? claims_ : 0;
  leave();
  return true;
}

} // namespace faultline::certificate
