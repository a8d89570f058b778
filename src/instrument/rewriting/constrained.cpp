#include "instrument/rewriting/constrained.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace faultline::instrument {
namespace {

using llvm::ConstrainedFPIntrinsic;
using llvm::Instruction;
using llvm::Value;

Value* plain_comparison(llvm::IRBuilder<>& builder, const ConstrainedFPIntrinsic& call) {
  const auto predicate = llvm::cast<llvm::ConstrainedFPCmpIntrinsic>(call).getPredicate();
  return builder.CreateFCmp(predicate, call.getArgOperand(0), call.getArgOperand(1));
}

Value* plain_instruction(llvm::IRBuilder<>& builder, unsigned opcode, const ConstrainedFPIntrinsic& call) {
  if (Instruction::isBinaryOp(opcode))
    return builder.CreateBinOp(Instruction::BinaryOps(opcode), call.getArgOperand(0), call.getArgOperand(1));
  return builder.CreateCast(Instruction::CastOps(opcode), call.getArgOperand(0), call.getType());
}

// `overloads`: the types that the plain intrinsic is chosen by.
Value* plain_function(llvm::IRBuilder<>& builder, llvm::Intrinsic::ID id, const ConstrainedFPIntrinsic& call,
                      unsigned arguments) {
  namespace I = llvm::Intrinsic;
  llvm::SmallVector<Value*, 3> operands(call.arg_begin(), call.arg_begin() + arguments);
  llvm::SmallVector<llvm::Type*, 2> overloads{call.getType()};
  const bool second_varies = id == I::powi || id == I::ldexp; // an integer
  const bool to_integer = id == I::lrint || id == I::llrint || id == I::lround || id == I::llround;
  if (second_varies)
    overloads.push_back(operands[1]->getType());
  if (to_integer)
    overloads.push_back(operands[0]->getType());
  return builder.CreateIntrinsic(id, overloads, operands);
}

Value* plainly(llvm::IRBuilder<>& builder, const ConstrainedFPIntrinsic& call) {
  switch (call.getIntrinsicID()) {
#define CMP_INSTRUCTION(name, arguments, rounds, intrinsic, node)                                                      \
  case llvm::Intrinsic::intrinsic:                                                                                     \
    return plain_comparison(builder, call);
#define INSTRUCTION(name, arguments, rounds, intrinsic)                                                                \
  case llvm::Intrinsic::intrinsic:                                                                                     \
    return plain_instruction(builder, Instruction::name, call);
#define FUNCTION(name, arguments, rounds, intrinsic)                                                                   \
  case llvm::Intrinsic::intrinsic:                                                                                     \
    return plain_function(builder, llvm::Intrinsic::name, call, arguments);
#define DAG_FUNCTION(name, arguments, rounds, intrinsic, node) FUNCTION(name, arguments, rounds, intrinsic)
#include <llvm/IR/ConstrainedOps.def>
  default:
    return nullptr;
  }
}

bool has_usual_rounding(const ConstrainedFPIntrinsic& call) {
  const std::optional<llvm::RoundingMode> mode = call.getRoundingMode();
  return !mode || *mode == llvm::RoundingMode::Dynamic || *mode == llvm::RoundingMode::NearestTiesToEven;
}

} // namespace

void write_constrained_plainly(llvm::Function& function) {
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<ConstrainedFPIntrinsic>(&instruction);
    if (!call || !has_usual_rounding(*call))
      continue;
    llvm::IRBuilder<> builder(call);
    Value* plain = plainly(builder, *call);
    if (!plain)
      continue;
    plain->takeName(call);
    call->replaceAllUsesWith(plain);
    call->eraseFromParent();
  }
  function.removeFnAttr(llvm::Attribute::StrictFP);
}

} // namespace faultline::instrument
