// What an expression may look like, and what is said of one that is wrong.
#include "oracle/meaning/parser.h"

#include <gtest/gtest.h>

namespace faultline::test {
namespace {

const std::vector<std::string> inputs = {"x", "y", "a[0]", "a[1]", "point.x"};

oracle::WrongExpression wrong(const std::string& text) {
  try {
    oracle::parse_meaning(text, inputs);
  } catch (const oracle::WrongExpression& error) {
    return error;
  }
  ADD_FAILURE() << text << " is read";
  return {};
}

TEST(MeaningParser, ReadsInputsOfEveryShape) {
  EXPECT_EQ(oracle::parse_meaning("y", inputs).index, 1u);
  EXPECT_EQ(oracle::parse_meaning("a[1]", inputs).index, 3u);
  EXPECT_EQ(oracle::parse_meaning("point.x", inputs).index, 4u);
  EXPECT_EQ(oracle::parse_meaning("sum(k, 0, 1, a[k])", inputs).parts[2].kind, oracle::Expression::Kind::element);
}

TEST(MeaningParser, InnerNamesHideOuterOnesAndConstants) {
  using Kind = oracle::Expression::Kind;
  EXPECT_EQ(oracle::parse_meaning("let x = 1 in x", inputs).parts[1].kind, Kind::variable);
  EXPECT_EQ(oracle::parse_meaning("e", inputs).kind, Kind::constant);
  EXPECT_EQ(oracle::parse_meaning("e", std::vector<std::string>{"e"}).kind, Kind::input);
}

TEST(MeaningParser, ErrorsPointAtTheirColumn) {
  EXPECT_EQ(wrong("sqrt(x) + z").column, 10u);
  EXPECT_EQ(wrong("sqrt(x) + z").cure, "the inputs are: x, y, a[0], a[1], point.x");
  EXPECT_EQ(wrong("1 + besselJ(0, x)").column, 4u);
  EXPECT_NE(wrong("1 + besselJ(0, x)").cure.find("besselj"), std::string::npos);
  EXPECT_EQ(wrong("sin(x, y)").column, 0u);
  EXPECT_EQ(wrong("x +").column, 3u);
  EXPECT_EQ(wrong("x $ y").column, 2u);
  EXPECT_EQ(wrong("(x").column, 2u);
  EXPECT_EQ(wrong("x y").column, 2u);
  EXPECT_EQ(wrong("a[2]").column, 0u);
  EXPECT_EQ(wrong("x[y]").column, 1u);
  EXPECT_EQ(wrong("if(x, 1, 2)").column, 4u);
  EXPECT_EQ(wrong("gamma + 1").column, 0u);
  EXPECT_EQ(wrong("").column, 0u);
  EXPECT_EQ(wrong("x < y").column, 2u);
}

TEST(MeaningParser, TheCaretStandsBelow) { EXPECT_EQ(oracle::with_caret("x + z", 4), "x + z\n    ^"); }

TEST(MeaningParser, IsNotDrivenIntoDepthOrTime) {
  EXPECT_NE(wrong(std::string(5000, '(') + "x").what.find("deep"), std::string::npos);
  EXPECT_NE(wrong(std::string(5000, '-') + "x").what.find("deep"), std::string::npos);
  std::string conditions = "x";
  for (int i = 0; i < 40; ++i)
    conditions = "if((" + conditions + " < 1), 1, 1)";
  EXPECT_FALSE(wrong(conditions).what.empty());
  EXPECT_NE(wrong(std::string(100'000, ' ')).what.find("long"), std::string::npos);
}

} // namespace
} // namespace faultline::test
