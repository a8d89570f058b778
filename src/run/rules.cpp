#include "run/rules.h"

#include "run/abi.h"

#include <climits>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Support/Casting.h>

namespace faultline::run {

using llvm::Value;

bool is_followed(const llvm::Type* type) {
  const llvm::Type* element = type;
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    element = vector->getElementType();
  return element->isDoubleTy() || element->isFloatTy();
}

bool contains_floats(const llvm::Type* type) {
  return is_followed(type) || llvm::any_of(type->subtypes(), contains_floats);
}

bool is_binary32(const llvm::Type* type) { return type->getScalarType()->isFloatTy(); }

unsigned lanes_of(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

llvm::Type* with_lanes(llvm::Type* element, llvm::Type* vector) {
  return vector->isVectorTy() ? llvm::FixedVectorType::get(element, lanes_of(vector)) : element;
}

llvm::Type* shadow_type(llvm::Type* type) { return with_lanes(llvm::Type::getDoubleTy(type->getContext()), type); }

bool is_zero(const Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  return constant && (constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant));
}

bool is_choice_of_operands(const llvm::FCmpInst& compare) {
  const Value *a = compare.getOperand(0), *b = compare.getOperand(1);
  return !compare.use_empty() && llvm::all_of(compare.users(), [&](const llvm::User* user) {
    const auto* select = llvm::dyn_cast<llvm::SelectInst>(user);
    return select && select->getCondition() == &compare &&
           ((select->getTrueValue() == a && select->getFalseValue() == b) ||
            (select->getTrueValue() == b && select->getFalseValue() == a));
  });
}

namespace {

// True for a factor that only changes the exponent.
bool is_power_of_two(const Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (constant && constant->getType()->isVectorTy())
    constant = constant->getSplatValue();
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
  return number && number->getValueAPF().isFiniteNonZero() && number->getValueAPF().getExactLog2Abs() != INT_MIN;
}

} // namespace

Value* Rules::add(Value* a, Value* b) {
  if (is_zero(a))
    return b;
  return is_zero(b) ? a : builder_.CreateFAdd(a, b);
}

Value* Rules::subtract(Value* a, Value* b) {
  if (is_zero(b))
    return a;
  return is_zero(a) ? builder_.CreateFNeg(b) : builder_.CreateFSub(a, b);
}

Value* Rules::multiply(Value* a, Value* b) {
  if (is_zero(a))
    return a;
  return is_zero(b) ? b : builder_.CreateFMul(a, b);
}

Value* Rules::fma(Value* a, Value* b, Value* c) {
  if (is_zero(a) || is_zero(b))
    return c;
  if (is_zero(c))
    return builder_.CreateFMul(a, b);
  return builder_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
}

Value* Rules::negative(Value* a) { return is_zero(a) ? a : builder_.CreateFNeg(a); }

Value* Rules::absolute(Value* a) { return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a); }

// Knuth's 2Sum.
Value* Rules::sum_error(Value* v, Value* a, Value* b) {
  Value* b_part = builder_.CreateFSub(v, a);
  Value* a_part = builder_.CreateFSub(v, b_part);
  return builder_.CreateFAdd(builder_.CreateFSub(a, a_part), builder_.CreateFSub(b, b_part));
}

// `number` with the low 16 bits of `cause`: one blend of words. Scalars go through vectors, so that they stay in their
// registers.
Value* Rules::with_low_word(Value* number, Value* cause) {
  llvm::Type* type = number->getType();
  llvm::Type* vector = type->isVectorTy() ? type : llvm::FixedVectorType::get(type, 2);
  constexpr unsigned words = 4; // of a binary64
  const unsigned count = words * lanes_of(vector);
  llvm::Type* as_words = llvm::FixedVectorType::get(builder_.getInt16Ty(), count);
  const auto words_of = [&](Value* value) {
    if (!type->isVectorTy())
      value = builder_.CreateInsertElement(llvm::PoisonValue::get(vector), value, uint64_t(0));
    return builder_.CreateBitCast(value, as_words);
  };
  llvm::SmallVector<int, 32> mask;
  for (unsigned i = 0; i < count; ++i)
    mask.push_back(int(i % words == 0 ? count + i : i));
  Value* blended = builder_.CreateShuffleVector(words_of(number), words_of(cause), mask);
  blended = builder_.CreateBitCast(blended, vector);
  return type->isVectorTy() ? blended : builder_.CreateExtractElement(blended, uint64_t(0));
}

