// The expression that a report underlines and names: by the column of the operator, as compilers put it.
#include "../temporary_folder.h"

#include "model/expression.h"

#include <gtest/gtest.h>

namespace faultline::model {
namespace {

// The column is that of the first `mark` in the line.
std::string at(const std::string& line, const std::string& mark, size_t from = 0) {
  const auto expression = expression_at(line, int(line.find(mark, from)) + 1);
  return expression ? expression->text : "";
}

TEST(Expression, OfAProductHasItsFactors) {
  EXPECT_EQ(at("  return sqrt(b_ * b_ - 4 * a_ * c_);", "* b_"), "b_ * b_");
  EXPECT_EQ(at("  return sqrt(b_ * b_ - 4 * a_ * c_);", "* a_"), "4 * a_");
  EXPECT_EQ(at("  return sqrt(b_ * b_ - 4 * a_ * c_);", "* c_"), "4 * a_ * c_");
  EXPECT_EQ(at("y = 2 * c_ / (-b_ - root);", "/ ("), "2 * c_ / (-b_ - root)");
  EXPECT_EQ(at("y = a * -b;", "* -"), "a * -b");
  EXPECT_EQ(at("y = -b * c;", "* c"), "b * c") << "the sign is not a factor's";
  EXPECT_EQ(at("y = x**2 + 1", "**"), "x**2") << "Fortran";
}

TEST(Expression, OfAnFPCoreIsTheListThatTheOperationBegins) {
  const std::string line = "  (/ (- 1 (cos x)) (* x x))";
  const auto text = [&](int column) {
    const auto expression = expression_in("f.fpcore", line, column);
    return expression ? expression->text : "";
  };
  EXPECT_EQ(text(4), "(/ (- 1 (cos x)) (* x x))");
  EXPECT_EQ(text(7), "(- 1 (cos x))");
  EXPECT_EQ(text(12), "(cos x)");
  EXPECT_EQ(text(9), "") << "no operation stands there";
  EXPECT_FALSE(expression_in("f.fpcore", "  (/ x", 4)) << "it goes on in the next line";
  EXPECT_EQ(expression_in("f.c", "y = a * b;", 7)->text, "a * b");
}

TEST(Expression, OfASumHasItsTerms) {
  EXPECT_EQ(at("  return sqrt(b_ * b_ - 4 * a_ * c_);", "- 4"), "b_ * b_ - 4 * a_ * c_");
  EXPECT_EQ(at("    return (-b_ + root) / (2 * a_);", "+ root"), "-b_ + root");
  EXPECT_EQ(at("  return -b + r;", "+ r"), "-b + r");
  EXPECT_EQ(at("d = 1.0 - cos(x);", "- cos"), "1.0 - cos(x)");
  EXPECT_EQ(at("e = a - b + c;", "+ c"), "a - b + c");
  EXPECT_EQ(at("x=1e-5+y", "+y"), "1e-5+y");
  EXPECT_EQ(at("s = 1d-3 - v%w(i)", "- v"), "1d-3 - v%w(i)") << "Fortran";
  EXPECT_EQ(at("s = f(a) - b - c;", "- c"), "f(a) - b - c");
  EXPECT_EQ(at("s = 1. - b - c;", "- c"), "1. - b - c");
}

TEST(Expression, HasNumbersWithTheirExponents) {
  for (const char* number : {"1e-5", "1d-3", "1D+3", "2.5E-7", "0x1p-3"})
    EXPECT_EQ(at(std::string("y = ") + number + " * x;", "* x"), std::string(number) + " * x");
  EXPECT_EQ(at("y = tape-3 * x;", "* x"), "3 * x") << "a name that ends like one";
  EXPECT_EQ(at("y = 0xe-x * y;", "* y"), "x * y") << "a hexadecimal digit";
}

TEST(Expression, HasOperandsWithTheirMembers) {
  EXPECT_EQ(at("y = a - q.x;", "- q"), "a - q.x");
  EXPECT_EQ(at("y = q.x - a;", "- a"), "q.x - a");
  EXPECT_EQ(at("y = p->x - a;", "- a"), "p->x - a");
  EXPECT_EQ(at("y = std::abs(x) - a;", "- a"), "std::abs(x) - a");
  EXPECT_EQ(at("y = a - p->x;", "- p"), "a - p->x");
}

TEST(Expression, OfACallOrANameIsTheCall) {
  EXPECT_EQ(at("  return std::sqrt(x * (y + 1)) + 2;", "std"), "std::sqrt(x * (y + 1))");
  EXPECT_EQ(at("p->value[3] = 1;", "p->"), "p->value[3]");
}

TEST(Expression, OfAnAssignmentHasBothSides) { EXPECT_EQ(at("    sum += a[i];", "+="), "sum += a[i]"); }

TEST(Expression, OfAFortranStatementIsWhatItAssigns) {
  EXPECT_EQ(at("      SM = A + C", "SM"), "A + C");
  EXPECT_EQ(at("  r(i, 2) = half * (s - t)  ! the smaller one", "r"), "half * (s - t)");
  EXPECT_EQ(at("  s = a * b + &", "s"), "s") << "goes on in the next line";
  EXPECT_EQ(at("  if (sm == rt) then", "sm"), "sm");
  EXPECT_EQ(at("  y = 2; z = 3", "y"), "y");
}

TEST(Expression, IsNoneWhereTheLineDoesNotSay) {
  EXPECT_FALSE(expression_at("x = a *", 7));
  EXPECT_FALSE(expression_at("x = f(a, ", 5)) << "it goes on in the next line";
  EXPECT_FALSE(expression_at("x", 0));
  EXPECT_FALSE(expression_at("x", 2));
  EXPECT_FALSE(expression_at("", 1));
  EXPECT_FALSE(expression_at("; x", 1));
  EXPECT_FALSE(expression_at("p->x", 2)) << "an arrow";
  EXPECT_FALSE(expression_at("a // b", 3)) << "a comment";
}

TEST(Expression, TellsItsColumns) {
  const auto expression = expression_at("  y = a * b;", 9);
  ASSERT_TRUE(expression);
  EXPECT_EQ(expression->first, 7);
  EXPECT_EQ(expression->end, 12);
}

TEST(Expression, IsReadForTheCauseAndForWhereItComesFrom) {
  test::TemporaryFolder folder;
  Finding finding;
  finding.cause = Cause{folder.write("a.c", "\n  y = a * b;\n  z = y - c;\n"), 3, 9, "f", "fsub"};
  finding.aftermath.emplace().origin = Origin{*finding.cause, Kind::overflow};
  finding.aftermath->origin->place.line = 2;
  SourceText source({folder.path("")});
  read_expressions(finding, source);
  EXPECT_EQ(finding.cause->source, "y - c");
  EXPECT_EQ(finding.cause->end_column, 12);
  EXPECT_EQ(finding.aftermath->origin->place.source, "a * b");
  EXPECT_EQ(finding.aftermath->origin->place.end_column, 12);
}

} // namespace
} // namespace faultline::model
