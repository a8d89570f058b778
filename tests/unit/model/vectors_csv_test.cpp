#include "base/error.h"
#include "model/vectors/vector.h"

#include <gtest/gtest.h>

namespace faultline::model {
namespace {

std::vector<VectorSet> sample() {
  VectorSet set;
  set.function = "ns::f(double, int)"; // a comma
  set.file = "a \"b\".c";
  set.sizes = {{"a", {3, 4}}, {"work", {13}}};
  set.vectors = {{Region::problem,
                  "cancellation",
                  {{"x", {"1e-8", "0x1.5798ee2308c3ap-27"}}, {"n", {"4", "4"}}},
                  "",
                  {{"return", {"0", "0x0p+0"}, {"0.5", "0x1p-1"}, 4503599627370496, "lifted"},
                   {"err", {"nan", "nan"}, {"", ""}, NAN, ""}}},
                 {Region::special, "ended", {{"x", {"-0", "-0x0p+0"}}, {"n", {"0", "0"}}}, "called abort", {}},
                 {Region::border,
                  "correctly rounded",
                  {{"x", {"2", "0x1p+1"}}, {"n", {"-1", "-1"}}},
                  "",
                  {{"return", {"inf", "inf"}, {"inf", "inf"}, 0, "meaning"}}}};
  set.outcomes = 4;
  set.covered = 3;
  return {set};
}

TEST(VectorsCsv, ReadsBackAsWhatWasWritten) {
  const std::string text = vectors_csv(sample());
  std::vector<VectorSet> read = parse_vectors(text, "f.csv");
  ASSERT_EQ(read.size(), 1u);
  ASSERT_EQ(read[0].vectors.size(), 3u);
  EXPECT_EQ(read[0].function, "ns::f(double, int)");
  EXPECT_EQ(read[0].sizes, sample()[0].sizes);
  EXPECT_EQ(read[0].vectors[0].outputs.size(), 2u);
  EXPECT_EQ(read[0].vectors[0].outputs[0].ulps, 4.5036e15); // six digits of it
  EXPECT_FALSE(read[0].vectors[0].outputs[1].is_known());
  EXPECT_EQ(read[0].vectors[1].ending, "called abort");
  EXPECT_EQ(read[0].vectors[1].input[0].value.hex, "-0x0p+0");
  EXPECT_EQ(read[0].vectors[2].region, Region::border);
  read[0].outcomes = 4;
  read[0].covered = 3;
  EXPECT_EQ(vectors_csv(read), text);
}

TEST(VectorsCsv, SizesThatAreNoneAreRefused) {
  const std::string head = "input,function,output,computed,reference,error_ulps,sizes\n";
  for (const char* sizes : {"a=", "a=3x", "a=-1", "a=99999999999999999999", "a"})
    EXPECT_THROW(parse_vectors(head + "x=1,f,return,1,1.5,2," + sizes + "\n", "f.csv"), base::UserError) << sizes;
}

TEST(VectorsCsv, ATableOfSomebodyElseNeedsFewColumns) {
  const auto read = parse_vectors("input,function,output,computed,reference,error_ulps\n"
                                  "x=1 y[0]=0x1p3,f,return,1,1.5,2\r\nx=2 y[0]=3,f,return,1,,\n",
                                  "f.csv");
  ASSERT_EQ(read.at(0).vectors.size(), 2u);
  EXPECT_EQ(read[0].vectors[0].input[1].name, "y[0]");
  EXPECT_TRUE(std::isnan(read[0].vectors[1].worst()));
}

// A row is not compared with all before it: time would grow with the square of the file.
TEST(VectorsCsv, AVectorMayHaveManyOutputs) {
  std::string text = "input,function,output,computed,reference,error_ulps\n";
  for (int i = 0; i < 50'000; ++i)
    text += "x=1,f,out[" + std::to_string(i) + "],1,,\n";
  const auto read = parse_vectors(text + "x=1,f,out[7],2,,\n", "f.csv");
  ASSERT_EQ(read.at(0).vectors.size(), 2u) << "what is there again is of the next run";
  EXPECT_EQ(read[0].vectors[0].outputs.size(), 50'000u);
}

TEST(VectorsCsv, WhatIsWrongIsToldWithItsLine) {
  const std::string header = "function,input,output,computed,reference,error_ulps\n";
  for (const auto& [text, told] : {std::pair<std::string, std::string>{"", "no line with the names"},
                                   {"function,input\n", "line 1: there is no column 'output'"},
                                   {header + "f,x=1,return,1\n", "line 2: has 4 columns"},
                                   {header + "f,x=one,return,1,1,0\n", "line 2: 'one' is not a number"},
                                   {header + "f,1,return,1,1,0\n", "is not NAME=VALUE"},
                                   {header + "f,x=1,return,,1,0\n", "no computed value"},
                                   {header + "f,x=1,return,1,1,-1\n", "is not an error"},
                                   {header + "f,x=1,return,1,1,\n", "without an error"},
                                   {header + "# \"\nf,\"x=1,return,1,1,0\n", "line 3: a quote is not closed"}}) {
    try {
      parse_vectors(text, "f.csv");
      ADD_FAILURE() << text;
    } catch (const base::UserError& problem) {
      EXPECT_NE(std::string(problem.what()).find(told), std::string::npos) << problem.what();
    }
  }
}

TEST(VectorErrors, GrowByAFactorBeyondTwoUlps) {
  EXPECT_FALSE(grew(0, 4, 2)); // as if it had been 2
  EXPECT_TRUE(grew(0, 4.5, 2));
  EXPECT_FALSE(grew(100, 200, 2));
  EXPECT_TRUE(grew(100, 201, 2));
  EXPECT_TRUE(grew(1e18, INFINITY, 2));
  EXPECT_FALSE(grew(INFINITY, INFINITY, 2));
}

} // namespace
} // namespace faultline::model
