// Discovery: what the inputs and outputs of a function are; the letters are those of program/discover.h.
#include "discovering.h"

namespace faultline::program {
namespace {

using test::TemporaryFolder;

TEST(Discover, A_FloatsByValueAreInputs) {
  expect(target_of("typedef double real;\ndouble f(float a, const real b, long double c) { return a + b + c; }"),
         "a:binary32 b:binary64 c:extended80", "return:binary64");
}

TEST(Discover, B_IntegersByValueAreInputs) {
  expect(target_of("enum e { one, two };\ndouble f(double x, int n, unsigned char c, long l, _Bool b, enum e e) { "
                   "return x * n + c + l + b + e; }"),
         "x:binary64 n:int32 c:uint8 l:int64 b:uint8 e:int32", "return:binary64");
}

TEST(Discover, B_IntegersAloneAreInputs) {
  expect(target_of("double f(unsigned n) { return n / 3.0; }"), "n:uint32", "return:binary64");
  expect(target_of("void f(int n, int m, double* y) { *y = n / (double)m; }"), "n:int32 m:int32", "y:binary64");
}

TEST(Discover, C_ConstantPointersAreArraysThatNeedASize) {
  const std::string source =
      "double f(const double* a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }";
  expect_unsuitable(target_of(source), "--size a=N");
  expect(target_of(source, ".c", {{"a", {3}}}), "a[0]:binary64 a[1]:binary64 a[2]:binary64 n:int32", "return:binary64");
  expect(target_of(source, ".c", {{"*", {1}}}), "a[0]:binary64 n:int32", "return:binary64");
}

TEST(Discover, C_PointersThatAreOnlyReadAreArraysToo) {
  const std::string source = "double f(double* a) { return a[0] - a[1]; }";
  expect_unsuitable(target_of(source), "--size a=N");
  expect(target_of(source, ".c", {{"a", {2}}}), "a[0]:binary64 a[1]:binary64", "return:binary64");
}

TEST(Discover, C_TwoExtentsMultiply) {
  model::Target target = target_of("double f(const float* a) { return a[0] - a[5]; }", ".c", {{"a", {2, 3}}});
  EXPECT_EQ(target.inputs.size(), 6u);
  EXPECT_EQ(target.parameters.at(0).count, 6u);
  EXPECT_EQ(target.inputs.at(5).name, "a[5]");
  EXPECT_EQ(target.inputs[5].offset, target.inputs[0].offset + 20);
}

TEST(Discover, C_SizesThatCannotBeAreRefused) {
  const std::string source = "double f(const double* a) { return a[0]; }";
  expect_unsuitable(target_of(source, ".c", {{"a", {0}}}), "0 elements");
  EXPECT_FALSE(target_of(source, ".c", {{"a", {uint64_t(1) << 33, uint64_t(1) << 33}}}).suitable());
}

TEST(Discover, D_PointersAreOutputsAndArraysWithASizeAreBoth) {
  const std::string source = "void f(double x, double* a) { *a = *a / 2 + x; }";
  expect(target_of("void f(double x, double* a) { *a = x / 2; }"), "x:binary64", "a:binary64");
  expect(target_of(source), "x:binary64 a:binary64", "a:binary64");
  expect(target_of(source, ".c", {{"a", {2}}}), "x:binary64 a[0]:binary64 a[1]:binary64",
         "a[0]:binary64 a[1]:binary64");
}

TEST(Discover, D_IntegersThatAreSetAndNotReadAreOutputsThatAreNotJudged) {
  const model::Target target =
      target_of("void f(double x, double* y, int* info, int* n, int* k) { *info = x < 0; *y = x / 3; "
                "*n += 1; for (int i = 0; i < 3; i++) k[i] = i; }");
  expect(target, "x:binary64 n:int32", "y:binary64 info:int32-");
}

TEST(Discover, D_ErrorEstimatesAreNotJudged) {
  expect(target_of("void f(double x, double* result, double* abserr) { *result = x + 1; *abserr = x / 2; }"),
         "x:binary64", "result:binary64 abserr:binary64-");
}

TEST(Discover, E_StructsAreOutputsWithoutTheirErrorEstimates) {
  expect(target_of("struct gsl_sf_result_struct { double val; double err; };\ntypedef struct gsl_sf_result_struct "
                   "gsl_sf_result;\n"
                   "int f(const double x, gsl_sf_result* result) { result->val = x + 1; result->err = 0; return 0; }"),
         "x:binary64", "return:int32- result.val:binary64 result.err:binary64-");
}

TEST(Discover, E_ConstantStructsAreInputs) {
  expect(target_of("struct inner { float a, b; };\nstruct s { double x; int n; struct inner i; double v[2]; };\n"
                   "double f(const struct s* s) { return s->x * s->n + s->i.a + s->i.b + s->v[1]; }"),
         "s.x:binary64 s.n:int32 s.i.a:binary32 s.i.b:binary32 s.v[0]:binary64 s.v[1]:binary64", "return:binary64");
}

TEST(Discover, E_PointersInStructsNeedStateIfTheyAreReadAndPointToPointers) {
  const std::string list = "struct s { double x; struct s* next; double** rows; void (*call)(void); };\n";
  expect(target_of(list + "void f(double x, struct s* s) { s->x = x; }"), "x:binary64", "s.x:binary64");
  expect_unsuitable(target_of(list + "void f(double x, struct s* s) { s->x = x * s->next->x; }"), "needs state (s)");
  expect_unsuitable(target_of(list + "double f(const struct s* s) { return s->x * **s->rows; }"), "needs state (s)");
  expect_unsuitable(target_of(list + "double f(const struct s* s) { s->call(); return s->x; }"), "needs state (s)");
}

TEST(Discover, E_PointersInStructsToNumbersHaveMemory) {
  const std::string list =
      "struct p { int k; double y; };\nstruct s { int n; double* x; const float (*rows)[2]; struct p* p; "
      "char* name; };\n";
  const model::Target target =
      target_of(list + "double f(struct s* s) { s->x[0] += s->rows[0][1] * s->p->y; return *s->name ? s->x[0] : 0; }",
                ".c", {{"*", {2}}});
  expect(target,
         "s.x[0]:binary64 s.x[1]:binary64 s.rows[0]:binary32 s.rows[1]:binary32 s.rows[2]:binary32 s.rows[3]:binary32 "
         "s.p.k:int32 s.p.y:binary64",
         "return:binary64 s.x[0]:binary64 s.x[1]:binary64 s.p.y:binary64");
  ASSERT_EQ(target.parameters.size(), 5u); // s, and what its fields point to
  EXPECT_FALSE(target.parameters[0].stored_at);
  EXPECT_EQ(target.parameters[1].stored_at, target.parameters[0].offset + 8);
}

TEST(Discover, E_MemoryOfFieldsHasAnUnknownSize) {
  const model::Target target = target_of("struct s { int n; double* x; };\ndouble f(const struct s* s) { double a = 0; "
                                         "for (int i = 0; i < s->n; ++i) a += s->x[i]; return a; }");
  expect_unsuitable(target, "'s.x' points to numbers (double*) and needs a size: --size s.x=N");
  EXPECT_EQ(target.obstacle, model::Obstacle::extent);
}

TEST(Discover, J_APointerToATestedPointerPointsToNull) {
  const std::string of_list = "struct s { double x; };\nstruct s* made(void);\n";
  expect(target_of(of_list + "double f(double x, struct s** s) { if (*s == 0) *s = made(); return x * 2; }"),
         "x:binary64", "return:binary64");
  expect_unsuitable(target_of(of_list + "double f(double x, struct s** s) { return x * (*s)->x; }"), "harness");
}

TEST(Discover, E_PointersThatAreTestedForNullAreNull) {
  const std::string list = "#include <math.h>\nstruct s { double x; char name[8]; double* next; };\n";
  expect(target_of(list + "void f(double x, struct s* s) { s->x = s->next ? x * *s->next : x; }"), "x:binary64",
         "s.x:binary64");
  expect(target_of(list + "void f(double x, struct s* s) { if (s->next && x > 0) s->x = x * *s->next; }"), "x:binary64",
         "s.x:binary64");
  expect_unsuitable(target_of(list + "void f(double x, struct s* s) { if (s->next || x > 0) s->x = x * *s->next; }"),
                    "needs a size: --size s.next=N");
  expect_unsuitable(target_of(list + "void f(double x, struct s* s) { s->x = x * *s->next; if (!s->next) s->x = 0; }"),
                    "needs a size: --size s.next=N");
}

// The reporting of errors, as libraries have it: through the address of the field, with the name for printf, called
// from functions that call each other by pointers that the struct holds.
constexpr const char* reporting =
    "#include <stdlib.h>\n#include <stdarg.h>\n"
    "struct E { int status; };\n"
    "struct P { int flag; double r, phi[2]; char name[8]; struct E* err; double w; int (*go)(struct P*, const double*, "
    "int); "
    "};\n"
    "int vprint(const char*, va_list);\n"
    "__attribute__((noinline)) static int report(struct E** err, int status, const char* format, ...) {\n"
    "  if (*err == 0) { *err = calloc(1, sizeof(struct E)); if (!*err) return status; }\n"
    "  (*err)->status = status; va_list all; va_start(all, format); vprint(format, all); va_end(all); return status; "
    "}\n"
    "__attribute__((noinline)) static int set(struct P*);\n"
    "__attribute__((noinline)) static int go(struct P* p, const double* x, int n) {\n"
    "  if (p->flag != 7 && set(p)) return 1;\n"
    "  for (int i = 0; i < n; ++i) p->w += x[i] * p->r;\n"
    "  return p->w < 0 ? report(&p->err, 2, \"%s\", p->name) : 0; }\n"
    "__attribute__((noinline)) static int first(struct P* p) { return p->go(p, p->phi, 2); }\n"
    "__attribute__((noinline)) static int set(struct P* p) { p->flag = 7; p->go = go; p->w = 0; return first(p); }\n";

TEST(Discover, E_AFieldForErrorReportsIsNull) {
  const model::Target target = target_of(std::string(reporting) + "int f(struct P* p) { return set(p); }");
  EXPECT_EQ(target.unsuitable, "");
  const model::Target reading =
      target_of(std::string(reporting) + "int f(struct P* p) { return p->err->status + set(p); }");
  EXPECT_EQ(reading.unsuitable, "");
  EXPECT_NE(text(reading.inputs).find("p.err.status:int32"), std::string::npos); // not null, but one of numbers
}

TEST(Discover, E_UnionsNeedAHarness) {
  expect_unsuitable(target_of("union u { double x; int n; };\nvoid f(double x, union u* u) { u->x = x; }"), "harness");
}

TEST(Discover, H_StructsComeBackInRegistersOrMemory) {
  expect(target_of("struct p { double a, b; };\nstruct p f(double x) { struct p p = {x, 2 * x}; return p; }"),
         "x:binary64", "return[0]:binary64 return[1]:binary64");
  expect(target_of("struct p { float a, b, c; };\nstruct p f(float x) { struct p p = {x, 2 * x, 3 * x}; return p; }"),
         "x:binary32", "return[0]:binary32 return[1]:binary32 return[2]:binary32");
  expect(target_of("struct p { double a, b, err; };\nstruct p f(double x) { struct p p = {x, 2 * x, 0}; return p; }"),
         "x:binary64", "return.a:binary64 return.b:binary64 return.err:binary64-");
  expect(target_of("double _Complex f(double x) { return x * __builtin_complex(1.0, 2.0); }"), "x:binary64",
         "return[0]:binary64 return[1]:binary64");
}

TEST(Discover, CxxReferencesAreOutputsAndConstantOnesInputs) {
  model::Target target = target_of(
      "void f(const double& x, double y, double& out, float& other) { out = x / y; other = float(x); }", ".cpp");
  expect(target, "x:binary64 y:binary64", "out:binary64 other:binary32");
}

TEST(Discover, CxxOverloadsHaveTheirFullNames) {
  auto all = targets_of("double f(double x) { return x; }\nfloat f(float x) { return x; }\nnamespace n { double "
                        "g(double x) { return x; } }",
                        ".cpp");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].function, "f(double)");
  EXPECT_EQ(all[1].function, "f(float)");
  EXPECT_EQ(all[2].function, "n::g");
}

