// Targets that are called through a harness: what their numbers are called. tests/signatures has the whole range.
#include "discovering.h"
#include "expect_target.h"
#include "program/harnessed_source.h"

#include <gtest/gtest.h>

namespace faultline::program {
namespace {

TEST(Harness, NamesTheFieldsOfAStruct) {
  const std::string point = "struct point { double x; int n; };\n";
  expect(target_of(point + "double f(struct point p) { return p.x * p.n; }"), "p.x:binary64 p.n:int32",
         "return:binary64");
  expect(target_of(point + "struct point f(double x) { struct point p = {x, 1}; return p; }"), "x:binary64",
         "return.x:binary64 return.n:binary64");
}

TEST(Harness, TakesAFunctionFromASmallFamily) {
  const model::Target target = target_of("double f(double x, double (*g)(double)) { return g(x); }");
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

TEST(Harness, CountsTheElementsOfFortranAsItsSourceDoes) {
  NamedParameter named{"z", "z(", ",", ")", {3, 2}, {".real", ".imag"}, true, false, "z", {1, 0}};
  EXPECT_EQ(named.cell(0), "z(1,0).real");
  EXPECT_EQ(named.cell(3), "z(2,0).imag");
  EXPECT_EQ(named.cell(11), "z(3,1).imag");
}

TEST(Harness, OfFortranReadsTextsAndProceduresAsNumbersThatChoose) {
  const model::Target target =
      target_of("real(8) function f(g, how, x)\nreal(8), external :: g\ncharacter, intent(in) :: how\n"
                "real(8), intent(in) :: x\nf = x\nif (how == 'N') f = g(x)\nif (how == 'T') f = -x\n"
                "end function\n",
                ".f90");
  expect(target, "g:int32 how:int32 x:binary64", "return:binary64");
  EXPECT_EQ(target.inputs[0].values, (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(target.inputs[1].values, (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(target.families.back(), "how: 0 is 'N', 1 is 'T'");
}

TEST(Harness, OfFortranNeedsOneSizeForArraysOfOneLength) {
  const std::string source = "subroutine f(n, z, w)\ninteger, intent(in) :: n\ncomplex(8), intent(in) :: z(n)\n"
                             "real(8), intent(out) :: w(n)\nw = real(z)\nend subroutine\n";
  expect_unsuitable(target_of(source, ".f90"), "--size z=N");
  expect(target_of(source, ".f90", {{"z", {1}}}), "n:int32 z(1).real:binary64 z(1).imag:binary64", "w(1):binary64");
}

TEST(Harness, OfFortranRefusesQuadruplePrecisionByItsName) {
  expect_unsuitable(target_of("real(16) function f(x)\nreal(16), intent(in) :: x\nf = x\nend function\n", ".f90"),
                    "'x': real(16) is not supported");
}

TEST(Harness, OfFortranLeavesOutOptionalArgumentsThatNeedASize) {
  const std::string source = "module m\ncontains\nreal(8) function f(z, by, w)\ncomplex(8), intent(in) :: z\n"
                             "real(8), intent(in), optional :: by(:), w\nf = real(z)\n"
                             "if (present(by)) f = f - by(1)\nif (present(w)) f = f - w\nend function\nend module\n";
  expect(target_of(source, ".f90"), "z.real:binary64 z.imag:binary64 w:binary64", "return:binary64");
  expect(target_of(source, ".f90", {{"by", {1}}}), "z.real:binary64 z.imag:binary64 by(1):binary64 w:binary64",
         "return:binary64");
}

TEST(Harness, ThatDoesNotCompileIsLeftOut) {
  HarnessNotes notes;
  notes.harnesses = {{.name = "harness_a"}, {.name = "harness_b"}};
  EXPECT_TRUE(leave_out_failed("lib.hpp:3:1: error: no member\nharness_b:2:3: note: in instantiation\n", notes));
  EXPECT_TRUE(notes.harnesses[0].exists());
  EXPECT_NE(notes.harnesses[1].obstacle.find("no member"), std::string::npos);
  EXPECT_FALSE(leave_out_failed("f.cpp:3:1: error: the source's own\n", notes));
  EXPECT_TRUE(leave_out_failed("error: Semantic errors in h.f90\nharness_a:5:10: error: not found\n", notes));
  EXPECT_FALSE(notes.harnesses[0].exists());
}

} // namespace
} // namespace faultline::program
