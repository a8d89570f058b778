#include "model/settings/settings.h"

#include "base/error.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::model {
namespace {

template <class Read> std::string refusal(Read read) {
  try {
    read();
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, base::status_usage);
    EXPECT_FALSE(error.hint.empty());
    return error.what();
  }
  return "accepted";
}

TEST(RangeValue, DecimalAndHexEnds) {
  const auto [name, bounds] = range_from("x=-1:0x1p-3");
  EXPECT_EQ(name, "x");
  EXPECT_EQ(bounds.low, -1);
  EXPECT_EQ(bounds.high, 0.125);
  EXPECT_EQ(range_from("A[3]=0:0").first, "A[3]");
  EXPECT_EQ(range_from("x=-1e-320:1e308").second.high, 1e308L);
}

TEST(RangeValue, WithoutANameIsForAll) {
  for (const char* text : {"-1:1", "*=-1:1"}) {
    const auto [name, bounds] = range_from(text);
    EXPECT_EQ(name, "*") << text;
    EXPECT_EQ(bounds.low, -1);
    EXPECT_EQ(bounds.high, 1);
  }
  EXPECT_EQ(refusal([] { range_from("2:1"); }), "--range 2:1: the low end is above the high end");
  for (const char* text : {"1", ":", "1:", ":1", "a:b", "0:inf", "*=", "*=1", "*=2:1", "1:2:3"})
    EXPECT_NE(refusal([&] { range_from(text); }), "accepted") << text;
}

TEST(RangeValue, NonsenseIsRefused) {
  EXPECT_EQ(refusal([] { range_from("x=2:1"); }), "--range x=2:1: the low end is above the high end");
  for (const char* text : {"", "x", "x=", "=1:2", "x=1", "x=1:", "x=:1", "x=1:2:3", "x=a:b", "x=0:inf", "x=nan:1",
                           "x=1,5:2", "x=0:1e999999"})
    EXPECT_NE(refusal([&] { range_from(text); }), "accepted") << text;
}

TEST(SizeValue, VectorsAndMatrices) {
  EXPECT_EQ(size_from("A=32").second, (std::vector<uint64_t>{32}));
  EXPECT_EQ(size_from("A=4x5").second, (std::vector<uint64_t>{4, 5}));
  EXPECT_EQ(size_from("8").first, "*");
  for (const char* text :
       {"", "A", "A=", "A=0", "A=-1", "A=4x", "A=x4", "A=4X4", "A=99999999999999999999", "A=100000x100000", "A=1.5"})
    EXPECT_NE(refusal([&] { size_from(text); }), "accepted") << text;
}

TEST(DurationValue, HasUnits) {
  EXPECT_EQ(duration("--budget", "10s"), 10);
  EXPECT_EQ(duration("--budget", "500ms"), 0.5);
  EXPECT_EQ(duration("--budget", "2m"), 120);
  EXPECT_EQ(duration("--budget", "2min"), 120);
  EXPECT_EQ(duration("--budget", "1h"), 3600);
  EXPECT_EQ(duration("--budget", "0.25"), 0.25);
  for (const char* text : {"", "s", "10 s", "-1s", "0s", "infs", "nan", "10x", "1e300h"})
    EXPECT_NE(refusal([&] { duration("--budget", text); }), "accepted") << text;
}

TEST(EverydayValue, HasEndsAndPerhapsALeastMagnitude) {
  EXPECT_EQ(everyday_from("x=-1:2").second, (Everyday{-1, 2, 0}));
  EXPECT_EQ(everyday_from("x=-1:2:0.25").second, (Everyday{-1, 2, 0.25L}));
  for (const char* text : {"*=1:2", "x", "x=1", "x=2:1", "x=0:1:2", "x=0:1:-1", "x=0:inf", "x=0:1:0.5:3", "0:1"})
    EXPECT_NE(refusal([&] { everyday_from(text); }), "accepted") << text;
}

