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

// AVX-512 has an instruction that chooses the operand of larger magnitude. Else magnitudes are compared.
bool Rules::selects_by_magnitude() const {
  const llvm::Function* function = builder_.GetInsertBlock()->getParent();
  return function->getFnAttribute("target-features").getValueAsString().contains("+avx512dq");
}

Value* Rules::sized(Value* a) { return selects_by_magnitude() ? a : absolute(a); }

Value* Rules::size_of(Value* a) { return selects_by_magnitude() ? absolute(a) : a; }

// Of operands from sized().
Value* Rules::larger(Value* a, Value* b) {
  if (!selects_by_magnitude() || is_binary32(a->getType()))
    return builder_.CreateSelect(builder_.CreateFCmpOGT(a, b), a, b); // x86's maximum
  Value *x = lifted(a), *y = lifted(b);
  llvm::Intrinsic::ID id = llvm::Intrinsic::x86_avx512_mask_range_pd_128;
  if (lanes_of(x->getType()) == 4)
    id = llvm::Intrinsic::x86_avx512_mask_range_pd_256;
  else if (lanes_of(x->getType()) != 2) // a vector that takes several registers, or a part of one
    return builder_.CreateSelect(builder_.CreateFCmpOGT(absolute(a), absolute(b)), a, b);
  constexpr int magnitude_of_larger = 0b1011;
  llvm::SmallVector<Value*, 6> operands = {x, y, builder_.getInt32(magnitude_of_larger),
                                           llvm::Constant::getNullValue(x->getType()), builder_.getInt8(0xff)};
  return lowered(builder_.CreateIntrinsic(id, {}, operands), a->getType());
}

// The magnitude of the largest part, with the low word of its cause.
Value* Rules::largest_of(llvm::ArrayRef<Value*> parts, llvm::ArrayRef<Value*> causes) {
  Value* largest = nullptr;
  for (size_t i = 0; i < parts.size() && place_ != 0; ++i) {
    if (is_zero(parts[i]))
      continue;
    Value* size = sized(parts[i] == causes[i] ? parts[i] : with_low_word(parts[i], causes[i]));
    largest = largest ? larger(size, largest) : size;
  }
  return largest;
}

Parts Rules::parts_of(Value* residue, Value* with_place) {
  return {residue, largest_of(with_place, with_place), nullptr, nullptr};
}

Value* Rules::total(const Parts& parts) { return parts.local ? add(parts.carried, parts.local) : parts.carried; }

Parts Rules::negative(Parts parts) {
  parts.carried = negative(parts.carried);
  if (parts.local)
    parts.local = negative(parts.local);
  return parts;
}

Parts Rules::sum_of(Value* v, Value* a, Value* b, const Parts& pa, const Parts& pb) {
  const auto both = [](Value* x, Value* y, auto join) { return !x ? y : !y ? x : join(x, y); };
  const auto sum = [&](Value* x, Value* y) { return add(x, y); };
  const auto largest = [&](Value* x, Value* y) { return larger(x, y); };
  Parts parts;
  parts.carried = add(pa.carried, pb.carried);
  parts.largest = both(pa.largest, pb.largest, largest);
  parts.local = both(both(pa.local, pb.local, sum), sum_error(v, a, b), sum);
  const auto exact = [](const Parts& x) { return is_zero(x.carried) && !x.local; };
  parts.peak = both(pa.peak, pb.peak, largest);
  if (!exact(pa) || !exact(pb))
    parts.peak = both(parts.peak, sized(a), largest); // b is as large if the sum cancels
  return parts;
}

Parts Rules::product_of(Value* v, Value* a, Value* b, Value* ra, Value* rb, Value* place_of_a,
                        Value* place_of_b) {
  if (is_power_of_two(b) && is_zero(rb)) { // exact, unless it underflows
    Value* of_a = multiply(ra, b);
    return {of_a, largest_of(of_a, place_of_a), nullptr, nullptr};
  }
  if (is_power_of_two(a) && is_zero(ra))
    return product_of(v, b, a, rb, ra, place_of_b, place_of_a);
  Value* error = fma(a, b, builder_.CreateFNeg(v));
  Value* of_a = multiply(ra, add(b, rb));
  Value* of_b = multiply(rb, a);
  return {add(of_a, of_b), largest_of({of_a, of_b}, {place_of_a, place_of_b}), error, nullptr};
}

// Both the largest operand and what is carried are compared with the result, so that exact operands stay out.
Value* Rules::cancellation(Value* v, const Parts& parts, Value* total) {
  if (!parts.peak)
    return nullptr;
  Value* enlarged = absolute(builder_.CreateFMul(v, llvm::ConstantFP::get(v->getType(), 1024)));
  Value* lost = builder_.CreateFCmpOLT(lifted(enlarged), lifted(size_of(parts.peak)));
  Value* zero = llvm::Constant::getNullValue(v->getType());
  return builder_.CreateAnd(lost, builder_.CreateFCmpONE(lifted(total), lifted(zero)));
}

