#include "hunt/job_chain.h"

#include "../temporary_folder.h"
#include "base/error.h"
#include "program/program.h"

#include <gtest/gtest.h>

namespace faultline::hunt {

using model::Aftermath;
using model::Corpus;
using model::Error;
using model::Finding;
using model::Kept;
using model::kept_in;
using model::Report;
using model::Retry;
using model::Suppression;
using model::TargetOutcome;
using model::TargetReport;
using model::Witness;

namespace {

Finding finding(const std::string& x, const std::string& n, double error) {
  Finding finding;
  finding.fingerprint = "f" + x;
  finding.strategy = "bracket";
  finding.input = {{"x", {x, x}}, {"n", {n, n}}};
  finding.error = Error{error, error, error, 1};
  return finding;
}

Kept kept(const Finding& finding, const std::string& function = "f", const std::string& file = "old/subject.c") {
  TargetReport target;
  target.function = function;
  target.file = file;
  return {function + "-" + finding.fingerprint + ".json", target, finding};
}

class Keep : public testing::Test {
protected:
  void SetUp() override {
    test::TemporaryFolder folder;
    const std::string source = folder.write("subject.c", "double f(double x, int n) { return x + n; }");
    target_ = program::Program::load({{source}, {}, ""}).find({"f"}, {}).at(0);
    settings_.ranges["x"] = {0, 10};
    settings_.ranges["n"] = {0, 5};
  }

  CorpusSession keeping(std::vector<Kept> all) {
    return CorpusSession(std::make_shared<const Corpus>(Corpus{"found", std::move(all)}));
  }
  std::vector<model::Input> inputs(std::vector<Kept> all) {
    std::vector<model::Input> inputs;
    for (const Retry& retry : keeping(std::move(all)).retries(target_, settings_))
      inputs.push_back(retry.input);
    return inputs;
  }
  using Inputs = std::vector<model::Input>;

  model::Target target_;
  model::Settings settings_;
};

TEST_F(Keep, TriesWhatFitsTheSpaceEachInputOnce) {
  Finding worst = finding("0x1p+1", "3", 1);
  worst.also = {{finding("0x1p+1", "3", 1).input, {}, 1, 1},
                {finding("0x1.8p+2", "0", 1).input, {}, 1, 1},
                {finding("0x1p+10", "3", 1).input, {}, 1, 1}};
  EXPECT_EQ(inputs({kept(worst)}), (Inputs{{2, 3}, {6, 0}}));
  for (const Finding& outside : {finding("0x1.4p+3", "6", 1), finding("-0x1p-1074", "3", 1), finding("nan", "3", 1),
                                 finding("inf", "3", 1), finding("0x1p+1", "0x1p-1", 1), finding("", "3", 1)})
    EXPECT_EQ(inputs({kept(outside)}), Inputs()) << outside.input[0].value.hex;
  settings_.formats["x"] = numeric::Format::binary32;
  EXPECT_EQ(inputs({kept(finding("0x1.0000000001p+1", "3", 1))}), Inputs()) << "the code cannot be given this";
}

TEST_F(Keep, TriesWhatIsOfThisFunctionAndWanted) {
  const Finding some = finding("0x1p+1", "3", 1);
  EXPECT_EQ(inputs({kept(some, "g")}), Inputs());
  EXPECT_EQ(inputs({kept(some, "f", "other.c")}), Inputs());
  Finding renamed = some;
  renamed.input[0].name = "y";
  EXPECT_EQ(inputs({kept(renamed)}), Inputs());
  renamed = some;
  renamed.input.pop_back();
  EXPECT_EQ(inputs({kept(renamed)}), Inputs());
  settings_.wanted.error = false;
  EXPECT_EQ(inputs({kept(some)}), Inputs());
  EXPECT_EQ(CorpusSession(nullptr).retries(target_, settings_).size(), 0u);
}

TEST_F(Keep, TheFileOfALargerErrorStaysUnlessItsInputWasTriedAgain) {
  const Finding inside = finding("0x1p+1", "3", 5), outside = finding("0x1p+10", "3", 5);
  CorpusSession keeping = this->keeping({kept(inside), kept(outside)});
  keeping.retries(target_, settings_);
  Finding now = inside;
  now.error->relative = 2;
  EXPECT_TRUE(keeping.keeps(now)) << "the old input does not show it any more, or the new one would have its error";
  now.fingerprint = outside.fingerprint;
  EXPECT_FALSE(keeping.keeps(now));
  now.error->relative = 7;
  EXPECT_TRUE(keeping.keeps(now));
  now.fingerprint = "new";
  EXPECT_TRUE(keeping.keeps(now));
  now.aftermath = Aftermath();
  now.aftermath->harmless = true;
  EXPECT_FALSE(keeping.keeps(now));
  now.aftermath.reset();
  now.suppressed = Suppression();
  EXPECT_FALSE(keeping.keeps(now));
}

TEST_F(Keep, TellsWhatIsNotSeenAnyMoreOfWhatWasTried) {
  const Finding seen = finding("0x1p+1", "3", 5), lost = finding("0x1p+2", "3", 5),
                outside = finding("0x1p+10", "3", 5);
  CorpusSession keeping = this->keeping({kept(seen), kept(lost), kept(outside), kept(lost, "g")});
  keeping.retries(target_, settings_);
  Report report;
  report.targets = {kept(seen).target};
  report.targets[0].findings = {seen};
  report.targets[0].outcome = TargetOutcome::found;
  EXPECT_EQ(keeping.remarks(report),
            std::vector<std::string>{
                "found/f-f0x1p+2.json: note: the inaccuracy in f no longer occurs; delete the file if it is fixed"});
  report.targets[0].outcome = TargetOutcome::interrupted;
  EXPECT_EQ(keeping.remarks(report), std::vector<std::string>()) << "it is not known";
}

TEST_F(Keep, NamesFilesAfterTheFunctionWhateverItsNameIs) {
  TargetReport target;
  const Finding some = finding("1", "3", 1);
  target.function = "ns::f<double, 3>(double&)";
  EXPECT_EQ(CorpusSession::file_of(target, some), "ns__f_double__3__double__-f1.json");
  target.function = "../../etc/passwd";
  EXPECT_EQ(CorpusSession::file_of(target, some), "______etc_passwd-f1.json");
  target.function = std::string(5000, 'x');
  EXPECT_LT(CorpusSession::file_of(target, some).size(), 255u);
}

TEST_F(Keep, AFileWithMoreOrLessThanOneFindingIsRefused) {
  Report report;
  EXPECT_THROW(kept_in(report, "found", "x.json"), base::UserError);
  report.targets = {kept(finding("1", "3", 1)).target};
  EXPECT_THROW(kept_in(report, "found", "x.json"), base::UserError);
  report.targets[0].findings = {finding("1", "3", 1)};
  EXPECT_EQ(kept_in(report, "found", "x.json").finding.fingerprint, "f1");
  report.targets[0].findings[0].fingerprint.clear();
  EXPECT_THROW(kept_in(report, "found", "x.json"), base::UserError);
}

} // namespace
} // namespace faultline::hunt