TEST(FormatValue, KnowsTheFormats) {
  EXPECT_EQ(format_from("x=binary32").second, numeric::Format::binary32);
  EXPECT_EQ(format_from("x=double").second, numeric::Format::binary64);
  EXPECT_EQ(format_from("x=extended80").second, numeric::Format::extended80);
  EXPECT_NE(refusal([] { format_from("x=binary128"); }), "accepted");
  for (const char* text : {"binary32", "*=binary32", "float", "*=float"})
    EXPECT_EQ(format_from(text), (std::pair<std::string, numeric::Format>("*", numeric::Format::binary32))) << text;
  for (const char* text : {"", "=", "*=", "=binary32", "x", "x=", "binary128"})
    EXPECT_NE(refusal([&] { format_from(text); }), "accepted") << text;
}

TEST(NumberValues, AreWholeOrPositive) {
  EXPECT_EQ(whole("--seed", "18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(whole("--evals", "1e5"), 100'000u);
  EXPECT_EQ(whole("--evals", "2.5E+3"), 2'500u);
  for (const char* text : {"1e-5", "2.5", "1e17", "0x1p3", "inf", "nan", "1e5x", "-1e5"})
    EXPECT_NE(refusal([&] { whole("--evals", text); }), "accepted") << text;
  EXPECT_EQ(positive("--threshold", "1e-3"), 1e-3);
  for (const char* text : {"", "-1", "1.0", "0x10", "18446744073709551616", " 1"})
    EXPECT_NE(refusal([&] { whole("--seed", text); }), "accepted") << text;
  for (const char* text : {"", "-1", "0", "inf", "nan", "1e-400", "abc"})
    EXPECT_NE(refusal([&] { positive("--threshold", text); }), "accepted") << text;
  EXPECT_NE(refusal([] { positive_whole("-j", "0"); }), "accepted");
}

TEST(StatusValue, IsAnOutputAndWhatItSaysOnSuccess) {
  EXPECT_EQ(status_from("return=0").output, "return");
  EXPECT_EQ(status_from("info").output, "info");
  EXPECT_EQ(status_from("info").success, 0);
  EXPECT_EQ(status_from("ok=1").success, 1);
  for (const char* text : {"=0", "*", "return=", "return=ok"})
    EXPECT_NE(refusal([&] { status_from(text); }), "accepted") << text;
}

TEST(WantedValue, IsACommaList) {
  const WantedKinds some = wanted_from("error,branches");
  EXPECT_TRUE(some.error && some.branches);
  EXPECT_FALSE(some.exceptions || some.crashes || some.bound);
  EXPECT_NE(refusal([] { wanted_from("error,"); }), "accepted");
  EXPECT_NE(refusal([] { wanted_from("errors"); }), "accepted");
}

TEST(AtValue, ScalarsListsAndArrays) {
  using Cells = std::map<std::string, std::string>;
  EXPECT_EQ(input_from({"x=1e-7"}), (Cells{{"x", "1e-7"}}));
  EXPECT_EQ(input_from({"x=1e-7,y=2"}), (Cells{{"x", "1e-7"}, {"y", "2"}}));
  EXPECT_EQ(input_from({"A=[4, -5], x=1"}), (Cells{{"A[0]", "4"}, {"A[1]", "-5"}, {"x", "1"}})); // as reports print it
  EXPECT_EQ(input_from({"A=1,0x1p-3,nan,x=4"}),
            (Cells{{"A[0]", "1"}, {"A[1]", "0x1p-3"}, {"A[2]", "nan"}, {"x", "4"}}));
  EXPECT_EQ(input_from({"A[3]=5", "A[4]=-6"}), (Cells{{"A[3]", "5"}, {"A[4]", "-6"}}));
  EXPECT_EQ(input_from({"A=[1,2]"}), (Cells{{"A[0]", "1"}, {"A[1]", "2"}})) << "as reports print it";
  EXPECT_EQ(input_from({}), Cells{});
  for (const std::vector<std::string>& texts : {std::vector<std::string>{"x"},
                                                {"=1"},
                                                {"x="},
                                                {"x=1,"},
                                                {"1,2"},
                                                {"x=one"},
                                                {"x=1", "x=2"},
                                                {"A=1,2", "A[1]=3"}})
    EXPECT_NE(refusal([&] { input_from(texts); }), "accepted") << texts[0];
}

} // namespace
} // namespace faultline::model
