// Discovery in Fortran; the letters are those of program/discover.h.
#include "discovering.h"

namespace faultline::program {
namespace {

TEST(Discover, F_FortranScalarsAreReadOrWrittenOrBoth) {
  expect(target_of("subroutine f(a, b, c, n)\nreal(8), intent(in) :: a\nreal(4), intent(out) :: b\nreal(8), "
                   "intent(inout) :: c\ninteger, intent(in) :: n\nb = real(a, 4) * n\nc = c + a\nend subroutine\n",
                   ".f90"),
         "a:binary64 c:binary64 n:int32", "b:binary32 c:binary64");
}

TEST(Discover, F_FortranIntegersThatAreSetAndNotReadAreOutputsThatAreNotJudged) {
  const model::Target target =
      target_of("      SUBROUTINE F(A,X,N,IERR)\n      DOUBLE PRECISION A,X\n      INTEGER N,IERR\n"
                "      IERR = 0\n      IF (A.LT.0D0) IERR = N\n      X = A*2D0\n      END\n",
                ".f");
  expect(target, "a:binary64 n:int32", "x:binary64 ierr:int32-");
}

TEST(Discover, F_FortranFunctionsReturn) {
  expect(
      target_of(
          "real(4) function f(x, n)\nreal(4), intent(in) :: x\ninteger(8), intent(in) :: n\nf = x * n\nend function\n",
          ".f90"),
      "x:binary32 n:int64", "return:binary32");
}

TEST(Discover, F_FortranModuleProceduresAreFound) {
  model::Target target = target_of(
      "module m\ncontains\nreal(8) function f(x)\nreal(8), intent(in) :: x\nf = x * 2\nend function\nend module\n",
      ".f90");
  EXPECT_EQ(target.function, "f");
  expect(target, "x:binary64", "return:binary64");
}

TEST(Discover, G_FortranArraysOfKnownShapeNeedNoSize) {
  expect(target_of("real(8) function f(a)\nreal(8), intent(in) :: a(3)\nf = a(1) - a(3)\nend function\n", ".f90"),
         "a[0]:binary64 a[1]:binary64 a[2]:binary64", "return:binary64");
  EXPECT_EQ(
      target_of("real(8) function f(a)\nreal(8), intent(in) :: a(2,3)\nf = a(1,1) - a(2,3)\nend function\n", ".f90")
          .inputs.size(),
      6u);
}

TEST(Discover, G_FortranArraysMayStartAtZero) {
  EXPECT_EQ(target_of("real(8) function f(a)\nreal(8), intent(in) :: a(0:3)\nf = a(0) - a(3)\nend function\n", ".f90")
                .inputs.size(),
            4u);
}

TEST(Discover, G_FortranArraysOfVariableShapeNeedASize) {
  const std::string source = "real(8) function f(n, a)\ninteger, intent(in) :: n\nreal(8), intent(in) :: a(n)\nf = "
                             "a(1) - a(n)\nend function\n";
  expect_unsuitable(target_of(source, ".f90"), "--size a=N");
  expect(target_of(source, ".f90", {{"a", {2}}}), "n:int32 a[0]:binary64 a[1]:binary64", "return:binary64");
}

} // namespace
} // namespace faultline::program
