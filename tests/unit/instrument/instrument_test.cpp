// The pass on modules in LLVM's own text: what it leaves is valid, and its sites are in step.
// LLVM is hidden from this layer's users, so the tests see its headers only if instrument_tests links vendor_llvm.
#if __has_include(<llvm/IR/Module.h>)
#include "instrument/instrument.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <unistd.h>

namespace faultline::instrument {
namespace {

const char* const head =
    "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\ntarget "
    "triple = \"x86_64-pc-linux-gnu\"\n";

std::string broken(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  return llvm::verifyModule(module, &stream) ? text : "";
}

struct Instrumented : testing::Test {
  llvm::LLVMContext context;

  std::unique_ptr<llvm::Module> parse(const std::string& text) {
    llvm::SMDiagnostic problem;
    auto module = llvm::parseAssemblyString(head + text, problem, context);
    if (!module)
      ADD_FAILURE() << problem.getMessage().str();
    return module;
  }

  // The site table of a module that stays valid in both versions.
  runtime::SiteTable valid(const std::string& text) {
    auto module = parse(text);
    EXPECT_EQ(broken(*module), "");
    prepare(*module);
    EXPECT_EQ(broken(*module), "");
    auto copy = llvm::CloneModule(*module);
    auto taped = instrument(*module, Execution::taped), lifted = instrument(*copy, Execution::lifted);
    EXPECT_EQ(broken(*module), "");
    EXPECT_EQ(broken(*copy), "");
    EXPECT_EQ(taped.sites.size(), lifted.sites.size());
    for (size_t i = 0; i < taped.sites.size() && i < lifted.sites.size(); ++i)
      EXPECT_EQ(taped.sites[i].op, lifted.sites[i].op);
    return taped;
  }

