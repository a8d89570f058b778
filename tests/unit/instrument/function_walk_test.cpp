// What the walk makes of single instructions: which index an operand gets. Seen in the lifted version, where an index
// is the result of a call.
#include "instrument/function_walk.h"

#include "runtime/abi.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

namespace faultline::instrument {
namespace {

struct Walk : testing::Test {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  SiteBuilder sites;

  // Walks over the function f of this text.
  void walk(const std::string& text) {
    llvm::SMDiagnostic problem;
    module = llvm::parseAssemblyString(text, problem, context);
    ASSERT_TRUE(module) << problem.getMessage().str();
    auto emitter = make_lifted_emitter(*module);
    FunctionWalk(*module->getFunction("f"), *emitter, sites).run();
    ASSERT_FALSE(llvm::verifyModule(*module));
  }

  std::vector<llvm::CallInst*> calls(const std::string& callee) const {
    std::vector<llvm::CallInst*> found;
    for (llvm::Instruction& instruction : llvm::instructions(*module->getFunction("f")))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction() && call->getCalledFunction()->getName() == callee)
        found.push_back(call);
    return found;
  }

  // The operation of the site, in the order of the walk, counted from 0.
  llvm::CallInst* operation(size_t number) const { return calls("faultline_lift").at(number); }
  static llvm::Value* operand(const llvm::CallInst* operation, unsigned which) {
    return operation->getArgOperand(1 + which);
  }
};

TEST_F(Walk, AnOperandIsTheOperationThatMadeIt) {
  walk("define double @f(double %x) { %a = fadd double %x, 3.0\n %b = fmul double %a, %a\n ret double %b }");
  EXPECT_EQ(operand(operation(1), 0), operation(0));
  EXPECT_EQ(operand(operation(1), 1), operation(0));
}

TEST_F(Walk, AConstantIsAnEntryOfTheTable) {
  walk("define double @f(double %x) { %a = fadd double %x, 3.0\n ret double %a }");
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operand(operation(0), 1));
  ASSERT_TRUE(constant);
  const auto index = uint32_t(constant->getZExtValue());
  ASSERT_TRUE(runtime::is_constant(index));
  EXPECT_EQ(sites.table.constants.at(index & ~runtime::constant_flag).value, 3);
}

TEST_F(Walk, AStructKeepsItsFloatsApart) {
  walk("define double @f(double %x) { %a = fadd double %x, 3.0\n %b = fmul double %x, 5.0\n"
       "%s = insertvalue { i32, double, { double } } undef, double %a, 1\n"
       "%t = insertvalue { i32, double, { double } } %s, double %b, 2, 0\n"
       "%p = extractvalue { i32, double, { double } } %t, 1\n %q = extractvalue { i32, double, { double } } %t, 2, 0\n"
       "%d = fdiv double %p, %q\n ret double %d }");
  EXPECT_EQ(operand(operation(2), 0), operation(0));
  EXPECT_EQ(operand(operation(2), 1), operation(1));
}

TEST_F(Walk, APermutedVectorKeepsItsLanesApart) {
  walk(
      "define double @f(double %x) { %a = fadd double %x, 3.0\n %b = fmul double %x, 5.0\n"
      "%v = insertelement <2 x double> undef, double %a, i32 0\n %w = insertelement <2 x double> %v, double %b, i32 1\n"
      "%s = shufflevector <2 x double> %w, <2 x double> <double 7.0, double 9.0>, <3 x i32> <i32 1, i32 0, i32 2>\n"
      "%p = extractelement <3 x double> %s, i32 0\n %q = extractelement <3 x double> %s, i32 1\n"
      "%r = extractelement <3 x double> %s, i32 2\n"
      "%d = fdiv double %p, %q\n %e = fdiv double %d, %r\n ret double %e }");
  EXPECT_EQ(operand(operation(2), 0), operation(1));
  EXPECT_EQ(operand(operation(2), 1), operation(0));
  auto* seven = llvm::dyn_cast<llvm::ConstantInt>(operand(operation(3), 1));
  ASSERT_TRUE(seven);
  EXPECT_EQ(sites.table.constants.at(seven->getZExtValue() & ~runtime::constant_flag).value, 7);
}

TEST_F(Walk, ALaneThatNobodyKnowsBeforehandIsALeaf) {
  walk("define double @f(<2 x double> %v, i32 %i) { %a = extractelement <2 x double> %v, i32 %i\n"
       "%d = fdiv double %a, 3.0\n ret double %d }");
  auto* leaf = llvm::dyn_cast<llvm::CallInst>(operand(operation(0), 0));
  ASSERT_TRUE(leaf);
  EXPECT_EQ(leaf->getCalledFunction()->getName(), "faultline_lift_leaf_f64");
}

TEST_F(Walk, APhiBringsTheIndexOfTheWayThatWasTaken) {
  walk("define double @f(double %x, i1 %c) {\nstart:\n %a = fadd double %x, 3.0\n br i1 %c, label %other, label %join\n"
       "other:\n %b = fmul double %x, 5.0\n br label %join\n"
       "join:\n %p = phi double [ %a, %start ], [ %b, %other ]\n %d = fdiv double %p, 7.0\n ret double %d }");
  auto* phi = llvm::dyn_cast<llvm::PHINode>(operand(operation(2), 0));
  ASSERT_TRUE(phi);
  EXPECT_EQ(phi->getIncomingValue(0), operation(0));
  EXPECT_EQ(phi->getIncomingValue(1), operation(1));
}

TEST_F(Walk, AnIntegerThatOnlyCarriesAFloatThroughMemoryKeepsItsIndices) {
  walk("define void @f(ptr %from, ptr %to) { %i = load i64, ptr %from\n store i64 %i, ptr %to\n ret void }");
  EXPECT_EQ(calls("faultline_lift_load_weak").size(), 2u); // a double, or two floats
  const auto stores = calls("faultline_lift_store");
  ASSERT_EQ(stores.size(), 2u);
  EXPECT_EQ(stores[0]->getArgOperand(1), calls("faultline_lift_load_weak")[0]);
  EXPECT_EQ(stores[1]->getArgOperand(1), calls("faultline_lift_load_weak")[1]);
}

TEST_F(Walk, AnIntegerThatIsComputedWithCarriesNothing) {
  walk("define void @f(ptr %from, ptr %to) { %i = load i64, ptr %from\n %j = add i64 %i, 1\n store i64 %j, ptr %to\n"
       "ret void }");
  EXPECT_TRUE(calls("faultline_lift_load_weak").empty());
  EXPECT_TRUE(calls("faultline_lift_store").empty());
}

} // namespace
} // namespace faultline::instrument
