// The instrumented twin of one function: walks its instructions and emits the residues of what they compute.
//
// Checks (a comparison that may be flipped, a cancellation, a NaN) only observe. A few of them are tested together, at
// the latest before the next call of other code and at the end of the block: one branch that is not taken. The code
// behind that branch hands each check of the group to the runtime, which looks again. A sum of several terms is tested
// for cancellation at its end, against the largest of its partial sums.
#pragma once

#include "run/abi.h"
#include "run/module_twin.h"
#include "run/rules.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstVisitor.h>
#include <optional>
#include <string>
#include <vector>

namespace faultline::run {

struct Printer;

// A comparison that ends a loop where a quantity falls below a tolerance.
struct ToleranceTest {
  bool exits_when;     // the outcome that ends the loop
  bool first_is_bound; // else the second operand is the tolerance
};
// The tests of a function's loops. A search in a table and a count are none.
llvm::DenseMap<const llvm::FCmpInst*, ToleranceTest> tolerance_tests(llvm::Function& function);

class FunctionTwin : public llvm::InstVisitor<FunctionTwin> {
public:
  FunctionTwin(llvm::Function& function, ModuleTwin& twin);
  void run();

  void visitPHINode(llvm::PHINode& phi);
  void visitBinaryOperator(llvm::BinaryOperator& operation);
  void visitUnaryOperator(llvm::UnaryOperator& operation);
  void visitCastInst(llvm::CastInst& cast);
  void visitFCmpInst(llvm::FCmpInst& compare);
  void visitSelectInst(llvm::SelectInst& select);
  void visitExtractElementInst(llvm::ExtractElementInst& extract);
  void visitInsertElementInst(llvm::InsertElementInst& insert);
  void visitShuffleVectorInst(llvm::ShuffleVectorInst& shuffle);
  void visitExtractValueInst(llvm::ExtractValueInst& extract);
  void visitInsertValueInst(llvm::InsertValueInst& insert);
  void visitFreezeInst(llvm::FreezeInst& freeze);
  void visitLoadInst(llvm::LoadInst& load);
  void visitStoreInst(llvm::StoreInst& store);
  void visitAtomicRMWInst(llvm::AtomicRMWInst& update);
  void visitCallBase(llvm::CallBase& call);
  void visitReturnInst(llvm::ReturnInst& ret);
  void visitInstruction(llvm::Instruction&) {}

private:
  using Value = llvm::Value;
  using Shadows = llvm::SmallVector<Value*, 4>; // of the elements of an aggregate; null: none

  struct Pending {
    Check check;
    uint32_t site, detail;
    Value* holds;               // when to look, a condition or a mask; null: other tests of the group cover it
    Value *v, *x, *y, *rx, *ry; // may be null
  };
  struct Group {
    llvm::Instruction* before;
    std::vector<Pending> checks;
  };

  struct Described { // by debug information, before an instruction
    Value* value;
    const llvm::DILocalVariable* variable;
    const llvm::DIExpression* expression;
  };
  struct Decision { // of a comparison, by the runtime
    llvm::FCmpInst* compare;
    llvm::Instruction* before; // where it is made
    Value* when;               // null: always
    uint32_t site, exits;
    Value *ra, *rb;
  };

  // Shadows: residues of binary64, exact values of binary32.
  Value* shadow(Value* value);
  Residue known(Value* value);
  void keep(Value* value, const Residue& residue);
  // Emits the shadow of a value that is moved, and its cause if an operand has one.
  void move(Value* result, llvm::ArrayRef<Value*> operands, llvm::function_ref<Value*(llvm::ArrayRef<Value*>)> emit);
  Value* exact_shadow(Value* value); // of a leaf
  Value* residue(Builder& builder, Value* value);
  Value* wide(Builder& builder, Value* value); // binary32 as binary64
  llvm::Instruction* after(llvm::Instruction& instruction);
  void fill_phis();

  // Arithmetic.
  void root(llvm::CallBase& call);
  void magnitude(llvm::CallBase& call, Value* operand);
  void fused(llvm::CallBase& call);
  void extreme(llvm::Instruction& result, Value* a, Value* b, bool largest);
  bool intrinsic(llvm::IntrinsicInst& call);
  void whole_number(llvm::Instruction& result, Value* operand, Check check);
  bool is_term(const llvm::Instruction& operation);
  void check_operation(llvm::Instruction& operation, std::string name, Value* x, Value* y, Value* cancels = nullptr);
  Value* cancellation(Builder& builder, llvm::Instruction& sum);
  uint32_t counter();
  uint32_t site(llvm::Instruction& instruction, std::string operation);

