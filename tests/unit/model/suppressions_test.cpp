#include "model/set_aside.h"

#include "../temporary_folder.h"

#include <gtest/gtest.h>

namespace faultline::model {
namespace {

using Kinds = std::vector<std::string>;

TEST(IgnoreComment, IsReadInEveryLanguage) {
  for (const char* line :
       {"  y = 1 - x; // faultline: ignore[cancellation] x is small", "//faultline:ignore[cancellation] x is small",
        "y = 1; /* faultline: ignore[cancellation] x is small */ z = 2;",
        "  y = 1 - x  ! faultline: ignore[ cancellation ]: x is small\r"}) {
    const auto comment = ignore_comment(line);
    ASSERT_TRUE(comment) << line;
    EXPECT_EQ(comment->kinds, Kinds{"cancellation"}) << line;
    EXPECT_EQ(comment->reason, "x is small") << line;
    EXPECT_EQ(comment->problem, "") << line;
  }
}

TEST(IgnoreComment, KnowsWhetherItStandsAlone) {
  EXPECT_TRUE(ignore_comment("   // faultline: ignore why")->alone);
  EXPECT_TRUE(ignore_comment("/* faultline: ignore why */  ")->alone);
  EXPECT_FALSE(ignore_comment("x; // faultline: ignore why")->alone);
  EXPECT_FALSE(ignore_comment("/* faultline: ignore why */ x;")->alone);
}

TEST(IgnoreComment, WithoutBracketsMeansAllKinds) {
  const auto comment = ignore_comment("// faultline: ignore [sic] is not meant as a list here");
  EXPECT_EQ(comment->problem, "there is no kind 'sic'; docs/kinds has a page for each");
  EXPECT_TRUE(ignore_comment("// faultline: ignore: it is a test")->kinds.empty());
  EXPECT_EQ(ignore_comment("// faultline: ignore[overflow, crash] why")->kinds, (Kinds{"overflow", "crash"}));
}

TEST(IgnoreComment, WithoutAReasonIsNotObeyed) {
  for (const char* line : {"// faultline: ignore", "// faultline: ignore[overflow]", "/* faultline: ignore: */"})
    EXPECT_NE(ignore_comment(line)->problem.find("no reason"), std::string::npos) << line;
}

TEST(IgnoreComment, ThatIsMisspeltIsNotObeyed) {
  EXPECT_NE(ignore_comment("// faultline: ignore[cancelation] why")->problem.find("cancellation?"), std::string::npos);
  EXPECT_NE(ignore_comment("// faultline: ignored[crash] why")->problem.find("not understood"), std::string::npos);
  EXPECT_NE(ignore_comment("// faultline: skip")->problem.find("not understood"), std::string::npos);
  EXPECT_NE(ignore_comment("// faultline: ignore[crash why")->problem.find("bracket"), std::string::npos);
  EXPECT_NE(ignore_comment("// faultline: ignore[] why")->problem.find("bracket"), std::string::npos);
}

TEST(IgnoreComment, IsNoOtherText) {
  EXPECT_FALSE(ignore_comment("double x; // the San Andreas faultline"));
  EXPECT_FALSE(ignore_comment("puts(\"faultline: ignore me\");"));
  EXPECT_FALSE(ignore_comment(""));
}

class Suppressing : public testing::Test {
protected:
  Finding finding(int line, Kind kind = Kind::inaccuracy) const {
    Finding finding;
    finding.kind = kind;
    finding.cause = Cause{file_, line, 5, "f", "fsub"};
    if (kind == Kind::inaccuracy)
      finding.diagnosis.emplace().fault = Fault::cancellation;
    return finding;
  }
  void source(const std::string& text) {
    file_ = folder_.write("f.c", text);
    target_.file = file_;
    target_.function = "f";
    target_.line = 3;
    target_.outcome = TargetOutcome::none;
  }
  int line_of(Suppressions& suppressions, const Finding& finding) const {
    const auto found = suppressions.find(target_, finding);
    return found ? found->line : 0;
  }
  std::vector<std::string> remarks(Suppressions& suppressions, const WantedKinds& wanted = {}) {
    Target f, g;
    f.file = g.file = file_;
    f.line = 3;
    g.line = 8;
    return suppressions.remarks({target_}, {f, g}, wanted);
  }

