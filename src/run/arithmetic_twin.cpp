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
    twin_.add_long_double(counter());
    return;
  }
  Builder builder(operation.getNextNode());
  Value *a = operation.getOperand(0), *b = operation.getOperand(1);
  const unsigned opcode = operation.getOpcode();
  const bool sums = opcode == Instruction::FAdd || opcode == Instruction::FSub;
  Value* cancels = nullptr;
  if (is_binary32(operation.getType())) {
    shadows_[&operation] = in_binary64(builder, opcode, shadow(a), shadow(b));
    cancels = sums ? cancellation(builder, operation) : nullptr;
  } else {
    Rules rules(builder, twin_.place_of(operation));
    Residue result{llvm::Constant::getNullValue(operation.getType())}; // frem: exact, of operands that count as exact
    if (opcode == Instruction::FAdd)
      result = rules.sum(&operation, a, b, known(a), known(b));
    else if (opcode == Instruction::FSub)
      result = rules.difference(&operation, a, b, known(a), known(b));
    else if (opcode == Instruction::FMul)
      result = rules.product(&operation, a, b, known(a), known(b));
    else if (opcode == Instruction::FDiv)
      result = rules.quotient(&operation, a, b, known(a), known(b));
    keep(&operation, result);
    cancels = sums ? cancellation(builder, operation) : nullptr;
    if (cancels) {
      rules.blame(result, cancels);
      keep(&operation, result);
    }
  }
  check_operation(operation, name_of(opcode), a, b, cancels);
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

// Where a sum has lost three digits of its terms. Null if it is a part of another sum, which is tested, or is exact.
Value* FunctionTwin::cancellation(Builder& builder, Instruction& sum) {
  Value *a = sum.getOperand(0), *b = sum.getOperand(1);
  Rules rules(builder, 0);
  Value* peak = nullptr;
  for (Value* operand : {a, b})
    if (Value* inner = peaks_.lookup(operand))
      peak = rules.peak_of(inner, peak);
  const auto exact = [&](Value* x) { return llvm::isa<llvm::Constant>(x) || is_zero(shadow(x)); };
  if (!exact(a) || !exact(b))
    peak = rules.peak_of(llvm::isa<llvm::Constant>(a) ? b : a, peak); // both are as large if the sum cancels
  if (is_term(sum)) {
    peaks_[&sum] = peak;
    return nullptr;
  }
  if (!peak)
    return nullptr;
  Value* error = shadow(&sum);
  if (is_binary32(sum.getType()))
    error = builder.CreateFPTrunc(residue(builder, &sum), sum.getType());
  return rules.cancellation(&sum, peak, error);
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
    pending.rx = shadow(x);
    pending.ry = shadow(y);
  }
  std::vector<Pending> checks;
  for (Value* operand : {x, y})
    if (const auto known = waiting_.find(operand); known != waiting_.end()) {
      checks.insert(checks.end(), known->second.begin(), known->second.end());
      waiting_.erase(known);
    }
  checks.push_back(pending);
  if (sums && is_term(operation))
    waiting_[&operation] = std::move(checks);
  else
    group_.checks.insert(group_.checks.end(), checks.begin(), checks.end());
}

void FunctionTwin::visitUnaryOperator(llvm::UnaryOperator& operation) {
  if (!is_followed(operation.getType()))
    return;
  Builder builder(operation.getNextNode());
  Value* operand = operation.getOperand(0);
  const Residue before = known(operand);
  keep(&operation, {Rules(builder, 0).negative(before.value), before.cause});
}

