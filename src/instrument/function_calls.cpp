// Calls, returns and arguments; libm functions with two results; copies of memory.
#include "instrument/function_walk.h"

#include "instrument/site_builder.h"
#include "program/bounds_check.h"
#include "runtime/abi.h"

#include <llvm/Analysis/MemoryBuiltins.h>
#include <llvm/Analysis/ValueTracking.h>

namespace faultline::instrument {

using llvm::Value;
using numeric::Format;
using ops::Op;
namespace abi = runtime;

namespace {

// True for a pointer to nothing that a run computes: null, a function, or a string.
bool is_fixed(const Value* pointer) {
  auto* global = llvm::dyn_cast<llvm::GlobalVariable>(pointer->stripInBoundsOffsets());
  return llvm::isa<llvm::Constant>(pointer) && (!global || global->isConstant());
}

} // namespace

Value* FunctionWalk::state(Builder& builder, uint64_t offset) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), state_, offset);
}

void FunctionWalk::visitReturnInst(llvm::ReturnInst& ret) {
  if (ret.getParent()->getTerminatingMustTailCall() != nullptr) {
    emitter_.end_segment(ret.getParent()->getTerminatingMustTailCall());
    return;
  }
  Value* value = ret.getReturnValue();
  if (value && (lane_count(value->getType()) != 0 || can_have_bits(value->getType()))) {
    llvm::IRBuilder<> builder(&ret);
    Indices indices = can_have_bits(value->getType()) ? Indices{bits_of(*value)} : indices_of(value, builder);
    for (unsigned i = 0; i < indices.size() && i < abi::result_slots; ++i)
      builder.CreateStore(builder.CreateZExt(indices[i], builder.getInt64Ty()),
                          state(builder, offsetof(abi::State, results) + 8 * i));
    builder.CreateStore(builder.getInt64(1), state(builder, offsetof(abi::State, result_tag)));
  }
  emitter_.end_segment(&ret);
}

void FunctionWalk::visitMemTransferInst(llvm::MemTransferInst& move) {
  copy_shadow(move, move.getRawDest(), move.getRawSource(), move.getLength());
}
void FunctionWalk::visitMemSetInst(llvm::MemSetInst& set) {
  Builder builder(after(set));
  clear_shadow(builder, set.getRawDest(), set.getLength());
}

void FunctionWalk::visitCallBase(llvm::CallBase& call) {
  if (llvm::isa<llvm::DbgInfoIntrinsic>(call) || program::is_check(call))
    return;
  const bool straight = !call.isTerminator(); // not an invoke
  if (auto operation = straight ? operation_of(call) : std::nullopt)
    return record(call, *operation);
  if (TwoResults kind = two_results(call); straight && kind != TwoResults::none)
    return second_results(call, kind);
  if (Composed kind = composed(call); straight && kind != Composed::none)
    return composed_call(call, kind);
  if (straight && is_math_call(call)) {
    if (lane_count(call.getType()) != 0)
      leaves(call);
    return;
  }
  auto* callee = call.getCalledFunction();
  if (straight && callee && callee->isDeclaration() && memory_call(call, callee->getName()))
    return;
  pass_arguments(call);
  emitter_.end_segment(&call);
  if (!straight || call.isMustTailCall())
    return;
  llvm::Instruction* next = call.getNextNode();
  call_results(call, next);
  forget_written(call);
  if (auto operation = specified_operation(call))
    specified_call(call, *operation, next);
}

// A call of a function that should compute this operation. If it does, the call is one record instead of its result.
void FunctionWalk::specified_call(llvm::CallBase& call, const Operation& operation, llvm::Instruction* next) {
  Builder builder(next); // behind the indices of the results
  llvm::Type* widest = llvm::Type::getX86_FP80Ty(call.getContext());
  Value* natives[3];
  std::ranges::fill(natives, llvm::ConstantFP::get(widest, 0));
  Indices operands;
  for (size_t i = 0; i < operation.operands.size(); ++i) {
    Value* operand = operation.operands[i];
    const bool integer = operand->getType()->isIntegerTy();
    natives[i] = integer ? builder.CreateSIToFP(operand, widest) : builder.CreateFPCast(operand, widest);
    operands.push_back(
        integer ? emitter_.leaf(builder, builder.CreateSIToFP(operand, builder.getDoubleTy()), Format::binary64)
                : indices_of(operand, builder)[0]);
  }
  Value* result = builder.CreateFPCast(&call, widest);
  auto* agreed =
      builder.CreateCall(entry_point(*function_.getParent(), "faultline_agrees"),
                         {builder.getInt32(uint32_t(operation.op)), builder.getInt32(uint32_t(operation.format)),
                          natives[0], natives[1], natives[2], result});
  Value* holds = builder.CreateICmpNE(agreed, builder.getInt32(0));
  const Emitted emitted = emitter_.operation(builder, sites_.add(operation, call), operands, &call, operation.format);
  Value* index = builder.CreateSelect(holds, emitted.index, indices_[&call][0]);
  indices_[&call] = {index};
  if (emitted.value == &call)
    return;
  Value* value = builder.CreateSelect(holds, emitted.value, &call);
  indices_[value] = {index};
  call.replaceUsesWithIf(value, [&](llvm::Use& use) {
    return use.getUser() != result && use.getUser() != agreed && use.getUser() != value;
  });
}

