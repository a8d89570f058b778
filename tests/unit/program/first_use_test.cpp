// Numbers behind pointers and references: inputs if they may be read before they are written, else outputs alone.
#include "../temporary_folder.h"
#include "expect_target.h"
#include "program/program.h"

#include <gtest/gtest.h>

namespace faultline::program {
namespace {

struct Used {
  std::string name, text, inputs, outputs, ending = ".cpp";
  std::vector<std::string> flags = {};
};
void PrintTo(const Used& used, std::ostream* stream) { *stream << used.name; }
class FirstUse : public testing::TestWithParam<Used> {};

TEST_P(FirstUse, TellsInputsFromOutputs) {
  test::TemporaryFolder folder;
  const std::string file = folder.write("subject" + GetParam().ending, GetParam().text);
  Program program = Program::load({{file}, GetParam().flags, ""});
  expect(program.find({"f"}, {}).at(0), GetParam().inputs, GetParam().outputs);
  for (const model::Target& target : program.targets({})) // asked for by its name or among all: the same
    if (target.function == "f")
      expect(target, GetParam().inputs, GetParam().outputs);
}

constexpr const char* rotate = "#include <math.h>\nvoid f(double& x, double& y, double t) {\n"
                               "  double u = x * cos(t) - y * sin(t); y = x * sin(t) + y * cos(t); x = u; }";
constexpr const char* summed = "void f(double a, int n, double& s) {\n"
                               "  s = 0; for (int i = 0; i < n; ++i) { s += a; if (s > 9) s /= 2; } }";
constexpr const char* helped = "__attribute__((noinline)) static void set(double* y, double a) { *y = a; }\n"
                               "__attribute__((noinline)) static void add(double* y, double a) { *y += a; }\n";

INSTANTIATE_TEST_SUITE_P(
    All, FirstUse,
    testing::Values(
        Used{"read_and_replaced", rotate, "x:binary64 y:binary64 t:binary64", "x:binary64 y:binary64"},
        Used{"read_and_replaced_unoptimised",
             rotate,
             "x:binary64 y:binary64 t:binary64",
             "x:binary64 y:binary64",
             ".cpp",
             {"-O0"}},
        Used{"set_and_added_to", summed, "a:binary64 n:int32", "s:binary64"},
        Used{"set_and_added_to_unoptimised", summed, "a:binary64 n:int32", "s:binary64", ".cpp", {"-O0"}},
        Used{"set_on_one_path_and_read_on_the_other", "double f(double a, double& y) { if (a > 1) y = a; return y; }",
             "a:binary64 y:binary64", "return:binary64 y:binary64"},
        Used{"set_on_both_paths", "double f(double a, double& y) { if (a > 1) y = a; else y = 1; return y; }",
             "a:binary64", "return:binary64 y:binary64"},
        Used{"set_on_one_path_and_never_read", "void f(double a, double& y) { if (a > 1) y = a / 3; }", "a:binary64",
             "y:binary64"},
        Used{"set_by_a_callee", helped + std::string("void f(double a, double* y) { set(y, a); add(y, a); }"),
             "a:binary64", "y:binary64"},
        Used{"read_by_a_callee", helped + std::string("void f(double a, double* y) { add(y, a); set(y, a); }"),
             "a:binary64 y:binary64", "y:binary64"},
        Used{"only_read", "double f(double& x, float& y) { return x * y; }", "x:binary64 y:binary32",
             "return:binary64"},
        Used{"alone", "void f(double& x, double& y) { x /= 3; y = x; }", "x:binary64", "x:binary64 y:binary64"},
        Used{"pointer_to_one", "void f(double* x, double t) { *x *= t; }", "x:binary64 t:binary64", "x:binary64", ".c"},
        Used{"array_without_a_size", "void f(double* x, double t) { x[0] += t * x[1]; }", "t:binary64", "x:binary64",
             ".c"},
        Used{"second_result_of_libm", "#include <math.h>\nvoid f(double a, double* y) { *y += modf(a, y); }",
             "a:binary64", "y:binary64", ".c"},
        Used{"state", "struct S { double a, b, c; };\nvoid f(S* s, double t) { s->a = t; s->b += s->a; }",
             "s.b:binary64 t:binary64", "s.a:binary64 s.b:binary64 s.c:binary64"},
        Used{"state_unoptimised",
             "struct S { double a, b, c; };\nvoid f(S& s, double t) { s.a = t; s.b += s.a; }",
             "s.b:binary64 t:binary64",
             "s.a:binary64 s.b:binary64 s.c:binary64",
             ".cpp",
             {"-O0"}},
        Used{"state_in_nested_structs_and_arrays",
             "struct I { double u; float v[2]; };\nstruct S { I i; int n; };\n"
             "double f(S* s) { s->i.u *= s->i.v[1]; return s->i.u; }",
             "s.i.u:binary64 s.i.v[1]:binary32", "return:binary64 s.i.u:binary64 s.i.v[0]:binary32 s.i.v[1]:binary32"},
        Used{"state_read_by_a_callee",
             helped +
                 std::string("struct S { double a, b; };\nvoid f(S* s, double t) { set(&s->a, t); add(&s->b, t); }"),
             "s.b:binary64 t:binary64", "s.a:binary64 s.b:binary64"},
        Used{"state_in_a_recursion",
             "struct S { double a, b; };\n__attribute__((noinline)) static void g(S* s, int n) {\n"
             "  s->a = n; if (n > 0) g(s, n - 1); s->b += s->a; }\nvoid f(S* s, int n) { g(s, n); }",
             "s.b:binary64 n:int32", "s.a:binary64 s.b:binary64"},
        Used{"integer", "double f(double a, int* n) { *n += 1; return a / *n; }", "a:binary64 n:int32",
             "return:binary64", ".c"},
        Used{"fortran",
             "subroutine f(a, x, s, n)\nreal(8), intent(in) :: a\nreal(8), intent(inout) :: x\n"
             "real(8), intent(out) :: s\ninteger, intent(in) :: n\ninteger :: i\nx = x * a\ns = 0\ndo i = 1, n\n"
             "s = s + a\nif (s > 9) s = s / 2\nend do\nend subroutine\n",
             "a:binary64 x:binary64 n:int32", "x:binary64 s:binary64", ".f90"},
        Used{"fortran_unoptimised",
             "subroutine f(a, x, s)\nreal(8), intent(in) :: a\nreal(8), intent(inout) :: x\n"
             "real(8), intent(out) :: s\nx = x * a\ns = 0\ns = s + a\nend subroutine\n",
             "a:binary64 x:binary64",
             "x:binary64 s:binary64",
             ".f90",
             {"-O0"}}),
    [](const auto& info) { return info.param.name; });

} // namespace
} // namespace faultline::program
