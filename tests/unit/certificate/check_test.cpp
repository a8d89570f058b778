// A certificate is accepted if its bounds follow, and refused if anything in it is not so.
#include "made_proofs.h"
#include "replayed.h"

#include "certificate/check.h"

#include <gtest/gtest.h>

namespace faultline::certificate {
namespace {

using model::Certificate;
using model::ErrorMeasure;
using model::ProofNode;
using Kind = model::ProofNode::Kind;
using test::certificate_for;
using test::doubles;
using test::floats;

std::string refusal_of(const Certificate& certificate, int threads = 1) {
  const Checked checked = check(certificate, threads);
  return checked.refusal ? checked.refusal->reason : "";
}

double& absolute(Certificate& certificate) { return certificate.outputs[0].claims[size_t(ErrorMeasure::absolute)]; }

// x in [1, 2]: 3 x, with one box.
Certificate triple(double low, double high) {
  Certificate made;
  made.inputs = {{"x", numeric::Format::binary64, low, high}};
  made.outputs = {{"return", numeric::Format::binary64, {0x1p-51, model::no_claim, model::no_claim}}};
  made.paths = {{{{3, 3}}, {{ops::Op::fmul, numeric::Format::binary64, {0, 1}, {}}}, {2}}};
  made.tree = {{Kind::bounded, 0, 0}};
  made.bounds = {0x1p-51};
  return made;
}

TEST(Check, FollowsAHandMadeProof) {
  EXPECT_EQ(refusal_of(triple(1, 2)), "");
  Certificate lower = triple(1, 2); // results up to 6 have half a unit of 2^-51
  absolute(lower) = lower.bounds[0] = std::nextafter(0x1p-51, 0);
  EXPECT_NE(refusal_of(lower), "");
  EXPECT_NE(refusal_of(triple(1, 3)), "") << "results up to 9 have twice the unit";
}

TEST(Check, ABoxAboveTheClaimIsRefused) {
  Certificate made = triple(1, 2);
  absolute(made) = 0x1p-52;
  EXPECT_NE(refusal_of(made).find("above the claim"), std::string::npos);
}

// 3 * 0.1 is less than the float after 0.3 and rounds to it.
TEST(Check, AComparisonThatRoundingTurnsIsRefused) {
  Certificate made = triple(3, 3);
  made.paths[0].constants = {{0.1, 0.1}, {0x1.3333333333334p-2, 0x1.3333333333334p-2}};
  made.paths[0].steps.push_back({ops::Op::cmp_olt, numeric::Format::binary64, {3, 2}, 1});
  made.paths[0].outputs = {3};
  EXPECT_NE(refusal_of(made).find("another path"), std::string::npos);
}

TEST(Check, WithoutClaimsNothingIsVerified) {
  Certificate made = triple(1, 2);
  absolute(made) = model::no_claim;
  EXPECT_NE(refusal_of(made), "");
}

TEST(Check, AnOverflowIsNoResult) {
  Certificate made = triple(1, 0x1p1023);
  absolute(made) = made.bounds[0] = 1e300;
  EXPECT_NE(refusal_of(made).find("overflow"), std::string::npos);
}

TEST(Check, APowerThatNoIntegerCountsIsRefused) {
  for (const double exponent : {0x1p63, 0x1p900}) {
    Certificate made = triple(1, 1);
    made.inputs[0].format = made.outputs[0].format = numeric::Format::extended80;
    made.paths[0] = {{{exponent, exponent}}, {{ops::Op::powi, numeric::Format::extended80, {0, 1}, {}}}, {2}};
    EXPECT_NE(refusal_of(made).find("is not known"), std::string::npos) << exponent;
  }
}

// More than a thread keeps at a time.
TEST(Check, ManyPathsOfManyInputsAreFollowed) {
  constexpr uint32_t paths = 1100;
  Certificate made = triple(0, 0x1p1000);
  absolute(made) = 0;
  made.inputs.resize(1000, {"y", numeric::Format::binary64, 1, 1});
  made.paths.assign(paths, {{}, {}, {0}});
  made.tree.clear();
  for (uint32_t i = 1; i < paths; ++i)
    made.tree.push_back({Kind::cut, 0, std::ldexp(1.0, 999 - int(i))});
  for (uint32_t i = 0; i < paths; ++i)
    made.tree.push_back({Kind::bounded, i, 0});
  made.bounds.assign(paths, 0);
  EXPECT_EQ(refusal_of(made), "");
}

TEST(Check, ADivisorThatMayBeZeroIsRefused) {
  Certificate made = triple(-1, 1);
  made.paths[0].steps[0] = {ops::Op::fdiv, numeric::Format::binary64, {1, 0}, {}};
  absolute(made) = made.bounds[0] = 1e300;
  EXPECT_NE(refusal_of(made).find("no result"), std::string::npos);
}

TEST(Check, AConstantThatIsNoFloatOfTheOperationIsRefused) {
  Certificate made = triple(1, 2);
  made.inputs[0].format = made.paths[0].steps[0].format = numeric::Format::binary32;
  absolute(made) = made.bounds[0] = 1;
  EXPECT_EQ(refusal_of(made), "");
  made.paths[0].constants[0] = {0.1, 0.1};
  EXPECT_NE(refusal_of(made).find("not a number of binary32"), std::string::npos);
}

TEST(Check, RoundedInputsMayLieAboveAPowerOfTwo) {
  Certificate made = triple(1, 1);
  made.inputs[0].rounded = true;
  made.paths[0].constants[0] = {1, 1}; // 1 + 2^-53 rounds to 1
  absolute(made) = made.bounds[0] = 0x1p-53;
  EXPECT_EQ(refusal_of(made), "");
  absolute(made) = made.bounds[0] = 0x1p-54;
  EXPECT_NE(refusal_of(made), "");
}

TEST(Check, ProofsOfTheSearchFollow) {
  const std::vector<Certificate> made = {
      certificate_for("double f(double x) { return ((x * 0.1 + 2) * x - 0.3) * x + 1; }", {doubles(-2, 3)}),
      certificate_for("#include <math.h>\ndouble f(double x) { if (x < 0.5) return x * 0.1; return x > 0.75 ? sin(x) : "
                      "exp(x) - 1; }",
                      {doubles(0.1, 2)}),
      certificate_for("float f(float x, float y) { return x * y + 1 / (x + 3); }", {floats(0, 2), floats(-1, 1)}),
      certificate_for("double f(double x) { int n = (int)x; return n * x; }", {doubles(0, 3)}),
      certificate_for("double f(double x) { return x * 0.1; }",
                      {test::with_error(doubles(0.25, 1), {.absolute = 0, .rounded = true})}),
      certificate_for("double f(double x) { return x * x; }", {test::with_error(doubles(0, 1), {.absolute = 1e-6})}),
      certificate_for("#include <math.h>\ndouble f(double x) { return pow(x, 2.5) + atan2(x, 2) + tanh(x) + cbrt(x) + "
                      "erf(x) + log1p(x) + cos(3 * x) + exp2(x) + acosh(x + 2) + hypot(x, 1); }",
                      {doubles(0.1, 2)}),
      certificate_for("long double f(long double x) { return x * 0.1L + x * x; }",
                      {prove::InputDimension{numeric::Format::extended80, {0.1, 2}, {}}}),
  };
  for (const Certificate& certificate : made) {
    EXPECT_TRUE(certificate.complete());
    EXPECT_EQ(refusal_of(certificate), "") << model::certificate_text(certificate);
  }
}

TEST(Check, WhatItAcceptsHoldsInARun) {
  const Certificate made = certificate_for("double f(double x) { return 3 * x; }", {doubles(1, 1.25)});
  ASSERT_EQ(refusal_of(made), "");
  test::Replayed replayed(made);
  EXPECT_EQ(replayed.falsehood(2000, 1), "");
  EXPECT_GT(replayed.largest() * 1.1, made.outputs[0].claims[0]) << "the error that is looked for is there";
}

TEST(Check, TheFirstBoxThatFailsIsNamedOnAnyNumberOfThreads) {
  Certificate made = certificate_for("double f(double x) { return ((x * 0.1 + 2) * x - 0.3) * x; }", {doubles(1, 3)});
  const size_t boxes = made.bounds.size() / made.claims();
  ASSERT_GT(boxes, 20u);
  for (const size_t box : {boxes - 1, boxes / 2, size_t(7)}) {
    made.bounds[box * made.claims()] = 0;
    for (const int threads : {1, 4}) {
      const Checked checked = check(made, threads);
      ASSERT_TRUE(checked.refusal);
      EXPECT_EQ(checked.refusal->box, box);
    }
  }
}

TEST(Check, OpenBoxesAreCounted) {
  Certificate made = triple(1, 2);
  made.reasons = {"why"};
  made.tree = {{Kind::cut, 0, 1.5}, {Kind::bounded, 0, 0}, {Kind::open, 0, 0}};
  const Checked checked = check(made, 1);
  EXPECT_FALSE(checked.refusal);
  EXPECT_EQ(checked.open, 1u);
  EXPECT_EQ(checked.boxes, 2u);
}

TEST(Check, PathsThatRoundingMayTurnAreRefused) {
  Certificate made = triple(1, 2);
  made.paths[0].constants.push_back({4.5, 4.5});
  made.paths[0].steps[0].operands = {0, 1};
  made.paths[0].steps.push_back({ops::Op::cmp_olt, numeric::Format::binary64, {3, 2}, 1});
  made.paths[0].outputs = {3};
  EXPECT_NE(refusal_of(made).find("another path"), std::string::npos);
  made.inputs[0].high = 1.4999;
  EXPECT_EQ(refusal_of(made), "");
}

} // namespace
} // namespace faultline::certificate
