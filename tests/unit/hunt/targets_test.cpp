// Which functions -f means, and what is said of those that it does not.
#include "hunt/targets.h"

#include "../temporary_folder.h"

#include "base/error.h"

#include <gtest/gtest.h>

namespace faultline::hunt {
namespace {

constexpr const char* source = R"(
double bessel_j(double x) { return x / 2; }
double bessel_y(double x) { return x / 3; }
double bessel_sum(const double *x, int n) { return x[n - 1]; }
int bessel_zeros(int n) { return n > 2; }
double gamma_star(double x) { return x - 1; }
int flag(int n) { return n > 1; }
)";

class Targets : public testing::Test {
protected:
  Targets() {
    options_.sources.files = {folder_.write("a.c", source)};
    options_.tell = [this](const std::string& text) { told_.push_back(text); };
  }
  std::vector<std::string> named(std::vector<std::string> functions, Fit fit = Fit::suitable) {
    options_.functions = std::move(functions);
    program::Program program = load_program(options_);
    std::vector<std::string> names;
    for (const model::Target& target : targets_of(program, options_, fit))
      names.push_back(target.function);
    return names;
  }
  void expect_refused(const std::vector<std::string>& functions, const std::string& what, const std::string& hint) {
    try {
      named(functions);
      ADD_FAILURE() << functions.front();
    } catch (const base::UserError& error) {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
      EXPECT_NE(error.hint.find(hint), std::string::npos) << error.hint;
      EXPECT_EQ(error.status, base::status_unsuitable);
    }
  }
  using Names = std::vector<std::string>;

  test::TemporaryFolder folder_;
  Options options_;
  std::vector<std::string> told_;
};

TEST_F(Targets, APatternTakesWhatIsSuitableAndTellsHowManyItLeavesOut) {
  EXPECT_EQ(named({"bessel_*"}), (Names{"bessel_j", "bessel_y"}));
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(told_[0], "-f 'bessel_*': 2 functions left out that cannot be tested; faultline list --all shows why");
}

TEST_F(Targets, WhatACallNeedsIsLessThanWhatAHuntNeeds) {
  EXPECT_EQ(named({"bessel_[jyz]*"}, Fit::callable), (Names{"bessel_j", "bessel_y", "bessel_zeros"}));
}

TEST_F(Targets, ArraysThatAreToBeMeasuredKeepNobodyFromHunting) {
  EXPECT_EQ(named({"bessel_*"}, Fit::huntable), (Names{"bessel_j", "bessel_y", "bessel_sum"}));
}

TEST_F(Targets, AFunctionIsTakenOnce) {
  EXPECT_EQ(named({"bessel_y", "bessel_[jy]", "gamma_star"}), (Names{"bessel_y", "bessel_j", "gamma_star"}));
  EXPECT_TRUE(told_.empty());
}

TEST_F(Targets, APatternThatMeansNothingIsRefused) {
  expect_refused({"besel_j*"}, "there is no function like 'besel_j*'", "bessel_j");
  expect_refused({"fl*"}, "-f 'fl*': none of 1 function like this can be tested\n  flag: it has no", "list --all");
}

TEST_F(Targets, AFunctionThatIsAskedForByNameMustBeSuitable) {
  expect_refused({"flag"}, "flag: it has no floating-point output", "");
}

TEST_F(Targets, OneFunctionIsNotSeveral) {
  options_.functions = {"bessel_*"};
  program::Program program = load_program(options_);
  try {
    single_target(program, options_);
    FAIL() << "which one?";
  } catch (const base::UserError& error) {
    EXPECT_STREQ(error.what(), "-f 'bessel_*' means 2 functions, and this is for one");
    EXPECT_EQ(error.hint, "one of bessel_j, bessel_y");
  }
  options_.functions = {"gam*"};
  EXPECT_EQ(single_target(program, options_).function, "gamma_star");
}

TEST_F(Targets, AListHasAllThatAreLikeAPattern) {
  options_.functions = {"bessel_*"};
  EXPECT_EQ(list(options_).targets.size(), 4u);
  EXPECT_TRUE(told_.empty()) << "the list counts them itself";
}

} // namespace
} // namespace faultline::hunt
