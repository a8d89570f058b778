#include "run/rules.h"

#include "run/abi.h"

#include <climits>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>
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

Value* Rules::lifted(Value* value) {
  llvm::Type* type = value->getType();
  if (type->isVectorTy())
    return value;
  constexpr unsigned register_bits = 128;
  auto* vector = llvm::FixedVectorType::get(type, register_bits / type->getScalarSizeInBits());
  return builder_.CreateInsertElement(llvm::PoisonValue::get(vector), value, uint64_t(0));
}

Value* Rules::lowered(Value* vector, llvm::Type* type) {
  return type->isVectorTy() ? vector : builder_.CreateExtractElement(vector, uint64_t(0));
}

// `number` with the low 16 bits of `cause`: one blend of words.
Value* Rules::with_low_word(Value* number, Value* cause) {
  llvm::Type* type = number->getType();
  Value* wide = lifted(number);
  constexpr unsigned words = 4; // of a binary64
  const unsigned count = words * lanes_of(wide->getType());
  llvm::Type* as_words = llvm::FixedVectorType::get(builder_.getInt16Ty(), count);
  llvm::SmallVector<int, 32> mask;
  for (unsigned i = 0; i < count; ++i)
    mask.push_back(int(i % words == 0 ? count + i : i));
  Value* blended = builder_.CreateShuffleVector(builder_.CreateBitCast(wide, as_words),
                                                builder_.CreateBitCast(lifted(cause), as_words), mask);
  return lowered(builder_.CreateBitCast(blended, wide->getType()), type);
}

Value* Rules::this_place(llvm::Type* type) {
  const auto bits = llvm::APInt(64, place_);
  return llvm::ConstantFP::get(type, llvm::APFloat(llvm::APFloat::IEEEdouble(), bits));
}

// AVX-512 has an instruction that chooses the operand of larger magnitude.
bool Rules::selects_by_magnitude() const {
  const llvm::Function* function = builder_.GetInsertBlock()->getParent();
  return function->getFnAttribute("target-features").getValueAsString().contains("+avx512dq");
}

Value* Rules::larger(Value* a, Value* b) {
  Value *x = lifted(a), *y = lifted(b);
  const unsigned lanes = lanes_of(x->getType());
  if (is_binary32(a->getType()) || (lanes != 2 && lanes != 4) || !selects_by_magnitude()) {
    x = absolute(a);
    y = absolute(b);
    return builder_.CreateSelect(builder_.CreateFCmpOGT(x, y), x, y); // x86's maximum
  }
  constexpr int magnitude_of_larger = 0b1011;
  Value* chosen = builder_.CreateIntrinsic(
      lanes == 2 ? llvm::Intrinsic::x86_avx512_mask_range_pd_128 : llvm::Intrinsic::x86_avx512_mask_range_pd_256, {},
      {x, y, builder_.getInt32(magnitude_of_larger), llvm::Constant::getNullValue(x->getType()),
       builder_.getInt8(0xff)});
  return lowered(chosen, a->getType());
}

// Null without places, and if all parts are 0.
Value* Rules::largest_of(llvm::ArrayRef<Part> parts) {
  Value* largest = nullptr;
  for (const Part& part : parts) {
    if (place_ == 0 || is_zero(part.size))
      continue;
    Value* size = part.size;
    if (size != part.cause)
      size = with_low_word(size, part.cause ? part.cause : this_place(size->getType()));
    largest = largest ? larger(size, largest) : size;
  }
  return largest;
}

static Value* cause_of(const Residue& residue) { return residue.cause ? residue.cause : residue.value; }

Value* Rules::peak_of(Value* a, Value* peak) { return peak ? larger(a, peak) : a; }

