#include "../temporary_folder.h"
#include "base/error.h"
#include "cli/configuration_file.h"
#include "cli/options.h"
#include "hunt/targets.h"

#include <gtest/gtest.h>

namespace faultline::cli {
namespace {

using model::Cell;
using model::Target;
using test::TemporaryFolder;

// double NAME(double x, double A[4], int n, result* result)
Target target_named(const std::string& name) {
  Target target;
  target.function = target.symbol = name;
  model::Type whole;
  whole.floating = false;
  for (const char* parameter : {"x", "A", "n", "result"})
    target.parameters.emplace_back().name = parameter;
  target.inputs = {Cell{"x", {}, 0, true}, Cell{"A[0]", {}, 8, true}, Cell{"A[3]", {}, 32, true},
                   Cell{"n", whole, 40, true}};
  target.outputs = {Cell{"return", {}, 48, true}, Cell{"result.val", {}, 56, true}};
  target.can_be_called = true;
  return target;
}

hunt::Configuration configured_by(const std::string& toml, const model::RawSettings& typed = {},
                                  const model::Settings& usual = {}) {
  TemporaryFolder folder;
  hunt::Configuration configuration = read_configuration(folder.write("faultline.toml", toml));
  configuration.typed = typed;
  configuration.usual = usual;
  return configuration;
}

model::Settings settings_of(const std::string& function, const std::string& toml, const model::RawSettings& typed = {},
                            const model::Settings& usual = {}) {
  return settings_for(configured_by(toml, typed, usual), target_named(function));
}

std::string refusal(const std::string& toml, const std::vector<Target>& targets, bool all) {
  try {
    check(configured_by(toml), targets, all);
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, base::status_usage);
    return std::string(error.what()) + " | " + error.hint;
  }
  return "accepted";
}

constexpr const char* layered = R"(
threshold = 1e-4
seed = 1
[function."bessel_*"]
threshold = 1e-5
seed = 2
range = { x = "0:1", n = [0, 9] }
[function.bessel_J0]
threshold = 1e-6
[function."*_J?"]
range = { x = "0:2" }
)";

TEST(Configured, LaterSectionsWinOverEarlierOnesAndSectionsOverTheTop) {
  const model::Settings own = settings_of("bessel_J0", layered);
  EXPECT_EQ(own.threshold, 1e-6);
  EXPECT_EQ(own.seed, 2u);
  EXPECT_EQ(own.ranges.at("x").high, 2);
  EXPECT_EQ(own.ranges.at("n").high, 9);
  const model::Settings other = settings_of("bessel_K", layered);
  EXPECT_EQ(other.threshold, 1e-5);
  EXPECT_EQ(other.ranges.at("x").high, 1);
  const model::Settings third = settings_of("gamma", layered);
  EXPECT_EQ(third.threshold, 1e-4);
  EXPECT_EQ(third.seed, 1u);
  EXPECT_TRUE(third.ranges.empty());
}

TEST(Configured, TheCommandLineWinsOverAll) {
  model::RawSettings typed;
  typed.set("ulps", {"8"});
  typed.set("range", {"-1:1"});
  const model::Settings own = settings_of("bessel_J0", layered, typed);
  EXPECT_EQ(own.ulps, 8.0);
  EXPECT_EQ(own.threshold, model::Settings().threshold);
  EXPECT_FALSE(own.ranges.contains("x")) << "all floats, it says";
  EXPECT_EQ(own.ranges.at("*").high, 1);
  EXPECT_EQ(own.ranges.at("n").high, 9) << "n is none";
}

TEST(Configured, TheUsualBudgetOfACommandIsOnlyADefault) {
  model::Settings usual;
  usual.budget_seconds = 60;
  EXPECT_EQ(settings_of("f", "", {}, usual).budget_seconds, 60);
  EXPECT_EQ(settings_of("f", "budget = 5", {}, usual).budget_seconds, 5);
  EXPECT_EQ(settings_of_all(configured_by("budget = 5", {}, usual)).budget_seconds, 5);
}

