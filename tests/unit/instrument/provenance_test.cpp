// Which integers the path settles, on modules in LLVM's own text.
// LLVM is hidden from this layer's users, so the tests see its headers only if instrument_tests links vendor_llvm.
#if __has_include(<llvm/IR/Module.h>)
#include "instrument/provenance.h"

#include "instrument/instrument.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace faultline::instrument {
namespace {

const char* const head =
    "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\ntarget "
    "triple = \"x86_64-pc-linux-gnu\"\n";

struct Determined : testing::Test {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<Provenance> provenance;

  void parse(const std::string& text) {
    llvm::SMDiagnostic problem;
    module = llvm::parseAssemblyString(head + text, problem, context);
    ASSERT_TRUE(module) << problem.getMessage().str() << " in line " << problem.getLineNo() - 2;
    provenance = std::make_unique<Provenance>(*module);
  }

  // The values called so in any function.
  bool operator()(llvm::StringRef name) const {
    bool found = false, all = true;
    auto look = [&](const llvm::Value& value) {
      if (value.getName() != name)
        return;
      found = true;
      all = all && provenance->determined(value);
    };
    for (llvm::Function& function : *module) {
      for (llvm::Argument& argument : function.args())
        look(argument);
      for (llvm::Instruction& instruction : llvm::instructions(function))
        look(instruction);
    }
    EXPECT_TRUE(found) << name.str();
    return all;
  }