  test::TemporaryFolder folder_;
  SourceText text_ = SourceText({folder_.path("")});
  std::string file_;
  TargetReport target_;
};

TEST_F(Suppressing, TheLineAtFaultAndTheOneBefore) {
  source("\n\ndouble f(double x) {\n"                                        // 3
         "  double y = 1 - x; // faultline: ignore[cancellation] first\n"    // 4
         "  // faultline: ignore[inaccuracy] second\n"                       // 5
         "  // faultline: ignore[overflow] third\n"                          // 6
         "  return 1 - y; }\n"                                               // 7
         "double g() { return 1; } // faultline: ignore never hunted in\n"); // 8
  Suppressions suppressions(text_);
  EXPECT_EQ(line_of(suppressions, finding(4)), 4);
  EXPECT_EQ(line_of(suppressions, finding(4, Kind::overflow)), 0) << "another kind is not meant";
  EXPECT_EQ(line_of(suppressions, finding(7)), 5) << "by its kind, although another comment stands between";
  EXPECT_EQ(line_of(suppressions, finding(7, Kind::overflow)), 6);
  EXPECT_EQ(line_of(suppressions, finding(5)), 5);
  EXPECT_EQ(line_of(suppressions, finding(3)), 0);
  EXPECT_TRUE(remarks(suppressions).empty()) << remarks(suppressions)[0];
}

TEST_F(Suppressing, AWholeFunction) {
  source("\n// faultline: ignore[crash, cancellation] a test's helper\ndouble f(double x) {\n  return 1 - x; }\n");
  Suppressions suppressions(text_);
  EXPECT_EQ(line_of(suppressions, finding(4)), 2);
  Finding crash;
  crash.kind = Kind::crash;
  EXPECT_EQ(suppressions.find(target_, crash)->reason, "a test's helper");
  Finding elsewhere = finding(4);
  elsewhere.cause->file = "gone.h";
  EXPECT_EQ(line_of(suppressions, elsewhere), 2);
  EXPECT_EQ(line_of(suppressions, finding(4, Kind::invalid)), 0);
}

TEST_F(Suppressing, AWholeFunctionWhoseTypeStandsAbove) {
  source("// faultline: ignore[inaccuracy] why\ndouble\nf(double x) {\n  return 1 - x;\n}\n");
  Suppressions suppressions(text_);
  EXPECT_EQ(line_of(suppressions, finding(4)), 1);
  source("// faultline: ignore[inaccuracy] why\nint other;\nf(double x) {\n  return 1 - x;\n}\n");
  SourceText text({folder_.path("")});
  Suppressions not_of_it(text);
  EXPECT_EQ(line_of(not_of_it, finding(4)), 0);
}

TEST_F(Suppressing, ATrailingCommentDoesNotReachTheNextLine) {
  source("\n\ndouble f(double x) {\n  x += 1; // faultline: ignore why\n  return 1 - x; }\n");
  Suppressions suppressions(text_);
  EXPECT_EQ(line_of(suppressions, finding(5)), 0);
}

TEST_F(Suppressing, UnusedOnesAreMentionedIfTheirKindWasLookedFor) {
  source("\n\ndouble f(double x) {\n  return 1 - x; // faultline: ignore[cancellation] why\n}\n\n\n"
         "double g() { return 1; } // faultline: ignore why\n");
  Suppressions suppressions(text_);
  ASSERT_EQ(remarks(suppressions).size(), 1u);
  EXPECT_EQ(remarks(suppressions)[0], file_ + ":4: note: the comment 'faultline: ignore' suppresses no finding");
  WantedKinds exceptions;
  exceptions.error = false;
  EXPECT_TRUE(remarks(suppressions, exceptions).empty());
  source("\n\ndouble f(double x) {\n  return 1 - x; // faultline: ignore why\n}\n");
  SourceText text({folder_.path("")});
  Suppressions of_all(text);
  EXPECT_EQ(remarks(of_all).size(), 1u);
  EXPECT_TRUE(remarks(of_all, exceptions).empty()) << "it may be meant for a kind that was not searched for";
  target_.outcome = TargetOutcome::interrupted;
  EXPECT_TRUE(remarks(suppressions).empty()) << "it may have been about to find it";
}

TEST_F(Suppressing, WithoutAReasonItOnlyMakesAWarning) {
  source("\n\ndouble f(double x) {\n  return 1 - x; // faultline: ignore[cancellation]\n}\n");
  Suppressions suppressions(text_);
  EXPECT_EQ(line_of(suppressions, finding(4)), 0);
  ASSERT_EQ(remarks(suppressions).size(), 1u);
  EXPECT_NE(remarks(suppressions)[0].find(":4: warning: "), std::string::npos);
}

} // namespace
} // namespace faultline::model
