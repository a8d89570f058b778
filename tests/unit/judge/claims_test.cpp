// Bounds that code claims for its own error: one that is far too small is misleading.
#include "../tape/reading.h"

#include "judge/endings.h"
#include "judge/judge.h"
#include "judge/space_of_target.h"

namespace faultline::judge {

using model::Finding;
using model::Kind;
using model::OracleName;
using model::Settings;
namespace {

// Absorbed in 1e5: an error of up to 7e-12, small beside x, whatever `err` says.
constexpr const char* with_result =
    "struct result { double val, err; };\nvoid f(double x, double claimed, struct result* "
    "r) {\n  r->val = (x + 1e5) - 1e5;\n  r->err = claimed;\n}";
constexpr double x = 1.1; // wrong by 4.4e-12 here

struct Court {
  explicit Court(const std::string& text, Settings given = {})
      : settings(std::move(given)), session(test::open_text("#include <math.h>\n" + text)),
        judge(session, settings, judged_outputs(session.target(), settings), nullptr) {}
  Settings settings;
  exec::Session session;
  Judge judge;

  std::optional<Finding> broken(const exec::Input& input) {
    for (const auto& [finding, analysis] : judge.errors(input, "random"))
      if (finding.kind == Kind::bound_violated)
        return finding;
    return std::nullopt;
  }
  double error(const exec::Input& input) {
    const exec::Run run = session.run(input);
    return judge.judge(input, tape::Tape(run, session.sites(), input.size())).outputs.at(0).absolute;
  }
};

std::vector<std::string> claims_as_text(const Court& court) {
  std::vector<std::string> texts;
  const auto& outputs = court.session.target().outputs;
  for (const tape::Claim& claim : court.judge.claims())
    texts.push_back(outputs[claim.bound].name + " of " + outputs[claim.output].name);
  return texts;
}
using Texts = std::vector<std::string>;

TEST(Claims, AFieldErrSpeaksOfTheFieldBesideIt) {
  EXPECT_EQ(claims_as_text(Court(with_result)), Texts{"r.err of r.val"});
  EXPECT_EQ(claims_as_text(Court("struct result { double val, err; };\nvoid f(double x, struct result* p, struct "
                                 "result* q) { p->val = x; q->val = x; p->err = q->err = 0; }")),
            (Texts{"p.err of p.val", "q.err of q.val"}));
}

TEST(Claims, ABoundIsNamedByTheUser) {
  const std::string text = "void f(double x, double* y, double* tolerance) { *y = x * x - 2; *tolerance = 1e-9; }";
  EXPECT_TRUE(claims_as_text(Court(text)).empty()) << "nothing looks like a bound";
  Settings settings;
  settings.bounds = {"tolerance"};
  EXPECT_EQ(claims_as_text(Court(text, settings)), Texts{"tolerance of y"});
  settings.bounds = {"y"};
  EXPECT_EQ(claims_as_text(Court(text, settings)), Texts{"y of tolerance"});
}

TEST(Claims, ANamedBoundSpeaksOfAllThatIsJudged) {
  Settings settings;
  settings.bounds = {"err"};
  EXPECT_EQ(claims_as_text(Court("void f(double x, double* y, double* z, double* err) { *y = x * x; *z = x + 1; *err = "
                                 "1; }",
                                 settings)),
            (Texts{"err of y", "err of z"}));
}

TEST(Claims, ANamedFieldOfAStructSpeaksOfItsStruct) {
  Settings settings;
  settings.bounds = {"p.b"};
  EXPECT_EQ(claims_as_text(Court("struct pair { double a, b; };\nvoid f(double x, struct pair* p, struct pair* q) { "
                                 "p->a = q->a = x * 3; p->b = q->b = 1; }",
                                 settings)),
            Texts{"p.b of p.a"});
}

TEST(Claims, AreNotLookedAtWithoutBeingWanted) {
  Settings settings;
  settings.wanted.bound = false;
  EXPECT_TRUE(claims_as_text(Court(with_result, settings)).empty());
  settings = {};
  settings.oracle = OracleName::none;
  EXPECT_TRUE(claims_as_text(Court(with_result, settings)).empty()) << "an estimate proves no violation";
}

TEST(Claims, AnErrorManyTimesAsLargeIsAFinding) {
  Court court(with_result);
  const auto finding = court.broken({x, 1e-14});
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->output->name, "r.val");
  EXPECT_LT(finding->error->relative, 1e-3) << "small, and still a lie";
  EXPECT_NE(finding->detail.find("r.err"), std::string::npos) << finding->detail;
  EXPECT_NE(finding->detail.find("1e-14"), std::string::npos) << finding->detail;
  EXPECT_EQ(finding->cause->operation, "fsub");
  EXPECT_EQ(finding->strategy, "random");
}

TEST(Claims, ABoundOfZeroIsViolatedByAnyError) {
  Court court(with_result);
  EXPECT_TRUE(court.broken({x, 0}).has_value());
  EXPECT_FALSE(court.broken({1.5, 0}).has_value()) << "nothing was lost";
}

TEST(Claims, TheSignOfABoundMeansNothing) {
  Court court(with_result);
  EXPECT_FALSE(court.broken({x, -1e-11}).has_value());
  EXPECT_TRUE(court.broken({x, -1e-14}).has_value());
}

TEST(Claims, InsideTheFactorThereIsNoViolation) {
  Court court(with_result);
  const double error = court.error({x, 0});
  ASSERT_GT(error, 1e-13);
  EXPECT_TRUE(court.broken({x, error / 10.1}).has_value());
  EXPECT_FALSE(court.broken({x, error / 9.9}).has_value());
  EXPECT_FALSE(court.broken({x, error}).has_value());
  Settings settings;
  settings.bound_factor = 2;
  Court strict(with_result, settings);
  EXPECT_TRUE(strict.broken({x, error / 9.9}).has_value());
  EXPECT_FALSE(strict.broken({x, error / 1.9}).has_value());
}

TEST(Claims, AnErrorOfAnUlpViolatesNothing) {
  Court court(
      "struct result { double val, err; };\nvoid f(double x, struct result* r) { r->val = x / 3; r->err = 0; }");
  for (double value : {1.0, 0.1, 1e300, 7e-300})
    EXPECT_FALSE(court.broken({value}).has_value()) << value;
}

TEST(Claims, ABoundThatIsNotANumberIsNotViolated) {
  Court court(with_result);
  EXPECT_FALSE(court.broken({x, NAN}).has_value());
  EXPECT_FALSE(court.broken({x, INFINITY}).has_value());
}

TEST(Claims, AViolationAndAnInaccuracyAreTwoFindings) {
  Court court("struct result { double val, err; };\nvoid f(double x, struct result* r) { r->val = (x + 1e16) - 1e16; "
              "r->err = 1e-9; }");
  const std::vector<JudgedFinding> findings = court.judge.errors({1.5}, "");
  ASSERT_EQ(findings.size(), 2u);
  std::set<Kind> kinds = {findings[0].finding.kind, findings[1].finding.kind};
  EXPECT_EQ(kinds, (std::set<Kind>{Kind::inaccuracy, Kind::bound_violated}));
}

} // namespace
} // namespace faultline::judge
