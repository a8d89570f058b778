// Advice for code in Fortran must be Fortran.
#include "explain/fortran_text.h"

#include <gtest/gtest.h>

namespace faultline::explain {
namespace {

using numeric::Format;

TEST(FortranText, HasTheFunctionsOfFortran) {
  EXPECT_EQ(in_fortran("write fabs(x) * fmax(y, z) for a", Format::binary64), "write abs(x) * max(y, z) for a");
  EXPECT_EQ(in_fortran("write hypot(x, y) for sqrt(x * x + y * y)", Format::binary64),
            "write hypot(x, y) for sqrt(x * x + y * y)");
}

TEST(FortranText, WritesPowersAsOperators) {
  EXPECT_EQ(in_fortran("write x for pow(pow(y, 3), n + 1) - 1", Format::binary64), "write x for (y**3)**(n + 1) - 1");
}

TEST(FortranText, GivesConstantsTheirFormat) {
  EXPECT_EQ(in_fortran("write 0.1 * x + 2 for 1e-5 + y1", Format::binary64), "write 0.1d0 * x + 2 for 1d-5 + y1");
  EXPECT_EQ(in_fortran("write 0.1 * x for y", Format::binary32), "write 0.1 * x for y");
}

TEST(FortranText, NamesFormatsOfFortran) {
  EXPECT_EQ(in_fortran("compute in long double (no rewrite tried helps)", Format::binary64),
            "compute in real(10) (no rewrite tried helps)");
  EXPECT_EQ(in_fortran("compute in double (no rewrite tried helps)", Format::binary32),
            "compute in double precision (no rewrite tried helps)");
}

TEST(FortranText, DeclaresFunctionsThatOnlyCHas) {
  const std::string advice = in_fortran("write expm1(x) / (expm1(x) + 2) for tanh(y)", Format::binary64);
  EXPECT_EQ(advice, "write expm1(x) / (expm1(x) + 2) for tanh(y); Fortran has to declare C's: use iso_c_binding; "
                    "interface; real(c_double) function expm1(x) bind(c, name='expm1'); import c_double; "
                    "real(c_double), value :: x; end function; end interface");
  EXPECT_NE(in_fortran("write log1p(x) for log(1 + x)", Format::binary32).find("name='log1pf'"), std::string::npos);
}

} // namespace
} // namespace faultline::explain
