// LLVM is hidden from this layer's users, so the tests see its headers only if instrument_tests links vendor_llvm.
#if __has_include(<llvm/IR/Module.h>)
#include "instrument/instrument.h"

#include <gtest/gtest.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/LLVMContext.h>

namespace faultline::instrument {
namespace {

using llvm::ArrayType;
using llvm::FixedVectorType;
using llvm::StructType;
using llvm::Type;

struct LanesOf : testing::Test {
  llvm::LLVMContext context;
  llvm::DataLayout layout{"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"};
  Type* f32 = Type::getFloatTy(context);
  Type* f64 = Type::getDoubleTy(context);
  Type* f80 = Type::getX86_FP80Ty(context);
  Type* i32 = Type::getInt32Ty(context);

  std::vector<uint64_t> offsets(Type* type) {
    std::vector<uint64_t> all;
    for (const Lane& lane : lanes_of(type, layout))
      all.push_back(lane.offset);
    return all;
  }
};

TEST_F(LanesOf, AScalarIsOneAndAnIntegerNone) {
  EXPECT_EQ(lane_count(f64), 1u);
  EXPECT_EQ(lane_count(i32), 0u);
  EXPECT_EQ(lane_count(llvm::PointerType::getUnqual(context)), 0u);
  EXPECT_EQ(lane_count(FixedVectorType::get(i32, 4)), 0u);
}

TEST_F(LanesOf, AStructAreItsFloatsWhereTheyLieInMemory) {
  auto* type = StructType::get(context, {i32, f64, f32, f80, FixedVectorType::get(f32, 2)});
  EXPECT_EQ(lane_count(type), 5u);
  EXPECT_EQ(offsets(type), (std::vector<uint64_t>{8, 16, 32, 48, 52}));
}

TEST_F(LanesOf, ArraysOfLongDoublesAreSixteenBytesApart) {
  EXPECT_EQ(offsets(ArrayType::get(f80, 3)), (std::vector<uint64_t>{0, 16, 32}));
}

TEST_F(LanesOf, TypesThatAreTooLargeHaveNone) {
  EXPECT_EQ(lane_count(ArrayType::get(f64, most_lanes)), most_lanes);
  EXPECT_EQ(lane_count(ArrayType::get(f64, most_lanes + 1)), 0u);
  EXPECT_TRUE(lanes_of(ArrayType::get(f64, uint64_t(1) << 40), layout).empty());
}

TEST_F(LanesOf, TheLanesBeforeAPartAreThoseOfThePartsBeforeIt) {
  auto* inner = StructType::get(context, {f32, i32, f32});
  auto* type = StructType::get(context, {f64, ArrayType::get(inner, 3), f64});
  EXPECT_EQ(lanes_before(type, {0}), 0u);
  EXPECT_EQ(lanes_before(type, {1}), 1u);
  EXPECT_EQ(lanes_before(type, {1, 2}), 5u);
  EXPECT_EQ(lanes_before(type, {1, 2, 2}), 6u);
  EXPECT_EQ(lanes_before(type, {2}), 7u);
}

} // namespace
} // namespace faultline::instrument
#endif