Value* Rules::cancellation(Value* v, Value* peak, Value* residue) {
  Value* enlarged = absolute(builder_.CreateFMul(v, llvm::ConstantFP::get(v->getType(), 1024)));
  Value* lost = builder_.CreateFCmpOLT(lifted(enlarged), lifted(absolute(peak)));
  Value* zero = llvm::Constant::getNullValue(residue->getType());
  return builder_.CreateAnd(lost, builder_.CreateFCmpONE(lifted(residue), lifted(zero)));
}

void Rules::blame(Residue& residue, Value* mask) {
  if (place_ == 0 || !residue.cause)
    return;
  llvm::Type* type = residue.value->getType();
  Value* here = with_low_word(residue.value, this_place(type));
  residue.cause = lowered(builder_.CreateSelect(mask, lifted(here), lifted(residue.cause)), type);
}

// A place alone would be a subnormal number, which is slow to compute with.
Value* Rules::placed(Residue residue) {
  if (!residue.cause || is_zero(residue.value))
    return residue.value;
  Value* zero = llvm::Constant::getNullValue(residue.value->getType());
  Value* is_zero = builder_.CreateFCmpOEQ(lifted(residue.value), lifted(zero));
  Value* named = with_low_word(residue.value, residue.cause);
  return lowered(builder_.CreateSelect(is_zero, lifted(zero), lifted(named)), residue.value->getType());
}

Value* Rules::without_place(Value* residue) {
  return with_low_word(residue, llvm::Constant::getNullValue(residue->getType()));
}

// What an earlier turn of a loop has left is added last, so that turns overlap.
Residue Rules::sum(Value* v, Value* a, Value* b, Residue ra, Residue rb) {
  Value* error = sum_error(v, a, b);
  Value* residue =
      llvm::isa<llvm::PHINode>(a) ? add(ra.value, add(rb.value, error)) : add(rb.value, add(ra.value, error));
  return {residue, largest_of({{cause_of(ra), cause_of(ra)}, {cause_of(rb), cause_of(rb)}, {error, nullptr}})};
}

Residue Rules::difference(Value* v, Value* a, Value* b, Residue ra, Residue rb) {
  return sum(v, a, builder_.CreateFNeg(b), ra, {negative(rb.value), cause_of(rb)});
}

Residue Rules::product(Value* v, Value* a, Value* b, Residue ra, Residue rb) {
  if (is_power_of_two(b) && is_zero(rb.value)) { // exact, unless it underflows
    Value* of_a = multiply(ra.value, b);
    return {of_a, largest_of({{of_a, cause_of(ra)}})};
  }
  if (is_power_of_two(a) && is_zero(ra.value))
    return product(v, b, a, rb, ra);
  Value* error = fma(a, b, builder_.CreateFNeg(v));
  Value* of_a = multiply(ra.value, add(b, rb.value));
  Value* of_b = multiply(rb.value, a);
  return {add(add(of_a, of_b), error), largest_of({{of_a, cause_of(ra)}, {of_b, cause_of(rb)}, {error, nullptr}})};
}

Residue Rules::quotient(Value* v, Value* a, Value* b, Residue ra, Residue rb) {
  if (is_power_of_two(b) && is_zero(rb.value)) {
    if (is_zero(ra.value))
      return ra;
    Value* of_a = builder_.CreateFDiv(ra.value, b);
    return {of_a, largest_of({{of_a, cause_of(ra)}})};
  }
  Value* remainder = fma(builder_.CreateFNeg(v), b, a);
  Value* of_b = multiply(rb.value, builder_.CreateFNeg(v));
  Value* dividend = add(add(ra.value, of_b), remainder);
  Value* residue = builder_.CreateFDiv(dividend, add(b, rb.value));
  Value* largest = largest_of({{ra.value, cause_of(ra)}, {of_b, cause_of(rb)}, {remainder, nullptr}});
  return {residue, largest ? with_low_word(residue, largest) : nullptr};
}

