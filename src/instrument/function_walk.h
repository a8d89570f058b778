// Walks over one function, gives every float an index, and calls the emitter for each instruction.
//
// Blocks are visited in reverse post-order, so the indices of an operand are known before their use. Phis are the
// exception; they are completed at the end. Calls are in function_calls.cpp, composed calls in written_out.cpp.
#pragma once

#include "instrument/decisions.h"
#include "instrument/emitter.h"
#include "instrument/instrument.h"
#include "instrument/operations.h"
#include "instrument/site_builder.h"
#include "instrument/written_out.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstVisitor.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace faultline::instrument {

class FunctionWalk : public llvm::InstVisitor<FunctionWalk> {
public:
  // Without `decisions`, integer conditions are not instrumented.
  FunctionWalk(llvm::Function& function, Emitter& emitter, SiteBuilder& sites, const Decisions* decisions = nullptr);
  void run();

  void visitInstruction(llvm::Instruction& instruction);
  void visitPHINode(llvm::PHINode& phi);
  void visitSelectInst(llvm::SelectInst& select);
  void visitFreezeInst(llvm::FreezeInst& freeze);
  void visitCastInst(llvm::CastInst& cast);
  void visitBitCastInst(llvm::BitCastInst& cast);
  void visitLoadInst(llvm::LoadInst& load);
  void visitStoreInst(llvm::StoreInst& store);
  void visitExtractValueInst(llvm::ExtractValueInst& extract);
  void visitInsertValueInst(llvm::InsertValueInst& insert);
  void visitExtractElementInst(llvm::ExtractElementInst& extract);
  void visitInsertElementInst(llvm::InsertElementInst& insert);
  void visitShuffleVectorInst(llvm::ShuffleVectorInst& shuffle);
  void visitReturnInst(llvm::ReturnInst& ret);
  void visitMemTransferInst(llvm::MemTransferInst& move);
  void visitMemSetInst(llvm::MemSetInst& set);
  void visitCallBase(llvm::CallBase& call);
  void visitSwitchInst(llvm::SwitchInst& branch);

private:
  using Builder = llvm::IRBuilder<>;
  using Value = llvm::Value;
  using Indices = llvm::SmallVector<Value*, 2>;

  // An integer of 4 or 8 bytes that contains one or two floats: loaded or cast from a float, and stored or cast back.
  // The indices of its first and second half are 0 if unknown; a double uses the first.
  struct Weak {
    Value* first = nullptr;
    Value* second = nullptr; // null for 4 bytes
  };

  Indices indices_of(Value* value, Builder& builder);
  void leaves(llvm::Instruction& instruction);
  void record(llvm::Instruction& instruction, Operation& operation);
  void replace(llvm::Instruction& instruction, Value* value);
  Weak load_weak(Builder& builder, llvm::LoadInst& load);
  bool cast_from_weak(llvm::BitCastInst& cast);
  bool can_have_bits(const llvm::Type* type) const;
  Value* bits_of(Value& integer);
  Value* bits_of_result(llvm::Instruction& instruction);
  Value* merged_bits(Value* first, Value* second, Builder& builder);
  void floats_from(Value& integer, llvm::Instruction& made);
  void complete_phis();

  Value* leaf(Builder& builder, Value* value, numeric::Format format, const Origin& origin);
  Origin origin(const llvm::Instruction& instruction) const {
    return decisions_ ? decisions_->origin(instruction) : Origin{};
  }
  uint32_t source(const DecisionOperand& integer);
  Value* operand(Builder& builder, const DecisionOperand& integer, uint32_t source);
  void decide(Value& condition, llvm::Instruction* before);
  void decide_at_start(llvm::BasicBlock& block, llvm::Instruction* start);

  void enter(llvm::Instruction* first);
  void pass_arguments(llvm::CallBase& call);
  void call_results(llvm::CallBase& call, llvm::Instruction* where);
  Value* foreign_leaf(Builder& builder, llvm::CallBase& call, const Lane& lane);
  void foreign_call(Builder& builder, llvm::CallBase& call, Value* answered);
  void specified_call(llvm::CallBase& call, const Operation& operation, llvm::Instruction* next);
  void second_results(llvm::CallBase& call, TwoResults kind);
  void composed_call(llvm::CallBase& call, Composed kind);
  void complex_call(llvm::CallBase& call, const ComplexParts& parts);
  Indices complex_argument(Builder& builder, llvm::CallBase& call, numeric::Format format);
  void shifted_call(llvm::CallBase& call, Composed kind);
  static void replace_except(llvm::CallBase& call, Value* native, Value* value);
  bool memory_call(llvm::CallBase& call, llvm::StringRef name);
  void copy_shadow(llvm::CallBase& call, Value* to, Value* from, Value* bytes);
  void clear_shadow(Builder& builder, Value* to, Value* bytes);
  void clear_overwritten(Builder& builder, Value* pointer, uint64_t bytes);
  void forget_written(llvm::CallBase& call);
  Value* state(Builder& builder, uint64_t offset);

  static llvm::Instruction* after(llvm::Instruction& instruction);
  static Value* address(Builder& builder, Value* pointer, const Lane& lane);
  static Value* extract(Builder& builder, Value* value, const Lane& lane);

  llvm::Function& function_;
  Emitter& emitter_;
  SiteBuilder& sites_;
  const Decisions* decisions_; // null if they are not recorded
  const llvm::DataLayout& layout_;
  llvm::Constant* state_;
  llvm::DenseSet<const llvm::Instruction*> loop_exits_;
  llvm::DenseMap<Value*, Indices> indices_;
  llvm::DenseMap<Value*, Weak> weak_;
  llvm::DenseMap<Value*, Value*> bits_; // of integers: the index of the float whose bits they contain
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::PHINode*>, 4> phis_of_bits_; // of an integer, of its index
  llvm::SmallVector<llvm::PHINode*, 16> phis_;
  llvm::SmallVector<llvm::Instruction*, 16> replaced_;
};

} // namespace faultline::instrument
