#include "instrument/decisions.h"

#include "instrument/operations.h"
#include "instrument/provenance.h"
#include "program/bounds_check.h"
#include "program/program.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Operator.h>

namespace faultline::instrument {

namespace {

constexpr int farthest_agreement = 5;

// Returns the result of `of` for the argument in every call, if all results are equal.
template <typename Answer, typename Question>
std::optional<Answer> agreed(const llvm::Argument& argument, Question of) {
  const llvm::Function& function = *argument.getParent();
  if (!function.hasLocalLinkage() || function.hasAddressTaken())
    return std::nullopt;
  std::optional<Answer> all;
  for (const llvm::User* user : function.users()) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    if (!call || call->getCalledFunction() != &function)
      return std::nullopt;
    const std::optional<Answer> one = of(*call->getArgOperand(argument.getArgNo()));
    if (!one || (all && !(*all == *one)))
      return std::nullopt;
    all = one;
  }
  return all;
}

} // namespace

InputCells::InputCells(const llvm::Module& module, std::span<const model::Cell> inputs)
    : driver_(module.getFunction(program::Program::driver_symbol)), inputs_(inputs) {}

int InputCells::input(const llvm::Value& value, bool as_signed) const {
  const std::optional<InputMatch> found = find(value, farthest_agreement);
  return found && (found->is_signed == as_signed || found->spare) ? found->cell : -1;
}

std::optional<InputCells::InputMatch> InputCells::find(const llvm::Value& value, int depth) const {
  if (depth == 0)
    return std::nullopt;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&value))
    return loaded(*load, depth - 1);
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(&value))
    return agreed<InputMatch>(*argument, [&](const llvm::Value& passed) { return find(passed, depth - 1); });
  if (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(&value))
    return find(*freeze->getOperand(0), depth);
  const bool sign = llvm::isa<llvm::SExtInst>(value);
  auto* zero = llvm::dyn_cast<llvm::ZExtInst>(&value);
  if (!sign && !zero)
    return std::nullopt;
  std::optional<InputMatch> found = find(*llvm::cast<llvm::CastInst>(value).getOperand(0), depth);
  if (found && (found->spare || found->is_signed == sign || (zero && zero->hasNonNeg())))
    return InputMatch{found->cell, sign, !sign};
  return std::nullopt;
}

std::optional<InputCells::InputMatch> InputCells::loaded(const llvm::LoadInst& load, int depth) const {
  const std::optional<uint64_t> offset = block_offset(*load.getPointerOperand(), depth);
  for (size_t i = 0; offset && i < inputs_.size(); ++i) {
    const model::Cell& cell = inputs_[i];
    if (cell.offset == *offset && !cell.type.floating && load.getType()->isIntegerTy(unsigned(cell.type.bits)))
      return InputMatch{int(i), cell.type.is_signed, false};
  }
  return std::nullopt;
}

std::optional<uint64_t> InputCells::block_offset(const llvm::Value& pointer, int depth) const {
  if (!driver_ || depth == 0)
    return std::nullopt;
  const llvm::DataLayout& layout = driver_->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  const llvm::Value* base = pointer.stripAndAccumulateConstantOffsets(layout, offset, true);
  auto* argument = llvm::dyn_cast<llvm::Argument>(base);
  if (!argument)
    return std::nullopt;
  if (argument->getParent() == driver_)
    return offset.getZExtValue();
  if (!argument->onlyReadsMemory()) // the memory may no longer contain the input
    return std::nullopt;
  auto start = agreed<uint64_t>(*argument, [&](const llvm::Value& passed) { return block_offset(passed, depth - 1); });
  return start ? std::optional(*start + offset.getZExtValue()) : std::nullopt;
}

