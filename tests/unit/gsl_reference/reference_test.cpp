#include "benchmarks/gsl/reference.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "table.h"

namespace faultline::benchmarks {
namespace {

using Kind = Exact::Kind;

Exact at(const char* function, std::vector<double> arguments) { return gsl_reference(function, arguments); }

bool is_exactly(const Exact& exact, double value) {
  return exact.kind == Kind::value && exact.value == numeric::BigFloat(value, 64);
}

// |exact - expected| / |expected|
double relative_error(const numeric::BigFloat& exact, const std::string& expected_digits) {
  numeric::BigFloat expected(256), difference(256);
  EXPECT_EQ(mpfr_set_str(expected.raw(), expected_digits.c_str(), 10, MPFR_RNDN), 0);
  mpfr_sub(difference.raw(), exact.raw(), expected.raw(), MPFR_RNDN);
  mpfr_div(difference.raw(), difference.raw(), expected.raw(), MPFR_RNDN);
  return std::abs(difference.to_double());
}

TEST(GslReference, CoversAll107FunctionsOfTheStudy) {
  const auto names = univariate_functions();
  EXPECT_EQ(names.size(), 107u);
  for (const std::string& name : names)
    EXPECT_TRUE(has_gsl_reference(name)) << name;
}

TEST(GslReference, HasManyFunctionsOfSeveralArguments) {
  EXPECT_GE(std::ranges::count_if(gsl_references(), [](const GslReference& r) { return r.arguments == 2; }), 25);
}

TEST(GslReference, ListsEachFunctionOnce) {
  std::set<std::string> names;
  for (const GslReference& reference : gsl_references())
    EXPECT_TRUE(names.insert(reference.function).second) << reference.function;
  EXPECT_FALSE(has_gsl_reference("gsl_sf_no_such_function"));
}

// 40 digits were written, 30 are promised.
TEST(GslReference, AgreesWithAnIndependentImplementation) {
  const auto rows = independent_values();
  std::map<std::string, int> points;
  for (const Row& row : rows) {
    ASSERT_TRUE(has_gsl_reference(row.function)) << row.function;
    const Exact exact = gsl_reference(row.function, row.arguments);
    ASSERT_EQ(exact.kind, Kind::value) << row.function << " at " << row.arguments[0];
    EXPECT_LT(relative_error(exact.value, row.value), 0x1p-100)
        << row.function << " at " << row.arguments[0] << ": " << exact.value.to_string(40) << ", not " << row.value;
    ++points[row.function];
  }
  for (const GslReference& reference : gsl_references())
    EXPECT_GE(points[reference.function], 2) << reference.function;
}

TEST(GslReference, IsExactlyZeroWhereTheFunctionIs) {
  const std::vector<std::pair<const char*, std::vector<double>>> zeros = {{"gsl_sf_sinc", {7}},
                                                                          {"gsl_sf_sinc", {-1e300}},
                                                                          {"gsl_sf_sin_pi", {5}},
                                                                          {"gsl_sf_cos_pi", {-2.5}},
                                                                          {"gsl_sf_log", {1}},
                                                                          {"gsl_sf_log_abs", {-1}},
                                                                          {"gsl_sf_lngamma", {1}},
                                                                          {"gsl_sf_lngamma", {2}},
                                                                          {"gsl_sf_gammainv", {-4}},
                                                                          {"gsl_sf_gammainv", {-1e300}},
                                                                          {"gsl_sf_zeta", {-2}},
                                                                          {"gsl_sf_zeta", {-1e300}},
                                                                          {"gsl_sf_eta", {-6}},
                                                                          {"gsl_sf_bessel_J1", {0}},
                                                                          {"gsl_sf_bessel_j2", {0}},
                                                                          {"gsl_sf_erf", {-0.0}},
                                                                          {"gsl_sf_log_erfc", {0}},
                                                                          {"gsl_sf_clausen", {0}},
                                                                          {"gsl_sf_dilog", {0}},
                                                                          {"gsl_sf_legendre_P3", {0}},
                                                                          {"gsl_sf_legendre_Q0", {0}},
                                                                          {"gsl_sf_lambert_W0", {0}},
                                                                          {"gsl_sf_lambert_Wm1", {0}},
                                                                          {"gsl_sf_transport_3", {0}},
                                                                          {"gsl_sf_synchrotron_1", {0}},
                                                                          {"gsl_sf_log_1plusx_mx", {0}},
                                                                          {"gsl_sf_lncosh", {0}},
                                                                          {"gsl_sf_poch", {-2, 3}},
                                                                          {"gsl_sf_beta", {0.5, -1.5}},
                                                                          {"gsl_sf_bessel_Jn", {3, 0}},
                                                                          {"gsl_sf_hermite", {3, 0}},
                                                                          {"gsl_sf_legendre_Pl", {5, 0}},
                                                                          {"gsl_sf_hyperg_1F1", {-1, 1, 1}},
                                                                          {"gsl_sf_ellint_F", {0, 0.5}},
                                                                          {"gsl_sf_laguerre_1", {0.5, 1.5}}};
  for (const auto& [function, arguments] : zeros)
    EXPECT_TRUE(is_exactly(at(function, arguments), 0)) << function << " at " << arguments[0];
}

TEST(GslReference, GivesTheLimitWhereTheFormulaHasAHole) {
  for (const char* function :
       {"gsl_sf_sinc", "gsl_sf_exprel", "gsl_sf_exprel_2", "gsl_sf_bessel_j0", "gsl_sf_bessel_J0",
        "gsl_sf_bessel_i0_scaled", "gsl_sf_debye_1", "gsl_sf_debye_6", "gsl_sf_expint_E2"})
    EXPECT_TRUE(is_exactly(at(function, {0}), 1)) << function;
  EXPECT_LT(relative_error(at("gsl_sf_ellint_Dcomp", {0}).value, "0.78539816339744830961566084581987572104929"), 1e-30);
  EXPECT_LT(relative_error(at("gsl_sf_eta", {1}).value, "0.69314718055994530941723212145817656807550"), 1e-30);
}

TEST(GslReference, KnowsThePolesInsideTheDomain) {
  const std::vector<std::pair<const char*, double>> poles = {{"gsl_sf_lngamma", 0},    {"gsl_sf_lngamma", -3},
                                                             {"gsl_sf_gamma", -1e300}, {"gsl_sf_psi", -5},
                                                             {"gsl_sf_psi", 0},        {"gsl_sf_psi_1", -0x1p97}};
  for (const auto& [function, argument] : poles)
    EXPECT_EQ(at(function, {argument}).kind, Kind::pole) << function << " at " << argument;
  EXPECT_EQ(at("gsl_sf_psi_n", {1, -7}).kind, Kind::pole);
  EXPECT_EQ(at("gsl_sf_psi", {-5.000000000000001}).kind, Kind::value);
}

TEST(GslReference, IsUndefinedOutsideOfGslsDomain) {
  const std::vector<std::pair<const char*, std::vector<double>>> holes = {

      {"gsl_sf_gammastar", {0}},

      {"gsl_sf_zeta", {1}},
      {"gsl_sf_zetam1", {1}},
      {"gsl_sf_log", {-1}},
      {"gsl_sf_log_abs", {0}},
      {"gsl_sf_log_1plusx", {-1}},
      {"gsl_sf_bessel_Y0", {0}},
      {"gsl_sf_bessel_K1", {-1}},
      {"gsl_sf_bessel_y2", {0}},
      {"gsl_sf_Ci", {0}},
      {"gsl_sf_Chi", {0}},
      {"gsl_sf_expint_E1", {0}},
      {"gsl_sf_expint_3", {-1}},
      {"gsl_sf_debye_4", {-1}},
      {"gsl_sf_transport_2", {-1}},
      {"gsl_sf_synchrotron_2", {-1}},
      {"gsl_sf_ellint_Kcomp", {1}},
      {"gsl_sf_ellint_Ecomp", {-1}},
      {"gsl_sf_legendre_Q0", {1}},
      {"gsl_sf_legendre_Q1", {-2}},
      {"gsl_sf_lambert_W0", {-0.5}},
      {"gsl_sf_lambert_Wm1", {-0.5}},
      {"gsl_sf_lnsinh", {0}},
      {"gsl_sf_beta", {0, 1}},
      {"gsl_sf_poch", {0.5, -1.5}},
      {"gsl_sf_gamma_inc", {1, -1}},
      {"gsl_sf_hzeta", {1, 2}},
      {"gsl_sf_hyperg_0F1", {-2, 1}},
      {"gsl_sf_hyperg_U", {0.5, 1, -2}},
      {"gsl_sf_bessel_Jn", {0.5, 1}},
      {"gsl_sf_exp", {INFINITY}},
      {"gsl_sf_exp", {NAN}},
      {"gsl_sf_ellint_F", {2.5, 1.5}}};
  for (const auto& [function, arguments] : holes)
    EXPECT_EQ(at(function, arguments).kind, Kind::undefined) << function << " at " << arguments[0];
}

// Beyond MPFR's exponents: an infinity or a zero.
TEST(GslReference, SurvivesValuesThatNoExponentHolds) {
  EXPECT_TRUE(at("gsl_sf_exp", {1e308}).value.is_inf());
  EXPECT_TRUE(is_exactly(at("gsl_sf_exp", {-1e308}), 0));
  EXPECT_TRUE(at("gsl_sf_gamma", {1e308}).value.is_inf());
}

// Every eighth exponent, both signs, and the middle of the range more densely.
std::vector<double> stratified_doubles() {
  std::mt19937_64 random(20);
  std::uniform_real_distribution<double> mantissa(1, 2), exponent(-4, 12);
  std::vector<double> doubles = {5e-324, -5e-324, 1.7976931348623157e308, -1.7976931348623157e308};
  for (int power = -1074; power < 1024; power += 14)
    for (double sign : {1.0, -1.0})
      doubles.push_back(sign * std::ldexp(mantissa(random), power));
  for (int i = 0; i < 40; ++i)
    doubles.push_back((i % 2 ? 1 : -1) * std::exp2(exponent(random)));
  return doubles;
}

TEST(GslReference, KnowsEveryFunctionOfOneArgumentOnAnyDouble) {
  const auto doubles = stratified_doubles();
  EXPECT_GT(doubles.size(), 300u);
  for (const std::string& function : univariate_functions())
    for (double x : doubles)
      EXPECT_NE(gsl_reference(function, {&x, 1}).kind, Kind::unknown) << function << " at " << x;
}

} // namespace
} // namespace faultline::benchmarks
