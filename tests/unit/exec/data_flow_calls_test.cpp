// Ways of a value through calls.
#include "data_flow.h"

namespace faultline::test {
namespace {

std::vector<Way> call_ways() {
  const std::string head = noinline;
  return {
      {"static_function",
       ".c",
       head + "NOINLINE static double g(double a, double b) { return a / b; }\ndouble f(double x, double y) { return "
              "g(x, y) - g(y, x); }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / v[1] - v[1] / v[0]; })},
      {"extern_function",
       ".c",
       head + "NOINLINE double g(double a, double b) { return a / b; }\ndouble f(double x, double y) { return g(x, y) "
              "- g(y, x); }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / v[1] - v[1] / v[0]; })},
      {"recursion",
       ".c",
       head + "NOINLINE static double g(double a, double b, int n) { return n == 0 ? a : g(b, a / 3, n - 1) + b; "
              "}\ndouble f(double x, double y) { return g(x, y, 7); }",
       {0.7L, 0.1L},
       formula<double>([](auto v) {
         std::function<decltype(v[0] + v[0])(decltype(v[0] + v[0]), decltype(v[0] + v[0]), int)> g =
             [&](auto a, auto b, int n) { return n == 0 ? a : g(b, a / 3, n - 1) + b; };
         return g(v[0], v[1], 7);
       })},
      {"function_pointer",
       ".c",
       head + "static double g(double a, double b) { return a / b; }\nstatic double h(double a, double b) { return a * "
              "b / 3; }\n"
              "static double (*volatile table[2])(double, double) = {g, h};\ndouble f(double x, double y) { return "
              "table[0](x, y) - table[1](x, y); }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / v[1] - v[0] * v[1] / 3; })},
      {"struct_return_in_registers",
       ".c",
       head + "struct pair { double a, b; };\nNOINLINE static struct pair g(double x, double y) { struct pair p = {x / "
              "3, y / 7}; return p; }\n"
              "double f(double x, double y) { struct pair p = g(x, y); return p.a - p.b; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1] / 7; })},
      {"struct_return_through_a_pointer",
       ".c",
       head + "struct triple { double a, b, c; };\nNOINLINE static struct triple g(double x, double y) { struct triple "
              "p = {x / 3, y / 7, x * y}; return p; }\n"
              "double f(double x, double y) { struct triple p = g(x, y); return p.a - p.b + p.c; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1] / 7 + v[0] * v[1]; })},
      {"struct_of_floats_in_registers",
       ".c",
       head + "struct pair { float a, b; };\nNOINLINE static struct pair g(struct pair q) { struct pair p = {q.b / 3, "
              "q.a / 7}; return p; }\n"
              "float f(float x, float y) { struct pair q = {x, y}; struct pair p = g(q); return p.a - p.b; }",
       {0.75L, 0.125L},
       formula<float>([](auto v) { return v[1] / 3 - v[0] / 7; })},
      {"struct_by_value",
       ".c",
       head + "struct five { double a[4]; int n; };\nNOINLINE static double g(struct five s) { s.a[1] += s.a[0]; "
              "return s.a[1] / s.a[s.n]; }\n"
              "double f(double x, double y) { struct five s = {{x, y / 7, x * y, y / 3}, 3}; return g(s) + s.a[1]; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return (v[1] / 7 + v[0]) / (v[1] / 3) + v[1] / 7; })},
      {"struct_by_value_through_a_pointer",
       ".c",
       head + "struct five { double a[4]; int n; };\nstatic double g(double z, struct five s) { return z - s.a[1] / "
              "s.a[s.n]; }\n"
              "static double (*volatile h)(double, struct five) = g;\n"
              "double f(double x, double y) { struct five s = {{x, y / 7, x * y, y / 3}, 2}; return h(x / 3, s); }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1] / 7 / (v[0] * v[1]); })},
      {"many_arguments",
       ".c",
       head + "NOINLINE static double g(double a, float b, double c, double d, double e, double h, double i, double j, "
              "double k, double l) "
              "{ return a + b * c - d * e / h + i * j - k * l; }\n"
              "double f(double x, double y) { return g(x, 0.5f, y, x / 3, y, 3, x, y / 7, x, x); }",
       {0.7L, 0.1L},
       formula<double>(
           [](auto v) { return v[0] + v[1] * 0.5 - v[0] / 3 * v[1] / 3 + v[0] * (v[1] / 7) - v[0] * v[0]; })},
      {"virtual_functions",
       ".cpp",
       head + "struct Shape { virtual double area(double) const = 0; };\nstruct A : Shape { double area(double x) "
              "const override { return x / 3; } };\n"
              "struct B : Shape { double k; B(double k) : k(k) {} double area(double x) const override { return k * x "
              "/ 7; } };\n"
              "NOINLINE static double g(const Shape* s, double x) { return s->area(x); }\n"
              "double f(double x, double y) { A a; B b(y); const Shape* volatile shapes[2] = {&a, &b}; return "
              "g(shapes[0], x) - g(shapes[1], x); }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1] * v[0] / 7; })},
      {"lambda_in_a_std_function",
       ".cpp",
       "#include <functional>\ndouble f(double x, double y) { std::function<double(double)> g = [y](double z) { return "
       "z / y; }; return g(x) + g(y / 3); }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / v[1] + v[1] / 3 / v[1]; })},
      {"call_that_may_throw",
       ".cpp",
       head + "NOINLINE static double g(double a) { if (a > 100) throw 1; return a / 3; }\n"
              "double f(double x, double y) { double r; try { r = g(x); } catch (int) { r = 0; } return r - y; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1]; })},
      {"thrown_value",
       ".cpp",
       head + "NOINLINE static double g(double a) { if (a > 0) throw a / 3; return a; }\n"
              "double f(double x, double y) { double r; try { r = g(x); } catch (double d) { r = d; } return r - y; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1]; })},
  };
}

INSTANTIATE_TEST_SUITE_P(Calls, EveryWay, testing::ValuesIn(call_ways()), way_name);

} // namespace
} // namespace faultline::test