namespace {

constexpr unsigned widest_integer = 64; // wider integers need library calls to become a double

const char* text(llvm::CmpInst::Predicate predicate) {
  using P = llvm::CmpInst;
  static constexpr std::pair<P::Predicate, const char*> texts[] = {
      {P::ICMP_EQ, "=="},          {P::ICMP_NE, "!="},           {P::ICMP_SGT, ">"},
      {P::ICMP_SGE, ">="},         {P::ICMP_SLT, "<"},           {P::ICMP_SLE, "<="},
      {P::ICMP_UGT, "unsigned >"}, {P::ICMP_UGE, "unsigned >="}, {P::ICMP_ULT, "unsigned <"},
      {P::ICMP_ULE, "unsigned <="}};
  const auto found = llvm::find_if(texts, [&](const auto& one) { return one.first == predicate; });
  return found == std::end(texts) ? "" : found->second;
}

// Reads an integer as signed or unsigned. Where either is correct, uses the signedness of the input, if it is one.
DecisionOperand compared(const Provenance& provenance, const InputCells& cells, llvm::Value* value, bool is_signed,
                         bool either) {
  const bool determined = provenance.determined(*value);
  int input = determined ? -1 : cells.input(*value, is_signed);
  if (input < 0 && either && !determined)
    if (input = cells.input(*value, !is_signed); input >= 0)
      is_signed = !is_signed;
  return {value, is_signed, {determined, input}};
}

// Returns the origin of the integer that an instruction converts to a float or uses as an exponent, or of the float
// that it loads.
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

// True if integer arithmetic leads from a conversion of a float to this integer or condition.
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

// True if the instruction accesses memory that may contain floats, at an address that the path does not determine.
bool has_open_address(const Provenance& provenance, const llvm::Instruction& instruction) {
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

// True for instructions that change the rounding mode or the treatment of subnormal numbers.
bool changes_float_environment(const llvm::CallBase& call) {
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return intrinsic->getIntrinsicID() == llvm::Intrinsic::set_rounding ||
           intrinsic->getIntrinsicID() == llvm::Intrinsic::set_fpenv ||
           intrinsic->getIntrinsicID() == llvm::Intrinsic::set_fpmode ||
           intrinsic->getIntrinsicID() == llvm::Intrinsic::x86_sse_ldmxcsr;
  static constexpr llvm::StringLiteral names[] = {"fesetround", "fesetenv", "feupdateenv", "fesetmode"};
  const llvm::Function* callee = call.getCalledFunction();
  if (callee)
    return llvm::is_contained(names, callee->getName());
  auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  return assembly && (assembly->getAsmString().find("ldmxcsr") != std::string::npos ||
                      assembly->getAsmString().find("fldcw") != std::string::npos);
}

// True if the compiler may replace the operation by others whose results differ.
bool may_be_rewritten(const llvm::Instruction& instruction) {
  if (!llvm::isa<llvm::FPMathOperator>(instruction))
    return false;
  if (instruction.hasMetadata(may_be_fused))
    return true;
  const llvm::FastMathFlags flags = instruction.getFastMathFlags();
  return flags.allowReassoc() || flags.allowReciprocal() || flags.approxFunc();
}

constexpr const char* environment_reason =
    "the code changes the rounding mode or another mode of the floating-point unit";

// Returns why runs on the same path may differ at the instruction; null if they do not.
const char* unsettled_reason(const Provenance& provenance, const llvm::Instruction& instruction) {
  if (has_open_address(provenance, instruction))
    return "floats are read or written at an address that depends on bits of floats, or on memory that is not tracked";
  if (may_be_rewritten(instruction))
    return "flags such as -ffast-math and -ffp-contract=fast let the compiler change results";
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call)
    return nullptr;
  if (program::is_check(*call) && !provenance.determined(*call->getArgOperand(0)))
    return "the access is not proved to be inside of its variable";
  if (changes_float_environment(*call))
    return environment_reason;
  if (call->isIndirectCall() && !provenance.determined(*call->getCalledOperand()))
    return "bits of floats, or memory that is not tracked, select the function that is called";
  return nullptr;
}

// Returns the operation of a select between the two numbers that its condition compares. With a NaN it may have
// another result; a proof refuses operations without a number as result.
std::optional<Operation> smaller_or_larger(llvm::SelectInst& select) {
  auto* comparison = llvm::dyn_cast<llvm::FCmpInst>(select.getCondition());
  const std::optional<numeric::Format> format = format_of(select.getType());
  if (!comparison || !format)
    return std::nullopt;
  llvm::Value *left = comparison->getOperand(0), *right = comparison->getOperand(1);
  const bool in_order = select.getTrueValue() == left && select.getFalseValue() == right;
  const bool swapped = select.getTrueValue() == right && select.getFalseValue() == left;
  if (left == right || !(in_order || swapped))
    return std::nullopt;
  switch (llvm::FCmpInst::getOrderedPredicate(comparison->getPredicate())) {
  case llvm::FCmpInst::FCMP_OLT:
  case llvm::FCmpInst::FCMP_OLE:
    return Operation{in_order ? ops::Op::fmin : ops::Op::fmax, *format, *format, true, {left, right}};
  case llvm::FCmpInst::FCMP_OGT:
  case llvm::FCmpInst::FCMP_OGE:
    return Operation{in_order ? ops::Op::fmax : ops::Op::fmin, *format, *format, true, {left, right}};
  default:
    return std::nullopt;
  }
}

bool serves_selections_only(llvm::FCmpInst& comparison) {
  return !comparison.use_empty() && llvm::all_of(comparison.users(), [&](llvm::User* user) {
    auto* select = llvm::dyn_cast<llvm::SelectInst>(user);
    return select && select->getCondition() == &comparison && smaller_or_larger(*select);
  });
}

} // namespace

std::optional<Operation> Decisions::selection(llvm::Instruction& instruction) const {
  auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
  auto* comparison = select ? llvm::dyn_cast<llvm::FCmpInst>(select->getCondition()) : nullptr;
  return comparison && is_of_selections(*comparison) ? smaller_or_larger(*select) : std::nullopt;
}

Decisions::Decisions(llvm::Module& module, std::span<const model::Cell> inputs, bool held) {
  const InputCells cells(module, inputs);
  const Provenance provenance(module, held ? &cells : nullptr);
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* comparison = llvm::dyn_cast<llvm::FCmpInst>(&instruction);
          held && comparison && serves_selections_only(*comparison))
        of_selections_.insert(comparison);
      if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction); branch && branch->isConditional())
        add_condition(provenance, cells, branch->getCondition(), instruction);
      else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction); select && chooses_numbers(*select))
        add_condition(provenance, cells, select->getCondition(), instruction);
      else if (auto* cases = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
        add_switch(provenance, cells, *cases);
      if (const Origin origin = origin_of(provenance, cells, instruction); origin.determined || origin.parameter >= 0)
        origins_[&instruction] = origin;
      if (const char* reason = unsettled_reason(provenance, instruction))
        unsettled_.push_back({&instruction, reason});
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
      // Both sides must be read with the same signedness.
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

std::vector<UnsettledInstruction> changes_of_float_environment(llvm::ArrayRef<llvm::Function*> functions) {
  std::vector<UnsettledInstruction> changes;
  for (const llvm::Function* function : functions)
    for (const llvm::Instruction& instruction : llvm::instructions(*function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && changes_float_environment(*call))
        changes.push_back({&instruction, environment_reason});
  return changes;
}

} // namespace faultline::instrument