TEST(Discover, CxxOverloadsAreFoundByTheirFullNamesAndKeepThem) {
  TemporaryFolder folder;
  std::string file = folder.write("a.cpp", "double f(double x) { return x; }\nfloat f(float x) { return x; }");
  model::Target target = Program::load({{file}, {}, ""}).find({"f(float)"}, {}).at(0);
  EXPECT_EQ(target.symbol, "_Z1ff");
  EXPECT_EQ(target.function, "f(float)");
}

TEST(Discover, CxxConstantMethodsTakeTheirObjectAsInput) {
  expect(target_of(
             "struct S { double a, b; double f(double x) const; };\ndouble S::f(double x) const { return a * x + b; }",
             ".cpp"),
         "this.a:binary64 this.b:binary64 x:binary64", "return:binary64");
}

TEST(Discover, StaticFunctionsAndMainAreNotListed) {
  auto all = targets_of("__attribute__((noinline)) static double g(double x) { return x; }\ndouble f(double x) { "
                        "return g(x); }\nint main(void) { return 0; }");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].function, "f");
}

TEST(Discover, HiddenFunctionsAreLeftOutUnlessTheyAreAllThereIs) {
  const std::string hidden = "__attribute__((visibility(\"hidden\"))) double helper(double x) { return x / 3; }\n";
  auto both = targets_of(hidden + "double f(double x) { return helper(x) + 1; }");
  ASSERT_EQ(both.size(), 2u);
  expect(both[0], "x:binary64", "return:binary64"); // found if given by name
  leave_out_hidden(both);
  EXPECT_EQ(both[0].obstacle, model::Obstacle::hidden);
  expect_unsuitable(both[0], "hidden from other libraries");
  expect(both[1], "x:binary64", "return:binary64");
  for (const char* other : {"", "int g(int n) { return n; }\n"}) { // nothing that can be hunted in instead
    auto alone = targets_of(hidden + other);
    leave_out_hidden(alone);
    expect(alone.at(0), "x:binary64", "return:binary64");
  }
}

