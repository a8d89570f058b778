// Operations in standard headers are reported at the lines that use them.
#include "instrument/site_builder.h"

#include <gtest/gtest.h>

namespace faultline::instrument {
namespace {

TEST(StandardHeaders, AreThoseOfTheLanguagesAndTheCompilers) {
  for (const char* path :
       {"/usr/include/math.h", "/usr/include/tgmath.h", "/usr/include/bits/stdlib-float.h",
        "/usr/include/x86_64-linux-gnu/bits/mathinline.h", "/usr/include/x86_64-linux-gnu/sys/types.h",
        "/usr/include/c++/12/bits/stl_algobase.h", "/usr/include/c++/12/complex",
        "/usr/include/x86_64-linux-gnu/c++/12/bits/c++config.h", "/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h",
        "/usr/lib/llvm-19/lib/clang/19/include/emmintrin.h", "/usr/lib/clang/19/include/emmintrin.h",
        "/usr/lib/llvm-19/include/c++/v1/cmath", "/usr/local/include/c++/13/cmath"})
    EXPECT_TRUE(is_standard_header(path)) << path;
}

TEST(StandardHeaders, AreNotThoseOfOtherLibraries) {
  for (const char* path :
       {"/usr/include/boost/math/tools/roots.hpp", "/usr/include/eigen3/Eigen/src/LU/Determinant.h",
        "/usr/include/gsl/gsl_math.h", "/usr/include/fftw3.h", "/usr/include/x86_64-linux-gnu/gmp.h",
        "/usr/lib/x86_64-linux-gnu/openmpi/include/mpi.h", "/usr/include/mylib/math.h", "/home/me/math.h",
        "/opt/include/c++/12/complex", "/usr/lib/llvm-19/include/llvm/ADT/APFloat.h", "math.h", "", "/usr/lib/llvm-19"})
    EXPECT_FALSE(is_standard_header(path)) << path;
}

} // namespace
} // namespace faultline::instrument
