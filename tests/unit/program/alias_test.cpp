// Pointers that share memory, and arrays whose types tell their shape.
#include "model/target.h"

#include "../temporary_folder.h"
#include "base/error.h"
#include "program/program.h"

#include <gtest/gtest.h>

namespace faultline::program {
namespace {

using test::TemporaryFolder;

model::Target target_of(const std::string& text, const model::Sizes& sizes, const model::Aliases& aliases = {},
                        const std::string& ending = ".c") {
  TemporaryFolder folder;
  auto all = Program::load({{folder.write("subject" + ending, text)}, {}, ""}).targets(sizes, aliases);
  EXPECT_EQ(all.size(), 1u);
  return all.at(0);
}

std::string names(const std::vector<model::Cell>& cells) {
  std::string all;
  for (const model::Cell& cell : cells)
    all += (all.empty() ? "" : " ") + cell.name;
  return all;
}

void expect(const model::Target& target, const std::string& inputs, const std::string& outputs) {
  EXPECT_EQ(target.unsuitable, "");
  EXPECT_EQ(names(target.inputs), inputs);
  EXPECT_EQ(names(target.outputs), outputs);
}

// What is said, with the hint; the status is that of wrong usage.
std::string refusal(const std::string& text, const model::Sizes& sizes, const model::Aliases& aliases,
                    const std::string& ending = ".c") {
  try {
    const model::Target target = target_of(text, sizes, aliases, ending);
    return "accepted: " + target.unsuitable;
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, base::status_usage);
    EXPECT_NE(error.hint, "");
    return error.what();
  }
}

void expect_refused(const std::string& raw, const std::string& part) {
  EXPECT_NE(raw.find(part), std::string::npos) << "'" << raw << "' does not say " << part;
}

const std::string scale =
    "void f(double s, const double* x, double* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] * x[0] - s; }";

TEST(Alias, APointerHasTheCellsOfTheOneItShares) {
  const model::Target target = target_of(scale, {{"x", {2}}}, {{"y", "x"}});
  expect(target, "s x[0] x[1] n", "x[0] x[1]");
  EXPECT_EQ(target.parameters.at(2).offset, target.parameters.at(1).offset);
  EXPECT_EQ(target.parameters.at(2).alias_of, "x");
  EXPECT_EQ(target.outputs.at(1).offset, target.inputs.at(2).offset);
}

TEST(Alias, WithoutItEachHasMemoryOfItsOwn) {
  const model::Target target = target_of(scale, {{"*", {2}}});
  expect(target, "s x[0] x[1] n", "y[0] y[1]");
  EXPECT_NE(target.parameters.at(2).offset, target.parameters.at(1).offset);
  EXPECT_EQ(target.parameters.at(2).alias_of, "");
}

TEST(Alias, TheOwnerMayStandBehindAndBeTheOneThatIsWritten) {
  const std::string text = "void f(double* y, const double* x) { y[0] = x[0] - x[1]; y[1] = x[0] * y[0]; }";
  const model::Target behind = target_of(text, {{"x", {2}}}, {{"y", "x"}});
  expect(behind, "x[0] x[1]", "x[0] x[1]");
  EXPECT_EQ(behind.parameters.at(0).name, "y");
  EXPECT_EQ(behind.parameters.at(0).offset, behind.parameters.at(1).offset);
  expect(target_of(text, {{"y", {2}}}, {{"x", "y"}}), "y[0] y[1]", "y[0] y[1]");
}

TEST(Alias, AliasesOfAliasesLeadToTheOwner) {
  const std::string text =
      "void f(const double* x, const double* y, double* z) { z[0] = x[0] - y[1]; z[1] = x[1] - y[0]; }";
  const model::Target target = target_of(text, {{"x", {2}}}, {{"z", "y"}, {"y", "x"}});
  expect(target, "x[0] x[1]", "x[0] x[1]");
  EXPECT_EQ(target.parameters.at(2).alias_of, "x");
}

TEST(Alias, TwoPointersThatAreOnlyReadCanBeOne) {
  const std::string text = "double f(const double* restrict x, const double* restrict y) { return x[0] - y[1]; }";
  expect(target_of(text, {{"x", {2}}}, {{"y", "x"}}), "x[0] x[1]", "return");
}

TEST(Alias, StructsAndReferencesCanBeShared) {
  const std::string text = "typedef struct { double re, im; } number;\n"
                           "void f(const number* a, number* r) { r->re = a->re - a->im; r->im = a->re; }";
  expect(target_of(text, {}, {{"r", "a"}}), "a.re a.im", "a.re a.im");
  expect(target_of("void f(const double& a, double& b) { b = a - 1; b = a * b; }", {}, {{"b", "a"}}, ".cpp"), "a", "a");
}

TEST(Alias, AFunctionThatLacksOneOfTheNamesIsAsItWas) {
  expect(target_of("double f(const double* x) { return x[0] - 1; }", {{"x", {1}}}, {{"y", "x"}}), "x[0]", "return");
}

TEST(Alias, WhatCannotBeSharedIsRefused) {
  expect_refused(
      refusal("double f(const float* x, const double* y) { return x[0] - y[0]; }", {{"*", {2}}}, {{"y", "x"}}),
      "'y' is const double*, 'x' is const float*");
  expect_refused(refusal("double f(double x, const double* y) { return x - y[0]; }", {{"*", {2}}}, {{"y", "x"}}),
                 "'x' is passed by value");
  expect_refused(
      refusal("double f(double z, const int* x, const int* y) { return z * x[0] - y[1]; }", {{"*", {2}}}, {{"y", "x"}}),
      "'x' has integers in it");
  expect_refused(refusal("void f(const double* restrict x, double* restrict y) { y[0] = x[0] - x[1]; }", {{"*", {2}}},
                         {{"y", "x"}}),
                 "restrict");
  expect_refused(refusal(scale, {{"x", {2}}, {"y", {3}}}, {{"y", "x"}}), "'y' has 3 elements, 'x' only 2");
  expect_refused(refusal(scale, {{"*", {2}}}, {{"y", "x"}, {"x", "y"}}), "in a circle");
  expect_refused(refusal("subroutine f(x, y)\n real(8), intent(in) :: x(2)\n real(8), intent(out) :: y(2)\n"
                         " y(1) = x(1) - x(2)\n y(2) = x(1)\nend subroutine",
                         {}, {{"y", "x"}}, ".f90"),
                 "Fortran");
}

TEST(Alias, NamesThatNoFunctionHasAreRefused) {
  std::vector<model::Target> targets(2);
  targets[0].parameters.resize(2);
  targets[0].parameters[0].name = "x";
  targets[0].parameters[1].name = "y";
  targets[1].parameters.resize(1);
  targets[1].parameters[0].name = "z";
  const auto raw = [&](const model::Aliases& aliases) {
    try {
      check_aliases(targets, aliases);
      return std::string("accepted");
    } catch (const base::UserError& error) {
      EXPECT_EQ(error.status, base::status_usage);
      return std::string(error.what()) + " / " + error.hint;
    }
  };
  EXPECT_EQ(raw({{"y", "x"}}), "accepted");
  EXPECT_EQ(raw({{"q", "x"}}), "--alias q=x: there is no parameter 'q' / the parameters are: x, y, z");
  EXPECT_EQ(raw({{"y", "q"}}), "--alias y=q: there is no parameter 'q' / the parameters are: x, y, z");
  EXPECT_EQ(raw({{"z", "x"}}), "--alias z=x: no function has both parameters / the parameters are: x, y, z");
}

TEST(Alias, ASlipIsNotReportedAsAMissingSize) {
  TemporaryFolder folder;
  Program program = Program::load({{folder.write("subject.c", scale)}, {}, ""});
  try {
    program.find({"f"}, {{"y", {2}}}, false, {{"x", "why"}});
    FAIL() << "x has no size";
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, base::status_usage);
    expect_refused(error.what(), "there is no parameter 'why'");
  }
}

