#include "frontend/described_array.h"

namespace faultline::frontend {

using llvm::Value;

namespace {
constexpr uint64_t first_float = 25, last_float = 38; // of the type codes: real and complex of every kind
}

DescribedArray::DescribedArray(llvm::IRBuilder<>& builder, Value* descriptor)
    : builder_(builder), descriptor_(descriptor) {
  kind_ = builder.CreateAnd(word(builder.getInt64(16)), 0xffffffffffff);
  rank_ = builder.CreateAnd(builder.CreateLShr(kind_, 32), 0xff);
}

Value* DescribedArray::address() { return builder_.CreateLoad(builder_.getPtrTy(), descriptor_); }
Value* DescribedArray::element_bytes() { return word(builder_.getInt64(8)); }

Value* DescribedArray::is_float() {
  Value* from_first = builder_.CreateSub(builder_.CreateLShr(kind_, 40), builder_.getInt64(first_float));
  return builder_.CreateICmpULE(from_first, builder_.getInt64(last_float - first_float));
}

Value* DescribedArray::has(uint64_t dimension) {
  return builder_.CreateSExt(builder_.CreateICmpUGT(rank_, builder_.getInt64(dimension)), builder_.getInt64Ty());
}

Value* DescribedArray::word(Value* offset) {
  return builder_.CreateLoad(builder_.getInt64Ty(), builder_.CreateGEP(builder_.getInt8Ty(), descriptor_, offset));
}

Value* DescribedArray::of_dimension(uint64_t dimension, uint64_t offset) {
  Value* start = builder_.CreateAnd(has(dimension), 24 + 24 * dimension);
  return word(builder_.CreateAdd(start, builder_.getInt64(offset)));
}

} // namespace faultline::frontend
