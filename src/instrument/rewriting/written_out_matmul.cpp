#include "instrument/rewriting/written_out_matmul.h"

#include "frontend/described_array.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <optional>

namespace faultline::instrument {

using llvm::Value;
using Builder = llvm::IRBuilder<>;

namespace {

constexpr const char* mark = "faultline.written_out";

struct Routine {
  llvm::Type* element;
  bool transposed; // the first factor is
};

std::optional<Routine> routine_of(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  llvm::StringRef name = callee && callee->isDeclaration() ? callee->getName() : "";
  if (call.arg_size() < 3 || !name.consume_front("_FortranAMatmul"))
    return std::nullopt;
  const bool transposed = name.consume_front("Transpose");
  llvm::LLVMContext& context = call.getContext();
  if (name == "Real4Real4")
    return Routine{llvm::Type::getFloatTy(context), transposed};
  if (name == "Real8Real8")
    return Routine{llvm::Type::getDoubleTy(context), transposed};
  if (name == "Real10Real10")
    return Routine{llvm::Type::getX86_FP80Ty(context), transposed};
  return std::nullopt;
}

// A factor: outer is the dimension that the result has from it, inner the one that is summed over. A vector has an
// outer dimension of one element.
struct Factor {
  Value *address, *outer_extent, *outer_stride, *inner_extent, *inner_stride;
};

Factor factor(Builder& builder, Value* descriptor, uint64_t outer) {
  frontend::DescribedArray array(builder, descriptor);
  Value* matrix = array.has(1); // all ones, or 0
  Value* vector = builder.CreateNot(matrix);
  auto either = [&](Value* of_matrix, Value* of_vector) {
    return builder.CreateOr(builder.CreateAnd(of_matrix, matrix), builder.CreateAnd(of_vector, vector));
  };
  const uint64_t inner = 1 - outer;
  return {array.address(), either(array.extent(outer), builder.getInt64(1)),
          builder.CreateAnd(array.stride(outer), matrix), either(array.extent(inner), array.extent(0)),
          either(array.stride(inner), array.stride(0))};
}

// Before `inside`, where no extent is 0: these loops run at least once.
void multiply(llvm::Instruction* inside, const Routine& routine, const Factor& a, const Factor& b, Value* result,
              const llvm::DebugLoc& location) {
  auto loop = [&inside](Value* extent) {
    auto [first, index] = llvm::SplitBlockAndInsertSimpleForLoop(extent, inside);
    inside = first;
    return index;
  };
  auto element = [](Builder& builder, Value* address, Value* index, Value* stride) {
    return builder.CreateGEP(builder.getInt8Ty(), address, builder.CreateMul(index, stride));
  };
  Value* column = loop(b.outer_extent);
  Value* row = loop(a.outer_extent);
  llvm::Instruction* after_sum = inside;
  llvm::BasicBlock* before_sum = inside->getParent();
  Builder outer(inside);
  Value* left = element(outer, a.address, row, a.outer_stride);
  Value* right = element(outer, b.address, column, b.outer_stride);
  Value* k = loop(a.inner_extent);

  Builder builder(inside);
  builder.SetCurrentDebugLocation(location);
  Value* x = builder.CreateLoad(routine.element, element(builder, left, k, a.inner_stride));
  Value* y = builder.CreateLoad(routine.element, element(builder, right, k, b.inner_stride));
  llvm::BasicBlock* body = inside->getParent();
  llvm::PHINode* sum = llvm::PHINode::Create(routine.element, 2, "", body->begin());
  Value* next = builder.CreateFAdd(sum, builder.CreateFMul(x, y));
  sum->addIncoming(llvm::ConstantFP::getZero(routine.element), before_sum);
  sum->addIncoming(next, body);

  Builder end(after_sum);
  end.SetCurrentDebugLocation(location);
  Value* index = end.CreateAdd(row, end.CreateMul(column, a.outer_extent));
  end.CreateStore(next, end.CreateGEP(routine.element, result, index));
}

void write_out(llvm::CallInst& call, const Routine& routine) {
  for (const unsigned factor : {1u, 2u}) {
    call.addParamAttr(factor, llvm::Attribute::ReadOnly);
    call.addParamAttr(factor, llvm::Attribute::NoCapture);
  }
  call.setMetadata(mark, llvm::MDNode::get(call.getContext(), {}));
  Builder builder(call.getNextNode());
  const Factor a = factor(builder, call.getArgOperand(1), routine.transposed ? 1 : 0);
  const Factor b = factor(builder, call.getArgOperand(2), 1);
  Value* result = builder.CreateLoad(builder.getPtrTy(), call.getArgOperand(0));
  Value* some = builder.CreateICmpNE(
      builder.CreateMul(builder.CreateMul(a.outer_extent, a.inner_extent), b.outer_extent), builder.getInt64(0));
  llvm::Instruction* inside = llvm::SplitBlockAndInsertIfThen(some, &*builder.GetInsertPoint(), false);
  multiply(inside, routine, a, b, result, call.getDebugLoc());
}

} // namespace

void write_out_matmul(llvm::Module& module) {
  llvm::SmallVector<std::pair<llvm::CallInst*, Routine>, 4> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && !call->isMustTailCall())
        if (const std::optional<Routine> routine = routine_of(*call))
          calls.emplace_back(call, *routine);
  for (auto& [call, routine] : calls)
    write_out(*call, routine);
}

bool is_written_out(const llvm::CallBase& call) { return call.hasMetadata(mark); }

} // namespace faultline::instrument