void FunctionWalk::enter(llvm::Instruction* first) {
  Builder builder(first);
  builder.SetCurrentDebugLocation({});
  // Only functions that are called solely by instrumented code may use their arguments unchecked.
  const bool certain = function_.hasLocalLinkage() && !function_.hasAddressTaken();
  Value* trusted = nullptr;
  unsigned slot = 0;
  for (llvm::Argument& argument : function_.args()) {
    const bool copied = argument.hasByValAttr();
    Lanes lanes = lanes_of(argument.getType(), layout_);
    const bool integer = can_have_bits(argument.getType()) && slot < abi::argument_slots;
    if (!copied && lanes.empty() && !integer)
      continue;
    if (!certain && !trusted) {
      Value* tag = builder.CreateLoad(builder.getInt64Ty(), state(builder, offsetof(abi::State, call_tag)));
      trusted = builder.CreateICmpEQ(tag, builder.CreatePtrToInt(&function_, builder.getInt64Ty()));
      builder.CreateStore(builder.getInt64(0), state(builder, offsetof(abi::State, call_tag)));
    }
    auto passed = [&](llvm::Type* type) {
      return builder.CreateLoad(type, state(builder, offsetof(abi::State, arguments) + 8 * slot++));
    };
    if (copied) {
      if (slot >= abi::argument_slots)
        continue;
      Value* original = passed(builder.getPtrTy());
      if (trusted)
        original = builder.CreateSelect(trusted, original, &argument);
      uint64_t bytes = layout_.getTypeAllocSize(argument.getParamByValType());
      builder.CreateCall(entry_point(*function_.getParent(), "faultline_copy_shadow"),
                         {&argument, original, builder.getInt64(bytes)});
      continue;
    }
    if (integer) {
      Value* bits = passed(builder.getInt32Ty());
      bits_[&argument] = trusted ? builder.CreateSelect(trusted, bits, builder.getInt32(0)) : bits;
      continue;
    }
    Indices indices;
    for (const Lane& lane : lanes) {
      if (slot >= abi::argument_slots) {
        indices.push_back(emitter_.leaf(builder, extract(builder, &argument, lane), lane.format));
        continue;
      }
      Value* index = passed(builder.getInt32Ty());
      if (trusted) {
        Value* fresh = emitter_.leaf(builder, extract(builder, &argument, lane), lane.format);
        index = builder.CreateSelect(trusted, index, fresh);
      }
      indices.push_back(index);
    }
    indices_[&argument] = indices;
  }
}

void FunctionWalk::pass_arguments(llvm::CallBase& call) {
  auto* callee = call.getCalledFunction();
  if (call.isInlineAsm() || (callee && callee->isDeclaration()))
    return;
  Builder builder(&call);
  unsigned slot = 0;
  bool any = false;
  auto pass = [&](Value* value) {
    builder.CreateStore(value, state(builder, offsetof(abi::State, arguments) + 8 * slot++));
    any = true;
  };
  for (unsigned i = 0; i < call.arg_size() && slot < abi::argument_slots; ++i) {
    Value* argument = call.getArgOperand(i);
    if (call.isByValArgument(i)) {
      pass(argument);
    } else if (can_have_bits(argument->getType())) {
      pass(builder.CreateZExt(bits_of(*argument), builder.getInt64Ty()));
    } else if (lane_count(argument->getType()) != 0) {
      for (Value* index : indices_of(argument, builder))
        if (slot < abi::argument_slots)
          pass(builder.CreateZExt(index, builder.getInt64Ty()));
    }
  }
  const bool certain = callee && callee->hasLocalLinkage() && !callee->hasAddressTaken();
  if (any && !certain)
    builder.CreateStore(builder.CreatePtrToInt(call.getCalledOperand(), builder.getInt64Ty()),
                        state(builder, offsetof(abi::State, call_tag)));
  if (!callee && (lane_count(call.getType()) != 0 || can_have_bits(call.getType())))
    builder.CreateStore(builder.getInt64(0), state(builder, offsetof(abi::State, result_tag)));
}

