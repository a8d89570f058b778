// The residues of arithmetic, conversions and comparisons.
#include "run/function_twin.h"

#include <llvm/IR/IntrinsicInst.h>

namespace faultline::run {

using llvm::Instruction;
using llvm::Value;

namespace {

const char* name_of(unsigned opcode) {
  switch (opcode) {
  case Instruction::FAdd:
    return "addition";
  case Instruction::FSub:
    return "subtraction";
  case Instruction::FMul:
    return "multiplication";
  case Instruction::FDiv:
    return "division";
  default:
    return "remainder";
  }
}

Value* in_binary64(Builder& builder, unsigned opcode, Value* a, Value* b) {
  return builder.CreateBinOp(Instruction::BinaryOps(opcode), a, b);
}

bool is_long_double(const llvm::Type* type) { return type->isX86_FP80Ty() || type->isFP128Ty(); }

} // namespace

void FunctionTwin::visitBinaryOperator(llvm::BinaryOperator& operation) {
  if (!operation.getType()->isFPOrFPVectorTy())
    return;
  if (!is_followed(operation.getType())) {
    twin_.add_long_double();
    return;
  }
  Builder builder(operation.getNextNode());
  Value *a = operation.getOperand(0), *b = operation.getOperand(1);
  const unsigned opcode = operation.getOpcode();
  const bool sums = opcode == Instruction::FAdd || opcode == Instruction::FSub;
  if (is_binary32(operation.getType())) {
    shadows_[&operation] = in_binary64(builder, opcode, shadow(a), shadow(b));
    return check_operation(operation, name_of(opcode), a, b, sums ? cancellation32(operation) : nullptr);
  }
  Rules rules(builder, twin_.place_of(operation));
  Value* cancels = nullptr;
  if (sums || opcode == Instruction::FMul) {
    Parts parts{};
    if (opcode == Instruction::FMul)
      parts = rules.product_of(&operation, a, b, placeless(a), placeless(b), shadow(a), shadow(b));
    else if (opcode == Instruction::FAdd)
      parts = rules.sum_of(&operation, a, b, parts_of(rules, a), parts_of(rules, b));
    else
      parts = rules.sum_of(&operation, a, builder.CreateFNeg(b), parts_of(rules, a), rules.negative(parts_of(rules, b)));
    if (is_term(operation)) {
      terms_[&operation] = parts;
    } else {
      Value* total = rules.total(parts);
      cancels = rules.cancellation(&operation, parts, total);
      shadows_[&operation] = rules.joined(parts, total, cancels);
      if (shadows_[&operation] != total)
        placeless_[&operation] = total;
    }
  } else if (opcode == Instruction::FDiv) {
    shadows_[&operation] = rules.quotient(&operation, a, b, shadow(a), shadow(b));
  } else { // frem: exact, of operands that count as exact
    shadows_[&operation] = llvm::Constant::getNullValue(operation.getType());
  }
  check_operation(operation, name_of(opcode), a, b, cancels);
}

Parts FunctionTwin::parts_of(Rules& rules, Value* operand) {
  const auto known = terms_.find(operand);
  return known == terms_.end() ? rules.parts_of(placeless(operand), shadow(operand)) : known->second;
}

// True if the only use is a sum of the same line and block.
bool FunctionTwin::is_term(const Instruction& operation) {
  if (!operation.hasOneUse())
    return false;
  const auto* user = llvm::dyn_cast<llvm::BinaryOperator>(*operation.user_begin());
  return user && user->getParent() == operation.getParent() &&
         (user->getOpcode() == Instruction::FAdd || user->getOpcode() == Instruction::FSub) &&
         twin_.place_of(*user) == twin_.place_of(operation);
}

// A binary32 sum of inexact operands that has lost three digits.
Value* FunctionTwin::cancellation32(Instruction& sum) {
  Builder builder(sum.getNextNode());
  Rules rules(builder, 0);
  Value* enlarged = builder.CreateFMul(&sum, llvm::ConstantFP::get(sum.getType(), 1024));
  Value* lost = builder.CreateFCmpOLT(rules.lifted(rules.absolute(enlarged)),
                                      rules.lifted(rules.absolute(sum.getOperand(0))));
  return lost;
}

// NaN and infinity, and digits that a sum of inexact operands loses.
void FunctionTwin::check_operation(Instruction& operation, std::string name, Value* x, Value* y, Value* cancels) {
  if (llvm::isa<llvm::Constant>(x) && llvm::isa<llvm::Constant>(y))
    return;
  const bool sums = operation.getOpcode() == Instruction::FAdd || operation.getOpcode() == Instruction::FSub;
  const uint32_t number = site(operation, std::move(name));
  Pending pending{Check::born, number, 0, cancels, &operation, x, y, nullptr, nullptr};
  if (sums) {
    pending.check = operation.getOpcode() == Instruction::FAdd ? Check::sum : Check::difference;
    if (!terms_.contains(x))
      pending.rx = shadow(x);
    if (!terms_.contains(y))
      pending.ry = shadow(y);
  }
  std::vector<Pending> checks;
  for (Value* operand : {x, y})
    if (const auto known = waiting_.find(operand); known != waiting_.end()) {
      checks.insert(checks.end(), known->second.begin(), known->second.end());
      waiting_.erase(known);
    }
  checks.push_back(pending);
  if (terms_.contains(&operation))
    waiting_[&operation] = std::move(checks);
  else
    group_.checks.insert(group_.checks.end(), checks.begin(), checks.end());
}

void FunctionTwin::visitUnaryOperator(llvm::UnaryOperator& operation) {
  if (!is_followed(operation.getType()))
    return;
  Builder builder(operation.getNextNode());
  shadows_[&operation] = Rules(builder, 0).negative(shadow(operation.getOperand(0)));
}

void FunctionTwin::visitCastInst(llvm::CastInst& cast) {
  Value* operand = cast.getOperand(0);
  llvm::Type *from = operand->getType(), *to = cast.getType();
  if (is_long_double(from) || is_long_double(to))
    twin_.add_long_double();
  switch (cast.getOpcode()) {
  case Instruction::FPExt:
    if (is_followed(from) && is_followed(to)) {
      Builder builder(cast.getNextNode());
      shadows_[&cast] = builder.CreateFSub(shadow(operand), &cast);
    }
    return;
  case Instruction::FPTrunc:
    if (is_followed(from) && is_followed(to)) {
      Builder builder(cast.getNextNode());
      shadows_[&cast] = builder.CreateFAdd(operand, shadow(operand));
    }
    return;
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    if (is_followed(from) && !from->isVectorTy())
      whole_number(cast, operand, Check::round_to_zero);
    return;
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    if (is_followed(to) && is_binary32(to)) { // large integers round in binary32
      Builder builder(cast.getNextNode());
      shadows_[&cast] = builder.CreateCast(cast.getOpcode(), operand, shadow_type(to));
    }
    return;
  case Instruction::BitCast:
    if (is_followed(to) && is_followed(from) && lanes_of(from) == lanes_of(to))
      shadows_[&cast] = shadow(operand);
    else if (const auto known = moved_.find(operand);
             known != moved_.end() && is_followed(to) &&
             layout_.getTypeSizeInBits(to) == layout_.getTypeSizeInBits(from)) {
      Builder builder(cast.getNextNode());
      shadows_[&cast] = loaded(builder, cast, builder.CreateBitCast(known->second.first, to),
                               builder.CreateBitCast(known->second.second, to));
    }
    return;
  default:
    return;
  }
}

void FunctionTwin::visitFCmpInst(llvm::FCmpInst& compare) {
  Value *a = compare.getOperand(0), *b = compare.getOperand(1);
  const llvm::CmpInst::Predicate predicate = compare.getPredicate();
  const bool is_nan_test = predicate == llvm::CmpInst::FCMP_UNO || predicate == llvm::CmpInst::FCMP_ORD ||
                           predicate == llvm::CmpInst::FCMP_FALSE || predicate == llvm::CmpInst::FCMP_TRUE;
  if (!is_followed(a->getType()) || is_nan_test || is_choice_of_operands(compare))
    return;
  Value *ra = placeless(a), *rb = placeless(b);
  if (!is_binary32(a->getType()) && is_zero(ra) && is_zero(rb))
    return;
  Builder builder(compare.getNextNode());
  Value* may_flip = nullptr;
  if (is_binary32(a->getType())) {
    may_flip = builder.CreateXor(builder.CreateFCmp(predicate, ra, rb), &compare);
    ra = residue(builder, a);
    rb = residue(builder, b);
  } else { // the difference of the residues nearly reaches that of the values
    Rules rules(builder, 0);
    Value* change = rules.absolute(rules.subtract(ra, rb));
    Value* distance = builder.CreateFMul(builder.CreateFSub(a, b), llvm::ConstantFP::get(a->getType(), 1 - 0x1p-40));
    may_flip = builder.CreateFCmpUGT(rules.lifted(change), rules.lifted(rules.absolute(distance)));
  }
  const uint32_t number = site(compare, "comparison");
  group_.checks.push_back({Check::compare, number, uint32_t(predicate), may_flip, nullptr, a, b, ra, rb});
}

// A rounding to an integer: the result has no residue, but the exact operand may give another integer.
void FunctionTwin::whole_number(Instruction& result, Value* operand, Check check) {
  if (result.getType()->isVectorTy() || llvm::isa<llvm::Constant>(operand))
    return;
  Value* known = shadow(operand);
  if (!is_binary32(operand->getType()) && is_zero(known))
    return;
  Builder builder(result.getNextNode());
  Value* error = residue(builder, operand);
  Value* rounded = result.getType()->isIntegerTy()
                       ? (llvm::isa<llvm::FPToUIInst>(result) ? builder.CreateUIToFP(&result, builder.getDoubleTy())
                                                              : builder.CreateSIToFP(&result, builder.getDoubleTy()))
                       : wide(builder, &result);
  // Only a residue that reaches the distance to the nearest multiple of one half can matter.
  Value* doubled = builder.CreateFMul(wide(builder, operand), llvm::ConstantFP::get(builder.getDoubleTy(), 2));
  Value* nearest = builder.CreateUnaryIntrinsic(llvm::Intrinsic::rint, doubled);
  Rules rules(builder, 0);
  Value* change = builder.CreateFMul(error, llvm::ConstantFP::get(builder.getDoubleTy(), 2));
  Value* zero = llvm::Constant::getNullValue(change->getType());
  Value* may_flip = builder.CreateAnd(
      builder.CreateFCmpUNE(change, zero),
      builder.CreateFCmpUGE(rules.absolute(change), rules.absolute(builder.CreateFSub(doubled, nearest))));
  const uint32_t number = site(result, "rounding to an integer");
  group_.checks.push_back({check, number, 0, may_flip, nullptr, operand, rounded, error, nullptr});
}

void FunctionTwin::extreme(Instruction& result, Value* a, Value* b, bool largest) {
  Builder builder(result.getNextNode());
  Value *ra = shadow(a), *rb = shadow(b);
  if (!is_binary32(result.getType())) {
    shadows_[&result] = Rules(builder, 0).extreme(&result, a, b, ra, rb, largest);
    return;
  }
  Value* first = largest ? builder.CreateFCmpOGT(ra, rb) : builder.CreateFCmpOLT(ra, rb);
  shadows_[&result] = builder.CreateSelect(first, ra, rb);
}

void FunctionTwin::root(llvm::CallBase& call) {
  Value* a = call.getArgOperand(0);
  Builder builder(after(call));
  shadows_[&call] = is_binary32(call.getType()) ? builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, shadow(a))
                                                : Rules(builder, twin_.place_of(call)).root(&call, a, shadow(a));
  check_operation(call, "square root", a, a);
}

