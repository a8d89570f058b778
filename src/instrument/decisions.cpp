#include "instrument/decisions.h"

#include "instrument/input_cells.h"
#include "instrument/operations.h"
#include "instrument/provenance.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>

namespace faultline::instrument {
namespace {

constexpr unsigned widest_integer = 64; // wider ones need library calls to become a double

const char* text(llvm::CmpInst::Predicate predicate) {
  switch (predicate) {
  case llvm::CmpInst::ICMP_EQ:
    return "==";
  case llvm::CmpInst::ICMP_NE:
    return "!=";
  case llvm::CmpInst::ICMP_SGT:
    return ">";
  case llvm::CmpInst::ICMP_SGE:
    return ">=";
  case llvm::CmpInst::ICMP_SLT:
    return "<";
  case llvm::CmpInst::ICMP_SLE:
    return "<=";
  case llvm::CmpInst::ICMP_UGT:
    return "unsigned >";
  case llvm::CmpInst::ICMP_UGE:
    return "unsigned >=";
  case llvm::CmpInst::ICMP_ULT:
    return "unsigned <";
  case llvm::CmpInst::ICMP_ULE:
    return "unsigned <=";
  default:
    return "";
  }
}

// The integer read as signed or unsigned; where both would do, as the input it is, if it is one.
Compared compared(const Provenance& provenance, const InputCells& cells, llvm::Value* value, bool is_signed,
                  bool either) {
  const bool determined = provenance.determined(*value);
  int input = determined ? -1 : cells.input(*value, is_signed);
  if (input < 0 && either && !determined)
    if (input = cells.input(*value, !is_signed); input >= 0)
      is_signed = !is_signed;
  return {value, is_signed, {determined, input}};
}

// Of an integer that an instruction turns into a float, or takes as an exponent; of a float it loads.
Origin origin_of(const Provenance& provenance, const InputCells& cells, llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return {provenance.reads_constant(*load), -1};
  llvm::Value* integer = nullptr;
  bool is_signed = true, either = false;
  if (llvm::isa<llvm::SIToFPInst>(instruction)) {
    integer = instruction.getOperand(0);
  } else if (auto* conversion = llvm::dyn_cast<llvm::UIToFPInst>(&instruction)) {
    integer = conversion->getOperand(0);
    is_signed = false;
    either = conversion->hasNonNeg();
  } else if (llvm::isa<llvm::BitCastInst>(instruction)) {
    return {instruction.getOperand(0)->getType()->isIntOrIntVectorTy() &&
                provenance.determined(*instruction.getOperand(0)),
            -1};
  } else if (auto operation = operation_of(instruction)) {
    for (llvm::Value* operand : operation->operands)
      if (operand->getType()->isIntegerTy())
        integer = operand;
  }
  return integer ? compared(provenance, cells, integer, is_signed, either).origin : Origin{};
}

// Does integer arithmetic lead from a conversion of a float to this integer or condition?
bool comes_from_conversion(llvm::Value* value) {
  constexpr size_t most = 64;
  llvm::SmallVector<llvm::Value*, 16> open{value};
  llvm::SmallPtrSet<llvm::Value*, 16> seen;
  while (!open.empty() && seen.size() < most) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(open.pop_back_val());
    if (!instruction || !seen.insert(instruction).second)
      continue;
    if (auto operation = operation_of(*instruction); operation && ops::is_to_int(operation->op))
      return true;
    if (instruction->isBinaryOp() || instruction->isCast() || llvm::isa<llvm::ICmpInst>(instruction) ||
        llvm::isa<llvm::PHINode>(instruction) || llvm::isa<llvm::SelectInst>(instruction) ||
        llvm::isa<llvm::FreezeInst>(instruction))
      for (llvm::Value* operand : instruction->operands())
        if (operand->getType()->isIntegerTy())
          open.push_back(operand);
  }
  return false;
}

// Memory that may hold floats, at an address that the path does not determine.
bool is_unsettled(const Provenance& provenance, const llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return !load->getType()->isPointerTy() && !provenance.determined(*load->getPointerOperand());
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return !provenance.determined(*store->getPointerOperand());
  if (auto* move = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
    return !provenance.determined(*move->getRawDest()) || !provenance.determined(*move->getRawSource()) ||
           !provenance.determined(*move->getLength());
  if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&instruction))
    return !provenance.determined(*set->getRawDest()) || !provenance.determined(*set->getLength());
  return false;
}

} // namespace

Decisions::Decisions(llvm::Module& module, std::span<const frontend::Cell> inputs, bool held) {
  const InputCells cells(module, inputs);
  const Provenance provenance(module, held ? &cells : nullptr);
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction); branch && branch->isConditional())
        add_condition(provenance, cells, branch->getCondition(), instruction);
      else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction); select && chooses_numbers(*select))
        add_condition(provenance, cells, select->getCondition(), instruction);
      else if (auto* cases = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
        add_switch(provenance, cells, *cases);
      if (const Origin origin = origin_of(provenance, cells, instruction); origin.determined || origin.parameter >= 0)
        origins_[&instruction] = origin;
      if (is_unsettled(provenance, instruction))
        unsettled_.push_back(&instruction);
    }
  }
}

const Decision* Decisions::find(const llvm::Value& value) const {
  auto found = decisions_.find(&value);
  return found == decisions_.end() ? nullptr : &found->second;
}

void Decisions::add_condition(const Provenance& provenance, const InputCells& cells, llvm::Value* condition,
                              const llvm::Instruction& user) {
  const bool determined = provenance.determined(*condition);
  if ((determined && !comes_from_conversion(condition)) || decisions_.contains(condition))
    return;
  Decision decision;
  decision.determined = determined;
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(condition);
  decision.where = instruction ? instruction : &user;
  auto* frozen = llvm::dyn_cast<llvm::FreezeInst>(condition);
  auto* compare = llvm::dyn_cast<llvm::ICmpInst>(frozen ? frozen->getOperand(0) : condition);
  if (compare && compare->getOperand(0)->getType()->isIntegerTy()) {
    decision.predicate = text(compare->getPredicate());
    if (compare->getOperand(0)->getType()->getIntegerBitWidth() <= widest_integer) {
      const bool either = compare->isEquality();
      decision.a = compared(provenance, cells, compare->getOperand(0), !compare->isUnsigned(), either);
      // Both sides are to be read alike.
      decision.b = compared(provenance, cells, compare->getOperand(1), decision.a.is_signed, false);
    }
  }
  decisions_[condition] = std::move(decision);
}

void Decisions::add_switch(const Provenance& provenance, const InputCells& cells, llvm::SwitchInst& branch) {
  const bool determined = provenance.determined(*branch.getCondition());
  if (determined && !comes_from_conversion(branch.getCondition()))
    return;
  Decision decision;
  decision.determined = determined;
  decision.where = &branch;
  decision.predicate = "switch";
  decision.outcomes = int(branch.getNumCases()) + 1;
  if (branch.getCondition()->getType()->getIntegerBitWidth() <= widest_integer) {
    decision.a = compared(provenance, cells, branch.getCondition(), true, true);
    for (const auto& one : branch.cases()) {
      const llvm::APInt& value = one.getCaseValue()->getValue();
      decision.cases.push_back(decision.a.is_signed ? value.getSExtValue() : int64_t(value.getZExtValue()));
    }
  }
  decisions_[&branch] = std::move(decision);
}

} // namespace faultline::instrument
