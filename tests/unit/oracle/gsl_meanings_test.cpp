// The meanings of GSL's functions, by which faultline bench gsl scores inputs: against mpmath, at zeros, poles and the
// ends of domains, and on doubles of every size. gsl_values.py has written gsl_values.csv.
#include "oracle/meaning/catalogue.h"
#include "oracle/meaning/evaluation.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sstream>

namespace faultline::test {
namespace {

using oracle::MeaningValue;
using Kind = MeaningValue::Kind;

std::vector<std::vector<std::string>> read_table(const std::string& name) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream file(std::string(FAULTLINE_ROOT) + "/" + name);
  std::string line;
  std::getline(file, line); // the titles
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::vector<std::string>& row = rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');)
      row.push_back(field);
  }
  return rows;
}

// As faultline exact does. The precision mode is left out of the arguments.
MeaningValue exact_at(const std::string& function, const std::vector<double>& arguments) {
  for (const oracle::KnownFunction& known : oracle::known_functions(function)) {
    std::vector<long double> inputs(arguments.begin(), arguments.end());
    if (!known.inputs.empty() && known.inputs.back() == "mode")
      inputs.push_back(0);
    if (inputs.size() == known.inputs.size())
      return oracle::evaluate(known.expression, known.inputs, inputs, numeric::Format::extended80, 5e-324);
  }
  ADD_FAILURE() << function << " is not in the catalogue";
  return MeaningValue();
}

void expect_value(const MeaningValue& value, const std::string& digits, const std::string& where) {
  ASSERT_EQ(value.kind, Kind::value) << where << ": " << value.why;
  numeric::BigFloat wanted(256), difference(256);
  ASSERT_EQ(mpfr_set_str(wanted.raw(), digits.c_str(), 10, MPFR_RNDN), 0);
  mpfr_sub(difference.raw(), value.reference.value.raw(), wanted.raw(), MPFR_RNDN);
  // What is smaller than any double may count as 0.
  EXPECT_LT(difference.log2_magnitude(), std::max(wanted.log2_magnitude() - 78, -1075.0))
      << where << ": " << value.reference.value.to_string(40) << ", not " << digits;
}

TEST(GslMeanings, AgreeWithAnIndependentImplementation) {
  std::map<std::string, int> points;
  for (const std::vector<std::string>& row : read_table("tests/unit/oracle/gsl_values.csv")) {
    std::vector<double> arguments;
    std::istringstream words(row.at(1));
    for (std::string word; words >> word;)
      arguments.push_back(std::stod(word));
    expect_value(exact_at(row.at(0), arguments), row.at(2), row.at(0) + " at " + row.at(1));
    ++points[row.at(0)];
  }
  EXPECT_EQ(points.size(), 184u);
  for (const auto& [function, count] : points)
    EXPECT_GE(count, 2) << function;
}

struct Call {
  const char* function;
  std::vector<double> arguments;
};

TEST(GslMeanings, AreExactlyZeroWhereTheFunctionIs) {
  const Call zeros[] = {{"gsl_sf_sinc", {7}},
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
                        {"gsl_sf_poch", {-0x1p433, -0x1p300}},
                        {"gsl_sf_beta", {0.5, -1.5}},
                        {"gsl_sf_bessel_Jn", {3, 0}},
                        {"gsl_sf_hermite", {3, 0}},
                        {"gsl_sf_hermite_prob", {2, 1}},
                        {"gsl_sf_legendre_Pl", {5, 0}},
                        {"gsl_sf_hyperg_1F1", {-1, 1, 1}},
                        {"gsl_sf_ellint_F", {0, 0.5}},
                        {"gsl_sf_laguerre_1", {0.5, 1.5}}};
  for (const Call& zero : zeros) {
    const MeaningValue value = exact_at(zero.function, zero.arguments);
    EXPECT_TRUE(value.kind == Kind::value && value.reference.value.is_zero())
        << zero.function << " at " << zero.arguments[0] << ": " << value.why;
  }
}

TEST(GslMeanings, HaveTheLimitWhereTheFormulaHasAHole) {
  for (const char* function :
       {"gsl_sf_sinc", "gsl_sf_exprel", "gsl_sf_exprel_2", "gsl_sf_bessel_j0", "gsl_sf_bessel_J0",
        "gsl_sf_bessel_i0_scaled", "gsl_sf_debye_1", "gsl_sf_debye_6", "gsl_sf_expint_E2"})
    expect_value(exact_at(function, {0}), "1", function);
  expect_value(exact_at("gsl_sf_ellint_Dcomp", {0}), "0.78539816339744830961566084581987572104929", "ellint_Dcomp");
  expect_value(exact_at("gsl_sf_eta", {1}), "0.69314718055994530941723212145817656807550", "eta");
  // Two poles of the gamma function: by their residues.
  expect_value(exact_at("gsl_sf_poch", {-3, -2}), "0.05", "poch");
}

