// Data flow: whatever way a value takes through a program, the result is the machine's own, the tape leads from the
// output back to the inputs, and lifted execution carries the value in full precision.
#include "../session_fixture.h"
#include "formula.h"

namespace faultline::test {
namespace {

struct Way {
  std::string name;
  std::string ending;
  std::string source; // defines f
  std::vector<long double> input;
  Formula formula;
  std::vector<std::string> flags = {};
};

void PrintTo(const Way& way, std::ostream* stream) { *stream << way.name; }

class EveryWay : public testing::TestWithParam<Way> {
protected:
  exec::Session session = open_text(GetParam().source, GetParam().ending, "f", {.flags = GetParam().flags});
};

TEST_P(EveryWay, GivesTheMachinesOwnResult) {
  exec::Run run = consistent_run(session, GetParam().input);
  ASSERT_EQ(run.outcome, exec::Outcome::returned);
  expect_same(run.outputs.at(0).value, GetParam().formula.native(GetParam().input));
}

TEST_P(EveryWay, LeadsFromTheOutputToEveryInput) {
  exec::Run run = session.run(GetParam().input);
  ASSERT_NE(run.outputs.at(0).record, 0u);
  Tape tape(run, session.sites());
  for (uint32_t i = 0; i < session.target().inputs.size(); ++i)
    if (session.target().inputs[i].type.floating)
      EXPECT_TRUE(tape.reaches_input(run.outputs[0].record, i)) << "input " << i;
}

TEST_P(EveryWay, KeepsFullPrecisionWhenLifted) {
  exec::LiftedRun lifted = session.lift(GetParam().input, 256);
  ASSERT_EQ(lifted.outcome, exec::Outcome::returned);
  Real exact = GetParam().formula.exact(GetParam().input);
  EXPECT_TRUE(agree(lifted.outputs.at(0), exact.big(), 240))
      << lifted.outputs[0].to_string(40) << " instead of " << exact.big().to_string(40);
}

const char* const noinline = "#define NOINLINE __attribute__((noinline))\n";

std::vector<Way> control_ways() {
  return {
      {"loop_accumulation",
       ".c",
       "double f(double x, double y) { double s = 0; for (int i = 0; i < 10; i++) s = s * x + y; return s; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) {
         auto s = v[0] * 0;
         for (int i = 0; i < 10; i++)
           s = s * v[0] + v[1];
         return s;
       })},
      {"two_phis_that_swap",
       ".c",
       "double f(double x, double y, int n) { double a = x, b = y; for (int i = 0; i < n; i++) { double t = a + b / 3; "
       "a = b; b = t; } return a - b; }",
       {0.7L, 0.1L, 9},
       formula<double>([](auto v) {
         auto a = v[0], b = v[1];
         for (int i = 0; i < 9; i++) {
           auto t = a + b / 3;
           a = b;
           b = t;
         }
         return a - b;
       })},
      {"select",
       ".c",
       "double f(double x, double y) { double low = x < y ? x : y; double high = x < y ? y : x; return low / 3 - high "
       "/ 7; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) {
         auto low = v[0] < v[1] ? v[0] : v[1], high = v[0] < v[1] ? v[1] : v[0];
         return low / 3 - high / 7;
       })},
      {"switch_of_paths",
       ".c",
       "double f(double x, double y, int n) { double r; switch (n) { case 0: r = x; break; case 1: r = x / y; break; "
       "case 2: r = x * y / 3; break; "
       "case 3: r = x - y; break; default: r = 5; } return r / 7; }",
       {0.7L, 0.1L, 2},
       formula<double>([](auto v) { return v[0] * v[1] / 3 / 7; })},
      {"unoptimised_code",
       ".c",
       "double f(double x, double y) { double s = 0; for (int i = 0; i < 4; i++) { if (i % 2) s += x / 3; else s -= y "
       "/ 7; } return s; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) {
         auto s = v[0] * 0;
         for (int i = 0; i < 4; i++)
           s = i % 2 ? s + v[0] / 3 : s - v[1] / 7;
         return s;
       }),
       {"-O0"}},
  };
}

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

