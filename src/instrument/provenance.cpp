#include "instrument/provenance.h"

#include "instrument/decisions.h"
#include "instrument/instrument.h"
#include "instrument/operations.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>

namespace faultline::instrument {

namespace {

bool is_object(const llvm::Value& value) {
  return llvm::isa<llvm::AllocaInst>(value) || llvm::isa<llvm::GlobalVariable>(value);
}

// True for variables of other modules, such as stderr.
bool is_foreign(const llvm::Value& object) {
  auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&object);
  return global && !global->hasInitializer();
}

bool is_constant_memory(const llvm::Value& object) {
  auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&object);
  return global && global->isConstant();
}

void collect_globals(const llvm::Constant& constant, llvm::SmallPtrSetImpl<const llvm::Constant*>& seen) {
  if (!seen.insert(&constant).second || llvm::isa<llvm::GlobalValue>(constant))
    return;
  for (const llvm::Use& operand : constant.operands())
    if (auto* part = llvm::dyn_cast<llvm::Constant>(operand))
      collect_globals(*part, seen);
}

// Adds the objects whose addresses an initializer contains.
void add_globals(const llvm::Constant& initializer, Bases& to) {
  llvm::SmallPtrSet<const llvm::Constant*, 32> held;
  collect_globals(initializer, held);
  for (const llvm::Constant* constant : held)
    if (is_object(*constant))
      to.objects.insert(constant);
    else if (llvm::isa<llvm::GlobalValue>(constant) && !llvm::isa<llvm::Function>(constant))
      to.unknown = true;
}

bool is_float(const llvm::Type* type) { return type->getScalarType()->isFloatingPointTy(); }

// True if the type contains an integer or a pointer.
bool has_integers(const llvm::Type* type) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type))
    return llvm::any_of(structure->elements(), has_integers);
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return has_integers(array->getElementType());
  return type->isIntOrIntVectorTy() || type->isPtrOrPtrVectorTy();
}

bool is_known_to_module(const llvm::Function* callee) {
  return callee && !callee->isDeclaration() && !callee->isInterposable();
}

bool is_settled(const llvm::FCmpInst& compare) {
  return compare.getPredicate() == llvm::CmpInst::FCMP_TRUE || compare.getPredicate() == llvm::CmpInst::FCMP_FALSE;
}

// True if only direct calls of this module can call the function.
bool is_closed(const llvm::Function& function) { return function.hasLocalLinkage() && !function.hasAddressTaken(); }

// True for library functions whose results depend only on their arguments and the memory behind them.
bool is_pure(llvm::StringRef name) {
  static constexpr llvm::StringLiteral names[] = {"abs", "labs", "llabs", "strlen", "strcmp", "strncmp", "memcmp"};
  return llvm::is_contained(names, name);
}

// The heap starts every run in the same state (exec/heap.h), so addresses are determined if sizes are.
bool allocates(llvm::StringRef name) {
  static constexpr llvm::StringLiteral names[] = {"malloc", "calloc", "realloc", "aligned_alloc", "_Znwm", "_Znam"};
  return llvm::is_contained(names, name);
}

// True for a pointer in a variable outside the module, such as stderr. These pointers do not change.
bool is_foreign_pointer(const llvm::LoadInst& load) {
  auto* global = llvm::dyn_cast<llvm::GlobalVariable>(load.getPointerOperand());
  return global && global->isDeclaration() && load.getType()->isPointerTy();
}

} // namespace

Objects::Objects(const llvm::Module& module) {
  llvm::SmallPtrSet<const llvm::Constant*, 32> seen; // global variables whose addresses are in others
  for (const llvm::GlobalVariable& global : module.globals())
    if (global.hasInitializer())
      collect_globals(*global.getInitializer(), seen);
  for (const llvm::Constant* constant : seen)
    if (is_object(*constant))
      escaped_.insert(constant);
}

