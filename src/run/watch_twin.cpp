// Watched variables: every assignment of a value that stays in a register, and the stores to their memory, wherever the
// code has the address from.
#include "run/function_twin.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace faultline::run {

using llvm::Value;

namespace {

llvm::CallBase* allocation_of(Value* value) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(value->stripPointerCasts());
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  const llvm::StringRef name = callee ? callee->getName() : "";
  const bool allocates = name == "malloc" || name == "calloc" || name == "_Znwm" || name == "_Znam" ||
                         name == "aligned_alloc" || name == "faultline_run_realloc";
  return allocates ? call : nullptr;
}

bool is_allocated(Value* value) { return allocation_of(value) != nullptr; }

// The size that was asked for.
Value* bytes_of_allocation(Builder& builder, llvm::CallBase& call) {
  llvm::Type* word = builder.getInt64Ty();
  Value* last = builder.CreateZExtOrTrunc(call.getArgOperand(call.arg_size() - 1), word);
  if (call.getCalledFunction()->getName() != "calloc")
    return last;
  return builder.CreateMul(last, builder.CreateZExtOrTrunc(call.getArgOperand(0), word));
}

bool begins_variable(const llvm::DIExpression* expression) {
  const auto fragment = expression->getFragmentInfo();
  return !fragment || fragment->OffsetInBits == 0;
}

} // namespace

std::optional<uint32_t> ModuleTwin::watched(const llvm::DIVariable* variable) {
  const auto& names = options_.watched;
  for (uint32_t i = 0; variable && i < names.size(); ++i)
    if (variable->getName() == names[i]) {
      const WatchedVariable found{i, variable->getFilename().str(), int(variable->getLine())};
      if (std::ranges::none_of(table_.watched, [&](const WatchedVariable& known) {
            return known.variable == i && known.file == found.file && known.line == found.line;
          }))
        table_.watched.push_back(found);
      return i;
    }
  return std::nullopt;
}

// A table of those at constant addresses, and for pointers and descriptors what FunctionTwin asks for.
void ModuleTwin::watch_globals() {
  llvm::LLVMContext& context = module_.getContext();
  auto* word = llvm::Type::getInt64Ty(context);
  auto* number = llvm::Type::getInt32Ty(context);
  auto* pointer = llvm::PointerType::getUnqual(context);
  auto* entry = llvm::StructType::get(context, {pointer, word, number, number});
  std::vector<llvm::Constant*> entries;
  for (llvm::GlobalVariable& global : module_.globals()) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> described;
    global.getDebugInfo(described);
    for (const llvm::DIGlobalVariableExpression* one : described)
      if (const auto variable = watched(one->getVariable())) {
        watched_globals_[&global] = {*variable, next_slot_};
        const uint64_t bytes = module_.getDataLayout().getTypeAllocSize(global.getValueType());
        if (contains_floats(global.getValueType()))
          entries.push_back(llvm::ConstantStruct::get(entry, {&global, llvm::ConstantInt::get(word, bytes),
                                                              llvm::ConstantInt::get(number, *variable),
                                                              llvm::ConstantInt::get(number, next_slot_)}));
        ++next_slot_;
      }
  }
  entries.push_back(llvm::Constant::getNullValue(entry));
  auto* table = llvm::ConstantArray::get(llvm::ArrayType::get(entry, entries.size()), entries);
  new llvm::GlobalVariable(module_, table->getType(), true, llvm::GlobalValue::ExternalLinkage, table, watched_symbol);
}

// Allocated memory.
void FunctionTwin::watch_block(Builder& builder, WatchedPlace place, Value* memory) {
  watch_memory(builder, place, memory, bytes_of_allocation(builder, *allocation_of(memory)));
}

void FunctionTwin::watch_memory(Builder& builder, WatchedPlace place, Value* memory, Value* bytes) {
  llvm::Type *word = builder.getInt32Ty(), *pointer = builder.getPtrTy();
  builder.CreateCall(
      twin_.entry("faultline_run_watch", builder.getVoidTy(), {word, word, pointer, builder.getInt64Ty()}),
      {builder.getInt32(place.variable), builder.getInt32(place.slot), memory, bytes});
}

// A local variable in memory.
void FunctionTwin::watch_local(llvm::AllocaInst& local, uint32_t variable) {
  if (watched_locals_.contains(&local))
    return;
  const WatchedPlace place{variable, twin_.new_slot()};
  watched_locals_[&local] = place;
  if (!contains_floats(local.getAllocatedType()))
    return; // a pointer, or a descriptor
  Builder builder(local.getNextNode());
  builder.SetCurrentDebugLocation({});
  Value* count = builder.CreateZExtOrTrunc(local.getArraySize(), builder.getInt64Ty());
  Value* bytes = builder.CreateMul(count, builder.getInt64(layout_.getTypeAllocSize(local.getAllocatedType())));
  watch_memory(builder, place, &local, bytes);
}

void FunctionTwin::watch(llvm::Instruction& before, const Described& described) {
  Value* value = described.value;
  const auto variable =
      value && !llvm::isa<llvm::UndefValue>(value) ? twin_.watched(described.variable) : std::nullopt;
  if (!variable)
    return;
  Builder builder(&before);
  if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(value))
    watch_local(*local, *variable);
  else if (value->getType()->isPointerTy() && is_allocated(value) && begins_variable(described.expression))
    watch_block(builder, {*variable, twin_.slot_of(described.variable)}, value);
  else if (is_followed(value->getType()) && !value->getType()->isVectorTy() &&
           described.expression->getNumElements() == 0)
    builder.CreateCall(twin_.entry("faultline_run_assigned", builder.getVoidTy(),
                                   {builder.getInt32Ty(), builder.getDoubleTy(), builder.getDoubleTy()}),
                       {builder.getInt32(*variable), wide(builder, value), residue(builder, value)});
}

// What the debug information says before the instruction.
void FunctionTwin::note_watched(llvm::Instruction& instruction) {
  const auto found = described_.find(&instruction);
  if (found == described_.end())
    return;
  llvm::Instruction* before = &instruction;
  if (llvm::isa<llvm::PHINode>(before))
    before = &*before->getParent()->getFirstInsertionPt();
  for (const Described& described : std::vector<Described>(found->second))
    watch(*before, described);
}

// A store: into watched memory, or of the address of a watched array.
void FunctionTwin::watch_store(llvm::StoreInst& store, llvm::Instruction* before) {
  Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
  Builder builder(before);
  llvm::Type* word = builder.getInt32Ty();
  if (is_followed(value->getType())) {
    const uint64_t bytes = layout_.getTypeStoreSize(value->getType());
    builder.CreateCall(
        twin_.entry("faultline_run_stored", builder.getVoidTy(), {builder.getPtrTy(), word, word}),
        {pointer, builder.getInt32(uint32_t(bytes)), builder.getInt32(uint32_t(bytes / lanes_of(value->getType())))});
    return;
  }
  if (const std::optional<WatchedPlace> place = watched_place(pointer);
      place && value->getType()->isPointerTy() && is_allocated(value))
    watch_block(builder, *place, value);
}

std::optional<WatchedPlace> FunctionTwin::watched_place(Value* pointer) const {
  if (const auto local = watched_locals_.find(pointer); local != watched_locals_.end())
    return local->second;
  return twin_.watched_global(pointer);
}

} // namespace faultline::run