// sqrt(a + ra) - v = (a + ra - v^2) / (sqrt(a + ra) + v). A negative exact operand counts as its magnitude.
Residue Rules::root(Value* v, Value* a, Residue ra) {
  Value* remainder = fma(builder_.CreateFNeg(v), v, a);
  Value* exact =
      is_zero(ra.value) ? v : builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, absolute(add(a, ra.value)));
  Value* divisor = builder_.CreateFAdd(v, exact);
  Value* residue = builder_.CreateFDiv(add(remainder, ra.value), divisor);
  Value* zero = llvm::Constant::getNullValue(v->getType());
  residue = builder_.CreateSelect(builder_.CreateFCmpOEQ(divisor, zero), zero, residue);
  Value* largest = largest_of({{ra.value, cause_of(ra)}, {remainder, nullptr}});
  return {residue, largest ? with_low_word(residue, largest) : nullptr};
}

Residue Rules::fused(Value* v, Value* a, Value* b, Value* c, Residue ra, Residue rb, Residue rc) {
  Value* product = builder_.CreateFMul(a, b);
  Value* product_error = fma(a, b, builder_.CreateFNeg(product));
  Value* sum = builder_.CreateFAdd(product, c);
  // exact = sum + its error + the product's error; what the fused operation rounded away is the rest.
  Value* error =
      builder_.CreateFAdd(builder_.CreateFSub(sum, v), builder_.CreateFAdd(sum_error(sum, product, c), product_error));
  Value* of_a = multiply(ra.value, add(b, rb.value));
  Value* of_b = multiply(rb.value, a);
  return {add(rc.value, add(add(of_a, of_b), error)),
          largest_of({{of_a, cause_of(ra)}, {of_b, cause_of(rb)}, {cause_of(rc), cause_of(rc)}, {error, nullptr}})};
}

// | a + ra | - | a |, also where ra has turned the sign.
Residue Rules::magnitude(Value* v, Value* a, Residue ra) {
  if (is_zero(ra.value))
    return ra;
  Value* zero = llvm::Constant::getNullValue(a->getType());
  Value* turned = builder_.CreateSelect(builder_.CreateFCmpOLT(a, zero), builder_.CreateFNeg(ra.value), ra.value);
  Value* through = builder_.CreateFCmpOLT(turned, builder_.CreateFNeg(v));
  Value* twice = builder_.CreateFMul(v, llvm::ConstantFP::get(v->getType(), -2));
  return {builder_.CreateSelect(through, builder_.CreateFSub(twice, turned), turned), ra.cause};
}

Residue Rules::extreme(Value* v, Value* a, Value* b, Residue ra, Residue rb, bool largest) {
  // The exact values, relative to v.
  Value* x = add(ra.value, builder_.CreateFSub(a, v));
  Value* y = add(rb.value, builder_.CreateFSub(b, v));
  Value* first = largest ? builder_.CreateFCmpOGT(x, y) : builder_.CreateFCmpOLT(x, y);
  const bool have_causes = ra.cause || rb.cause;
  return {builder_.CreateSelect(first, x, y),
          have_causes ? builder_.CreateSelect(first, cause_of(ra), cause_of(rb)) : nullptr};
}

Residue Rules::here(Value* residue) {
  if (place_ == 0 || llvm::isa<llvm::Constant>(residue))
    return {residue};
  return {residue, with_low_word(residue, this_place(residue->getType()))};
}

Residue Rules::of_function(Value* residue, llvm::ArrayRef<Residue> operands) {
  if (place_ == 0)
    return {residue};
  llvm::SmallVector<Part, 2> parts;
  for (const Residue& operand : operands)
    parts.push_back({operand.value, cause_of(operand)});
  Value* place = this_place(residue->getType());
  if (Value* largest = largest_of(parts)) {
    Value* zero = llvm::Constant::getNullValue(residue->getType());
    place = builder_.CreateSelect(builder_.CreateFCmpOEQ(largest, zero), place, largest);
  }
  return {residue, with_low_word(residue, place)};
}

} // namespace faultline::run