TEST(Configured, WhatIsSaidOfManyFunctionsIsDroppedWhereItDoesNotFit) {
  const char* toml =
      "output = [\"result.val\", \"y\"]\nrange = { x = \"0:1\", zeta = \"0:2\" }\nalias = { A = \"B\" }\n"
      "hold = { n = 3, mode = 0 }\n";
  const model::Settings own = settings_of("f", toml);
  EXPECT_EQ(own.outputs, std::vector<std::string>{"result.val"});
  EXPECT_EQ(own.ranges.size(), 1u);
  EXPECT_EQ(own.held.size(), 1u);
  EXPECT_TRUE(own.aliases.empty());
}

TEST(Configured, WhatIsTypedForOtherFunctionsIsDropped) {
  model::RawSettings typed;
  typed.set("size", {"A=4", "B=2"});
  EXPECT_EQ(settings_of("f", "", typed).sizes, (model::Sizes{{"A", {4}}}));
}

TEST(Configured, SizesAreKnownBeforeTheFunctionIsLaidOut) {
  Target named;
  named.function = "sum(double const*, int)";
  named.symbol = "_Z3sumPKdi";
  EXPECT_EQ(settings_for(configured_by("[function.sum]\nsize = { A = [2, 3] }\n"), named).sizes,
            (model::Sizes{{"A", {2, 3}}}));
}

TEST(Configured, AnInputThatTheNamedFunctionDoesNotHaveIsRefusedWithItsPlace) {
  const std::vector<Target> targets{target_named("f"), target_named("g")};
  const std::string message = refusal("[function.f]\nrange = { xx = \"0:1\" }\n", targets, false);
  EXPECT_NE(message.find("faultline.toml:2:11: range xx: f has no input of that name"), std::string::npos) << message;
  EXPECT_NE(message.find("| x"), std::string::npos) << message;
  for (const char* wrong : {"hold = { m = 1 }", "size = { B = 4 }", "format = { y = \"binary32\" }",
                            "alias = { A = \"B\" }", "output = [\"val\"]", "bound = \"result\""})
    EXPECT_NE(refusal(std::string("[function.f]\n") + wrong + "\n", targets, false), "accepted") << wrong;
  for (const char* right : {"hold = { n = 1 }", "size = { A = 4 }", "format = { x = \"binary32\" }", "range = [0, 1]",
                            "range = { A = \"0:1\", \"A[3]\" = \"0:2\" }", "alias = { A = \"x\" }",
                            "output = [\"result\"]", "bound = \"result.val\""})
    EXPECT_EQ(refusal(std::string("[function.f]\n") + right + "\n", targets, false), "accepted") << right;
}

size_t remarks(const std::string& toml, const std::vector<Target>& targets, bool all) {
  return check(configured_by(toml), targets, all).size();
}

TEST(Configured, APatternThatFitsNoFunctionOfThisFileCausesARemark) {
  Target other = target_named("f2");
  other.inputs.push_back({"zeta", {}, 64, true});
  const std::string toml = "[function.\"f*\"]\nhold = { zeta = 1 }\n";
  EXPECT_EQ(remarks(toml, {target_named("f1"), other}, true), 0u);
  EXPECT_EQ(remarks(toml, {target_named("f1")}, true), 1u) << "the others may be in another file";
  EXPECT_EQ(remarks(toml, {target_named("f1")}, false), 0u) << "with -f the others are not here";
  EXPECT_EQ(remarks(toml, {target_named("g")}, true), 0u) << "the file serves a folder";
}

TEST(Recorded, SettingsNeedNoFile) {
  TemporaryFolder folder;
  model::RawSettings typed;
  typed.set("operands", {folder.write("f.c", "")});
  typed.set("threshold", {"1e-2"});
  model::Report report;
  report.configuration = {"gone.toml", {"-DN=8"}};
  report.targets.emplace_back().function = "f";
  report.targets.back().settings = {"--threshold", "1e-2", "--size", "A=4"};
  const hunt::Options options =
      as_recorded(typed, line_of({"hunt", typed.values("operands")[0], "--", "-DN=9"}), {report, "findings.json"});
  EXPECT_EQ(options.sources.flags, (std::vector<std::string>{"-DN=8", "-DN=9"}));
  const model::Settings own = hunt::settings_for(target_named("f"), options);
  EXPECT_EQ(own.sizes, (model::Sizes{{"A", {4}}}));
  EXPECT_EQ(own.threshold, 1e-2);
}

} // namespace
} // namespace faultline::cli
