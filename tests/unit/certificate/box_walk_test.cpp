// The boxes of a certificate are all floats of its ranges, each of them once.
#include "certificate/check.h"
#include "numeric/random.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>

namespace faultline::certificate {
namespace {

using model::Certificate;
using model::ProofNode;
using Kind = model::ProofNode::Kind;

Certificate over(numeric::Format format, double low, double high, std::vector<ProofNode> tree) {
  Certificate made;
  made.inputs = {{"x", format, low, high}};
  made.reasons = {"why"};
  made.tree = std::move(tree);
  return made;
}

double end_of(const Real& real) { return arf_get_d(real.raw(), ARF_RND_NEAR); }

// A random tree over [low, high] of binary32.
void grow(std::vector<ProofNode>& tree, float low, float high, numeric::Rng& rng) {
  if (low == high || rng.below(4) == 0) {
    tree.push_back({Kind::open, 0, 0});
    return;
  }
  float cut = low;
  for (uint64_t steps = rng.below(8); steps > 0 && std::nextafterf(cut, high) < high; --steps)
    cut = std::nextafterf(cut, high);
  tree.push_back({Kind::cut, 0, cut});
  grow(tree, low, cut, rng);
  grow(tree, std::nextafterf(cut, high), high, rng);
}

TEST(BoxWalk, EveryFloatIsInOneBox) {
  numeric::Rng rng(1);
  constexpr float tiny = std::numeric_limits<float>::denorm_min();
  const std::pair<float, float> ranges[] = {{std::nextafterf(1, 0) - 8 * 0x1p-24f, 1 + 9 * 0x1p-23f},
                                            {-1 - 9 * 0x1p-23f, -1 + 8 * 0x1p-24f},
                                            {-6 * tiny, 5 * tiny},
                                            {0x1p-126f - 5 * tiny, 0x1p-126f + 5 * tiny}};
  for (const auto& [low, high] : ranges)
    for (int i = 0; i < 50; ++i) {
      std::vector<ProofNode> tree;
      grow(tree, low, high, rng);
      const Certificate made = over(numeric::Format::binary32, low, high, tree);
      std::map<float, int> seen;
      BoxWalk walk(made);
      for (Leaf leaf; walk.next(leaf);)
        for (float at = float(end_of(leaf.box[0].low)); at <= float(end_of(leaf.box[0].high));
             at = std::nextafterf(at, INFINITY))
          ++seen[at == 0 ? 0.0f : at];
      for (float at = low; at <= high; at = std::nextafterf(at, INFINITY)) {
        const float key = at == 0 ? 0.0f : at;
        ASSERT_EQ(seen[key], 1) << at;
        seen.erase(key);
      }
      EXPECT_TRUE(seen.empty());
    }
}

void expect_bad(const Certificate& made) {
  BoxWalk walk(made);
  Leaf leaf;
  EXPECT_THROW(walk.next(leaf), BadCut);
}

TEST(BoxWalk, CutsThatDivideNothingAreRefused) {
  const auto cut_at = [](double at, numeric::Format format = numeric::Format::binary64) {
    return over(format, 1, 2, {{Kind::cut, 0, at}, {Kind::open, 0, 0}, {Kind::open, 0, 0}});
  };
  expect_bad(cut_at(2));
  expect_bad(cut_at(0.5));
  expect_bad(cut_at(3));
  expect_bad(cut_at(1.1, numeric::Format::binary32)); // between two floats, one of which would be lost
  BoxWalk good(cut_at(1));
}

TEST(BoxWalk, OtherInputsStayAsTheyAre) {
  Certificate made =
      over(numeric::Format::binary64, 0, 1,
           {{Kind::cut, 0, 0.5}, {Kind::cut, 1, 2.5}, {Kind::open, 0, 0}, {Kind::open, 0, 0}, {Kind::open, 0, 0}});
  made.inputs.push_back({"y", numeric::Format::binary64, 2, 3});
  BoxWalk walk(made);
  std::vector<std::vector<double>> highs;
  for (Leaf leaf; walk.next(leaf);)
    highs.push_back({end_of(leaf.box[0].high), end_of(leaf.box[1].low), end_of(leaf.box[1].high)});
  EXPECT_EQ(highs, (std::vector<std::vector<double>>{{0.5, 2, 2.5}, {0.5, std::nextafter(2.5, 3), 3}, {1, 2, 3}}));
}

} // namespace
} // namespace faultline::certificate