// A number as large as `size`, with the place of `cause`, or this place.
Value* Rules::placed(Value* size, Value* cause) {
  if (size == cause)
    return size;
  return with_low_word(size, cause ? cause : this_place(size->getType()));
}

Value* Rules::this_place(llvm::Type* type) {
  const auto bits = llvm::APInt(64, place_);
  return llvm::ConstantFP::get(type, llvm::APFloat(llvm::APFloat::IEEEdouble(), bits));
}

// The residue with the place of its largest part. Where `takes_over` holds, this place gets the blame. A residue of 0
// stays 0: a place alone would be a subnormal number, which is slow to compute with.
Value* Rules::caused(Value* residue, llvm::ArrayRef<Part> parts, Value* takes_over) {
  if (place_ == 0 || llvm::isa<llvm::Constant>(residue))
    return residue;
  Value* largest = nullptr;
  for (const Part& part : parts) {
    if (is_zero(part.size))
      continue;
    Value* size = absolute(placed(part.size, part.cause));
    largest = largest ? builder_.CreateSelect(builder_.CreateFCmpOGT(size, largest), size, largest) : size;
  }
  if (!largest)
    return residue;
  if (takes_over)
    largest = builder_.CreateSelect(takes_over, this_place(largest->getType()), largest);
  return unless_zero(residue, with_low_word(residue, largest));
}

Value* Rules::unless_zero(Value* residue, Value* named) {
  Value* zero = llvm::Constant::getNullValue(residue->getType());
  return builder_.CreateSelect(builder_.CreateFCmpOEQ(residue, zero), zero, named);
}

// True where a sum has lost three digits of its operand.
Value* Rules::cancellation(Value* v, Value* a) {
  Value* enlarged = builder_.CreateFMul(v, llvm::ConstantFP::get(v->getType(), 1024));
  return builder_.CreateFCmpOLT(absolute(enlarged), absolute(a));
}

Value* Rules::sum(Value* v, Value* a, Value* b, Value* ra, Value* rb) {
  Value* error = sum_error(v, a, b);
  Value* carried = add(ra, rb);
  Value* cancels = place_ != 0 && !is_zero(carried) ? cancellation(v, a) : nullptr;
  return caused(add(carried, error), {{ra, ra}, {rb, rb}, {error, nullptr}}, cancels);
}

Value* Rules::difference(Value* v, Value* a, Value* b, Value* ra, Value* rb) {
  return sum(v, a, builder_.CreateFNeg(b), ra, negative(rb));
}

Value* Rules::product(Value* v, Value* a, Value* b, Value* ra, Value* rb) {
  if (is_power_of_two(b) && is_zero(rb)) // exact, unless it underflows
    return caused(multiply(ra, b), {{ra, ra}});
  if (is_power_of_two(a) && is_zero(ra))
    return caused(multiply(rb, a), {{rb, rb}});
  Value* error = fma(a, b, builder_.CreateFNeg(v));
  Value* of_a = multiply(ra, add(b, rb));
  Value* of_b = multiply(rb, a);
  return caused(add(add(of_a, of_b), error), {{of_a, ra}, {of_b, rb}, {error, nullptr}});
}

Value* Rules::quotient(Value* v, Value* a, Value* b, Value* ra, Value* rb) {
  if (is_power_of_two(b) && is_zero(rb))
    return is_zero(ra) ? ra : caused(builder_.CreateFDiv(ra, b), {{ra, ra}});
  Value* remainder = fma(builder_.CreateFNeg(v), b, a);
  Value* of_b = multiply(rb, builder_.CreateFNeg(v));
  Value* dividend = add(add(ra, of_b), remainder);
  Value* residue = builder_.CreateFDiv(dividend, add(b, rb));
  return caused(residue, {{ra, ra}, {of_b, rb}, {remainder, nullptr}});
}