void FunctionTwin::fused(llvm::CallBase& call) {
  Value *a = call.getArgOperand(0), *b = call.getArgOperand(1), *c = call.getArgOperand(2);
  Builder builder(after(call));
  Rules rules(builder, twin_.place_of(call));
  shadows_[&call] = is_binary32(call.getType())
                        ? builder.CreateIntrinsic(llvm::Intrinsic::fma, {shadow_type(call.getType())},
                                                  {shadow(a), shadow(b), shadow(c)})
                        : rules.fused(&call, a, b, c, shadow(a), shadow(b), shadow(c));
  check_operation(call, "fused multiplication and addition", a, c);
}

// True if it is dealt with.
bool FunctionTwin::intrinsic(llvm::IntrinsicInst& call) {
  using namespace llvm;
  const Intrinsic::ID id = call.getIntrinsicID();
  if (!is_followed(call.getType()))
    return false;
  Value* a = call.getArgOperand(0);
  Builder builder(call.getNextNode());
  switch (id) {
  case Intrinsic::sqrt:
    root(call);
    return true;
  case Intrinsic::fma:
    fused(call);
    return true;
  case Intrinsic::fabs:
    shadows_[&call] = is_binary32(call.getType()) ? Rules(builder, 0).absolute(shadow(a))
                                                  : Rules(builder, 0).magnitude(&call, a, shadow(a));
    return true;
  case Intrinsic::copysign: {
    Value* kept = builder.CreateFCmpOEQ(a, &call);
    shadows_[&call] = builder.CreateSelect(kept, shadow(a), builder.CreateFNeg(shadow(a)));
    return true;
  }
  case Intrinsic::minnum:
  case Intrinsic::minimum:
  case Intrinsic::maxnum:
  case Intrinsic::maximum:
    extreme(call, a, call.getArgOperand(1), id == Intrinsic::maxnum || id == Intrinsic::maximum);
    return true;
  case Intrinsic::floor:
    whole_number(call, a, Check::round_down);
    return true;
  case Intrinsic::ceil:
    whole_number(call, a, Check::round_up);
    return true;
  case Intrinsic::trunc:
    whole_number(call, a, Check::round_to_zero);
    return true;
  case Intrinsic::round:
    whole_number(call, a, Check::round_away);
    return true;
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
    whole_number(call, a, Check::round_even);
    return true;
  default:
    return false;
  }
}

} // namespace faultline::run