  // Probes (run::Probe), and constants.
  void collect_descriptions(llvm::Instruction& instruction);
  void note_constants(llvm::Instruction& instruction);
  void check_widening(llvm::CastInst& cast);
  void fill_variables();
  void fill_memory(llvm::CallBase& call);
  void fill(Builder& builder, llvm::Instruction& origin, Value* memory, Value* bytes);
  void plan_decision(llvm::FCmpInst& compare, Builder& builder, Value* may_flip, Value* ra, Value* rb);
  void emit(const Decision& decision);

  // Watched variables.
  void note_watched(llvm::Instruction& instruction);
  void watch(llvm::Instruction& before, const Described& described);
  void watch_local(llvm::AllocaInst& local, uint32_t variable);
  void watch_block(Builder& builder, WatchedPlace place, Value* memory);
  void watch_memory(Builder& builder, WatchedPlace place, Value* memory, Value* bytes);
  void watch_store(llvm::StoreInst& store, llvm::Instruction* before);
  std::optional<WatchedPlace> watched_place(Value* pointer) const;

  // Memory.
  Value* cell(Builder& builder, Value* pointer, uint64_t distance);
  Value* loaded(Builder& builder, llvm::Instruction& load, Value* residues, Value* copies);
  Value* stored_residue(Builder& builder, Value* value);
  bool masked_access(llvm::IntrinsicInst& call);
  bool moves_bits(const llvm::LoadInst& load) const;

  // Calls.
  bool math_function(llvm::CallBase& call);
  void scaled(llvm::CallBase& call, Value* operand);
  Value* fraction(llvm::CallBase& call);
  Value* foreign_result(llvm::CallBase& call); // null: exact
  bool memory_function(llvm::CallBase& call);
  void printing(llvm::CallBase& call);
  void print(Builder& builder, llvm::CallBase& call, const Printer& printer);
  void pass_arguments(llvm::CallBase& call);
  void receive_arguments();
  void take_results(llvm::CallBase& call);
  Value* slot(Builder& builder, size_t part, unsigned index, bool value);
  void pass(Builder& builder, size_t part, unsigned& index, Value* value, Value* residue);
  Value* received(Builder& builder, size_t part, unsigned& index, Value* value);

  // Values for the comparison of two runs (run/value_twin.cpp).
  void record_values(const std::vector<std::vector<llvm::Instruction*>>& blocks);
  void record_value(Builder& builder, llvm::Instruction& operation, const ValueSite& site);
  void record_decision(Builder& builder, llvm::Instruction& decision, ValueSite site);
  void write_event(Builder& builder, uint32_t place, Value* outcome, Value* value, Value* residue);

  // Checks.
  void close_group(llvm::Instruction* before);
  void emit(const Group& group);
  Value* finite_test(Builder& builder, const Group& group, llvm::Type* type);
  Value* condition(Builder& builder, const Group& group);
  void hand_over(Builder& builder, const Pending& pending);

  llvm::Function& function_;
  ModuleTwin& twin_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<Value*, Value*> shadows_;
  llvm::DenseMap<Value*, Value*> causes_; // of binary64 (Residue)
  llvm::DenseMap<Value*, Shadows> aggregates_;
  llvm::DenseMap<Value*, std::pair<Value*, Value*>> moved_; // both planes of bits that are only moved
  struct TwinOfPhi {
    llvm::PHINode *phi, *twin;
    bool of_cause;
  };
  std::vector<TwinOfPhi> phis_;
  llvm::DenseMap<Value*, Value*> peaks_;                 // of sums that are a part of sums; null: exact
  llvm::DenseMap<Value*, std::vector<Pending>> waiting_; // checks of these, for the end of the sum
  llvm::DenseMap<const Value*, WatchedPlace> watched_locals_;
  // Collected first: instructions that are inserted take over what is described before the next one.
  llvm::DenseMap<const llvm::Instruction*, std::vector<Described>> described_;
  std::vector<Group> groups_;
  std::vector<Decision> decisions_;
  llvm::DenseMap<const llvm::FCmpInst*, ToleranceTest> tolerance_tests_;
  Group group_;
  std::optional<uint32_t> counter_; // of the current block
  llvm::BasicBlock* block_ = nullptr;
};

} // namespace faultline::run
