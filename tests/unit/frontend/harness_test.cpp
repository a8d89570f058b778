// Targets that are called through a harness: what their numbers are called. tests/signatures has the whole range.
#include "discovering.h"
#include "expect_target.h"
#include "frontend/harness/failed_harnesses.h"

#include <gtest/gtest.h>

namespace faultline::frontend {
namespace {

TEST(Harness, NamesTheFieldsOfAStruct) {
  const std::string point = "struct point { double x; int n; };\n";
  expect(target_of(point + "double f(struct point p) { return p.x * p.n; }"), "p.x:binary64 p.n:int32",
         "return:binary64");
  expect(target_of(point + "struct point f(double x) { struct point p = {x, 1}; return p; }"), "x:binary64",
         "return.x:binary64 return.n:binary64");
}

TEST(Harness, TakesAFunctionFromASmallFamily) {
  const Target target = target_of("double f(double x, double (*g)(double)) { return g(x); }");
  expect(target, "x:binary64 g:int32", "return:binary64");
  EXPECT_EQ(target.inputs[1].values, (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(target.families, std::vector<std::string>{"g: 0 is x*x - 2, 1 is sin(x), 2 is the constant 1"});
}

TEST(Harness, MakesANumberOfADecision) {
  expect(target_of("int f(double x) { return x > 0; }"), "x:binary64", "return:binary64");
}

TEST(Harness, AsksForALengthThatIsFree) {
  expect_unsuitable(target_of("#include <vector>\ndouble f(const std::vector<double>& v) { return v[0]; }", ".cpp"),
                    "--size v=N");
}

TEST(Harness, IsNotUsedWhereTheFunctionCanBeCalledAsItIs) {
  EXPECT_TRUE(target_of("double f(double x) { return x; }").harness.empty());
}

TEST(Harness, NamesCellsByExtentsAndLeaves) {
  const NamedParameter named{"z", "z[", "][", "]", {3, 2}, {".real", ".imag"}, true, false, "z"};
  EXPECT_EQ(named.count(), 12u);
  EXPECT_EQ(named.cell(0), "z[0][0].real");
  EXPECT_EQ(named.cell(11), "z[2][1].imag");
}

TEST(Harness, ThatDoesNotCompileIsLeftOut) {
  HarnessNotes notes;
  notes.harnesses = {{.name = "harness_a"}, {.name = "harness_b"}};
  EXPECT_TRUE(leave_out_failed("lib.hpp:3:1: error: no member\nharness_b:2:3: note: in instantiation\n", notes));
  EXPECT_TRUE(notes.harnesses[0].exists());
  EXPECT_NE(notes.harnesses[1].obstacle.find("no member"), std::string::npos);
  EXPECT_FALSE(leave_out_failed("f.cpp:3:1: error: the source's own\n", notes));
}

} // namespace
} // namespace faultline::frontend