void FunctionWalk::call_results(llvm::CallBase& call, llvm::Instruction* where) {
  Lanes lanes = lanes_of(call.getType(), layout_);
  Builder builder(where);
  if (is_foreign_call(call))
    foreign_call(builder, call, nullptr);
  auto* callee = call.getCalledFunction();
  const bool unknown = call.isInlineAsm() || (callee && callee->isDeclaration());
  if (lanes.empty() && (unknown || !can_have_bits(call.getType())))
    return;
  Value* answered = nullptr;
  if (!unknown && !callee) {
    Value* tag = builder.CreateLoad(builder.getInt64Ty(), state(builder, offsetof(abi::State, result_tag)));
    answered = builder.CreateICmpNE(tag, builder.getInt64(0));
    foreign_call(builder, call, answered);
  }
  if (lanes.empty()) {
    Value* bits = builder.CreateLoad(builder.getInt32Ty(), state(builder, offsetof(abi::State, results)));
    bits_[&call] = answered ? builder.CreateSelect(answered, bits, builder.getInt32(0)) : bits;
    return;
  }
  Indices indices;
  for (size_t i = 0; i < lanes.size(); ++i) {
    Value* part = nullptr;
    if (unknown) {
      part = foreign_leaf(builder, call, lanes[i]);
      emitter_.mark_foreign(builder, part);
    } else if (i >= abi::result_slots) {
      part = emitter_.leaf(builder, extract(builder, &call, lanes[i]), lanes[i].format);
    } else {
      part = builder.CreateLoad(builder.getInt32Ty(), state(builder, offsetof(abi::State, results) + 8 * i));
      if (answered) {
        part = builder.CreateSelect(answered, part, builder.getInt32(0));
        part = emitter_.verified(builder, part, extract(builder, &call, lanes[i]), lanes[i].format);
        emitter_.mark_foreign(builder, part); // does nothing if instrumented code returned the value
      }
    }
    indices.push_back(part);
  }
  indices_[&call] = indices;
}

Value* FunctionWalk::foreign_leaf(Builder& builder, llvm::CallBase& call, const Lane& lane) {
  constexpr size_t most_named = 3;
  Indices named;
  for (Value* argument : call.args())
    for (Value* index : lane_count(argument->getType()) != 0 ? indices_of(argument, builder) : Indices{})
      if (named.size() < most_named)
        named.push_back(index);
  const uint32_t site = sites_.foreign_leaf(lane.format, call, sites_.foreign(called_name(call)), int(named.size()));
  return emitter_.foreign_leaf(builder, extract(builder, &call, lane), lane.format, site, named);
}

// Records the arguments of a call of code that is not instrumented, unless it `answered`.
void FunctionWalk::foreign_call(Builder& builder, llvm::CallBase& call, Value* answered) {
  const std::string name = called_name(call);
  Value* function = builder.getInt32(sites_.foreign(name));
  if (!emitter_.follows_foreign())
    return;
  emitter_.foreign_call(builder, answered ? builder.CreateSelect(answered, builder.getInt32(0), function) : function,
                        rounds_on_its_own(call));
  const bool fortran = llvm::StringRef(name).starts_with("_Fortran");
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    Value* argument = call.getArgOperand(i);
    for (Value* index : lane_count(argument->getType()) != 0 ? indices_of(argument, builder) : Indices{})
      emitter_.foreign_argument(builder, index);
    if (!argument->getType()->isPointerTy() || is_fixed(argument))
      continue;
    uint64_t bytes = 0; // unknown
    const bool sized = llvm::getObjectSize(argument, bytes, layout_, nullptr);
    const bool descriptor = fortran && (!sized || bytes >= sizeof(void*));
    using Kind = abi::PointerKind;
    emitter_.foreign_pointer(builder, argument, sized ? bytes : 0,
                             !descriptor                    ? Kind::data
                             : only_reads_elements(call, i) ? Kind::only_read
                                                            : Kind::descriptor);
  }
}

