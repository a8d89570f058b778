// Ways of a value through vectors and formats.
#include "data_flow.h"

namespace faultline::test {
namespace {

std::vector<Way> vector_and_format_ways() {
  const std::string head = noinline;
  return {
      {"vector_of_doubles",
       ".c",
       head +
           "typedef double v2 __attribute__((vector_size(16)));\nNOINLINE static v2 g(v2 a, v2 b) { return a / b; }\n"
           "double f(double x, double y) { v2 a = {x, y}, b = {3, 7}; v2 c = g(a, b); return c[0] - c[1]; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1] / 7; })},
      {"vector_of_floats_shuffled",
       ".c",
       head + "typedef float v4 __attribute__((vector_size(16)));\nstatic v4 kept;\nNOINLINE static v4 g(v4 a) { "
              "return __builtin_shufflevector(a, kept, 3, 4, 1, 0); }\n"
              "float f(float x, float y) { kept = (v4){x / 3, 0, 0, 0}; v4 c = g((v4){x, y, x * y, y / 7}); return "
              "c[0] - c[1] * c[3] + c[2]; }",
       {0.75L, 0.125L},
       formula<float>([](auto v) { return v[1] / 7 - v[0] / 3 * v[0] + v[1]; })},
      {"vector_with_variable_element",
       ".c",
       head + "typedef double v2 __attribute__((vector_size(16)));\nstatic volatile int one = 1;\n"
              "double f(double x, double y) { v2 a = {x, y}; a[one] = a[one] / 3; return a[one] - a[1 - one]; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[1] / 3 - v[0]; })},
      {"vector_comparison_and_select",
       ".cpp",
       head + "typedef double v2 __attribute__((vector_size(16)));\nNOINLINE static v2 g(v2 a, v2 b) { return a < b ? "
              "a / 3 : b; }\n"
              "double f(double x, double y) { v2 c = g((v2){x, y}, (v2){y, x}); return c[0] * c[1] + x; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[1] * (v[1] / 3) + v[0]; })},
      {"vectorised_loop",
       ".c",
       head + "static double a[64], b[64];\nNOINLINE static void g(double* restrict p, const double* restrict q, "
              "double y) { for (int i = 0; i < 64; i++) p[i] = q[i] / y + p[i]; }\n"
              "double f(double x, double y) { for (int i = 0; i < 64; i++) { a[i] = x * i; b[i] = y + i; } g(a, b, y); "
              "double s = 0; for (int i = 0; i < 64; i++) s += a[i]; return s; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) {
         auto s = v[0] * 0;
         for (int i = 0; i < 64; i++)
           s = s + ((v[1] + i) / v[1] + v[0] * i);
         return s;
       })},
      {"vectorised_float_loop_with_selects",
       ".c",
       head + "static float a[37];\nNOINLINE static void g(float y) { for (int i = 0; i < 37; i++) a[i] = a[i] > y ? "
              "a[i] / 3 : y * i; }\n"
              "float f(float x, float y) { for (int i = 0; i < 37; i++) a[i] = x * i; g(y); float s = 0; for (int i = "
              "0; i < 37; i++) s += a[i]; return s; }",
       {0.0625L, 1},
       formula<float>([](auto v) {
         auto s = v[0] * 0;
         for (int i = 0; i < 37; i++)
           s = s + (v[1] < v[0] * i ? v[0] * i / 3 : v[1] * i);
         return s;
       })},
      {"float_alone",
       ".c",
       "float f(float x, float y) { return (x + y) * (x - y) / 3.0f; }",
       {0.75L, 0.1015625L},
       formula<float>([](auto v) { return (v[0] + v[1]) * (v[0] - v[1]) / 3; })},
      {"long_double",
       ".c",
       head + "static volatile int one = 1;\nNOINLINE static long double g(long double a, long double* b) { return a / "
              "b[one]; }\n"
              "long double f(long double x, long double y) { long double b[2] = {1, y / 7}; return g(x / 3, b) + y; }",
       {0.7L, 0.1L},
       formula<long double>([](auto v) { return v[0] / 3 / (v[1] / 7) + v[1]; })},
      {"mixed_formats",
       ".c",
       "double f(double x, double y) { float a = x / 3; long double b = (long double)y / 7; return (double)(b * a) - "
       "y; }",
       {0.7L, 0.1L},
       formula<long double>([](auto v) {
         auto a = rounded_to_float(rounded_to_double(v[0] / 3));
         return rounded_to_double(rounded_to_double(v[1] / 7 * a) - v[1]);
       })},
      {"fortran_arrays_and_calls",
       ".f90",
       "module m\ncontains\nfunction g(a, n) result(s)\nreal(8), intent(in) :: a(n)\ninteger, intent(in) :: n\nreal(8) "
       ":: s\ninteger :: i\ns = 0\ndo i = 1, n\ns = s / 3 + a(i)\nend do\nend function\nend module\n"
       "real(8) function f(x, y)\nuse m\nreal(8), intent(in) :: x, y\nreal(8) :: a(3)\na(1) = x / 7\na(2) = y\na(3) = "
       "x * y\nf = g(a, 3) - y\nend function\n",
       {0.7L, 0.1L},
       formula<double>([](auto v) {
         auto s = v[0] * 0;
         s = s / 3 + v[0] / 7;
         s = s / 3 + v[1];
         s = s / 3 + v[0] * v[1];
         return s - v[1];
       })},
      {"fortran_intrinsics",
       ".f90",
       "real(8) function f(x, y)\nreal(8), intent(in) :: x, y\nf = sqrt(x) * cos(y) + exp(x)\nend function\n",
       {0.7L, 0.1L},
       formula<double>([](auto v) {
         using std::cos, std::exp, std::sqrt;
         return sqrt(v[0]) * cos(v[1]) + exp(v[0]);
       })},
      {"sine_and_cosine_together",
       ".c",
       "#include <math.h>\ndouble f(double x, double y) { return sin(x) * y + cos(x); }",
       {0.7L, 0.1L},
       formula<double>([](auto v) {
         using std::cos, std::sin;
         return sin(v[0]) * v[1] + cos(v[0]);
       })},
      {"modf",
       ".c",
       "#include <math.h>\ndouble f(double x, double y) { double whole; double part = modf(x / 3, &whole); return part "
       "* y + whole; }",
       {100.7L, 0.1L},
       formula<double>([](auto v) {
         using std::trunc;
         auto third = v[0] / 3;
         return (third - trunc(third)) * v[1] + trunc(third);
       })},
      {"frexp_and_ldexp",
       ".c",
       "#include <math.h>\ndouble f(double x, double y) { int e; double m = frexp(x / 3, &e); return ldexp(m * y, e) + "
       "ldexp(x, 2); }",
       {100.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 / 64 * v[1] * 64 + v[0] * 4; })},
      {"fused_multiply_add",
       ".c",
       "#include <math.h>\ndouble f(double x, double y) { return fma(x, y, -x) / 3; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) {
         if constexpr (std::is_same_v<decltype(v), std::vector<double>>)
           return std::fma(v[0], v[1], -v[0]) / 3;
         else
           return (v[0] * v[1] - v[0]) / 3;
       })},
  };
}

INSTANTIATE_TEST_SUITE_P(VectorsAndFormats, EveryWay, testing::ValuesIn(vector_and_format_ways()), way_name);

} // namespace
} // namespace faultline::test