const std::string trace = "double f(const double (*A)[3], int n) { return A[0][0] - A[1][1] * n; }";

TEST(Shape, PointersToRowsNeedTheNumberOfRows) {
  const model::Target without = target_of(trace, {});
  EXPECT_NE(without.unsuitable.find("--size A=Nx3"), std::string::npos) << without.unsuitable;
  for (const model::Sizes& sizes : {model::Sizes{{"A", {2, 3}}}, model::Sizes{{"A", {2}}}, model::Sizes{{"*", {2}}}})
    expect(target_of(trace, sizes), "A[0] A[1] A[2] A[3] A[4] A[5] n", "return");
  const model::Target wrong = target_of(trace, {{"A", {2, 2}}});
  EXPECT_NE(wrong.unsuitable.find("rows of 3"), std::string::npos) << wrong.unsuitable;
}

TEST(Shape, MatricesAreChangedInPlace) {
  expect(target_of("void f(double A[2][2]) { A[1][0] /= A[0][0]; A[1][1] -= A[1][0] * A[0][1]; }", {{"A", {2, 2}}}),
         "A[0] A[1] A[2] A[3]", "A[0] A[1] A[2] A[3]");
}

TEST(Shape, OutputsThatAreOnlyWrittenAreNoInputs) {
  expect(
      target_of("void f(const double* x, double* y) { y[0] = x[0] - 1; y[1] = x[0] + 1; }", {{"x", {1}}, {"y", {2}}}),
      "x[0]", "y[0] y[1]");
}