// frexp, modf and sincos: the native call remains for its effects; the results are recorded as operations.
void FunctionWalk::second_results(llvm::CallBase& call, TwoResults kind) {
  auto format = format_of(call.getArgOperand(0)->getType());
  if (!format)
    return leaves(call);
  Builder builder(after(call));
  Value* operand = indices_of(call.getArgOperand(0), builder)[0];
  llvm::Type* type = call.getArgOperand(0)->getType();
  auto behind_pointer = [&](Op op, Value* pointer) {
    Operation operation{op, *format, *format, true, {}};
    Value* native = builder.CreateLoad(type, pointer);
    Emitted emitted = emitter_.operation(builder, sites_.add(operation, call), {operand}, native, *format);
    if (emitted.value != native)
      builder.CreateStore(emitted.value, pointer);
    emitter_.store(builder, pointer, emitted.index, *format);
  };
  auto returned = [&](Op op, llvm::ArrayRef<Value*> operands) {
    Operation operation{op, *format, *format, true, {}};
    Emitted emitted = emitter_.operation(builder, sites_.add(operation, call), operands, &call, *format);
    indices_[&call] = {emitted.index};
    indices_[emitted.value] = {emitted.index};
    replace(call, emitted.value);
  };
  switch (kind) {
  case TwoResults::frexp: {
    // The fraction is x scaled by the exponent that the machine found: exact and consistent with it.
    Value* exponent = builder.CreateNeg(builder.CreateLoad(builder.getInt32Ty(), call.getArgOperand(1)));
    Value* scale = emitter_.leaf(builder, builder.CreateSIToFP(exponent, builder.getDoubleTy()), Format::binary64);
    returned(Op::ldexp, {operand, scale});
    break;
  }
  case TwoResults::modf:
    behind_pointer(Op::trunc, call.getArgOperand(1));
    returned(Op::modf, {operand});
    break;
  case TwoResults::sincos:
    behind_pointer(Op::sin, call.getArgOperand(1));
    behind_pointer(Op::cos, call.getArgOperand(2));
    break;
  case TwoResults::none:
    break;
  }
}

bool FunctionWalk::memory_call(llvm::CallBase& call, llvm::StringRef name) {
  if ((name == "memcpy" || name == "memmove") && call.arg_size() == 3) {
    copy_shadow(call, call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2));
    return true;
  }
  if (name == "memset" && call.arg_size() == 3) {
    Builder builder(after(call));
    clear_shadow(builder, call.getArgOperand(0), call.getArgOperand(2));
    return true;
  }
  return false;
}

void FunctionWalk::copy_shadow(llvm::CallBase& call, Value* to, Value* from, Value* bytes) {
  Builder builder(after(call));
  builder.CreateCall(entry_point(*function_.getParent(), "faultline_copy_shadow"),
                     {to, from, builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty())});
}

void FunctionWalk::clear_shadow(Builder& builder, Value* to, Value* bytes) {
  builder.CreateCall(entry_point(*function_.getParent(), "faultline_clear_shadow"),
                     {to, builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty())});
}

// Clears the shadow of the float that an integer of this size is part of, for instance its exponent: in this run its
// bits may be what they were. Words of 4 bytes are parts of doubles, smaller ones of any float.
void FunctionWalk::clear_overwritten(Builder& builder, Value* pointer, uint64_t bytes) {
  const uint64_t inside = bytes >= 8 ? 0 : bytes == 4 ? 4 : 15; // bits of the distance from the float's first byte
  Value* address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  Value* distance = builder.CreateAnd(address, inside);
  clear_shadow(builder, builder.CreateGEP(builder.getInt8Ty(), pointer, builder.CreateNeg(distance)),
               builder.CreateAdd(distance, builder.getInt64(bytes)));
}

// A function outside the module, such as sscanf, may write floats into the variables that it gets: their records are
// out of date, even if the bits are the same in this run.
void FunctionWalk::forget_written(llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!decisions_ || !emitter_.records_decisions() || !callee || !callee->isDeclaration() || callee->isIntrinsic() ||
      call.onlyReadsMemory())
    return;
  Builder builder(call.getNextNode());
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    Value* argument = call.getArgOperand(i);
    if (!argument->getType()->isPointerTy() || call.onlyReadsMemory(i))
      continue;
    Value* variable = const_cast<Value*>(llvm::getUnderlyingObject(argument));
    uint64_t bytes = 0;
    if (llvm::getObjectSize(variable, bytes, layout_, nullptr) && !is_fixed(variable))
      clear_shadow(builder, variable, builder.getInt64(bytes));
  }
}

} // namespace faultline::instrument
