// Integers that are lengths of arrays, rows and columns.
#include "target_space.h"

#include "judge/array_errors.h"

namespace faultline::judge {

using model::Settings;
namespace {

TEST(SpaceOf, LengthsAreThoseOfTheArrays) {
  Settings settings;
  settings.sizes = {{"a", {7}}};
  const char* text = "double f(const double* a, int n, int stride, int k) { double s = 0; for (int i = 0; i < n; i += "
                     "stride) s += a[i]; return s + a[k]; }";
  expect_range(dimension(text, "n", settings), 7, 7);
  expect_range(dimension(text, "stride", settings), 1, 1);
  expect_range(dimension(text, "k", settings), 0, 6);
  settings.ranges = {{"n", {1, 7}}};
  expect_range(dimension(text, "n", settings), 1, 7);
}

TEST(SpaceOf, LengthsFollowASizeForAllArrays) {
  Settings settings;
  settings.sizes = {{"*", {5}}};
  expect_range(
      dimension(
          "double f(const double* a, long len) { double s = 0; for (long i = 0; i < len; i++) s += a[i]; return s; }",
          "len", settings),
      5, 5);
}

TEST(SpaceOf, LengthWithoutAnArrayIsAnOrdinaryInteger) {
  EXPECT_FALSE(dimension("double f(double x, int n) { return x * n; }", "n").held());
}

TEST(SpaceOf, RowsAndColumnsAreThoseOfTheMatrix) {
  Settings settings;
  settings.sizes = {{"A", {3, 4}}};
  auto held = [&](const std::string& parameters, const std::string& name, long double value) {
    SCOPED_TRACE(name);
    expect_range(dimension("double f(const double* A, " + parameters + ") { return A[0]; }", name, settings), value,
                 value);
  };
  held("int rows, int cols", "rows", 3);
  held("int rows, int cols", "cols", 4);
  held("int nrow, int ncol", "nrow", 3);
  held("int nrow, int ncol", "ncol", 4);
  held("int m, int n", "m", 3);
  held("int m, int n", "n", 4);
  held("int n", "n", 3);
  held("long count", "count", 3);
  settings.sizes = {{"A", {10}}}; // as many as surely fit
  held("int rows, int cols", "rows", 3);
  held("int rows, int cols", "cols", 3);
  held("int rows", "rows", 10);
}

TEST(SpaceOf, LengthBesideStructsIsTheirNumber) {
  Settings settings;
  settings.sizes = {{"p", {16}}};
  const char* text =
      "struct point { double x, y; };\ndouble f(const struct point* p, int n) { double s = 0; for (int i = 0; "
      "i < n; ++i) s += p[i].x * p[i].y; return s; }";
  expect_range(dimension(text, "n", settings), 16, 16);
  EXPECT_EQ(dimension(text, "p[15].y", settings).name, "p[15].y");
}

// MINPACK's dogleg: r is packed, and lr is its own length.
const char* const packed =
    "double f(int n, const double* r, int lr, const double* diag) { double s = 0; for (int i = 0; i < n; i++) s += "
    "r[i] * diag[i]; return s + r[lr - 1]; }";

TEST(SpaceOf, ALengthOfAnotherArrayIsLeftToIt) {
  Settings settings;
  settings.sizes = {{"r", {6}}, {"diag", {3}}};
  expect_range(dimension(packed, "n", settings), 3, 3);
  expect_range(dimension(packed, "lr", settings), 6, 6);
  EXPECT_EQ(guessed_lengths(target_of(packed, settings), settings),
            "n is held at 3, by the size of diag; --hold n=N says otherwise");
  settings.held = {{"n", 2}};
  expect_range(dimension(packed, "n", settings), 2, 2);
  EXPECT_EQ(guessed_lengths(target_of(packed, settings), settings), "");
}

TEST(SpaceOf, ALengthIsThatOfTheNextArray) {
  Settings settings;
  settings.sizes = {{"a", {4}}, {"b", {5}}};
  const char* text = "double f(int n, const double* a, int m, const double* b) { return a[n - 1] + b[m - 1]; }";
  expect_range(dimension(text, "n", settings), 4, 4);
  expect_range(dimension(text, "m", settings), 5, 5);
}

TEST(SpaceOf, ALengthThatADeclarationNamesIsThatArrays) {
  Settings settings;
  settings.sizes = {{"a", {4}}, {"b", {5}}};
  const char* text =
      "double f(int n /* of b[9] */, const double *a,\n  const double b[restrict n]) { return a[0] + b[n - "
      "1]; }";
  expect_range(dimension(text, "n", settings), 5, 5);
  EXPECT_EQ(guessed_lengths(target_of(text, settings), settings), "");
}

TEST(SpaceOf, ALeadingDimensionIsThatOfItsMatrix) {
  Settings settings;
  settings.sizes = {{"a", {3, 4}}, {"x", {4}}};
  const char* text = "double f(int n, const double* x, const double* a, int lda) { return a[lda + n] + x[0]; }";
  expect_range(dimension(text, "lda", settings), 4, 4);
  settings.sizes = {{"a", {9}}, {"x", {3}}};
  expect_range(dimension(text, "lda", settings), 3, 3);
  expect_range(dimension(text, "n", settings), 3, 3);
}

} // namespace
} // namespace faultline::judge
