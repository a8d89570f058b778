// What the source says of the extents of arrays.
#include "program/compiling/fortran_statements.h"
#include "program/discover.h"

#include <gtest/gtest.h>

namespace faultline::program {
namespace {

using Extents = std::vector<std::string>;

TEST(DeclaredExtents, OfFortran) {
  DeclaredExtents found = extents_in_fortran(fortran_statements(R"(subroutine dogleg(N, r, lr, diag, a, b, c)
  integer, intent(in) :: n, lr
  double precision r(LR), diag(n) ! a(wrong)
  real(8), dimension(n, lr) :: a, &
    b
  real(kind(1.0d0)), intent(inout) :: c(0:n-1, max(n, 2))
  r(1) = diag(n)
contains
  subroutine inner
    real(8) diag(3)
)",
                                                                FortranForm::free));
  EXPECT_EQ(found["r"], Extents{"lr"});
  EXPECT_EQ(found["diag"], Extents{"n"});
  EXPECT_EQ(found["a"], (Extents{"n", "lr"}));
  EXPECT_EQ(found["b"], (Extents{"n", "lr"}));
  EXPECT_EQ(found["c"], (Extents{"0:n-1", "max(n,2)"}));
}

TEST(DeclaredExtents, OfC) {
  DeclaredExtents found = extents_in_c("static double\nf(int n, double a[restrict static n][m + 1], const double *b,\n"
                                       " double c[] /* d[n] */, double e[3]) { double g[n]; return 0; }\n",
                                       "f");
  EXPECT_EQ(found["a"], (Extents{"n", "m+1"}));
  EXPECT_EQ(found["c"], Extents{""});
  EXPECT_EQ(found["e"], Extents{"3"});
  EXPECT_FALSE(found.contains("b"));
  EXPECT_FALSE(found.contains("d"));
  EXPECT_FALSE(found.contains("g"));
  EXPECT_TRUE(extents_in_c("double g(int n, double a[n]);", "f").empty());
}

} // namespace
} // namespace faultline::program
