// The questions that code asks: which temporaries are substituted, and which are not.
#include "fix/source_question.h"

#include "fix/source_edits.h"
#include "fix/source_fortran.h"

#include <gtest/gtest.h>

namespace faultline::fix {
namespace {

// The largest question about the first place with this text, as a term.
std::string asked(const std::string& code, const std::string& place) {
  const size_t offset = code.find(place);
  EXPECT_NE(offset, std::string::npos);
  const std::optional<Function> function = fortran_function(code, "a.f90", line_of(code, offset), false);
  if (!function)
    return "no function";
  const Questions questions = questions_for(*function, code, {offset}, {});
  return questions.all.empty() ? questions.refusal : text(questions.all.back().question.term);
}

std::string procedure(const std::string& body, const std::string& names = "x, y") {
  return "real(8) function f(" + names + ")\n  real(8), intent(in) :: " + names +
         "\n  real(8) :: a, b, v(3)\n  integer :: i\n" + body + "end function\n";
}

TEST(Questions, SubstituteTemporaries) {
  EXPECT_EQ(asked(procedure("  a = exp(x)\n  b = a - 1\n  f = b / x\n"), "- 1"), "(/ (- (exp x) 1) x)");
}

TEST(Questions, KeepVariablesThatAreAssignedTwice) {
  EXPECT_EQ(asked(procedure("  a = exp(x)\n  a = a * 2\n  f = a - 1\n"), "- 1"), "(- a 1)");
}

TEST(Questions, KeepVariablesOfLoops) {
  EXPECT_EQ(asked(procedure("  a = 0\n  do i = 1, 3\n    a = a + x\n  end do\n  f = a - 1\n"), "- 1"), "(- a 1)");
}

TEST(Questions, KeepATemporaryWhosePartsChange) {
  EXPECT_EQ(asked(procedure("  v(1) = x\n  a = v(1) + 1\n  v(1) = y\n  f = a - 1\n"), "- 1"), "(- a 1)");
  EXPECT_EQ(asked(procedure("  v(1) = x\n  a = v(1) + 1\n  f = a - 1\n"), "- 1"), "(- (+ part1 1) 1)");
}

TEST(Questions, KeepATemporaryOfAnInnerBlock) {
  EXPECT_EQ(asked(procedure("  a = 1\n  if (x > 0) then\n    b = exp(x)\n  end if\n  f = b - 1\n"), "- 1"), "(- b 1)");
}

TEST(Questions, ReadSmallPowersAsProducts) {
  EXPECT_EQ(asked(procedure("  f = x**2 - y**2\n"), "- y"), "(- (* x x) (* y y))");
}

TEST(FortranReader, KnowsKindsPrecedenceAndContinuedLines) {
  const std::string code =
      "module m\n  integer, parameter :: dp = kind(1.0d0)\ncontains\n"
      "  function g(x) result(r)\n    real(dp), intent(in) :: x\n    real(dp) :: r\n"
      "    r = -x**2 * 2.0_dp & ! a comment\n        - sqrt(x) / 3\n  end function g\nend module\n";
  EXPECT_EQ(asked(code, "- sqrt"), "(- (- (* (* x x) 2)) (/ (sqrt x) 3))");
}

TEST(FortranReader, FindsThePlacesInTheFile) {
  const std::string code = procedure("  f = 1 - COS(x)\n");
  const std::optional<Function> function = fortran_function(code, "a.f90", 5, false);
  ASSERT_TRUE(function);
  const std::optional<Found> found = node_at(*function, code.find("- COS"));
  ASSERT_TRUE(found);
  EXPECT_EQ(code.substr(found->node->span.begin, found->node->span.size()), "1 - COS(x)");
}

} // namespace
} // namespace faultline::fix
