// The values that a twin computes, and its decisions, for the comparison of two runs (run/alignment.h).
#include "instrument/operations.h"
#include "ops/op.h"
#include "run/function_twin.h"

#include <llvm/IR/IntrinsicInst.h>

namespace faultline::run {

using llvm::Instruction;
using llvm::Value;

namespace {

// True if the operation adds to a variable that it has just read: in memory (not an element of an array), or in a loop.
bool is_accumulation(const Instruction& operation) {
  for (const Value* operand : operation.operands()) {
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(operand);
        phi && llvm::is_contained(phi->incoming_values(), &operation))
      return true;
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(operand);
    if (!load || llvm::isa<llvm::GetElementPtrInst>(load->getPointerOperand()))
      continue;
    for (const llvm::User* user : operation.users())
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
          store && store->getPointerOperand() == load->getPointerOperand())
        return true;
  }
  return false;
}

bool is_product_of_reciprocal(unsigned opcode) { return opcode == Instruction::FMul || opcode == Instruction::FDiv; }

// What the source asks for, and how this build does it. Nothing if the instruction is none of these.
bool describe(Instruction& instruction, ValueSite& site) {
  const unsigned opcode = instruction.getOpcode();
  site.is_binary32 = is_binary32(instruction.getType());
  if (opcode == Instruction::FAdd || opcode == Instruction::FSub) {
    site.operation = "sum";
    site.form = opcode == Instruction::FAdd ? "addition" : "subtraction";
  } else if (is_product_of_reciprocal(opcode)) {
    site.operation = "product";
    site.form = opcode == Instruction::FMul ? "multiplication" : "division";
  } else if (opcode == Instruction::SIToFP || opcode == Instruction::UIToFP) {
    site.operation = site.form = "conversion of an integer";
  } else if (opcode == Instruction::FPTrunc) {
    site.operation = site.form = "rounding to float";
  } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const auto known = instrument::operation_of(*call);
    if (!known || !is_followed(known->operands.empty() ? call->getType() : known->operands[0]->getType()))
      return false;
    site.operation = std::string(ops::name(known->op));
    site.form = "call of " + site.operation;
    if (known->op == ops::Op::fma) {
      site.operation = "sum";
      site.form = "fused multiplication and addition";
    }
  } else {
    return false;
  }
  return is_followed(instruction.getType());
}

} // namespace

void FunctionTwin::write_event(Builder& builder, uint32_t place, Value* outcome, Value* value, Value* residue) {
  llvm::Type *word = builder.getInt32Ty(), *number = builder.getDoubleTy();
  const auto write = twin_.entry("faultline_run_event", builder.getVoidTy(), {word, word, number, number});
  const auto lane = [&](Value* part, unsigned i) {
    return part->getType()->isVectorTy() ? builder.CreateExtractElement(part, uint64_t(i)) : part;
  };
  for (unsigned i = 0; i < lanes_of(value->getType()); ++i)
    builder.CreateCall(write, {builder.getInt32(place), lane(outcome, i), lane(value, i), lane(residue, i)});
}

void FunctionTwin::record_value(Builder& builder, Instruction& operation, const ValueSite& site) {
  write_event(builder, twin_.value_site(site), builder.getInt32(0), wide(builder, &operation),
              residue(builder, &operation));
}

// A comparison has the order of its operands as the source may have it: compilers turn it around.
void FunctionTwin::record_decision(Builder& builder, Instruction& decision, ValueSite site) {
  site.is_decision = true;
  if (auto* compare = llvm::dyn_cast<llvm::FCmpInst>(&decision)) {
    using llvm::CmpInst;
    CmpInst::Predicate predicate = compare->getPredicate();
    const bool inverse = CmpInst::isUnordered(predicate) && predicate != CmpInst::FCMP_UNE;
    if (inverse)
      predicate = CmpInst::getInversePredicate(predicate);
    Value *a = compare->getOperand(0), *b = compare->getOperand(1);
    if (predicate == CmpInst::FCMP_OGT || predicate == CmpInst::FCMP_OGE)
      std::swap(a, b);
    site.operation = site.form = "comparison";
    Value* outcome = inverse ? builder.CreateNot(&decision) : &decision;
    Value *x = wide(builder, a), *y = wide(builder, b), *gap = builder.CreateFSub(x, y);
    Value* error = Rules(builder, 0).difference(gap, x, y, {residue(builder, a)}, {residue(builder, b)}).value;
    llvm::Type* words = with_lanes(builder.getInt32Ty(), a->getType());
    write_event(builder, twin_.value_site(site), builder.CreateZExt(outcome, words), gap, error);
    return;
  }
  site.operation = site.form = "rounding to an integer";
  Value* operand = decision.getOperand(0);
  write_event(builder, twin_.value_site(site), builder.CreateSExtOrTrunc(&decision, builder.getInt32Ty()),
              wide(builder, operand), residue(builder, operand));
}

void FunctionTwin::record_values(const std::vector<std::vector<Instruction*>>& blocks) {
  for (const std::vector<Instruction*>& instructions : blocks)
    for (size_t i = 0; i + 1 < instructions.size(); ++i) {
      Instruction& instruction = *instructions[i];
      if (llvm::isa<llvm::PHINode>(instruction))
        continue;
      ValueSite site;
      Builder builder(instructions[i + 1]);
      builder.SetCurrentDebugLocation({});
      const auto* compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction);
      const bool to_integer =
          instruction.getOpcode() == Instruction::FPToSI || instruction.getOpcode() == Instruction::FPToUI;
      const bool decides =
          (compare && is_followed(compare->getOperand(0)->getType()) && !is_choice_of_operands(*compare) &&
           compare->getPredicate() != llvm::CmpInst::FCMP_UNO && compare->getPredicate() != llvm::CmpInst::FCMP_ORD) ||
          (to_integer && is_followed(instruction.getOperand(0)->getType()) && !instruction.getType()->isVectorTy());
      if (!decides && !describe(instruction, site))
        continue;
      twin_.locate(instruction, site);
      if (site.line == 0)
        continue;
      site.reassociates = may_reassociate(instruction);
      if (decides) {
        record_decision(builder, instruction, site);
      } else {
        site.accumulates = is_accumulation(instruction);
        record_value(builder, instruction, site);
      }
    }
  const auto regions = [&](llvm::StringRef name) { return name == "__kmpc_fork_call" || name == "__kmpc_fork_teams"; };
  for (const std::vector<Instruction*>& instructions : blocks)
    for (Instruction* instruction : instructions) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(instruction);
      if (!call || !call->getCalledFunction() || !regions(call->getCalledFunction()->getName()))
        continue;
      Builder builder(call);
      const auto region = twin_.entry("faultline_run_region", builder.getVoidTy(), {builder.getInt32Ty()});
      builder.CreateCall(region, {builder.getInt32(1)});
      Builder(call->getNextNode()).CreateCall(region, {builder.getInt32(0)});
    }
}

} // namespace faultline::run
