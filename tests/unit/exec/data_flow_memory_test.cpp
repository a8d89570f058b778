// Ways of a value through memory.
#include "data_flow.h"

namespace faultline::test {
namespace {

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

INSTANTIATE_TEST_SUITE_P(Memory, EveryWay, testing::ValuesIn(memory_ways()), way_name);

} // namespace
} // namespace faultline::test