// sqrt(a + ra) - v = (a + ra - v^2) / (sqrt(a + ra) + v). A negative exact operand counts as its magnitude.
Value* Rules::root(Value* v, Value* a, Value* ra) {
  Value* remainder = fma(builder_.CreateFNeg(v), v, a);
  Value* exact = is_zero(ra) ? v : builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, absolute(add(a, ra)));
  Value* divisor = builder_.CreateFAdd(v, exact);
  Value* residue = builder_.CreateFDiv(add(remainder, ra), divisor);
  Value* zero = llvm::Constant::getNullValue(v->getType());
  residue = builder_.CreateSelect(builder_.CreateFCmpOEQ(divisor, zero), zero, residue);
  return caused(residue, {{ra, ra}, {remainder, nullptr}});
}

Value* Rules::fused(Value* v, Value* a, Value* b, Value* c, Value* ra, Value* rb, Value* rc) {
  Value* product = builder_.CreateFMul(a, b);
  Value* product_error = fma(a, b, builder_.CreateFNeg(product));
  Value* sum = builder_.CreateFAdd(product, c);
  // exact = sum + its error + the product's error; what the fused operation rounded away is the rest.
  Value* error =
      builder_.CreateFAdd(builder_.CreateFSub(sum, v), builder_.CreateFAdd(sum_error(sum, product, c), product_error));
  Value* of_a = multiply(ra, add(b, rb));
  Value* of_b = multiply(rb, a);
  Value* carried = add(add(of_a, of_b), rc);
  Value* cancels = place_ != 0 && !is_zero(carried) ? cancellation(v, c) : nullptr;
  return caused(add(carried, error), {{of_a, ra}, {of_b, rb}, {rc, rc}, {error, nullptr}}, cancels);
}

// | a + ra | - | a |, also where ra has turned the sign.
Value* Rules::magnitude(Value* v, Value* a, Value* ra) {
  if (is_zero(ra))
    return ra;
  Value* zero = llvm::Constant::getNullValue(a->getType());
  Value* turned = builder_.CreateSelect(builder_.CreateFCmpOLT(a, zero), builder_.CreateFNeg(ra), ra);
  Value* through = builder_.CreateFCmpOLT(turned, builder_.CreateFNeg(v));
  Value* twice = builder_.CreateFMul(v, llvm::ConstantFP::get(v->getType(), -2));
  return builder_.CreateSelect(through, builder_.CreateFSub(twice, turned), turned);
}

Value* Rules::extreme(Value* v, Value* a, Value* b, Value* ra, Value* rb, bool largest) {
  // The exact values, relative to v.
  Value* x = add(ra, builder_.CreateFSub(a, v));
  Value* y = add(rb, builder_.CreateFSub(b, v));
  return builder_.CreateSelect(largest ? builder_.CreateFCmpOGT(x, y) : builder_.CreateFCmpOLT(x, y), x, y);
}

Value* Rules::here(Value* residue) {
  return place_ == 0 || llvm::isa<llvm::Constant>(residue) ? residue
                                                           : unless_zero(residue, with_low_word(residue, this_place(residue->getType())));
}

Value* Rules::of_function(Value* residue, llvm::ArrayRef<Value*> operands) {
  if (place_ == 0)
    return residue;
  Value* largest = nullptr;
  for (Value* operand : operands) {
    if (is_zero(operand))
      continue;
    Value* size = absolute(operand);
    largest = largest ? builder_.CreateSelect(builder_.CreateFCmpOGT(size, largest), size, largest) : size;
  }
  Value* named = placed(residue, nullptr);
  if (largest) {
    Value* zero = llvm::Constant::getNullValue(residue->getType());
    named = builder_.CreateSelect(builder_.CreateFCmpOGT(largest, zero), placed(residue, largest), named);
  }
  return unless_zero(residue, named);
}

} // namespace faultline::run
