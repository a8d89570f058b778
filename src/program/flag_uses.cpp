#include "program/flag_uses.h"

#include "program/unit.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <vector>

namespace faultline::program {
namespace {

// Limits for calls that lead into each other and for the indices of a table. Guesses.
constexpr int most_calls = 4;
constexpr uint64_t longest_table = 32;

// A value derived from the integer: itself, plus a constant, some of its bits, or the address of a variable that holds
// it.
struct DerivedValue {
  const llvm::Value* value = nullptr;
  int64_t added = 0;
  uint64_t mask = 0; // 0: all bits
  bool address = false;
  int calls = 0; // on the way to it

  bool plain() const { return added == 0 && mask == 0; }
};

const llvm::ConstantInt* constant(const llvm::Value* value) {
  auto* found = llvm::dyn_cast<llvm::ConstantInt>(value);
  return found && found->getBitWidth() <= 64 ? found : nullptr;
}

bool only_prints(const llvm::Function& callee) {
  return callee.isVarArg() || callee.getName().starts_with("_FortranAioOutput");
}

class FlagFollower {
public:
  explicit FlagFollower(int bits) : bits_(unsigned(bits)) {}

  std::optional<FlagUses> run(const llvm::Argument& argument) {
    add({&argument, 0, 0, argument.getType()->isPointerTy(), 0});
    // Functions that it is passed to are read last: this is slow, and may no longer be needed.
    while (is_flag_ && (!open_.empty() || !handed_on_.empty())) {
      std::vector<DerivedValue>& from = open_.empty() ? handed_on_ : open_;
      const DerivedValue made = from.back();
      from.pop_back();
      if (auto* parameter = llvm::dyn_cast<llvm::Argument>(made.value))
        read(*parameter->getParent());
      for (const llvm::Use& use : made.value->uses())
        follow(use, made);
    }
    return is_flag_ && uses_.any() ? std::optional(uses_) : std::nullopt;
  }

private:
  // A lazily loaded function looks like a constant until it is read.
  static void read(const llvm::Function& function) {
    if (function.isMaterializable())
      materialize(const_cast<llvm::Function&>(function));
  }

  void add(const DerivedValue& made) {
    if (seen_.insert(made.value).second)
      open_.push_back(made);
    else if (!made.plain() && !made.address)
      is_flag_ = false; // a loop counter
  }

