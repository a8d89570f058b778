// How much a finding matters: by what can be done, and where it happens.
#include "made_findings.h"

#include <gtest/gtest.h>

namespace faultline::model {
namespace {

TEST(Tier, OfAnErrorIsByItsVerdictAndItsInput) {
  EXPECT_EQ(tier_of(wrong(1, 1, 1)), Tier::error);
  EXPECT_EQ(tier_of(wrong(1, 1e200, 1, false)), Tier::warning);
  EXPECT_EQ(tier_of(wrong(1, 1, 1, true, Verdict::unknown)), Tier::warning);
  EXPECT_EQ(tier_of(wrong(1, 1, 1, false, Verdict::unknown)), Tier::note);
  EXPECT_EQ(tier_of(wrong(1, 1, 1, true, Verdict::ill_conditioned)), Tier::note);
  Finding half = wrong(1, 1, 1e-7);
  half.half_digits = true;
  EXPECT_EQ(tier_of(half), Tier::warning);
}

TEST(Tier, OfWhatTheUsersOwnBuildDoesNotShowIsANote) {
  Finding finding = wrong(1, 1, 1);
  finding.built = "the library as built by gcc returns 1; compiled by clang 19 it returns nan";
  EXPECT_EQ(tier_of(finding), Tier::note);
  EXPECT_TRUE(finding.counts()); // it is shown
}

TEST(Tier, OfACrashIsLowerWhereItMayBeOurDoing) {
  Finding crash;
  crash.kind = Kind::crash;
  EXPECT_EQ(tier_of(crash), Tier::warning);
  crash.everyday = true;
  EXPECT_EQ(tier_of(crash), Tier::error);
  crash.doubtful = true;
  EXPECT_EQ(tier_of(crash), Tier::warning);
  crash.everyday = false;
  EXPECT_EQ(tier_of(crash), Tier::note);
}

TEST(Tier, OfAnExceptionIsByWhatBecameOfIt) {
  EXPECT_EQ(tier_of(exception(Kind::overflow, 1)), Tier::error);
  Finding far = exception(Kind::overflow, 1, false), follows = exception(Kind::invalid, 1, false);
  EXPECT_EQ(tier_of(far), Tier::note) << "nearly every product overflows somewhere";
  EXPECT_EQ(tier_of(follows), Tier::warning);
  follows.aftermath->origin = Origin{{}, Kind::overflow};
  EXPECT_EQ(tier_of(follows), Tier::note) << "inf - inf after an overflow";
  far.handles_extremes = true;
  EXPECT_EQ(tier_of(far), Tier::warning) << "a norm that overflows";
  EXPECT_EQ(tier_of(exception(Kind::overflow, 1, true, Verdict::inherent)), Tier::note);
  Finding told = exception(Kind::invalid, 1), right = told, swallowed = told;
  told.aftermath->reported_by = "errno";
  EXPECT_EQ(tier_of(told), Tier::note);
  right.aftermath->result = Result::right;
  EXPECT_EQ(tier_of(right), Tier::note);
  EXPECT_TRUE(is_folded(right));
  swallowed.aftermath->reaches_output = false;
  EXPECT_EQ(tier_of(swallowed), Tier::note) << "without effect on an output";
  swallowed.aftermath->result = Result::wrong;
  EXPECT_EQ(tier_of(swallowed), Tier::error);
  Finding harmless = exception(Kind::underflow, 1), known = exception(Kind::overflow, 1);
  harmless.aftermath->harmless = true;
  EXPECT_EQ(tier_of(harmless), Tier::note);
  EXPECT_TRUE(is_folded(harmless));
  known.novelty = Novelty::known;
  EXPECT_EQ(tier_of(known), Tier::note);
  EXPECT_FALSE(is_folded(known));
}

TEST(Tier, OfACrashIsByItsInput) {
  Finding crash;
  crash.kind = Kind::crash;
  EXPECT_EQ(tier_of(crash), Tier::warning);
  crash.everyday = true;
  EXPECT_EQ(tier_of(crash), Tier::error);
}

TEST(Tier, OfAThrownExceptionIsByWhetherItRefusesTheInput) {
  Finding thrown;
  thrown.kind = Kind::exception;
  thrown.everyday = true;
  EXPECT_EQ(tier_of(thrown), Tier::error);
  thrown.aftermath.emplace();
  EXPECT_EQ(tier_of(thrown), Tier::error);
  thrown.aftermath->reported_by = "exception";
  EXPECT_EQ(tier_of(thrown), Tier::note);
}

} // namespace
} // namespace faultline::model