Bases Objects::bases(const llvm::Value& pointer) const {
  const llvm::Value& root = *llvm::getUnderlyingObject(&pointer, 0);
  Bases found;
  if (is_object(root))
    found.objects.insert(&root);
  else if (auto known = bases_.find(&root); known != bases_.end())
    return known->second;
  else // phis and similar values are known once reached; null and functions have no memory
    found.unknown = !llvm::isa<llvm::PHINode>(root) && !llvm::isa<llvm::SelectInst>(root) &&
                    !llvm::isa<llvm::FreezeInst>(root) && !llvm::isa<llvm::Argument>(root) &&
                    !llvm::isa<llvm::CallBase>(root) && !llvm::isa<llvm::LoadInst>(root) &&
                    !llvm::isa<llvm::ConstantData>(root) && !llvm::isa<llvm::Function>(root);
  return found;
}

Bases Objects::loaded(const llvm::Value& pointer) const {
  const Bases from = bases(pointer);
  Bases found{.unknown = from.unknown};
  for (const llvm::Value* object : from.objects) {
    if (const auto held = held_.find(object); held != held_.end()) {
      found.unknown |= held->second.unknown;
      found.objects.insert(held->second.objects.begin(), held->second.objects.end());
    }
    if (is_foreign(*object)) // such a pointer points to foreign memory
      found.objects.insert(object);
    else if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object))
      add_globals(*global->getInitializer(), found);
  }
  return found;
}

void Objects::add_block(const llvm::Argument& argument) {
  merge(argument, {.objects = {&argument}});
  merge(held_[&argument], {.unknown = true});
  insert(written_, &argument);
  insert(mixed_, &argument);
}

void Objects::merge(const llvm::Value& pointer, const Bases& more) { merge(bases_[&pointer], more); }

void Objects::merge_result(const llvm::Function& function, const Bases& more) { merge(results_[&function], more); }

void Objects::merge(Bases& known, const Bases& more) {
  changed_ |= more.unknown && !known.unknown;
  known.unknown |= more.unknown;
  for (const llvm::Value* object : more.objects)
    insert(known.objects, object);
}

void Objects::write(const llvm::Value& pointer, bool open, const Bases& held) {
  auto note = [&](const llvm::Value* object) {
    if (is_constant_memory(*object))
      return;
    insert(written_, object);
    if (held.unknown || !held.objects.empty())
      merge(held_[object], held);
    if (open)
      insert(mixed_, object);
  };
  const Bases into = bases(pointer);
  for (const llvm::Value* object : into.objects)
    note(object);
  if (into.unknown)
    for (const llvm::Value* object : escaped_)
      note(object);
}

void Objects::write_outside(const llvm::Value& pointer) {
  const Bases into = bases(pointer);
  if (into.unknown || !llvm::all_of(into.objects, [](const llvm::Value* object) { return is_foreign(*object); }))
    write(pointer, true, {.unknown = true});
}

void Objects::escape(const llvm::Value& pointer) {
  if (!pointer.getType()->isPointerTy())
    return;
  for (const llvm::Value* object : bases(pointer).objects)
    insert(escaped_, object);
}

bool Objects::reads_open(const llvm::Value& pointer) const {
  const Bases from = bases(pointer);
  return from.unknown || llvm::any_of(from.objects, [&](const llvm::Value* object) {
           return mixed_.contains(object) || is_foreign(*object);
         });
}

bool Objects::reads_constant(const llvm::Value& pointer) const {
  const Bases from = bases(pointer);
  return !from.unknown && !from.objects.empty() && llvm::all_of(from.objects, [&](const llvm::Value* object) {
    return llvm::isa<llvm::GlobalVariable>(object) && !is_foreign(*object) &&
           (is_constant_memory(*object) || !written_.contains(object));
  });
}

bool chooses_numbers(const llvm::SelectInst& select) {
  return select.getCondition()->getType()->isIntegerTy(1) && !select.getType()->isIntegerTy(1);
}

Provenance::Provenance(llvm::Module& module, const InputCells* held) : held_(held), objects_(module) {
  begin(module);
  do {
    changed_ = false;
    objects_.begin_round();
    for (llvm::Function& function : module)
      for (llvm::Instruction& instruction : llvm::instructions(function))
        follow(instruction);
  } while (changed_ || objects_.changed());
}

