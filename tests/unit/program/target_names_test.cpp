// What a user may call a function: names, parts of names, patterns.
#include "../temporary_folder.h"
#include "base/error.h"
#include "program/program.h"
#include "program/shown_symbol.h"

#include <gtest/gtest.h>

namespace faultline::program {
namespace {

constexpr const char* source = R"(
namespace stats {
template <class T> T over(T x) { return x / (x + 1); }
template double over<double>(double);
template float over<float>(float);
double norm(double x, double y) { return x * x + y * y; }
double mean(double x, double y) { return (x + y) / 2; }
template <class T> struct Fit {
  T slope;
  T at(T x) const;
};
template <class T> T Fit<T>::at(T x) const { return slope * x; }
template struct Fit<double>;
}
namespace geometry { double norm(double x) { return x < 0 ? -x : x; } }
double mean(double x) { return x; }
int count(double x) { return x > 1; }
)";

class TargetNames : public testing::Test {
protected:
  std::vector<std::string> found(const std::string& name) {
    std::vector<std::string> symbols;
    for (const model::Target& target : program_.find({name}, {}))
      symbols.push_back(target.symbol);
    return symbols;
  }
  using Symbols = std::vector<std::string>;

  test::TemporaryFolder folder_;
  Program program_ = Program::load({{folder_.write("a.cpp", source)}, {}, ""});
};

TEST_F(TargetNames, OfATemplateWithoutItsArgumentsAllInstancesAreTaken) {
  const Symbols both{"_ZN5stats4overIdEET_S1_", "_ZN5stats4overIfEET_S1_"};
  EXPECT_EQ(found("stats::over"), both);
  EXPECT_EQ(found("over"), both);
}

TEST_F(TargetNames, AnInstanceIsNamedByItsArguments) {
  const Symbols one{"_ZN5stats4overIdEET_S1_"};
  EXPECT_EQ(found("stats::over<double>"), one);
  EXPECT_EQ(found("over<double>"), one);
  EXPECT_EQ(found("double stats::over<double>"), one) << "as list has it";
}

TEST_F(TargetNames, TheArgumentsOfAClassMayBeLeftOut) {
  const Symbols at{"_ZNK5stats3FitIdE2atEd"};
  EXPECT_EQ(found("stats::Fit<double>::at"), at);
  EXPECT_EQ(found("stats::Fit::at"), at);
  EXPECT_EQ(found("Fit::at"), at);
}

TEST_F(TargetNames, AWholeNameIsNotTakenForTheLastPartOfAnother) {
  EXPECT_EQ(found("mean"), Symbols{"_Z4meand"});
  EXPECT_EQ(found("stats::mean"), Symbols{"_ZN5stats4meanEdd"});
}

TEST_F(TargetNames, APartThatDifferentFunctionsHaveIsRefused) {
  try {
    found("norm");
    FAIL() << "which one?";
  } catch (const base::UserError& error) {
    EXPECT_STREQ(error.what(), "-f norm may be each of geometry::norm, stats::norm");
    EXPECT_EQ(error.status, base::status_usage);
  }
}

TEST_F(TargetNames, PatternsMatchEveryName) {
  size_t norms = 0, instances = 0;
  for (const model::Target& target : program_.targets({})) {
    norms += answers_to(target, "*::norm");
    instances += answers_to(target, "stats::over<*>");
    EXPECT_FALSE(answers_to(target, "nor*"));
    EXPECT_FALSE(answers_to(target, "double*")) << "that is what it returns";
  }
  EXPECT_EQ(norms, 2u);
  EXPECT_EQ(instances, 2u);
  EXPECT_TRUE(is_pattern("gsl_sf_*"));
  EXPECT_FALSE(is_pattern("gsl_sf_exp"));
}

TEST(CxxName, OperatorsKeepTheirSigns) {
  EXPECT_EQ(cxx_name("_ZN1nltERKNS_1VIdEES3_").plain, "n::operator<");
  EXPECT_EQ(cxx_name("sin").plain, "");
  EXPECT_EQ(cxx_name("_ZTV1A").plain, "") << "a table, not a function";
}

TEST(RustName, HasNoHash) {
  EXPECT_EQ(rust_name("_ZN4demo5stats4mean17ha1955e69702afdeaE"), "demo::stats::mean");
  EXPECT_EQ(rust_name("_ZN44_$LT$impl$u20$demo..Norm$u20$for$u20$f64$GT$4norm17h484a105447fd3e71E"),
            "<impl demo::Norm for f64>::norm");
  EXPECT_EQ(rust_name("_RNvNtCs1234567890a_4demo5stats4mean"), "demo::stats::mean");
  EXPECT_EQ(rust_name("_ZN4demo4meanEd"), "") << "C++'s";
  EXPECT_EQ(rust_name("mean"), "");
}

TEST(ShownSymbol, IsWhatPeopleWrite) {
  EXPECT_EQ(shown_symbol("errmsg_"), "errmsg");
  EXPECT_EQ(shown_symbol("errmsg__"), "errmsg__");
  EXPECT_EQ(shown_symbol("_QMnumericPfail"), "fail");
  EXPECT_EQ(shown_symbol("_ZN2ns4failEPKc"), "ns::fail");
  EXPECT_EQ(shown_symbol("_ZTVN2ns1SE"), "vtable for ns::S");
  EXPECT_EQ(shown_symbol("_ZN4demo5stats4mean17ha1955e69702afdeaE"), "demo::stats::mean");
}

TEST(ReadableName, HasTemplateArgumentsOnlyIfTheyLeaveItShort) {
  const std::string policy = "<double, boost::math::policies::policy<boost::math::policies::promote_float<false>, "
                             "boost::math::policies::promote_double<false> > >";
  EXPECT_EQ(readable_name("over<double>"), "over<double>");
  EXPECT_EQ(readable_name("ellint_3" + policy), "ellint_3");
  EXPECT_EQ(readable_name("operator<" + policy), "operator<");
  EXPECT_EQ(readable_name("operator<<" + policy), "operator<<");
  EXPECT_EQ(readable_name("operator-> " + policy), "operator-> ");
  EXPECT_EQ(readable_name("a" + std::string(100, 'b')), "a" + std::string(100, 'b'));
}

} // namespace
} // namespace faultline::program