TEST(Shape, ReferencesToArraysTellTheirSize) {
  expect(
      target_of("double f(const double (&A)[2][2]) { return A[0][0] * A[1][1] - A[0][1] * A[1][0]; }", {}, {}, ".cpp"),
      "A[0] A[1] A[2] A[3]", "return");
  expect(target_of("#include <array>\nvoid f(std::array<double, 2>& a) { a[0] = a[0] - a[1]; a[1] += a[0]; }", {}, {},
                   ".cpp"),
         "a[0] a[1]", "a[0] a[1]");
  expect(target_of("#include <array>\ndouble f(const std::array<std::array<double, 2>, 2>& a) { return a[0][0] - "
                   "a[1][1]; }",
                   {}, {}, ".cpp"),
         "a[0] a[1] a[2] a[3]", "return");
}

TEST(Shape, WhatHasNoKnownSizeAsksForOne) {
  const model::Target target =
      target_of("#include <vector>\ndouble f(const std::vector<double>& a) { return a[0] - a[1]; }", {}, {}, ".cpp");
  EXPECT_NE(target.unsuitable.find("--size a=N"), std::string::npos) << target.unsuitable;
}

TEST(Shape, FortranMatricesTellTheirSize) {
  const model::Target target =
      target_of("subroutine f(a)\n real(8), intent(inout) :: a(2,2)\n a(2,2) = a(2,2) - a(1,1)\n"
                "end subroutine",
                {}, {}, ".f90");
  expect(target, "a[0] a[1] a[2] a[3]", "a[0] a[1] a[2] a[3]");
}

TEST(Alias, MatricesOfRowsAndFlatOnesShareMemory) {
  const model::Target target =
      target_of("void f(const double (*A)[2], double* B) { B[0] = A[0][0] - A[1][1]; B[3] = A[0][1]; }",
                {{"A", {2, 2}}}, {{"B", "A"}});
  expect(target, "A[0] A[1] A[2] A[3]", "A[0] A[1] A[2] A[3]");
  expect(target_of("void f(const double* A, double (*B)[2]) { B[0][0] = A[0] - A[3]; B[1][1] = A[1]; }", {{"A", {4}}},
                   {{"B", "A"}}),
         "A[0] A[1] A[2] A[3]", "A[0] A[1] A[2] A[3]");
}

} // namespace
} // namespace faultline::program