void Provenance::begin(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.hasAddressTaken())
      taken_.push_back(&function);
    if (function.isDeclaration() || is_closed(function))
      continue;
    for (llvm::Argument& argument : function.args()) {
      const bool pointer = argument.getType()->isPointerTy();
      const bool fixed = pointer && !function.hasAddressTaken(); // the driver's argument block
      if (fixed)
        objects_.add_block(argument);
      else if (pointer)
        objects_.merge(argument, {.unknown = true});
      if (has_integers(argument.getType()) && !fixed)
        open_.insert(&argument);
    }
  }
}

void Provenance::follow(llvm::Instruction& instruction) {
  if (instruction.getType()->isPointerTy())
    follow_pointer(instruction);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    follow_store(*store);
  else if (auto* ret = llvm::dyn_cast<llvm::ReturnInst>(&instruction))
    follow_return(*ret);
  else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    follow_call(*call);
  else if (llvm::isa<llvm::AtomicRMWInst>(instruction) || llvm::isa<llvm::AtomicCmpXchgInst>(instruction))
    objects_.write(*instruction.getOperand(0), true, {.unknown = true});
  else if (llvm::isa<llvm::PtrToIntInst>(instruction))
    objects_.escape(*instruction.getOperand(0));
  else if (llvm::isa<llvm::InsertValueInst>(instruction) || llvm::isa<llvm::InsertElementInst>(instruction))
    objects_.escape(*instruction.getOperand(1));
  if (has_integers(instruction.getType()) && determined(instruction) && makes_open(instruction))
    insert(open_, &instruction);
}

void Provenance::follow_pointer(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction) || llvm::isa<llvm::FreezeInst>(instruction)) {
    for (const llvm::Use& operand : instruction.operands())
      objects_.merge(instruction, objects_.bases(*operand));
  } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    objects_.merge(*select, objects_.bases(*select->getTrueValue()));
    objects_.merge(*select, objects_.bases(*select->getFalseValue()));
  } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    objects_.merge(*load, objects_.loaded(*load->getPointerOperand()));
  } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const llvm::Function* callee = call->getCalledFunction();
    if (is_known_to_module(callee))
      objects_.merge(*call, objects_.result(*callee));
    else
      objects_.merge(*call, {.unknown = true});
  }
}

void Provenance::follow_store(const llvm::StoreInst& store) {
  const llvm::Value& value = *store.getValueOperand();
  const llvm::Value& pointer = *store.getPointerOperand();
  const bool floats = !has_integers(value.getType()) || lane_count(value.getType()) != 0;
  const bool bits_of_floats = floats && !llvm::isa<llvm::Constant>(value);
  objects_.write(pointer, bits_of_floats || !determined(value) || !determined(pointer), held_by(value));
  objects_.escape(value);
}

// Numbers stored as constants, and floats, are not addresses.
Bases Provenance::held_by(const llvm::Value& value) const {
  if (value.getType()->isPointerTy())
    return objects_.bases(value);
  return {.unknown = has_integers(value.getType()) && !llvm::isa<llvm::ConstantData>(value)};
}

void Provenance::follow_transfer(const llvm::MemTransferInst& move) {
  objects_.write(*move.getRawDest(), any_open_operand(move) || reads_open(*move.getRawSource()),
                 objects_.loaded(*move.getRawSource()));
}

void Provenance::follow_return(const llvm::ReturnInst& ret) {
  const llvm::Value* value = ret.getReturnValue();
  if (!value)
    return;
  if (!determined(*value))
    insert(open_results_, ret.getFunction());
  if (value->getType()->isPointerTy())
    objects_.merge_result(*ret.getFunction(), objects_.bases(*value));
}

