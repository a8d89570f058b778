#include "exec/warm_up.h"

#include "exec/jit.h"
#include "instrument/instrument.h"
#include "runtime/entry_points.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

namespace faultline::exec {
namespace {

// Some of everything that numerical code is made of, with and without the attributes that clang gives functions: LLVM
// keeps tables for each set of them.
const char* const sample = R"(
  target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
  target triple = "x86_64-pc-linux-gnu"
  @table = internal constant [2 x double] [double 3.0, double 5.0]
  @state = internal global i64 0
  declare double @sin(double)
  declare double @llvm.fabs.f64(double)
  define internal double @g(double %x, ptr %result) noinline #1 {
    %square = fmul double %x, %x
    store double %square, ptr %result
    %near = fsub double 1.0, %square
    ret double %near
  }
  define double @f(double %x, i32 %n, ptr %out) #0 {
  start:
    %local = alloca double
    br label %loop
  loop:
    %i = phi i32 [ 0, %start ], [ %next, %step ]
    %sum = phi double [ 0.0, %start ], [ %more, %step ]
    %entry = getelementptr double, ptr @table, i32 %i
    %number = load double, ptr %entry
    %small = fcmp olt double %number, %x
    br i1 %small, label %step, label %other
  other:
    %sine = call double @sin(double %sum)
    br label %step
  step:
    %value = phi double [ %number, %loop ], [ %sine, %other ]
    %called = call double @g(double %value, ptr %local)
    %size = call double @llvm.fabs.f64(double %called)
    %more = fadd double %sum, %size
    %whole = fptosi double %more to i32
    %next = add i32 %i, 1
    %count = add i32 %next, %whole
    %end = icmp eq i32 %count, %n
    br i1 %end, label %done, label %loop
  done:
    %seen = load i64, ptr @state
    store i64 %seen, ptr %out
    %kept = load double, ptr %local
    %result = fdiv double %more, %kept
    ret double %result
  }
  attributes #0 = { "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87"
                   "min-legal-vector-width"="0" "tune-cpu"="generic" }
  attributes #1 = { "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87"
                   "min-legal-vector-width"="0" })";

} // namespace

void warm_up() {
  std::vector<Replacement> symbols;
  for (const runtime::EntryPoint& entry : runtime::entry_points())
    symbols.push_back({entry.name, entry.address});
  for (const auto execution : {instrument::Execution::taped, instrument::Execution::lifted}) {
    llvm::orc::ThreadSafeContext context(std::make_unique<llvm::LLVMContext>());
    llvm::SMDiagnostic problem;
    std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(sample, problem, *context.getContext());
    instrument::prepare(*module);
    instrument::instrument(*module, execution);
    const Jit jit(std::move(module), context, symbols, Translation::quick);
  }
}

} // namespace faultline::exec