TEST(GslMeanings, KnowPolesFromTheEndsOfDomains) {
  const Call poles[] = {{"gsl_sf_lngamma", {0}},  {"gsl_sf_lngamma", {-3}}, {"gsl_sf_gamma", {-1e300}},
                        {"gsl_sf_psi", {-5}},     {"gsl_sf_psi", {0}},      {"gsl_sf_psi_1", {-0x1p97}},
                        {"gsl_sf_psi_n", {1, -7}}};
  for (const Call& pole : poles) {
    const MeaningValue value = exact_at(pole.function, pole.arguments);
    EXPECT_TRUE(value.kind == Kind::undefined && value.pole) << pole.function << ": " << value.why;
  }
  EXPECT_EQ(exact_at("gsl_sf_psi", {-5.000000000000001}).kind, Kind::value);
  const Call holes[] = {{"gsl_sf_log", {-1}},           {"gsl_sf_log_abs", {0}},      {"gsl_sf_log_1plusx", {-1}},
                        {"gsl_sf_gammastar", {0}},      {"gsl_sf_bessel_Y0", {0}},    {"gsl_sf_bessel_K1", {-1}},
                        {"gsl_sf_bessel_y2", {0}},      {"gsl_sf_Ci", {0}},           {"gsl_sf_Chi", {0}},
                        {"gsl_sf_expint_E1", {0}},      {"gsl_sf_expint_3", {-1}},    {"gsl_sf_debye_4", {-1}},
                        {"gsl_sf_transport_2", {-1}},   {"gsl_sf_ellint_Kcomp", {1}}, {"gsl_sf_legendre_Q0", {1}},
                        {"gsl_sf_legendre_Q1", {-2}},   {"gsl_sf_lnsinh", {0}},       {"gsl_sf_lambert_W0", {-0.5}},
                        {"gsl_sf_lambert_Wm1", {-0.5}}, {"gsl_sf_hzeta", {1, 2}},     {"gsl_sf_gamma_inc", {1, -1}},
                        {"gsl_sf_exp", {INFINITY}},     {"gsl_sf_exp", {NAN}}};
  for (const Call& hole : holes) {
    const MeaningValue value = exact_at(hole.function, hole.arguments);
    EXPECT_TRUE(value.kind == Kind::undefined && !value.pole) << hole.function << ": " << value.why;
  }
}

// K, Y and the conical function at arguments for which Arb has no fast method.
TEST(GslMeanings, LargeOrdersHaveAValueOrAreUnknown) {
  EXPECT_EQ(exact_at("gsl_sf_bessel_Knu", {0x1p977, 215.5}).kind, Kind::value);
  EXPECT_EQ(exact_at("gsl_sf_bessel_Knu_scaled", {0x1p800, 0.01}).kind, Kind::value);
  EXPECT_EQ(exact_at("gsl_sf_bessel_Ynu", {0x1p700, 0.5}).kind, Kind::value);
  EXPECT_EQ(exact_at("gsl_sf_conicalP_0", {0x1.54cbef9ea5861p+388, 0x1.5784e79de73ffp+4}).kind, Kind::unknown);
  expect_value(exact_at("gsl_sf_bessel_Knu", {2000, 1.5}), "6.2508858468689464445463852616487871017039484789954e+5981",
               "bessel_Knu");
}

// Every 14th exponent, both signs, and the middle of the range more densely.
std::vector<double> doubles_of_every_size() {
  std::mt19937_64 random(20);
  std::uniform_real_distribution<double> mantissa(1, 2), exponent(-4, 12);
  std::vector<double> doubles = {5e-324, -5e-324, 1.7976931348623157e308, -1.7976931348623157e308};
  for (int power = -1074; power < 1024; power += 14)
    for (const double sign : {1.0, -1.0})
      doubles.push_back(sign * std::ldexp(mantissa(random), power));
  for (int i = 0; i < 40; ++i)
    doubles.push_back((i % 2 ? 1 : -1) * std::exp2(exponent(random)));
  return doubles;
}

TEST(GslMeanings, KnowEveryFunctionOfOneArgumentOnAnyDouble) {
  const std::vector<double> doubles = doubles_of_every_size();
  EXPECT_GT(doubles.size(), 300u);
  const auto functions = read_table("benchmarks/gsl/published/gsl_univariate.csv");
  EXPECT_EQ(functions.size(), 107u);
  for (const std::vector<std::string>& row : functions)
    for (const double x : doubles)
      EXPECT_NE(exact_at(row.at(0), {x}).kind, Kind::unknown) << row.at(0) << " at " << x;
}

} // namespace
} // namespace faultline::test