  void follow(const llvm::Use& use, const DerivedValue& made) {
    const llvm::User& user = *use.getUser();
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&user))
      is_flag_ &= follow_call(*call, use, made);
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&user))
      is_flag_ &= follow_store(*store, use, made);
    else if (made.address)
      is_flag_ &= follow_address(user, made);
    else if (auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&user))
      is_flag_ &= note_comparison(*compare, made);
    else if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&user))
      note_switch(*choice, made);
    else if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&user))
      is_flag_ &= follow_operation(*operation, use, made);
    else if (auto* place = llvm::dyn_cast<llvm::GEPOperator>(&user))
      is_flag_ &= note_table(*place, use, made);
    else
      is_flag_ &= follow_value(user, use, made);
  }

  bool follow_address(const llvm::User& user, const DerivedValue& made) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&user);
    if (load && load->getType()->isIntegerTy(bits_))
      add({load, 0, 0, false, made.calls});
    return (load && load->getType()->isIntegerTy(bits_)) || llvm::isa<llvm::ICmpInst>(user);
  }

  // Follows a cast, a selection, or a truth value that is branched on.
  bool follow_value(const llvm::User& user, const llvm::Use& use, const DerivedValue& made) {
    const bool selects = llvm::isa<llvm::PHINode>(user) || llvm::isa<llvm::SelectInst>(user);
    if (use->getType()->isIntegerTy(1) &&
        (llvm::isa<llvm::BranchInst>(user) || (llvm::isa<llvm::SelectInst>(user) && use.getOperandNo() == 0)))
      return true;
    if (selects && made.added != 0)
      return false;
    const bool truth = llvm::isa<llvm::TruncInst>(user) && user.getType()->isIntegerTy(1);
    if (truth && made.added == 0)
      uses_.mask |= made.mask == 0 ? 1 : made.mask & 1;
    if (!selects && !llvm::isa<llvm::SExtInst>(user) && !llvm::isa<llvm::ZExtInst>(user) &&
        !llvm::isa<llvm::FreezeInst>(user) && !llvm::isa<llvm::TruncInst>(user))
      return false;
    DerivedValue next = made;
    next.value = &user;
    if (truth)
      next.mask = 1;
    add(next);
    return true;
  }

  bool follow_store(const llvm::StoreInst& store, const llvm::Use& use, const DerivedValue& made) {
    if (use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex())
      return seen_.contains(store.getValueOperand()) || constant(store.getValueOperand());
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(store.getPointerOperand());
    if (made.address || !made.plain() || !variable || !variable->getAllocatedType()->isIntegerTy(bits_))
      return false;
    add({variable, 0, 0, true, made.calls});
    return true;
  }

  bool follow_call(const llvm::CallBase& call, const llvm::Use& use, const DerivedValue& made) {
    if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call); intrinsic && intrinsic->isAssumeLikeIntrinsic())
      return true;
    const llvm::Function* callee = call.getCalledFunction();
    if (!callee || !call.isArgOperand(&use))
      return false;
    if (only_prints(*callee))
      return !made.address;
    const unsigned argument = call.getArgOperandNo(&use);
    if ((callee->isDeclaration() && !callee->isMaterializable()) || argument >= callee->arg_size() || made.added != 0 ||
        made.calls == most_calls)
      return false;
    DerivedValue next = made;
    next.value = callee->getArg(argument);
    ++next.calls;
    if (seen_.insert(next.value).second)
      handed_on_.push_back(next);
    return true;
  }

  bool note_comparison(const llvm::ICmpInst& compare, const DerivedValue& made) {
    const bool first = compare.getOperand(0) == made.value;
    const llvm::ConstantInt* with = constant(compare.getOperand(first ? 1 : 0));
    if (!with)
      return false;
    const auto predicate = first ? compare.getPredicate() : compare.getSwappedPredicate();
    if (made.mask != 0) {
      if (const uint64_t bits = with->getZExtValue(); (bits & ~made.mask) == 0)
        uses_.indices.insert(bits);
      return true;
    }
    const __int128 low = -__int128(made.added);
    if (compare.isEquality()) {
      uses_.cases.insert(low + with->getSExtValue());
    } else if (llvm::ICmpInst::isSigned(predicate)) {
      for (const int beside : {-1, 0, 1})
        uses_.ends.insert(low + with->getSExtValue() + beside);
    } else { // a test whether it is between `low` and a constant
      const bool before = predicate == llvm::ICmpInst::ICMP_ULT || predicate == llvm::ICmpInst::ICMP_UGE;
      const __int128 high = low + __int128(with->getZExtValue()) - (before ? 1 : 0);
      const __int128 all = __int128(1) << with->getBitWidth();
      for (const __int128 end : {low - 1, low, high, high + 1}) // n - 8 < -5: all but 3 to 7, by wrapping around
        uses_.ends.insert(end >= all ? end - all : end);
    }
    return true;
  }

  void note_switch(const llvm::SwitchInst& choice, const DerivedValue& made) {
    for (const auto& one : choice.cases())
      if (const llvm::ConstantInt* value = constant(one.getCaseValue()))
        (made.mask != 0 ? uses_.indices : uses_.cases).insert(__int128(value->getSExtValue()) - made.added);
  }

  bool follow_operation(const llvm::BinaryOperator& operation, const llvm::Use& use, const DerivedValue& made) {
    const llvm::ConstantInt* other = constant(operation.getOperand(1 - use.getOperandNo()));
    if (!other)
      return false;
    const bool first = use.getOperandNo() == 0;
    DerivedValue next = made;
    next.value = &operation;
    switch (operation.getOpcode()) {
    case llvm::Instruction::And:
      if (made.added != 0)
        return false;
      next.mask = other->getZExtValue() & (made.mask == 0 ? ~uint64_t(0) : made.mask);
      if (next.mask == 0)
        return true;
      uses_.mask |= next.mask;
      break;
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
      if (made.mask != 0 || (operation.getOpcode() == llvm::Instruction::Sub && !first))
        return false;
      next.added += operation.getOpcode() == llvm::Instruction::Add ? other->getSExtValue() : -other->getSExtValue();
      break;
    case llvm::Instruction::Xor: // not
      if (!operation.getType()->isIntegerTy(1))
        return false;
      break;
    case llvm::Instruction::LShr: // which bit of a constant it is
      return !first && made.mask == 0 && note_bits(other->getZExtValue(), made);
    case llvm::Instruction::Shl:
      return !first && made.mask == 0 && other->isOne() && note_tested_bits(operation, made);
    default:
      return false;
    }
    add(next);
    return true;
  }

  bool note_bits(uint64_t bits, const DerivedValue& made) {
    for (int bit = 0; bit < 64; ++bit)
      if (bits >> bit & 1)
        uses_.indices.insert(bit - __int128(made.added));
    return true;
  }

  // (1 << n) & constant: the optimised form of a small switch.
  bool note_tested_bits(const llvm::BinaryOperator& bit, const DerivedValue& made) {
    for (const llvm::User* user : bit.users()) {
      auto* test = llvm::dyn_cast<llvm::BinaryOperator>(user);
      const llvm::ConstantInt* bits = test && test->getOpcode() == llvm::Instruction::And
                                          ? constant(test->getOperand(test->getOperand(0) == &bit ? 1 : 0))
                                          : nullptr;
      if (!bits)
        return false;
      note_bits(bits->getZExtValue(), made);
    }
    return true;
  }

  bool note_table(const llvm::GEPOperator& place, const llvm::Use& use, const DerivedValue& made) {
    auto* table = llvm::dyn_cast<llvm::GlobalVariable>(place.getPointerOperand());
    auto* array = table ? llvm::dyn_cast<llvm::ArrayType>(table->getValueType()) : nullptr;
    if (!array || !table->isConstant() || use.getOperandNo() != place.getNumOperands() - 1)
      return false;
    auto* rows = llvm::dyn_cast<llvm::ArrayType>(place.getSourceElementType()); // the length may be unknown
    const bool of_elements =
        rows ? place.getNumIndices() == 2 && rows->getElementType() == array->getElementType()
             : place.getNumIndices() == 1 && place.getSourceElementType() == array->getElementType();
    const uint64_t length = array->getNumElements();
    if (!of_elements || length > longest_table)
      return false;
    if (made.mask != 0) {
      if (!uses_.masked_table || length < uses_.masked_table->length)
        uses_.masked_table = {made.mask, length};
      return true;
    }
    for (uint64_t i = 0; i < length; ++i)
      uses_.indices.insert(__int128(i) - made.added);
    return true;
  }

  unsigned bits_;
  std::vector<DerivedValue> open_, handed_on_;
  llvm::DenseSet<const llvm::Value*> seen_;
  FlagUses uses_;
  bool is_flag_ = true;
};

} // namespace

std::optional<FlagUses> flag_uses(const llvm::Argument& argument, int bits) { return FlagFollower(bits).run(argument); }

} // namespace faultline::program