void Provenance::follow_call(const llvm::CallBase& call) {
  if (auto* move = llvm::dyn_cast<llvm::MemTransferInst>(&call))
    return follow_transfer(*move);
  if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&call))
    return objects_.write(*set->getRawDest(), any_open_operand(*set), {});
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call); intrinsic && intrinsic->isAssumeLikeIntrinsic())
    return;
  const llvm::Function* callee = call.getCalledFunction();
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const llvm::Value& passed = *call.getArgOperand(i);
    const bool pointer = passed.getType()->isPointerTy();
    if (is_known_to_module(callee)) {
      if (i >= callee->arg_size()) {
        objects_.escape(passed); // read by va_arg
        continue;
      }
      const llvm::Argument& argument = *callee->getArg(i);
      if (!determined(passed))
        insert(open_, &argument);
      if (pointer)
        objects_.merge(argument, objects_.bases(passed));
    } else if (pointer) {
      const bool outside = callee || call.isInlineAsm(); // otherwise a function of the module
      if (outside && !call.onlyReadsMemory() && !call.onlyReadsMemory(i))
        objects_.write_outside(passed);
      if (!outside || !call.doesNotCapture(i))
        objects_.escape(passed);
    }
  }
}

bool Provenance::makes_open(llvm::Instruction& instruction) const {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Alloca:
    return false;
  case llvm::Instruction::Load:
    if (held_ && (held_->input(instruction, true) >= 0 || held_->input(instruction, false) >= 0))
      return false;
    return !is_foreign_pointer(llvm::cast<llvm::LoadInst>(instruction)) &&
           reads_open(*llvm::cast<llvm::LoadInst>(instruction).getPointerOperand());
  case llvm::Instruction::Call:
  case llvm::Instruction::Invoke:
    return call_is_open(llvm::cast<llvm::CallBase>(instruction));
  case llvm::Instruction::Select: {
    auto& select = llvm::cast<llvm::SelectInst>(instruction);
    if (chooses_numbers(select)) // a decision, unless the condition is determined
      return !determined(*select.getTrueValue()) || !determined(*select.getFalseValue());
    return any_open_operand(select);
  }
  case llvm::Instruction::FCmp:
    return !operation_of(instruction) && !is_settled(llvm::cast<llvm::FCmpInst>(instruction));
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPToUI:
    return !operation_of(instruction);
  case llvm::Instruction::BitCast:
    return is_float(instruction.getOperand(0)->getType()) || any_open_operand(instruction);
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::AtomicRMW:
  case llvm::Instruction::AtomicCmpXchg:
  case llvm::Instruction::VAArg:
  case llvm::Instruction::LandingPad:
  case llvm::Instruction::CallBr:
    return true;
  default:
    return any_open_operand(instruction);
  }
}

bool Provenance::call_is_open(llvm::CallBase& call) const {
  if (auto operation = operation_of(call); operation && ops::is_decision(operation->op))
    return false;
  const llvm::Function* callee = call.getCalledFunction();
  if (is_known_to_module(callee))
    return open_results_.contains(callee);
  if (!callee)
    return indirect_call_is_open(call);
  const bool determining =
      callee->isIntrinsic() ? !call.mayReadFromMemory() : is_pure(callee->getName()) || allocates(callee->getName());
  if (!determining)
    return true;
  return llvm::any_of(call.args(), [&](const llvm::Use& argument) {
    const bool bits_of_float = is_float(argument->getType()) && !llvm::isa<llvm::Constant>(argument);
    const bool reads = argument->getType()->isPointerTy() && is_pure(callee->getName());
    return bits_of_float || !determined(*argument) || (reads && reads_open(*argument));
  });
}

bool Provenance::indirect_call_is_open(const llvm::CallBase& call) const {
  if (call.isInlineAsm() || !determined(*call.getCalledOperand()))
    return true;
  bool any = false;
  for (const llvm::Function* function : taken_) {
    if (function->getFunctionType() != call.getFunctionType())
      continue;
    any = true;
    if (!is_known_to_module(function) || open_results_.contains(function))
      return true;
  }
  return !any;
}

bool Provenance::any_open_operand(const llvm::User& user) const {
  return llvm::any_of(user.operands(), [&](const llvm::Use& operand) { return !determined(*operand); });
}

bool Provenance::reads_open(const llvm::Value& pointer) const {
  return !determined(pointer) || objects_.reads_open(pointer);
}

bool Provenance::reads_constant(const llvm::LoadInst& load) const {
  return determined(*load.getPointerOperand()) && objects_.reads_constant(*load.getPointerOperand());
}

} // namespace faultline::instrument