TEST(Discover, E_StructsWithASizeAreAnArray) {
  const std::string point = "struct point { double x; float y; };\n";
  const std::string read = point +
                           "double f(const struct point* p, int n) { double s = 0; for (int i = 0; i < n; ++i) s "
                           "+= p[i].x * p[i].y; return s; }";
  expect(target_of(read, ".c", {{"p", {2}}}), "p[0].x:binary64 p[0].y:binary32 p[1].x:binary64 p[1].y:binary32 n:int32",
         "return:binary64");
  const model::Target target = target_of(read, ".c", {{"p", {2}}});
  EXPECT_EQ(target.inputs[2].offset - target.inputs[0].offset, 16u);
  expect(target_of(read, ".c", {{"*", {2}}}), "p.x:binary64 p.y:binary32 n:int32", "return:binary64");
  expect(target_of(point + "void f(struct point* p) { p[1].x = p[0].x; }", ".c", {{"p", {2}}}),
         "p[0].x:binary64 p[0].y:binary32 p[1].x:binary64 p[1].y:binary32",
         "p[0].x:binary64 p[0].y:binary32 p[1].x:binary64 p[1].y:binary32");
  // A size that is for others: this is one.
  expect(target_of(point + "double f(const point& p) { return p.x; }", ".cpp", {{"p", {2}}}),
         "p.x:binary64 p.y:binary32", "return:binary64");
}

