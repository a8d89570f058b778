// Checks at the beginning of a function say where it is to be searched.
#include "searching.h"

#include "search/domain.h"

namespace faultline::search {
namespace {

constexpr const char* checked =
    "double f(double rate, double sigma, double years, double spot) {\n"
    "  if (rate < 0.01 || rate > 0.5 || sigma < 0.01 || sigma > 2 || years < 0.1 || years > 50 ||\n"
    "      fabs(spot) > 20)\n"
    "    return 0;\n"
    "  double d = rate * years;\n"
    "  for (int i = 0; i < 20; ++i)\n"
    "    d = sqrt(d * sigma + spot * spot);\n"
    "  return d;\n"
    "}\n";

Space doubles(size_t count) {
  Space space;
  for (size_t i = 0; i < count; ++i)
    space.dimensions.push_back(test::a_double(-1e9L, 1e9L));
  return space;
}

TEST(Domain, IsBetweenTheConstantsOfItsChecks) {
  exec::Session session = test::open_math(checked);
  const std::optional<Space> domain = domain_of_code(session, doubles(4), numeric::Rng(1));
  ASSERT_TRUE(domain);
  const std::vector<std::pair<double, double>> expected = {{0.01, 0.5}, {0.01, 2}, {0.1, 50}, {-20, 20}};
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(double(domain->dimensions[i].low), expected[i].first) << i;
    EXPECT_EQ(double(domain->dimensions[i].high), expected[i].second) << i;
  }
}

TEST(Domain, IsNotNarrowedIfSamplesPassTheChecksAnyway) {
  exec::Session session =
      test::open_math("double f(double x, double y) { if (x < 0) return 0; return sqrt(x) + y * y; }");
  EXPECT_FALSE(domain_of_code(session, doubles(2), numeric::Rng(1)));
}

TEST(Domain, IsUnknownWithoutComparisonsWithConstants) {
  exec::Session session = test::open_math("double f(double x, double y) { return x < y ? 0 : sqrt(x - y) * x; }");
  EXPECT_FALSE(domain_of_code(session, doubles(2), numeric::Rng(1)));
}

} // namespace
} // namespace faultline::search
