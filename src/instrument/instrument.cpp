#include "instrument/instrument.h"

#include "instrument/emitter.h"
#include "instrument/lanes.h"
#include "instrument/location.h"
#include "instrument/operations.h"
#include "runtime/abi.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstVisitor.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>

namespace faultline::instrument {

using llvm::Value;
using numeric::Format;
using ops::Op;
namespace abi = runtime;

namespace {

using Indices = llvm::SmallVector<Value*, 2>;

// The site table under construction, with each constant once.
class Sites {
public:
  Sites() {
    table.sites.resize(abi::first_program_site);
    for (int i = 0; i < 3; ++i) {
      auto format = Format(i);
      table.sites[abi::first_leaf_site + i] = {Op::leaf, format, format, "", "", 0, 0};
      table.sites[abi::first_input_site + i] = {Op::input, format, format, "", "", 0, 0};
    }
  }

  uint32_t add(const Operation& operation, const llvm::Instruction& instruction) {
    abi::Site site;
    site.op = operation.op;
    site.format = operation.format;
    site.operand_format = operation.operand_format;
    locate(instruction, site);
    table.sites.push_back(std::move(site));
    return uint32_t(table.sites.size() - 1);
  }

  uint32_t constant(const llvm::APFloat& number, Format format) {
    llvm::APFloat wide = number;
    bool inexact = false;
    wide.convert(llvm::APFloat::x87DoubleExtended(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    llvm::APInt bits = wide.bitcastToAPInt();
    auto key = std::make_tuple(bits.getRawData()[0], bits.getRawData()[1], format);
    auto [found, fresh] = constants_.try_emplace(key, uint32_t(table.constants.size()));
    if (fresh) {
      abi::Constant constant{0, format};
      std::memcpy(&constant.value, bits.getRawData(), 10);
      table.constants.push_back(constant);
    }
    return found->second | abi::constant_flag;
  }

  abi::SiteTable table;

private:
  std::map<std::tuple<uint64_t, uint64_t, Format>, uint32_t> constants_;
};

// The walk over one function. Blocks come in reverse post-order, so an operand's indices are known before they are
// needed, but for phis, which are completed at the end.
class FunctionWalk : public llvm::InstVisitor<FunctionWalk> {
  using Builder = llvm::IRBuilder<>;

public:
  FunctionWalk(llvm::Function& function, Emitter& emitter, Sites& sites)
      : function_(function), emitter_(emitter), sites_(sites), layout_(function.getDataLayout()),
        state_(function.getParent()->getOrInsertGlobal(abi::state_symbol, llvm::Type::getInt8Ty(function.getContext()))) {}

  void run() {
    llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    llvm::SmallVector<llvm::BasicBlock*, 16> blocks(order.begin(), order.end());
    for (llvm::BasicBlock* block : blocks) {
      llvm::SmallVector<llvm::Instruction*, 32> originals;
      for (llvm::Instruction& instruction : *block)
        originals.push_back(&instruction);
      if (block == &function_.getEntryBlock())
        enter(&*block->getFirstNonPHIOrDbgOrAlloca());
      else if (auto* invoke = pending_invoke(*block))
        call_results(*invoke, &*block->getFirstInsertionPt());
      for (llvm::Instruction* instruction : originals)
        visit(instruction);
    }
    complete_phis();
    for (llvm::Instruction* dead : replaced_)
      if (dead->use_empty())
        dead->eraseFromParent();
  }

  void visitInstruction(llvm::Instruction& instruction) {
    if (auto operation = operation_of(instruction))
      return record(instruction, *operation);
    if (lane_count(instruction.getType()) != 0)
      leaves(instruction);
    if (instruction.isTerminator())
      emitter_.end_segment(&instruction);
  }

  void visitPHINode(llvm::PHINode& phi) {
    unsigned lanes = lane_count(phi.getType());
    if (lanes == 0)
      return;
    llvm::IRBuilder<> builder(&phi);
    Indices indices;
    for (unsigned i = 0; i < lanes; ++i)
      indices.push_back(builder.CreatePHI(builder.getInt32Ty(), phi.getNumIncomingValues()));
    indices_[&phi] = indices;
    phis_.push_back(&phi);
  }

  void visitSelectInst(llvm::SelectInst& select) {
    unsigned lanes = lane_count(select.getType());
    if (lanes == 0 || select.getCondition()->getType()->isVectorTy())
      return visitInstruction(select);
    Builder builder(after(select));
    Indices yes = indices_of(select.getTrueValue(), builder), no = indices_of(select.getFalseValue(), builder);
    for (unsigned i = 0; i < lanes; ++i)
      yes[i] = builder.CreateSelect(select.getCondition(), yes[i], no[i]);
    indices_[&select] = yes;
  }

  void visitFreezeInst(llvm::FreezeInst& freeze) {
    if (lane_count(freeze.getType()) != 0) {
      Builder builder(after(freeze));
      indices_[&freeze] = indices_of(freeze.getOperand(0), builder);
    }
  }

  void visitBitCastInst(llvm::BitCastInst& cast) {
    Builder builder(after(cast));
    if (auto format = format_of(cast.getType()); format && weak_.contains(cast.getOperand(0))) {
      indices_[&cast] = {emitter_.verified(builder, weak_[cast.getOperand(0)], &cast, *format)};
    } else if (is_weak_type(cast.getType()) && format_of(cast.getOperand(0)->getType()) && carries_float(cast)) {
      weak_[&cast] = indices_of(cast.getOperand(0), builder)[0];
    } else {
      visitInstruction(cast);
    }
  }

  void visitLoadInst(llvm::LoadInst& load) {
    Builder builder(after(load));
    if (is_weak_type(load.getType()) && carries_float(load)) {
      weak_[&load] = emitter_.load_weak(builder, load.getPointerOperand(), &load);
      return;
    }
    Indices indices;
    for (const Lane& lane : lanes_of(load.getType(), layout_)) {
      Value* value = extract(builder, &load, lane);
      indices.push_back(emitter_.load(builder, address(builder, load.getPointerOperand(), lane), value, lane.format));
    }
    if (!indices.empty())
      indices_[&load] = indices;
  }

  void visitStoreInst(llvm::StoreInst& store) {
    Builder builder(after(store));
    Value* value = store.getValueOperand();
    if (auto weak = weak_.find(value); weak != weak_.end()) {
      emitter_.store(builder, store.getPointerOperand(), weak->second);
      return;
    }
    Lanes lanes = lanes_of(value->getType(), layout_);
    if (lanes.empty())
      return;
    Indices indices = indices_of(value, builder);
    for (size_t i = 0; i < lanes.size(); ++i)
      emitter_.store(builder, address(builder, store.getPointerOperand(), lanes[i]), indices[i]);
  }

  void visitExtractValueInst(llvm::ExtractValueInst& extract) {
    unsigned lanes = lane_count(extract.getType());
    if (lanes == 0 || lane_count(extract.getAggregateOperand()->getType()) == 0)
      return visitInstruction(extract);
    Builder builder(after(extract));
    Indices all = indices_of(extract.getAggregateOperand(), builder);
    unsigned first = lanes_before(extract.getAggregateOperand()->getType(), extract.getIndices());
    indices_[&extract] = Indices(all.begin() + first, all.begin() + first + lanes);
  }

  void visitInsertValueInst(llvm::InsertValueInst& insert) {
    if (lane_count(insert.getType()) == 0)
      return;
    Builder builder(after(insert));
    Indices all = indices_of(insert.getAggregateOperand(), builder);
    if (lane_count(insert.getInsertedValueOperand()->getType()) != 0) {
      Indices part = indices_of(insert.getInsertedValueOperand(), builder);
      unsigned first = lanes_before(insert.getType(), insert.getIndices());
      std::copy(part.begin(), part.end(), all.begin() + first);
    }
    indices_[&insert] = all;
  }

  void visitExtractElementInst(llvm::ExtractElementInst& extract) {
    auto* position = llvm::dyn_cast<llvm::ConstantInt>(extract.getIndexOperand());
    unsigned lanes = lane_count(extract.getVectorOperandType());
    if (!position || position->getZExtValue() >= lanes)
      return visitInstruction(extract);
    Builder builder(after(extract));
    indices_[&extract] = {indices_of(extract.getVectorOperand(), builder)[position->getZExtValue()]};
  }

  void visitInsertElementInst(llvm::InsertElementInst& insert) {
    auto* position = llvm::dyn_cast<llvm::ConstantInt>(insert.getOperand(2));
    unsigned lanes = lane_count(insert.getType());
    if (!position || position->getZExtValue() >= lanes)
      return visitInstruction(insert);
    Builder builder(after(insert));
    Indices all = indices_of(insert.getOperand(0), builder);
    all[position->getZExtValue()] = indices_of(insert.getOperand(1), builder)[0];
    indices_[&insert] = all;
  }

  void visitShuffleVectorInst(llvm::ShuffleVectorInst& shuffle) {
    unsigned lanes = lane_count(shuffle.getType());
    unsigned width = lane_count(shuffle.getOperand(0)->getType());
    if (lanes == 0 || width == 0)
      return visitInstruction(shuffle);
    Builder builder(after(shuffle));
    Indices first = indices_of(shuffle.getOperand(0), builder), second = indices_of(shuffle.getOperand(1), builder);
    Indices all;
    for (int element : shuffle.getShuffleMask())
      all.push_back(element < 0 ? first[0] : unsigned(element) < width ? first[element] : second[element - width]);
    indices_[&shuffle] = all;
  }

  void visitReturnInst(llvm::ReturnInst& ret) {
    if (ret.getParent()->getTerminatingMustTailCall() != nullptr) {
      emitter_.end_segment(ret.getParent()->getTerminatingMustTailCall());
      return;
    }
    if (Value* value = ret.getReturnValue(); value && lane_count(value->getType()) != 0) {
      llvm::IRBuilder<> builder(&ret);
      Indices indices = indices_of(value, builder);
      for (unsigned i = 0; i < indices.size() && i < abi::result_slots; ++i)
        builder.CreateStore(builder.CreateZExt(indices[i], builder.getInt64Ty()), state(builder, offsetof(abi::State, results) + 8 * i));
      builder.CreateStore(builder.getInt64(1), state(builder, offsetof(abi::State, result_tag)));
    }
    emitter_.end_segment(&ret);
  }

  void visitMemTransferInst(llvm::MemTransferInst& move) { copy_shadow(move, move.getRawDest(), move.getRawSource(), move.getLength()); }
  void visitMemSetInst(llvm::MemSetInst& set) { clear_shadow(set, set.getRawDest(), set.getLength()); }

  void visitCallBase(llvm::CallBase& call) {
    if (llvm::isa<llvm::DbgInfoIntrinsic>(call))
      return;
    const bool straight = !call.isTerminator(); // not an invoke
    if (auto operation = straight ? operation_of(call) : std::nullopt)
      return record(call, *operation);
    if (TwoResults kind = two_results(call); straight && kind != TwoResults::none)
      return second_results(call, kind);
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
    if (straight && !call.isMustTailCall())
      call_results(call, call.getNextNode());
  }

private:

  // Where code about an instruction's result goes.
  static llvm::Instruction* after(llvm::Instruction& instruction) {
    return llvm::isa<llvm::PHINode>(instruction) ? &*instruction.getParent()->getFirstInsertionPt() : instruction.getNextNode();
  }

  Value* state(Builder& builder, uint64_t offset) { return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), state_, offset); }

