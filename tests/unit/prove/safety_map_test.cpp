// Maps and safe boxes: what is called safe is, what is called unsafe has a witness, and together they cover the range.
#include "proving.h"

#include "prove/safety_map.h"

#include <cmath>

namespace faultline::test {
namespace {

using prove::ErrorThreshold;
using prove::Measure;

constexpr const char* cancelling = "double f(double x) { return (x + 1) - 1; }";

double relative_error(Proof& proof, double x) { return proof.true_error({x}) / std::fabs(x); }

prove::DrawnMap map_of(Proof& proof, const ErrorThreshold& counts) {
  prove::SafetyMap map(*proof.proof, counts,
                       [&](const std::vector<double>& at) { return relative_error(proof, at[0]); });
  map.refine(5'000, [] { return true; });
  return map.drawn(1'000, [&](const std::vector<double>& at) { return std::optional(relative_error(proof, at[0])); });
}

TEST(SafetyMap, SafePartsAreSafeAndUnsafeOnesHaveWitnesses) {
  Proof proof(cancelling, {doubles(1e-12, 1)});
  const prove::DrawnMap map = map_of(proof, {Measure::relative, 1e-9});
  ASSERT_EQ(map.safe.size(), 1u) << "neighbours are joined";
  EXPECT_EQ(map.safe[0].box[0].high, 1);
  EXPECT_LT(map.safe[0].box[0].low, 1e-6) << "the error is 1.1e-16 / x";
  EXPECT_GT(map.safe[0].box[0].low, 1e-8);
  EXPECT_LE(map.safe[0].bound, 1e-9);
  ASSERT_FALSE(map.unsafe.empty());
  for (const prove::MappedBox& box : map.unsafe) {
    EXPECT_TRUE(box.box[0].has(box.witness[0]));
    EXPECT_GT(relative_error(proof, box.witness[0]), 1e-9);
    EXPECT_EQ(box.error, relative_error(proof, box.witness[0]));
  }
  EXPECT_NEAR(map.shares[0] + map.shares[1] + map.shares[2], 1, 1e-9);
}

TEST(SafetyMap, WitnessesThatAreNotConfirmedAreNone) {
  Proof proof(cancelling, {doubles(1e-12, 1)});
  prove::SafetyMap map(*proof.proof, {Measure::relative, 1e-9}, [](const std::vector<double>&) { return 1.0; });
  map.refine(100, [] { return true; });
  const prove::DrawnMap drawn = map.drawn(100, [](const std::vector<double>&) { return std::nullopt; });
  EXPECT_TRUE(drawn.unsafe.empty());
  EXPECT_FALSE(drawn.open.empty());
}

TEST(ErrorThreshold, UnderflowsCountWhereAllErrorsDo) {
  prove::OutputBound bound{.absolute = 1e-310, .relative = 1, .ulps = 100, .exact = {}};
  const ErrorThreshold all{Measure::relative, 1e-3}, as_in_hunts{Measure::relative, 1e-3, {numeric::Format::binary64}};
  EXPECT_EQ(all.counted(bound, 0), 1);
  EXPECT_EQ(as_in_hunts.counted(bound, 0), 0);
  bound = {.absolute = 1e-16, .relative = 1, .ulps = 1, .exact = {}};
  EXPECT_EQ(as_in_hunts.counted(bound, 0), 0) << "within an ulp";
  bound.ulps = 2;
  EXPECT_EQ(as_in_hunts.counted(bound, 0), 1);
}

std::optional<prove::SafeBox> grown(const std::string& text, const std::vector<prove::InputDimension>& inputs,
                                    const std::vector<std::optional<double>>& point, double threshold) {
  Proof proof(text, inputs);
  const prove::PathOf path_of = [&](const std::vector<double>& at) { return proof.path_at(at); };
  const std::function<bool()> always = [] { return true; };
  return prove::safe_around(inputs, point, 1, 0, path_of, {Measure::relative, threshold}, always);
}

TEST(SafeAround, ABoxGrowsToWhereErrorsBegin) {
  const auto safe = grown(cancelling, {doubles(1e-12, 1)}, {1e-3}, 1e-9);
  ASSERT_TRUE(safe);
  EXPECT_EQ(safe->box[0].high, 1) << "nothing is unsafe above";
  EXPECT_LT(safe->box[0].low, 1e-6);
  EXPECT_GT(safe->box[0].low, 1e-7) << "1.1e-16 / x is 1e-9 there";
  EXPECT_LE(safe->bound, 1e-9);
}

TEST(SafeAround, InputsThatAreNotNamedHaveTheirRange) {
  const auto safe = grown("double f(double x, double y) { return ((x + 1) - 1) * y; }",
                          {doubles(1e-12, 1), doubles(1, 2)}, {0.5, std::nullopt}, 1e-9);
  ASSERT_TRUE(safe);
  EXPECT_EQ(safe->box[1].low, 1);
  EXPECT_EQ(safe->box[1].high, 2);
}

TEST(SafeAround, APointThatIsWrongHasNoSafeBox) {
  EXPECT_FALSE(grown(cancelling, {doubles(1e-12, 1)}, {1e-11}, 1e-12));
}

TEST(BoxBound, TheRootOfAnExactZeroHasABound) {
  Proof proof("#include <math.h>\ndouble f(double x) { return sqrt(x) + 1; }", {doubles(0, 4)});
  proof.run(2'000);
  EXPECT_TRUE(proof.proof->complete());
  EXPECT_LT(proof.proven(), 1e-15);
}

TEST(BoxBound, TheSignOfAnExactZeroIsKnownAndThatOfARoundedOneIsNot) {
  Proof exact("#include <math.h>\ndouble f(double x) { return copysign(x * x, x); }", {doubles(-1, 1)});
  exact.run(2'000);
  EXPECT_TRUE(exact.proof->complete());
  EXPECT_LT(exact.proven(), 1e-15);
  Proof rounded("#include <math.h>\ndouble f(double x) { return copysign(x, (x + 0.1) - 0.2); }", {doubles(0, 1)});
  rounded.run(2'000);
  EXPECT_FALSE(rounded.proof->complete()) << "rounding may turn the sign near 0.1";
}

} // namespace
} // namespace faultline::test