void FunctionTwin::visitCastInst(llvm::CastInst& cast) {
  Value* operand = cast.getOperand(0);
  llvm::Type *from = operand->getType(), *to = cast.getType();
  if (is_long_double(from) || is_long_double(to))
    twin_.add_long_double(counter());
  switch (cast.getOpcode()) {
  case Instruction::FPExt:
    if (is_followed(from) && is_followed(to)) {
      Builder builder(cast.getNextNode());
      // A binary32 has no place of its own.
      keep(&cast, Rules(builder, twin_.place_of(cast)).here(builder.CreateFSub(shadow(operand), &cast)));
      check_widening(cast);
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
      keep(&cast, known(operand));
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
  Value *ra = shadow(a), *rb = shadow(b);
  Builder builder(compare.getNextNode());
  if (!is_binary32(a->getType()) && is_zero(ra) && is_zero(rb))
    return plan_decision(compare, builder, nullptr, ra, rb);
  Value* may_flip = nullptr;
  if (is_binary32(a->getType())) {
    // not with the comparison itself, whose uses a probe replaces
    may_flip = builder.CreateXor(builder.CreateFCmp(predicate, ra, rb), builder.CreateFCmp(predicate, a, b));
    ra = residue(builder, a);
    rb = residue(builder, b);
  } else { // the difference of the residues nearly reaches that of the values
    Rules rules(builder, 0);
    Value* change = rules.absolute(rules.subtract(ra, rb));
    Value* distance = builder.CreateFMul(builder.CreateFSub(a, b), llvm::ConstantFP::get(a->getType(), 1 - 0x1p-40));
    may_flip = builder.CreateFCmpUGT(rules.lifted(change), rules.lifted(rules.absolute(distance)));
  }
  const bool lifted = may_flip->getType() != compare.getType();
  plan_decision(compare, builder, lifted ? builder.CreateExtractElement(may_flip, uint64_t(0)) : may_flip, ra, rb);
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
  if (!llvm::isa<llvm::Constant>(a) || !llvm::isa<llvm::Constant>(b)) {
    Rules rules(builder, 0);
    Value* unordered = builder.CreateFCmpUNO(rules.lifted(a), rules.lifted(b));
    const uint32_t number = site(result, "minimum or maximum");
    group_.checks.push_back({Check::choose, number, 0, unordered, &result, a, b, nullptr, nullptr});
  }
  if (!is_binary32(result.getType())) {
    keep(&result, Rules(builder, 0).extreme(&result, a, b, known(a), known(b), largest));
    return;
  }
  Value *ra = shadow(a), *rb = shadow(b);
  Value* first = largest ? builder.CreateFCmpOGT(ra, rb) : builder.CreateFCmpOLT(ra, rb);
  shadows_[&result] = builder.CreateSelect(first, ra, rb);
}

void FunctionTwin::magnitude(llvm::CallBase& call, Value* operand) {
  Builder builder(after(call));
  if (is_binary32(call.getType()))
    shadows_[&call] = Rules(builder, 0).absolute(shadow(operand));
  else
    keep(&call, Rules(builder, 0).magnitude(&call, operand, known(operand)));
}

void FunctionTwin::root(llvm::CallBase& call) {
  Value* a = call.getArgOperand(0);
  Builder builder(after(call));
  if (is_binary32(call.getType()))
    shadows_[&call] = builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, shadow(a));
  else
    keep(&call, Rules(builder, twin_.place_of(call)).root(&call, a, known(a)));
  check_operation(call, "square root", a, a);
}

void FunctionTwin::fused(llvm::CallBase& call) {
  Value *a = call.getArgOperand(0), *b = call.getArgOperand(1), *c = call.getArgOperand(2);
  Builder builder(after(call));
  if (is_binary32(call.getType())) {
    shadows_[&call] =
        builder.CreateIntrinsic(llvm::Intrinsic::fma, {shadow_type(call.getType())}, {shadow(a), shadow(b), shadow(c)});
    return check_operation(call, "fused multiplication and addition", a, c);
  }
  Rules rules(builder, twin_.place_of(call));
  Residue result = rules.fused(&call, a, b, c, known(a), known(b), known(c));
  if (result.cause && !is_zero(result.value))
    rules.blame(result, rules.cancellation(&call, c, result.value));
  keep(&call, result);
  check_operation(call, "fused multiplication and addition", a, c);
}

// True if it is dealt with.
bool FunctionTwin::intrinsic(llvm::IntrinsicInst& call) {
  using namespace llvm;
  const Intrinsic::ID id = call.getIntrinsicID();
  if (masked_access(call))
    return true;
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
    magnitude(call, a);
    return true;
  case Intrinsic::copysign: {
    Value* kept = builder.CreateFCmpOEQ(a, &call);
    keep(&call, {builder.CreateSelect(kept, shadow(a), builder.CreateFNeg(shadow(a))), causes_.lookup(a)});
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