  static int count(const runtime::SiteTable& table, ops::Op op) {
    return int(std::count_if(table.sites.begin(), table.sites.end(),
                             [op](const runtime::Site& site) { return site.op == op; }));
  }
};

TEST_F(Instrumented, VectorOperationsBecomeOneSiteALane) {
  auto table = valid(
      "define <4 x float> @f(<4 x float> %a, <4 x float> %b) { %c = fdiv <4 x float> %a, %b\n ret <4 x float> %c }");
  EXPECT_EQ(count(table, ops::Op::fdiv), 4);
}

TEST_F(Instrumented, PermissionToFuseIsNotUsed) {
  auto module = parse("define double @f(double %a, double %b, double %c) { %m = fmul contract double %a, %b\n %s = "
                      "fadd contract double %m, %c\n ret double %s }");
  prepare(*module);
  for (const llvm::Instruction& instruction : module->getFunction("f")->getEntryBlock())
    if (llvm::isa<llvm::FPMathOperator>(instruction))
      EXPECT_FALSE(instruction.hasAllowContract());
}

TEST_F(Instrumented, FmuladdIsTwoOperationsWithoutTheProcessorsFma) {
  const std::string body = "define double @f(double %a, double %b, double %c) #0 { %s = call double "
                           "@llvm.fmuladd.f64(double %a, double %b, double %c)\n ret double %s }\n"
                           "declare double @llvm.fmuladd.f64(double, double, double)\n";
  auto apart = valid(body + "attributes #0 = { \"target-features\"=\"+sse2\" }");
  EXPECT_EQ(count(apart, ops::Op::fmul), 1);
  EXPECT_EQ(count(apart, ops::Op::fadd), 1);
  auto fused = valid(body + "attributes #0 = { \"target-features\"=\"+avx2,+fma\" }");
  EXPECT_EQ(count(fused, ops::Op::fma), 1);
}

TEST_F(Instrumented, LibmAndIntrinsicsAreTheSameOperations) {
  auto table =
      valid("declare double @sin(double)\ndeclare double @llvm.sin.f64(double)\ndeclare float @powf(float, "
            "float)\ndeclare x86_fp80 @logl(x86_fp80)\n"
            "define double @f(double %a, float %b, x86_fp80 %c) { %1 = call double @sin(double %a)\n %2 = call double "
            "@llvm.sin.f64(double %1)\n"
            " %3 = call float @powf(float %b, float %b)\n %4 = call x86_fp80 @logl(x86_fp80 %c)\n ret double %2 }");
  EXPECT_EQ(count(table, ops::Op::sin), 2);
  EXPECT_EQ(count(table, ops::Op::pow), 1);
  EXPECT_EQ(count(table, ops::Op::log), 1);
}

TEST_F(Instrumented, FunctionsOfLibrariesAreFollowedWhateverTheirForm) {
  const auto table = valid(R"(
    declare double @jn(i32, double)
    declare double @lgamma_r(double, ptr)
    declare double @remquo(double, double, ptr)
    declare float @nextafterf(float, float)
    declare x86_fp80 @significandl(x86_fp80)
    declare double @_FortranAModuloReal8(double, double, ptr, i32)
    declare float @_FortranAScale4(float, i64)
    declare float @_FortranAFraction4(float)
    declare double @_FortranANearest8(double, i1)
    declare double @_FortranASpacing8(double)
    define double @f(double %x, float %y, x86_fp80 %z, ptr %p) {
      %1 = call double @jn(i32 3, double %x)
      %2 = call double @lgamma_r(double %1, ptr %p)
      %3 = call double @remquo(double %2, double 3.0, ptr %p)
      %4 = call float @nextafterf(float %y, float 9.0)
      %5 = call x86_fp80 @significandl(x86_fp80 %z)
      %6 = call double @_FortranAModuloReal8(double %3, double 1.0, ptr %p, i32 1)
      %7 = call float @_FortranAScale4(float %4, i64 3)
      %8 = call float @_FortranAFraction4(float %7)
      %9 = call double @_FortranANearest8(double %6, i1 true)
      %10 = call double @_FortranASpacing8(double %9)
      ret double %10
    })");
  EXPECT_EQ(count(table, ops::Op::jn), 1);
  EXPECT_EQ(count(table, ops::Op::lgamma), 1);
  EXPECT_EQ(count(table, ops::Op::remainder), 1);
  EXPECT_EQ(count(table, ops::Op::modulo), 1);
  EXPECT_EQ(count(table, ops::Op::ldexp), 3);
  EXPECT_EQ(count(table, ops::Op::fadd), 2);
  EXPECT_TRUE(table.foreign.empty());
}

TEST_F(Instrumented, ComplexFunctionsAreTwoOperationsInEveryFormat) {
  const auto table = valid(R"(
    declare { double, double } @csqrt(double, double)
    declare <2 x float> @cexpf(<2 x float>)
    declare { x86_fp80, x86_fp80 } @clogl(ptr byval({ x86_fp80, x86_fp80 }) align 16)
    declare float @cabsf(<2 x float>)
    declare { double, double } @__divdc3(double, double, double, double)
    declare <2 x float> @__divsc3(float, float, float, float)
    declare { double, double } @cpow(double, double, double, double)
    declare { double, double } @_FortranAzpowi(double, double, i32)
    define double @f(double %x, <2 x float> %y, ptr %p) {
      %1 = call { double, double } @csqrt(double %x, double 1.0)
      %2 = extractvalue { double, double } %1, 1
      %3 = call <2 x float> @cexpf(<2 x float> %y)
      %4 = call { x86_fp80, x86_fp80 } @clogl(ptr byval({ x86_fp80, x86_fp80 }) align 16 %p)
      %5 = call float @cabsf(<2 x float> %3)
      %6 = call { double, double } @__divdc3(double %2, double 1.0, double %x, double %2)
      %7 = extractvalue { double, double } %6, 0
      %8 = call <2 x float> @__divsc3(float %5, float %5, float 3.0, float 1.0)
      %9 = call { double, double } @cpow(double %7, double 1.0, double 2.0, double %x)
      %10 = extractvalue { double, double } %9, 0
      %11 = call { double, double } @_FortranAzpowi(double %10, double 1.0, i32 3)
      %12 = extractvalue { double, double } %11, 1
      ret double %12
    })");
  EXPECT_EQ(count(table, ops::Op::csqrt_im), 1);
  EXPECT_EQ(count(table, ops::Op::cexp_re), 2);
  EXPECT_EQ(count(table, ops::Op::clog_re), 2);
  EXPECT_EQ(count(table, ops::Op::atan2), 2);
  EXPECT_EQ(count(table, ops::Op::hypot), 1);
  EXPECT_EQ(count(table, ops::Op::fdiv), 4);
}

TEST_F(Instrumented, AFunctionOfTheProgramIsNotTakenForTheLibrarys) {
  auto table = valid("define internal double @sin(double %a) { %r = fdiv double %a, 3.0\n ret double %r }\ndefine "
                     "double @f(double %a) { %r = call double @sin(double %a)\n ret double %r }");
  EXPECT_EQ(count(table, ops::Op::sin), 0);
  EXPECT_EQ(count(table, ops::Op::fdiv), 1);
}

TEST_F(Instrumented, AConstantStandsInTheTableOnce) {
  auto table = valid("define double @f(double %a) { %1 = fadd double %a, 3.0\n %2 = fmul double %1, 3.0\n %3 = fdiv "
                     "double %2, 5.0\n ret double %3 }");
  EXPECT_EQ(table.constants.size(), 2u);
}

TEST_F(Instrumented, ComparisonsThatAlwaysHoldDoNoHarm) {
  valid("define i1 @f(double %a) { %1 = fcmp true double %a, 3.0\n %2 = fcmp false double %a, 3.0\n %3 = xor i1 %1, "
        "%2\n ret i1 %3 }");
}

TEST_F(Instrumented, TheResultOfAnInvokeMayGoThroughAPhiOfItsOnlySuccessor) {
  valid("declare i32 @__gxx_personality_v0(...)\ndefine internal double @g(double %a) { %r = fdiv double %a, 3.0\n ret "
        "double %r }\n"
        "define double @f(double %a) personality ptr @__gxx_personality_v0 {\nentry:\n  %i = invoke double @g(double "
        "%a) to label %next unwind label %bad\n"
        "next:\n  %p = phi double [ %i, %entry ]\n  %r = fadd double %p, 1.0\n  ret double %r\n"
        "bad:\n  %l = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %l\n}");
}

TEST_F(Instrumented, TheResultOfAnInvokeMayBeThePointerOfAVectorStore) {
  auto module = parse("declare i32 @__gxx_personality_v0(...)\ndeclare ptr @g()\n"
                      "define void @f() personality ptr @__gxx_personality_v0 {\nentry:\n  %p = invoke ptr @g() to "
                      "label %next unwind label %bad\n"
                      "next:\n  store <2 x double> <double 1.0, double 2.0>, ptr %p\n  ret void\n"
                      "bad:\n  %l = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %l\n}");
  EXPECT_EXIT(
      {
        prepare(*module);
        _exit(broken(*module).empty() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(Instrumented, UnreachableBlocksAreNoObstacle) {
  valid("define double @f(double %a) {\nentry:\n  br label %end\ndead:\n  %d = fadd double %a, 1.0\n  br label "
        "%end\nend:\n  %p = phi double [ %a, %entry ], [ %d, %dead ]\n  ret double %p\n}");
}

TEST_F(Instrumented, TailCallsThatMustBeStayTailCalls) {
  valid("define internal double @g(double %a) { %r = fdiv double %a, 3.0\n ret double %r }\ndefine double @f(double "
        "%a) { %s = fadd double %a, 1.0\n %r = musttail call double @g(double %s)\n ret double %r }");
}

TEST_F(Instrumented, WideAggregatesBecomeLeaves) {
  valid("define [100 x double] @f([100 x double] %a) { ret [100 x double] %a }\ndefine double @g([100 x double] %a) { "
        "%r = extractvalue [100 x double] %a, 7\n %s = fadd double %r, 1.0\n ret double %s }");
}

} // namespace
} // namespace faultline::instrument
#endif