std::vector<Way> memory_ways() {
  const std::string head = std::string(noinline) + "#include <string.h>\n#include <stdlib.h>\nstatic volatile int one "
                                                   "= 1;\nstatic volatile unsigned long eight = 8;\n";
  return {
      {"local_array",
       ".c",
       head + "double f(double x, double y) { double a[4]; a[one] = x / 3; a[one + 1] = y / 7; return a[one] - a[one + "
              "1]; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1] / 7; })},
      {"global_variables",
       ".c",
       head + "double g; double h[4];\nNOINLINE static void set(double x, double y) { g = x / 3; h[one] = y / 7; "
              "}\ndouble f(double x, double y) { set(x, y); return g - h[one]; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1] / 7; })},
      {"heap",
       ".c",
       head + "NOINLINE static double* make(double x, double y) { double* a = malloc(2 * sizeof *a); a[0] = x / 3; "
              "a[one] = y / 7; return a; }\n"
              "double f(double x, double y) { double* a = make(x, y); double r = a[0] - a[one]; free(a); return r; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1] / 7; })},
      {"realloc",
       ".c",
       head + "double f(double x, double y) { double* a = malloc(2 * sizeof *a); a[0] = x / 3; a[one] = y / 7; a = "
              "realloc(a, 1000 * one); double r = a[0] - a[one]; free(a); return r; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1] / 7; })},
      {"structs_in_a_list",
       ".c",
       head + "struct node { struct node* next; float weight; double value; };\n"
              "NOINLINE static struct node* add(struct node* n, double v, float w) { struct node* m = malloc(sizeof "
              "*m); m->next = n; m->value = v; m->weight = w; return m; }\n"
              "double f(double x, double y) { struct node* n = add(add(0, x / 3, 2), y / 7, 3); double s = 0; for (; "
              "n; n = n->next) s += n->value * n->weight; return s; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[1] / 7 * 3 + v[0] / 3 * 2; })},
      {"std_vector_and_sort",
       ".cpp",
       "#include <algorithm>\n#include <vector>\ndouble f(double x, double y, double z) { std::vector<double> a; "
       "a.push_back(x / 3); a.push_back(y / 7); a.push_back(z / 11);\n"
       "std::sort(a.begin(), a.end()); return (a[0] - a[1]) / a[2]; }",
       {0.7L, 0.1L, 99},
       formula<double>([](auto v) { return (v[1] / 7 - v[0] / 3) / (v[2] / 11); })},
      {"memcpy",
       ".c",
       head + "double f(double x, double y) { double a[2] = {x / 3, y / 7}, b[2]; memcpy(b, a, 2 * eight); return b[0] "
              "- b[one]; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1] / 7; })},
      {"memmove_up",
       ".c",
       head + "double f(double x, double y) { double a[4] = {x / 3, y / 7, x * y, 0}; memmove(a + one, a, 3 * eight); "
              "return a[one] - a[one + 1] + a[one + 2]; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1] / 7 + v[0] * v[1]; })},
      {"memmove_down",
       ".c",
       head + "double f(double x, double y) { double a[4] = {0, x / 3, y / 7, x * y}; memmove(a, a + one, 3 * eight); "
              "return a[0] - a[one] + a[one + 1]; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1] / 7 + v[0] * v[1]; })},
      {"memmove_of_floats_by_one",
       ".c",
       head + "float f(float x, float y) { float a[4] = {x / 3, y / 7, x * y, 0}; memmove(a + one, a, 3 * eight / 2); "
              "return a[one] - a[one + 1] + a[one + 2]; }",
       {0.75L, 0.125L},
       formula<float>([](auto v) { return v[0] / 3 - v[1] / 7 + v[0] * v[1]; })},
      {"memset_and_part_written",
       ".c",
       head + "double f(double x, double y) { double a[4] = {1, 2, x, y}; memset(a, 0, 3 * eight); a[one] += x / 3; "
              "return a[0] + a[one] + a[one + 1] - a[one + 2] / 7; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1] / 7; })},
      {"struct_assignment",
       ".c",
       head + "struct s { double a; int n; double b[3]; };\nNOINLINE static void copy(struct s* to, const struct s* "
              "from) { *to = *from; }\n"
              "double f(double x, double y) { struct s p = {x / 3, 1, {0, y / 7, 0}}, q; copy(&q, &p); return q.a - "
              "q.b[q.n]; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1] / 7; })},
      {"struct_of_one_double_assigned",
       ".c",
       head +
           "struct s { double a; };\nNOINLINE static void copy(struct s* to, const struct s* from) { *to = *from; }\n"
           "double f(double x, double y) { struct s p = {x / 3}, q; copy(&q, &p); return q.a - y; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1]; })},
      {"struct_of_two_floats_assigned",
       ".c",
       head +
           "struct s { float a, b; };\nNOINLINE static void copy(struct s* to, const struct s* from) { *to = *from; }\n"
           "float f(float x, float y) { struct s p = {x / 3, y / 7}, q; copy(&q, &p); return q.a - q.b; }",
       {0.75L, 0.125L},
       formula<float>([](auto v) { return v[0] / 3 - v[1] / 7; })},
      {"copied_as_an_integer",
       ".c",
       head + "union u { double d; unsigned long n; };\nNOINLINE static void copy(unsigned long* to, const unsigned "
              "long* from) { *to = *from; }\n"
              "double f(double x, double y) { union u p, q; p.d = x / 3; copy(&q.n, &p.n); return q.d - y; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1]; })},
      {"atomic",
       ".cpp",
       "#include <atomic>\nstatic std::atomic<double> a;\ndouble f(double x, double y) { a.store(x / 3); return "
       "a.load() - y; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1]; })},
      {"thread_local",
       ".c",
       "static _Thread_local double a;\n__attribute__((noinline)) static void set(double x) { a = x / 3; }\ndouble "
       "f(double x, double y) { set(x); return a - y; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) { return v[0] / 3 - v[1]; })},
  };
}

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

auto named = [](const auto& info) { return info.param.name; };
INSTANTIATE_TEST_SUITE_P(Control, EveryWay, testing::ValuesIn(control_ways()), named);
INSTANTIATE_TEST_SUITE_P(Calls, EveryWay, testing::ValuesIn(call_ways()), named);
INSTANTIATE_TEST_SUITE_P(Memory, EveryWay, testing::ValuesIn(memory_ways()), named);
INSTANTIATE_TEST_SUITE_P(VectorsAndFormats, EveryWay, testing::ValuesIn(vector_and_format_ways()), named);

} // namespace
} // namespace faultline::test