// A residue of 0 stays 0: a place alone would be a subnormal number, which is slow to compute with.
Value* Rules::joined(const Parts& parts, Value* residue, Value* takes_over) {
  if (place_ == 0 || llvm::isa<llvm::Constant>(residue))
    return residue;
  llvm::Type* type = residue->getType();
  Value* zero = llvm::Constant::getNullValue(type);
  Value* here = nullptr; // a mask: this place is to blame
  if (parts.local)
    here = builder_.CreateFCmpOGT(lifted(absolute(parts.local)), lifted(parts.largest ? size_of(parts.largest) : zero));
  if (takes_over)
    here = here ? builder_.CreateOr(here, takes_over) : takes_over;
  Value* named = parts.largest ? parts.largest : zero;
  if (here)
    named = lowered(builder_.CreateSelect(here, lifted(this_place(type)), lifted(named)), type);
  return with_low_word(residue, named);
}

Value* Rules::joined(Value* v, const Parts& parts) {
  Value* residue = total(parts);
  return joined(parts, residue, place_ != 0 ? cancellation(v, parts, residue) : nullptr);
}

Value* Rules::sum(Value* v, Value* a, Value* b, Value* ra, Value* rb) {
  return joined(v, sum_of(v, a, b, parts_of(ra), parts_of(rb)));
}

Value* Rules::difference(Value* v, Value* a, Value* b, Value* ra, Value* rb) {
  return sum(v, a, builder_.CreateFNeg(b), ra, negative(rb));
}

Value* Rules::product(Value* v, Value* a, Value* b, Value* ra, Value* rb) {
  return joined(v, product_of(v, a, b, ra, rb, ra, rb));
}

Value* Rules::quotient(Value* v, Value* a, Value* b, Value* ra, Value* rb) {
  if (is_power_of_two(b) && is_zero(rb)) {
    if (is_zero(ra))
      return ra;
    Value* scaled = builder_.CreateFDiv(ra, b);
    return joined(v, {scaled, largest_of(scaled, ra), nullptr, nullptr});
  }
  Value* remainder = fma(builder_.CreateFNeg(v), b, a);
  Value* of_b = multiply(rb, builder_.CreateFNeg(v));
  Value* dividend = add(add(ra, of_b), remainder);
  Value* residue = builder_.CreateFDiv(dividend, add(b, rb));
  return named(residue, {ra, of_b}, {ra, rb}, remainder);
}

// `residue` with the place of the largest part, or this place if `local` is larger.
Value* Rules::named(Value* residue, llvm::ArrayRef<Value*> parts, llvm::ArrayRef<Value*> causes, Value* local) {
  if (place_ == 0 || llvm::isa<llvm::Constant>(residue))
    return residue;
  llvm::Type* type = residue->getType();
  Value* largest = largest_of(parts, causes);
  if (!largest)
    largest = llvm::Constant::getNullValue(type);
  Value* here = builder_.CreateFCmpOGT(lifted(absolute(local)), lifted(size_of(largest)));
  return with_low_word(residue, lowered(builder_.CreateSelect(here, lifted(this_place(type)), lifted(largest)), type));
}

// sqrt(a + ra) - v = (a + ra - v^2) / (sqrt(a + ra) + v). A negative exact operand counts as its magnitude.
Value* Rules::root(Value* v, Value* a, Value* ra) {
  Value* remainder = fma(builder_.CreateFNeg(v), v, a);
  Value* exact = is_zero(ra) ? v : builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, absolute(add(a, ra)));
  Value* divisor = builder_.CreateFAdd(v, exact);
  Value* residue = builder_.CreateFDiv(add(remainder, ra), divisor);
  Value* zero = llvm::Constant::getNullValue(v->getType());
  residue = builder_.CreateSelect(builder_.CreateFCmpOEQ(divisor, zero), zero, residue);
  return named(residue, ra, ra, remainder);
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
  const Parts parts = {add(add(of_a, of_b), rc), largest_of({of_a, of_b, rc}, {ra, rb, rc}), error, sized(c)};
  return joined(v, parts);
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

Value* Rules::of_function(Value* residue, llvm::ArrayRef<Value*> operands) {
  if (place_ == 0)
    return residue;
  Value* largest = largest_of(operands, operands);
  Value* place = this_place(residue->getType());
  if (largest) {
    Value* zero = llvm::Constant::getNullValue(residue->getType());
    place = builder_.CreateSelect(builder_.CreateFCmpOGT(size_of(largest), zero), largest, place);
  }
  Value* zero = llvm::Constant::getNullValue(residue->getType());
  return builder_.CreateSelect(builder_.CreateFCmpOEQ(residue, zero), zero, with_low_word(residue, place));
}

} // namespace faultline::run