void expect_place(const model::Target& target, const std::string& file, int line) {
  EXPECT_EQ(std::filesystem::weakly_canonical(target.file), std::filesystem::weakly_canonical(test::example(file)));
  EXPECT_EQ(target.line, line);
}

TEST(Examples, TheClassTemplateHasItsTargetsAtTheUsersLines) {
  auto all = Program::load({{test::example("quadratic.cpp")}, {}, ""}).targets({});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].function, "quadratic_root");
  EXPECT_EQ(all[1].function, "quadratic_root_single");
  EXPECT_EQ(all[2].function, "quadratic_root_stable");
  expect_place(all[0], "quadratic.cpp", 30);
  expect_place(all[2], "quadratic.cpp", 34);
  expect(all[1], "a:binary32 b:binary32 c:binary32", "return:binary32");
}

TEST(Examples, TheFortranFileHasItsTargetsAtTheUsersLines) {
  auto all = Program::load({{test::example("heron.f90")}, {}, ""}).targets({});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].function, "heron");
  expect_place(all[0], "heron.f90", 10);
  expect(all[0], "a:binary64 b:binary64 c:binary64", "return:binary64");
  EXPECT_EQ(all[2].function, "mean_and_variance");
  expect(all[2], "x:binary64 y:binary64 z:binary64", "mean:binary64 variance:binary64");
}

} // namespace
} // namespace faultline::program
