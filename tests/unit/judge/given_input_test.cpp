// The input that a user names with --at: what is taken as it is, what is noted, and what is refused.
#include "base/error.h"
#include "judge/given_input.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::judge {

using model::Settings;
namespace {

model::Type integer(int bits, bool is_signed) {
  model::Type type;
  type.floating = false;
  type.bits = bits;
  type.is_signed = is_signed;
  return type;
}

model::Type single() {
  model::Type type;
  type.format = numeric::Format::binary32;
  return type;
}

// double f(double x, float y, int n, const double A[3], unsigned char k, double* out)
model::Target target() {
  model::Target target;
  target.function = "f";
  target.inputs = {{"x", {}},    {"y", single()}, {"n", integer(32, true)}, {"A[0]", {}},
                   {"A[1]", {}}, {"A[2]", {}},    {"k", integer(8, false)}};
  target.outputs = {{"return", {}}, {"out.val", {}}};
  return target;
}

using Written = std::map<std::string, std::string>;

Written with(Written more) {
  more.insert({{"x", "1"}, {"y", "2"}, {"n", "3"}, {"A", "4,5,6"}, {"k", "1"}});
  return more;
}

GivenInput given(const Written& more, const Settings& settings = {}) {
  return input_at(target(), settings, with(more));
}

std::string refusal(const Written& at) {
  try {
    input_at(target(), {}, at);
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, base::status_usage);
    return std::string(error.what()) + " / " + error.hint;
  }
  return "no error was thrown";
}

std::string refusal_of(const Written& more) { return refusal(with(more)); }

void expect_said(const std::string& text, const std::string& words) {
  EXPECT_NE(text.find(words), std::string::npos) << text;
}

TEST(GivenInput, IsTakenAsItIsWritten) {
  const GivenInput taken = given({{"x", "0x1p-20"}, {"y", "0.1"}, {"n", "-3"}});
  EXPECT_EQ(taken.input, (exec::Input{0x1p-20L, 0.1f, -3, 4, 5, 6, 1}));
  EXPECT_TRUE(taken.notes.empty()) << taken.notes.front();
  EXPECT_TRUE(std::isnan(given({{"x", "nan"}}).input[0]));
}

TEST(GivenInput, CellsOfAnArrayCanBeGivenOneByOne) {
  const Written cells{{"x", "1"}, {"y", "2"}, {"n", "3"}, {"A[0]", "7"}, {"A[1]", "8"}, {"A[2]", "9"}, {"k", "0"}};
  EXPECT_EQ(input_at(target(), {}, cells).input[5], 9);
}

TEST(GivenInput, ANumberThatTheFormatLacksIsRoundedAndSaid) {
  const GivenInput rounded = given({{"y", "1.23456789012"}});
  EXPECT_EQ(rounded.input[1], 1.23456789012f);
  ASSERT_EQ(rounded.notes.size(), 1u);
  expect_said(rounded.notes[0], "y = 1.23456789012 is not a number of binary32: the nearest, 1.2345679, is used");
  EXPECT_TRUE(given({{"x", "0.1000000000000000055511151231257827"}}).notes.empty()) << "all digits of the double 0.1";
}

TEST(GivenInput, ANumberThatTheFormatCannotHoldIsRefused) {
  expect_said(refusal_of({{"x", "1e999"}}), "x = 1e999: beyond binary64");
  expect_said(refusal_of({{"y", "1e60"}}), "the largest is 3.4028235e+38");
  expect_said(refusal_of({{"x", "-1e-400"}}), "closer to 0 than any number of binary64");
  expect_said(refusal_of({{"x", "-1e-400"}}), "5e-324");
  expect_said(refusal_of({{"x", "one"}}), "x = one: not a binary64 number");
}

TEST(GivenInput, AnIntegerThatIsNoneOrDoesNotFitIsRefused) {
  expect_said(refusal_of({{"n", "2.5"}}), "n = 2.5: not a whole number");
  expect_said(refusal_of({{"n", "inf"}}), "not a whole number");
  expect_said(refusal_of({{"n", "2147483648"}}), "n = 2147483648: beyond int32 / -2147483648 to 2147483647");
  expect_said(refusal_of({{"k", "256"}}), "beyond uint8 / 0 to 255");
  expect_said(refusal_of({{"k", "-1"}}), "beyond uint8");
  EXPECT_EQ(given({{"n", "-2147483648"}, {"k", "255"}}).input[6], 255);
}

TEST(GivenInput, AWrongNameBringsTheNearestOnes) {
  expect_said(refusal_of({{"xx", "1"}}), "f has no input 'xx' / x");
  expect_said(refusal_of({{"something_else", "1"}}), "the inputs are x, y, n, A, k");
  expect_said(refusal_of({{"out", "1"}}), "'out' is an output of f, not an input");
  expect_said(refusal_of({{"A[3]", "1"}}), "'A' has 3 elements: there is no 'A[3]'");
  expect_said(refusal_of({{"x[0]", "1"}}), "'x' is one number, and several are given");
}

TEST(GivenInput, WhatIsMissingIsNamed) {
  expect_said(refusal({{"x", "1"}, {"y", "2"}, {"A", "4,5,6"}, {"k", "1"}}), "input 'n' has no value");
  expect_said(refusal({{"x", "1"}}), "inputs have no value: y, n, A, k");
  expect_said(refusal({{"x", "1"}, {"y", "2"}, {"n", "3"}, {"A", "4,5"}, {"k", "1"}}),
              "'A' has 3 elements, 2 are given");
  expect_said(refusal({{"x", "1"}, {"y", "2"}, {"n", "3"}, {"A[0]", "4"}, {"A[1]", "5"}, {"k", "1"}}),
              "'A' has 3 elements, 2 are given");
}

TEST(GivenInput, WhereAHuntWouldNotLookIsNoted) {
  Settings settings;
  settings.ranges["x"] = {0, 1};
  settings.formats["A"] = numeric::Format::binary32;
  settings.held["n"] = 4;
  const GivenInput outside = given({{"x", "5"}, {"A", "0.1,0.5,0.25"}}, settings);
  ASSERT_EQ(outside.notes.size(), 3u);
  expect_said(outside.notes[0], "x = 5 is outside of 0:1, where a hunt looks");
  expect_said(outside.notes[1], "n = 3: a hunt holds it at 4");
  expect_said(outside.notes[2], "A[0] = 0.1 is not a number of binary32, which a hunt keeps to");
  EXPECT_EQ(outside.input[0], 5) << "it is used all the same";
}

} // namespace
} // namespace faultline::judge
