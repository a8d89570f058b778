// A NaN in the place of a limit could have been avoided; one at a pole or at a jump could not.
#include "workshop.h"

#include "judge/exceptions/limit.h"

namespace faultline::judge {
namespace {

bool tends(const std::string& expression, const exec::Input& input, const std::string& inputs = "double x") {
  Workshop shop("double f(" + inputs + ") { return " + expression + "; }");
  return has_limit(shop.session, shop.space, input, {0}, 1);
}

TEST(Limit, IsWhereTheSingularityIsRemovable) {
  EXPECT_TRUE(tends("sin(x) / x", {0}));
  EXPECT_TRUE(tends("x * log(x)", {0})) << "from one side: there is no other";
  EXPECT_TRUE(tends("(x * x - 4) / (x - 2)", {2}));
  EXPECT_TRUE(tends("(1 - cos(x)) / (x * x)", {0}));
  EXPECT_TRUE(tends("sqrt(fabs(x)) * log(fabs(x))", {0}));
}

TEST(Limit, IsNotAtPolesJumpsAndOutsideOfTheDomain) {
  EXPECT_FALSE(tends("x / fabs(x)", {0}));
  EXPECT_FALSE(tends("x / (x * x)", {0}));
  EXPECT_FALSE(tends("log(fabs(x)) + 0 / x", {0})) << "an infinity is no limit";
  EXPECT_FALSE(tends("sqrt(x)", {-1}));
}

bool at_one_value(const std::string& expression, const exec::Input& input) {
  Workshop shop("double f(double x, double y) { return " + expression + "; }");
  return is_at_one_value(shop.session, shop.space, input, {0}, 1);
}

TEST(Limit, IsMissedAtOneValueOrOnlyAtACorner) {
  EXPECT_TRUE(at_one_value("y * sin(x) / x", {0, 0}));
  EXPECT_TRUE(at_one_value("y * log(y) + x", {1, 0}));
  EXPECT_FALSE(at_one_value("x * y / (x + y)", {0, 0}));
  EXPECT_FALSE(at_one_value("x / (fabs(x) + fabs(y))", {0, 0}));
}

TEST(Limit, IsTheSameFromAllDirections) {
  EXPECT_TRUE(tends("x * y / (x + y)", {0, 0}, "double x, double y"));
  EXPECT_FALSE(tends("x / (x + y)", {0, 0}, "double x, double y"));
  EXPECT_FALSE(tends("(x * x - y * y) / (x * x + y * y)", {0, 0}, "double x, double y"));
}

} // namespace
} // namespace faultline::judge