  static Value* address(Builder& builder, Value* pointer, const Lane& lane) {
    return lane.offset == 0 ? pointer : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, lane.offset);
  }

  static Value* extract(Builder& builder, Value* value, const Lane& lane) {
    if (!lane.path.empty())
      value = builder.CreateExtractValue(value, lane.path);
    return lane.element >= 0 ? builder.CreateExtractElement(value, uint64_t(lane.element)) : value;
  }

  // Integers that are only floats in disguise: loaded or cast from a float, and stored or cast back.
  static bool is_weak_type(llvm::Type* type) { return type->isIntegerTy(32) || type->isIntegerTy(64); }
  static bool carries_float(llvm::Instruction& instruction) {
    for (llvm::User* user : instruction.users()) {
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && store->getValueOperand() == &instruction)
        return true;
      if (llvm::isa<llvm::BitCastInst>(user) && format_of(user->getType()))
        return true;
    }
    return false;
  }

  // The indices of a value, one a lane. Builder stands where they are needed.
  Indices indices_of(Value* value, Builder& builder) {
    if (auto found = indices_.find(value); found != indices_.end())
      return found->second;
    Lanes lanes = lanes_of(value->getType(), layout_);
    Indices indices;
    for (const Lane& lane : lanes) {
      if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
        llvm::Constant* part = constant;
        for (unsigned step : lane.path)
          part = part ? part->getAggregateElement(step) : nullptr;
        if (part && lane.element >= 0)
          part = part->getAggregateElement(unsigned(lane.element));
        if (auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(part)) {
          indices.push_back(builder.getInt32(sites_.constant(number->getValueAPF(), lane.format)));
          continue;
        }
        if (part && llvm::isa<llvm::UndefValue>(part)) {
          llvm::APFloat zero(format_semantics(lane.format));
          indices.push_back(builder.getInt32(sites_.constant(zero, lane.format)));
          continue;
        }
      }
      indices.push_back(emitter_.leaf(builder, extract(builder, value, lane), lane.format));
    }
    return indices;
  }

  static const llvm::fltSemantics& format_semantics(Format format) {
    switch (format) {
    case Format::binary32: return llvm::APFloat::IEEEsingle();
    case Format::binary64: return llvm::APFloat::IEEEdouble();
    default: return llvm::APFloat::x87DoubleExtended();
    }
  }

  void leaves(llvm::Instruction& instruction) {
    if (instruction.isTerminator())
      return; // an invoke: its results are read in the destination
    Builder builder(after(instruction));
    Indices indices;
    for (const Lane& lane : lanes_of(instruction.getType(), layout_))
      indices.push_back(emitter_.leaf(builder, extract(builder, &instruction, lane), lane.format));
    indices_[&instruction] = indices;
  }

  void record(llvm::Instruction& instruction, Operation& operation) {
    Builder builder(after(instruction));
    llvm::SmallVector<Value*, 3> operands;
    for (Value* operand : operation.operands) {
      if (operand->getType()->isIntegerTy()) { // ldexp's and powi's exponent
        Value* number = builder.CreateSIToFP(operand, builder.getDoubleTy());
        if (auto* constant = llvm::dyn_cast<llvm::ConstantFP>(number))
          operands.push_back(builder.getInt32(sites_.constant(constant->getValueAPF(), Format::binary64)));
        else
          operands.push_back(emitter_.leaf(builder, number, Format::binary64));
      } else {
        operands.push_back(indices_of(operand, builder)[0]);
      }
    }
    uint32_t site = sites_.add(operation, instruction);
    if (ops::is_comparison(operation.op)) {
      replace(instruction, emitter_.compare(builder, site, operands, &instruction));
    } else if (ops::is_to_int(operation.op)) {
      replace(instruction, emitter_.to_int(builder, site, operands[0], &instruction));
    } else {
      Emitted emitted = emitter_.operation(builder, site, operands, &instruction, operation.format);
      indices_[&instruction] = {emitted.index};
      indices_[emitted.value] = {emitted.index};
      replace(instruction, emitted.value);
    }
  }

  // The program goes on with `value`; the native instruction stays only where `value` is computed from it.
  void replace(llvm::Instruction& instruction, Value* value) {
    if (value == &instruction)
      return;
    instruction.replaceUsesWithIf(value, [&](llvm::Use& use) { return !made_from(value, use.getUser()); });
    if (!instruction.mayHaveSideEffects())
      replaced_.push_back(&instruction);
  }

  // Is `user` on the short chain of calls and casts that leads to `value`?
  static bool made_from(Value* value, Value* user) {
    for (int step = 0; step < 4; ++step) {
      if (value == user)
        return true;
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
      if (!instruction || instruction->getNumOperands() == 0)
        return false;
      auto* call = llvm::dyn_cast<llvm::CallInst>(instruction);
      value = call ? call->getArgOperand(call->arg_size() - 1) : instruction->getOperand(0);
    }
    return false;
  }

  void enter(llvm::Instruction* first) {
    Builder builder(first);
    builder.SetCurrentDebugLocation({});
    // Only a function that nobody but instrumented code can call may trust its arguments unseen.
    const bool certain = function_.hasLocalLinkage() && !function_.hasAddressTaken();
    Value* trusted = nullptr;
    unsigned slot = 0;
    for (llvm::Argument& argument : function_.args()) {
      const bool copied = argument.hasByValAttr();
      Lanes lanes = lanes_of(argument.getType(), layout_);
      if (!copied && lanes.empty())
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
        builder.CreateCall(entry_point(*function_.getParent(), "faultline_copy_shadow"), {&argument, original, builder.getInt64(bytes)});
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

  void pass_arguments(llvm::CallBase& call) {
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
    if (!callee && lane_count(call.getType()) != 0)
      builder.CreateStore(builder.getInt64(0), state(builder, offsetof(abi::State, result_tag)));
  }

  llvm::InvokeInst* pending_invoke(llvm::BasicBlock& block) {
    llvm::BasicBlock* from = block.getSinglePredecessor();
    auto* invoke = from ? llvm::dyn_cast<llvm::InvokeInst>(from->getTerminator()) : nullptr;
    return invoke && invoke->getNormalDest() == &block ? invoke : nullptr;
  }

  void call_results(llvm::CallBase& call, llvm::Instruction* where) {
    Lanes lanes = lanes_of(call.getType(), layout_);
    if (lanes.empty())
      return;
    Builder builder(where);
    auto* callee = call.getCalledFunction();
    const bool unknown = call.isInlineAsm() || (callee && callee->isDeclaration());
    Value* answered = nullptr;
    if (!unknown && !callee) {
      Value* tag = builder.CreateLoad(builder.getInt64Ty(), state(builder, offsetof(abi::State, result_tag)));
      answered = builder.CreateICmpNE(tag, builder.getInt64(0));
    }
    Indices indices;
    for (size_t i = 0; i < lanes.size(); ++i) {
      Value* part = nullptr;
      if (unknown || i >= abi::result_slots) {
        part = emitter_.leaf(builder, extract(builder, &call, lanes[i]), lanes[i].format);
      } else {
        part = builder.CreateLoad(builder.getInt32Ty(), state(builder, offsetof(abi::State, results) + 8 * i));
        if (answered) {
          part = builder.CreateSelect(answered, part, builder.getInt32(0));
          part = emitter_.verified(builder, part, extract(builder, &call, lanes[i]), lanes[i].format);
        }
      }
      indices.push_back(part);
    }
    indices_[&call] = indices;
  }

  // frexp, modf and sincos: the native call stays for its effects; the results are recorded as operations.
  void second_results(llvm::CallBase& call, TwoResults kind) {
    auto format = format_of(call.getArgOperand(0)->getType());
    if (!format)
      return leaves(call);
    Builder builder(after(call));
    Value* operand = indices_of(call.getArgOperand(0), builder)[0];
    llvm::Type* type = call.getArgOperand(0)->getType();
    auto behind_pointer = [&](Op op, Value* pointer) {
      Operation operation{op, *format, *format, {}};
      Value* native = builder.CreateLoad(type, pointer);
      Emitted emitted = emitter_.operation(builder, sites_.add(operation, call), {operand}, native, *format);
      if (emitted.value != native)
        builder.CreateStore(emitted.value, pointer);
      emitter_.store(builder, pointer, emitted.index);
    };
    auto returned = [&](Op op, llvm::ArrayRef<Value*> operands) {
      Operation operation{op, *format, *format, {}};
      Emitted emitted = emitter_.operation(builder, sites_.add(operation, call), operands, &call, *format);
      indices_[&call] = {emitted.index};
      indices_[emitted.value] = {emitted.index};
      replace(call, emitted.value);
    };
    switch (kind) {
    case TwoResults::frexp: {
      // The fraction is x scaled by the exponent that the machine found: exact, and consistent with that exponent.
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
    case TwoResults::none: break;
    }
  }

  bool memory_call(llvm::CallBase& call, llvm::StringRef name) {
    if ((name == "memcpy" || name == "memmove") && call.arg_size() == 3) {
      copy_shadow(call, call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2));
      return true;
    }
    if (name == "memset" && call.arg_size() == 3) {
      clear_shadow(call, call.getArgOperand(0), call.getArgOperand(2));
      return true;
    }
    return false;
  }

  void copy_shadow(llvm::CallBase& call, Value* to, Value* from, Value* bytes) {
    Builder builder(after(call));
    builder.CreateCall(entry_point(*function_.getParent(), "faultline_copy_shadow"),
                       {to, from, builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty())});
  }
  void clear_shadow(llvm::CallBase& call, Value* to, Value* bytes) {
    Builder builder(after(call));
    builder.CreateCall(entry_point(*function_.getParent(), "faultline_clear_shadow"),
                       {to, builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty())});
  }

  void complete_phis() {
    for (llvm::PHINode* phi : phis_) {
      Indices& indices = indices_[phi];
      for (unsigned incoming = 0; incoming < phi->getNumIncomingValues(); ++incoming) {
        llvm::BasicBlock* from = phi->getIncomingBlock(incoming);
        Value* value = phi->getIncomingValue(incoming);
        Builder builder(from->getTerminator());
        Indices sources;
        if (indices_.contains(value) || llvm::isa<llvm::Constant>(value))
          sources = indices_of(value, builder);
        else // an unreachable predecessor
          sources.assign(indices.size(), builder.getInt32(0));
        for (size_t lane = 0; lane < indices.size(); ++lane)
          llvm::cast<llvm::PHINode>(indices[lane])->addIncoming(sources[lane], from);
        emitter_.end_segment(from->getTerminator());
      }
    }
  }

  llvm::Function& function_;
  Emitter& emitter_;
  Sites& sites_;
  const llvm::DataLayout& layout_;
  llvm::Constant* state_;
  llvm::DenseMap<Value*, Indices> indices_;
  llvm::DenseMap<Value*, Value*> weak_;
  llvm::SmallVector<llvm::PHINode*, 16> phis_;
  llvm::SmallVector<llvm::Instruction*, 16> replaced_;
};

// Instrumented functions write to the tape, whatever the optimiser once knew of them.
void forget_effects(llvm::Function& function) {
  function.setMemoryEffects(llvm::MemoryEffects::unknown());
  for (llvm::Argument& argument : function.args())
    for (auto attribute : {llvm::Attribute::ReadNone, llvm::Attribute::ReadOnly, llvm::Attribute::WriteOnly})
      argument.removeAttr(attribute);
  for (llvm::User* user : function.users())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledOperand() == &function)
      call->setMemoryEffects(llvm::MemoryEffects::unknown());
}

} // namespace

runtime::SiteTable instrument(llvm::Module& module, Execution execution) {
  Sites sites;
  auto emitter = execution == Execution::taped ? make_taped_emitter(module) : make_lifted_emitter(module);
  llvm::SmallVector<llvm::Function*, 32> functions;
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  for (llvm::Function* function : functions)
    forget_effects(*function);
  for (llvm::Function* function : functions)
    FunctionWalk(*function, *emitter, sites).run();
  return std::move(sites.table);
}

} // namespace faultline::instrument