  bool reads_constant(llvm::StringRef name) const {
    for (llvm::Function& function : *module)
      for (llvm::Instruction& instruction : llvm::instructions(function))
        if (instruction.getName() == name)
          return provenance->reads_constant(llvm::cast<llvm::LoadInst>(instruction));
    ADD_FAILURE() << name.str();
    return false;
  }
};

TEST_F(Determined, AreComparisonsAndConversionsButNotInputsAndBits) {
  parse("define void @f(double %x, i32 %n, ptr %p) {\n"
        "  %compared = fcmp olt double %x, 1.0\n  %both = and i1 %compared, true\n  %whole = fptosi double %x to i32\n"
        "  %sum = add i32 %whole, 3\n  %mixed = add i32 %whole, %n\n  %bits = bitcast double %x to i64\n"
        "  %loaded = load i32, ptr %p\n  %null = icmp eq ptr %p, null\n  %address = ptrtoint ptr %p to i64\n"
        "  %class = call i1 @llvm.is.fpclass.f64(double %x, i32 3)\n  %max = call i32 @llvm.smax.i32(i32 %whole, i32 "
        "4)\n  ret void\n}\ndeclare i1 @llvm.is.fpclass.f64(double, i32)\ndeclare i32 @llvm.smax.i32(i32, i32)");
  for (const char* name : {"compared", "both", "whole", "sum", "max", "null"})
    EXPECT_TRUE((*this)(name)) << name;
  for (const char* name : {"n", "mixed", "bits", "loaded", "address", "class"})
    EXPECT_FALSE((*this)(name)) << name;
}

TEST_F(Determined, IsALoopCounterWithABoundThatIs) {
  parse("define void @f(i32 %n) {\nentry:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
        "  %j = phi i32 [ %n, %entry ], [ %down, %loop ]\n  %next = add i32 %i, 1\n  %down = sub i32 %j, 1\n"
        "  %fixed = icmp slt i32 %next, 10\n  %bounded = icmp slt i32 %next, %n\n  %counted = icmp eq i32 %down, 0\n"
        "  br i1 %fixed, label %loop, label %end\nend:\n  ret void\n}");
  EXPECT_TRUE((*this)("i") && (*this)("next") && (*this)("fixed"));
  EXPECT_FALSE((*this)("bounded"));
  EXPECT_FALSE((*this)("j") || (*this)("counted"));
}

TEST_F(Determined, IsWhatFunctionsOfTheModuleMakeOfArgumentsThatAre) {
  parse(
      "define internal i32 @status(double %x) { %c = fcmp olt double %x, 0.0\n %s = select i1 %c, i32 4, i32 0\n ret "
      "i32 %s }\n"
      "define internal i32 @twice(i32 %a) { %d = add i32 %a, %a\n ret i32 %d }\n"
      "define internal i32 @own(i32 %b) { %e = add i32 %b, 1\n ret i32 %e }\n"
      "define internal i32 @again(i32 %k) { %r = call i32 @again(i32 %k)\n ret i32 %r }\n"
      "declare i32 @unknown(i32)\ndeclare i32 @abs(i32)\n"
      "define void @f(double %x, i32 %n) {\n  %good = call i32 @status(double %x)\n  %fixed = call i32 @twice(i32 3)\n"
      "  %bad = call i32 @own(i32 %n)\n  %endless = call i32 @again(i32 2)\n  %outside = call i32 @unknown(i32 3)\n"
      "  %pure = call i32 @abs(i32 %good)\n  %absolute = call i32 @abs(i32 %n)\n  ret void\n}");
  for (const char* name : {"good", "a", "fixed", "k", "endless", "pure"})
    EXPECT_TRUE((*this)(name)) << name;
  for (const char* name : {"b", "bad", "outside", "absolute"})
    EXPECT_FALSE((*this)(name)) << name;
}

TEST_F(Determined, IsLocalMemoryUntilSomethingElseIsStoredThere) {
  parse(
      "declare double @frexp(double, ptr nocapture)\n"
      "define void @f(double %x, i32 %n, i64 %at) {\n  %clean = alloca i32\n  %dirty = alloca i32\n  %float = alloca "
      "double\n  %array = alloca [4 x i32]\n  %exponent = alloca i32\n"
      "  store i32 3, ptr %clean\n  %a = load i32, ptr %clean\n"
      "  store i32 %n, ptr %dirty\n  %b = load i32, ptr %dirty\n"
      "  store double %x, ptr %float\n  %c = load i64, ptr %float\n"
      "  %element = getelementptr i32, ptr %array, i64 %at\n  store i32 1, ptr %element\n  %d = load i32, ptr %array\n"
      "  %m = call double @frexp(double %x, ptr %exponent)\n  %e = load i32, ptr %exponent\n"
      "  %either = select i1 false, ptr %clean, ptr %dirty\n  %g = load i32, ptr %either\n  ret void\n}");
  EXPECT_TRUE((*this)("a"));
  for (const char* name : {"b", "c", "d", "e", "g"})
    EXPECT_FALSE((*this)(name)) << name;
}

TEST_F(Determined, FollowsPointersIntoCalls) {
  parse(
      "define internal void @set(ptr %p, i32 %v) { store i32 %v, ptr %p\n ret void }\n"
      "define internal i32 @get(ptr %q) { %read = load i32, ptr %q\n ret i32 %read }\n"
      "define internal ptr @same(ptr %s) { ret ptr %s }\n"
      "define internal void @other(ptr %o) { store i32 5, ptr %o\n ret void }\n"
      "define void @f(i32 %n) {\n  %a = alloca i32\n  %b = alloca i32\n  %c = alloca i32\n"
      "  call void @set(ptr %a, i32 %n)\n  call void @other(ptr %b)\n  %x = load i32, ptr %a\n  %y = call i32 @get(ptr "
      "%b)\n"
      "  %t = call ptr @same(ptr %c)\n  store i32 %n, ptr %t\n  %z = load i32, ptr %c\n  ret void\n}");
  EXPECT_FALSE((*this)("x"));
  EXPECT_TRUE((*this)("y"));
  EXPECT_FALSE((*this)("z"));
}

TEST_F(Determined, IsNoMemoryWhoseAddressWasStored) {
  parse("@slot = internal global ptr null\n@held = internal global i32 0\n@table = internal global ptr @held\n"
        "declare ptr @unknown()\n"
        "define void @f(i32 %n) {\n  %a = alloca i32\n  %b = alloca i32\n  store i32 1, ptr %b\n  store ptr %a, ptr "
        "@slot\n"
        "  %p = call ptr @unknown()\n  store i32 %n, ptr %p\n  %x = load i32, ptr %a\n  %y = load i32, ptr %b\n"
        "  %z = load i32, ptr @held\n  ret void\n}");
  EXPECT_FALSE((*this)("x"));
  EXPECT_TRUE((*this)("y"));
  EXPECT_FALSE((*this)("z"));
}

TEST_F(Determined, IsWhichStreamErrorsGoToButNoNumberOfTheLibrarys) {
  parse("@stderr = external global ptr\n@signgam = external global i32\n@stream = internal global ptr null\n"
        "define void @f() {\n  %e = load ptr, ptr @stderr\n  store ptr %e, ptr @stream\n  %s = load ptr, ptr @stream\n"
        "  %sign = load i32, ptr @signgam\n  ret void\n}");
  EXPECT_TRUE((*this)("e") && (*this)("s"));
  EXPECT_FALSE((*this)("sign"));
}

TEST_F(Determined, IsWhatWasCopiedIfItsSourceWas) {
  parse("@constant = internal constant [2 x i32] [i32 1, i32 2]\n"
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare ptr @malloc(i64)\n"
        "define void @f(ptr %p, i32 %n) {\n  %a = alloca [2 x i32]\n  %b = alloca [2 x i32]\n"
        "  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr @constant, i64 8, i1 false)\n"
        "  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %p, i64 8, i1 false)\n"
        "  %x = load i32, ptr %a\n  %y = load i32, ptr %b\n"
        "  %m = call ptr @malloc(i64 8)\n  %full = icmp eq ptr %m, null\n  %h = load i32, ptr %m\n  ret void\n}");
  EXPECT_TRUE((*this)("x"));
  EXPECT_FALSE((*this)("y"));
  EXPECT_TRUE((*this)("full"));
  EXPECT_FALSE((*this)("h"));
}

TEST_F(Determined, IsACallThroughAPointerIfAllItMayReachAre) {
  parse(
      "define internal i32 @one(i32 %a) { ret i32 1 }\ndefine internal i64 @self(i64 %b) { ret i64 %b }\n"
      "@ones = internal constant ptr @one\n@selves = internal constant ptr @self\n"
      "define void @f(i32 %n) {\n  %p = load ptr, ptr @ones\n  %x = call i32 %p(i32 4)\n  %q = load ptr, ptr @selves\n"
      "  %y = call i64 %q(i64 4)\n  ret void\n}");
  EXPECT_TRUE((*this)("x"));
  EXPECT_FALSE((*this)("y")) << "who else calls it, and with what, is not known";
}

TEST_F(Determined, AreLoadsOfWhatNobodyWrites) {
  parse(
      "@table = internal constant [4 x double] zeroinitializer\n@never = internal global [4 x double] "
      "zeroinitializer\n@written = internal global [4 x double] zeroinitializer\n"
      "define void @f(double %x, i64 %n, ptr %p) {\n  %i = fptosi double %x to i64\n"
      "  %1 = getelementptr double, ptr @table, i64 %i\n  %a = load double, ptr %1\n"
      "  %2 = getelementptr double, ptr @never, i64 %i\n  %b = load double, ptr %2\n"
      "  %3 = getelementptr double, ptr @written, i64 %i\n  store double %x, ptr @written\n  %c = load double, ptr %3\n"
      "  %4 = getelementptr double, ptr @table, i64 %n\n  %d = load double, ptr %4\n"
      "  %e = load double, ptr %p\n  ret void\n}");
  EXPECT_TRUE(reads_constant("a") && reads_constant("b"));
  EXPECT_FALSE(reads_constant("c"));
  EXPECT_FALSE(reads_constant("d"));
  EXPECT_FALSE(reads_constant("e"));
}

// As a library has its tables of coefficients: a struct, handed on by its address, which is never written.
TEST_F(Determined, AreLoadsByPointersThatNobodyWrites) {
  parse("@numbers = internal global [4 x double] zeroinitializer\n"
        "@series = internal global { ptr, i32 } { ptr @numbers, i32 3 }\n"
        "@others = internal global [4 x double] zeroinitializer\n@moved = internal global ptr @others\n"
        "define internal double @eval(ptr %cs) {\n  %c = load ptr, ptr %cs\n"
        "  %1 = getelementptr i8, ptr %cs, i64 8\n  %order = load i32, ptr %1\n"
        "  %2 = sext i32 %order to i64\n  %3 = getelementptr double, ptr %c, i64 %2\n"
        "  %a = load double, ptr %3\n  ret double %a\n}\n"
        "define void @f(ptr %block) {\n  %r = call double @eval(ptr @series)\n  store double %r, ptr %block\n"
        "  %o = load ptr, ptr @moved\n  %b = load double, ptr %o\n"
        "  %p = load ptr, ptr %block\n  store ptr %p, ptr @moved\n  ret void\n}");
  EXPECT_TRUE((*this)("order"));
  EXPECT_TRUE(reads_constant("a"));
  EXPECT_FALSE(reads_constant("b")) << "the pointer is written";
}

TEST_F(Determined, IsATableThoughMessagesArePrinted) {
  parse("@numbers = internal global [4 x double] zeroinitializer\n@table = internal global ptr @numbers\n"
        "@stderr = external global ptr\n@stream = internal global ptr null\ndeclare i32 @fflush(ptr)\n"
        "define void @f() {\n  %e = load ptr, ptr @stderr\n  store ptr %e, ptr @stream\n"
        "  %s = load ptr, ptr @stream\n  %1 = call i32 @fflush(ptr %s)\n"
        "  %c = load ptr, ptr @table\n  %a = load double, ptr %c\n  ret void\n}");
  EXPECT_TRUE(reads_constant("a"));
}

TEST_F(Determined, IsNoTableThatSomebodyWritesThroughAPointerStoredElsewhere) {
  parse("@numbers = internal global [4 x double] zeroinitializer\n@others = internal global [4 x double] "
        "zeroinitializer\n"
        "@moved = internal global ptr @others\n"
        "define void @f(double %x) {\n  store ptr @numbers, ptr @moved\n  %c = load ptr, ptr @moved\n"
        "  store double %x, ptr %c\n  %a = load double, ptr @numbers\n  ret void\n}");
  EXPECT_FALSE(reads_constant("a"));
}

TEST_F(Determined, IsNoTableThatSomebodyWritesThroughItsPointer) {
  parse("@numbers = internal global [4 x double] zeroinitializer\n@table = internal global ptr @numbers\n"
        "define void @f(double %x) {\n  %c = load ptr, ptr @table\n  store double %x, ptr %c\n"
        "  %a = load double, ptr @numbers\n  ret void\n}");
  EXPECT_FALSE(reads_constant("a"));
}

// Phis, arguments, calls and switches as conditions: the code stays valid, and both versions have the same sites and
// constants.
TEST_F(Determined, OrNotTheInstrumentedModuleIsValid) {
  parse(
      "declare i1 @unknown()\n"
      "define internal double @g(double %x, i1 %flag) {\n  %r = select i1 %flag, double %x, double 2.0\n  ret double "
      "%r\n}\n"
      "define double @f(double %x, i32 %n, i1 %b, ptr %p) {\nentry:\n  %c = icmp ult i32 %n, 5\n  br i1 %c, label "
      "%left, label %join\nleft:\n  %d = fadd double %x, 1.0\n  br label %join\njoin:\n"
      "  %v = phi double [ %x, %entry ], [ %d, %left ]\n  %k = phi i1 [ %b, %entry ], [ %c, %left ]\n"
      "  %l = phi i1 [ %c, %entry ], [ %b, %left ]\n  %s = select i1 %l, double %v, double %x\n"
      "  br i1 %k, label %next, label %other\nnext:\n  %u = call i1 @unknown()\n  %w = select i1 %u, double %s, double "
      "7.0\n  %z = call double @g(double %w, i1 %u)\n  ret double %z\nother:\n  %h = load i64, ptr %p\n"
      "  switch i64 %h, label %last [ i64 3, label %last\n i64 -4, label %end ]\nlast:\n  %number = uitofp i32 %n to "
      "double\n  %q = fdiv double %number, 3.0\n  ret double %q\nend:\n  %frozen = freeze i1 %c\n  %y = select i1 "
      "%frozen, double %x, double 3.0\n  ret double %y\n}");
  prepare(*module);
  auto copy = llvm::CloneModule(*module);
  const auto taped = instrument_with_decisions(*module, Execution::taped, {});
  const auto lifted = instrument_with_decisions(*copy, Execution::lifted, {});
  for (const auto* instrumented : {module.get(), copy.get()}) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    EXPECT_FALSE(llvm::verifyModule(*instrumented, &stream)) << text;
  }
  ASSERT_EQ(taped.sites.size(), lifted.sites.size());
  for (size_t i = 0; i < taped.sites.size(); ++i)
    EXPECT_TRUE(taped.sites[i].op == lifted.sites[i].op && taped.sites[i].predicate == lifted.sites[i].predicate);
  ASSERT_EQ(taped.constants.size(), lifted.constants.size());
  for (size_t i = 0; i < taped.constants.size(); ++i)
    EXPECT_EQ(taped.constants[i].value, lifted.constants[i].value);
  // %c, %k, %l, %u, the switch, %frozen, and @g's %flag.
  EXPECT_EQ(std::count_if(taped.sites.begin(), taped.sites.end(),
                          [](const auto& site) { return site.op == ops::Op::decide; }),
            7);
}

} // namespace
} // namespace faultline::instrument
#endif
