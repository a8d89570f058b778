#include "report/tests/call_text.h"

#include "report/tests/literal.h"

#include <gtest/gtest.h>

namespace faultline::report {
namespace {

using model::Cell;
using model::Passing;
using model::Target;
using model::Type;
using numeric::Format;

Type floating(Format format) { return Type{true, format, 0, true}; }
const Type whole{false, Format::binary64, 32, true};
const Type number = floating(Format::binary64);
const std::vector<model::NamedNumber> one = {{"x", {"1", "0x1p+0"}}};

Target of_one_input(const std::string& function = "f(double)", const std::string& symbol = "_Z1fd") {
  Target target;
  target.function = function;
  target.symbol = symbol;
  target.parameters = {{"x", "double", Passing::value, number}};
  target.inputs = {{"x", number, 0}};
  target.outputs = {{"return", number, 16}};
  target.return_offset = 16;
  target.block_bytes = 48;
  return target;
}

std::string declared(const Target& target, bool cpp, bool headers = false) {
  return CallText(target, cpp, headers, "own").declaration();
}
CallCode called(const Target& target, bool cpp, const std::vector<model::NamedNumber>& input = one) {
  return CallText(target, cpp, false, "own").call(input);
}

TEST(CallText, DeclaresAPlainPrototype) {
  EXPECT_EQ(declared(of_one_input(), true), "double f(double x);\n");
  EXPECT_EQ(declared(of_one_input("f", "f"), false), "double f(double x);\n");
  EXPECT_EQ(declared(of_one_input("f", "f"), true), "extern \"C\" double f(double x);\n");
  EXPECT_EQ(declared(of_one_input("f", "f_"), false), "double f_(double x);\n") << "Fortran, as C sees it";
  EXPECT_EQ(called(of_one_input(), true).expression, "f(1.0)");
}

TEST(CallText, DeclaresAFunctionInItsNamespace) {
  const Target target = of_one_input("stats::more::f(double)", "_ZN5stats4more1fEd");
  EXPECT_EQ(declared(target, true), "namespace stats::more {\ndouble f(double x);\n}\n");
  EXPECT_EQ(called(target, true).expression, "stats::more::f(1.0)");
}

TEST(CallText, ALabelLeadsToWhatCannotBeNamed) {
  EXPECT_EQ(declared(of_one_input(), false), "double own(double x) __asm__(\"_Z1fd\");\n") << "C++ in a C file";
  EXPECT_EQ(declared(of_one_input("double f<double>(double)", "_Z1fIdET_S0_"), true),
            "extern \"C\" double own(double x) __asm__(\"_Z1fIdET_S0_\");\n");
  EXPECT_EQ(called(of_one_input(), false).expression, "own(1.0)");
}

TEST(CallText, AHeaderNeedsNoDeclaration) {
  EXPECT_EQ(declared(of_one_input(), true, true), "");
  EXPECT_EQ(declared(of_one_input("f", "f"), false, true), "");
  EXPECT_NE(declared(of_one_input(), false, true), "") << "a C file cannot call it by its name";
}

TEST(CallText, TypesOfACppFunctionMakeTheSameSymbol) {
  Target target = of_one_input("f(long long, double const*)", "_Z1fxPKd");
  target.parameters = {{"n", "long_t", Passing::value, Type{false, Format::binary64, 64, true}},
                       {"x", "const real*", Passing::pointer, number, 16, 0, 2, true, model::SizedBy::user, {2}}};
  EXPECT_EQ(declared(target, true), "double f(long long n, const double *x);\n");
}

TEST(CallText, ArraysAreArraysAndOutputsAreVariables) {
  Target target = of_one_input("f", "f");
  target.parameters = {{"x", "const double*", Passing::pointer, number, 0, 0, 3, true, model::SizedBy::user, {3}},
                       {"n", "int", Passing::value, whole, 24},
                       {"y", "double*", Passing::pointer, number, 32},
                       {"w", "double*", Passing::pointer, number, 48, 0, 2, true, model::SizedBy::user, {2}}};
  target.inputs = {{"x[0]", number, 0}, {"x[1]", number, 8}, {"x[2]", number, 16}, {"n", whole, 24}};
  target.outputs = {{"y", number, 32}, {"w[0]", number, 48}, {"w[1]", number, 56}};
  EXPECT_EQ(declared(target, false), "void f(const double *x, int n, double *y, double *w);\n");
  const CallCode call = called(target, false,
                               {{"x[0]", {"1", "0x1p+0"}},
                                {"x[1]", {"1e+08", "0x1.7d784p+26"}},
                                {"x[2]", {"-0", "-0x0p+0"}},
                                {"n", {"3", "3"}}});
  EXPECT_EQ(call.before, "  const double x[3] = {1.0, 1e8, -0.0};\n  double y = 0.0;\n  double w[2] = {0};\n");
  EXPECT_EQ(call.expression, "f(x, 3, &y, w)");
  EXPECT_EQ(CallText(target, false, false, "own").read(target.outputs[0]).value, "y");
  EXPECT_EQ(CallText(target, false, false, "own").read(target.outputs[2]).value, "w[1]");
}

TEST(CallText, FortranTakesAddresses) {
  Target target = of_one_input("half", "half_");
  target.parameters = {{"x", "real[]", Passing::pointer, number, 0, 0, 2, true, model::SizedBy::user, {2}},
                       {"n", "integer", Passing::pointer, whole, 16}};
  target.inputs = {{"x[0]", number, 0}, {"x[1]", number, 8}, {"n", whole, 16}};
  EXPECT_EQ(declared(target, false), "double half_(double *x, int *n);\n");
  EXPECT_EQ(called(target, false, {{"n", {"2", "2"}}}).expression, "half_(x, &n)");
}

TEST(CallText, RowsHaveTheirLength) {
  Target target = of_one_input("f", "f");
  target.parameters = {{"A", "double[]*", Passing::pointer, number, 0, 0, 4, true, model::SizedBy::user, {2, 2}}};
  target.inputs = {{"A[0]", number, 0}, {"A[1]", number, 8}, {"A[2]", number, 16}, {"A[3]", number, 24}};
  EXPECT_EQ(declared(target, false), "double f(double (*A)[2]);\n");
  EXPECT_EQ(called(target, false, {{"A[3]", {"1", "0x1p+0"}}}).before,
            "  double A[2][2] = {{0.0, 0.0},\n    {0.0, 1.0}};\n");
}

TEST(CallText, AStructIsDefinedIfItsLayoutIsCertain) {
  Target target = of_one_input("f", "f");
  target.parameters.push_back({"r", "result*", Passing::pointer, {}, 32});
  target.outputs = {{"return", whole, 16}, {"r.val", number, 32}, {"r.err", number, 40}};
  const CallText call(target, false, false, "own");
  EXPECT_EQ(call.structs(), std::vector<std::string>{"struct result {\n  double val;\n  double err;\n};\n"});
  EXPECT_EQ(call.declaration(), "int f(double x, struct result *r);\n");
  EXPECT_EQ(call.call(one).before, "  struct result r = {0.0, 0.0};\n");
  EXPECT_EQ(call.call(one).expression, "f(1.0, &r)");
  EXPECT_EQ(call.read(target.outputs[1]).value, "r.val");
  target.block_bytes = 64; // there is more in it
  EXPECT_NE(declared(target, false).find("__asm__"), std::string::npos) << declared(target, false);
}

TEST(CallText, AStructInRegistersHasTheSameFields) {
  Target target = of_one_input();
  target.outputs = {{"return[0]", floating(Format::binary32), 16}, {"return[1]", number, 24}};
  EXPECT_NE(declared(target, false).find("{ float field_0; double field_1; };"), std::string::npos);
  const CallCode call = called(target, false);
  EXPECT_EQ(call.expression, "struct own_returned returned = own(1.0)");
  EXPECT_EQ(call.after, "  memcpy(block.bytes + 16, &returned, 16);\n");
  EXPECT_EQ(CallText(target, false, false, "own").refused(), "");
  target.outputs = {{"return[0]", floating(Format::extended80), 16}, {"return[1]", floating(Format::extended80), 32}};
  EXPECT_NE(CallText(target, false, false, "own").refused(), "") << "complex long double has registers of its own";
}

TEST(CallText, AStructInMemoryIsAHiddenFirstArgument) {
  Target target = of_one_input();
  target.returned_by_pointer = true;
  target.outputs = {{"return.a", number, 16}, {"return.b", number, 24}, {"return.c", number, 32}};
  EXPECT_EQ(declared(target, false), "void own(void *, double) __asm__(\"_Z1fd\");\n");
  EXPECT_EQ(called(target, false).expression, "own(block.bytes + 16, 1.0)");
}

TEST(CallText, NamesLeaveOutWhatTellsNothing) {
  EXPECT_EQ(pascal_case("quadratic_root"), "QuadraticRoot");
  EXPECT_EQ(pascal_case("double stats::mean<std::vector<double> >(double)"), "StatsMean");
  EXPECT_EQ(snake_case("stats::mean(double const*, int)"), "stats_mean");
}

TEST(CallText, EveryNumberReadsBackAsItself) {
  EXPECT_EQ(c_literal({"0.1", "0x1.99999ap-4"}, floating(Format::binary32)), "0.1f");
  EXPECT_EQ(c_literal({"0.1", "0x1.999999999999999ap-4"}, floating(Format::extended80)), "0.1L");
  EXPECT_EQ(c_literal({"1e+08", "0x1.7d784p+26"}, number), "1e8");
  EXPECT_EQ(c_literal({"-inf", "-inf"}, number), "-INFINITY");
  EXPECT_EQ(c_literal({"nan", "nan"}, number), "NAN");
  EXPECT_EQ(c_literal({"7", "7"}, whole), "7");
  EXPECT_EQ(c_literal({"-9223372036854775808", ""}, Type{false, Format::binary64, 64, true}),
            "(-9223372036854775807ll - 1)");
}

TEST(CallText, ToleranceHasTwoDigitsAndIsNotRoundedDown) {
  EXPECT_EQ(rounded_up_literal(2.7e-23, number), "2.7e-23");
  EXPECT_EQ(rounded_up_literal(2.71e-23, number), "2.8e-23");
  EXPECT_EQ(rounded_up_literal(0.25, number), "0.25");
  EXPECT_EQ(rounded_up_literal(2, number), "2.0");
  EXPECT_EQ(rounded_up_literal(4e-323, number), "4.0e-323");
}

} // namespace
} // namespace faultline::report
