#include "instrument/instrument.h"

#include "instrument/decisions.h"
#include "instrument/emitter.h"
#include "instrument/function_walk.h"
#include "instrument/operations.h"
#include "instrument/site_builder.h"
#include "program/bounds_check.h"
#include "program/keep_rounding.h"
#include "program/program.h"

#include <dlfcn.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace faultline::instrument {

namespace {

// Returns the user-visible name of a function that ends a run; empty for all others.
std::string ending_name(llvm::StringRef symbol) {
  if (symbol == "__cxa_throw")
    return "throw";
  if (symbol.starts_with("_ZSt") && symbol.contains("__throw_"))
    return "throw in the standard library";
  if (symbol == "exit" || symbol == "_exit" || symbol == "_Exit" || symbol == "quick_exit" || symbol == "_FortranAExit")
    return "exit";
  if (symbol.starts_with("_FortranAStopStatement"))
    return "STOP";
  return {};
}

// Returns the name of a handler that was inlined here, if it left more than a computation.
std::string inlined_handler(const llvm::Instruction& instruction, const program::Handlers& handlers) {
  if (!instruction.mayHaveSideEffects() || llvm::isa<llvm::IntrinsicInst>(instruction))
    return {};
  for (const llvm::DILocation* at = instruction.getDebugLoc(); at && at->getInlinedAt(); at = at->getInlinedAt())
    if (const llvm::DISubprogram* subprogram = at->getScope()->getSubprogram())
      if (std::string name = handler_name(*subprogram, handlers); !name.empty())
        return name;
  return {};
}

class Marker {
public:
  Marker(llvm::Module& module, const program::Handlers& handlers)
      : module_(module), handlers_(handlers), bytes_(llvm::Type::getInt8Ty(module.getContext())) {}

  std::vector<runtime::Mark> run() {
    std::vector<llvm::Function*> undefined;
    for (llvm::Function& function : module_) {
      const std::string handler = handler_name(function, handlers_);
      const std::string ending = function.isDeclaration() ? ending_name(function.getName()) : "";
      if (handler.empty() && ending.empty())
        continue;
      if (!handler.empty())
        mark_calls_of(function, handler, offsetof(runtime::State, refused));
      else
        mark_calls_of(function, ending, offsetof(runtime::State, ended));
      if (!handler.empty() && function.isDeclaration() && !dlsym(RTLD_DEFAULT, function.getName().str().c_str()))
        undefined.push_back(&function);
    }
    for (llvm::Function& function : module_)
      if (handler_name(function, handlers_).empty())
        mark_inlined(function);
    for (llvm::Function* function : undefined)
      define(*function);
    for (llvm::CallInst* check : program::checks_of(module_)) {
      add_mark(*check, program::checked_access(*check));
      check->setArgOperand(1, llvm::ConstantInt::get(check->getArgOperand(1)->getType(), marks_.size()));
    }
    return std::move(marks_);
  }

private:
  void mark_calls_of(llvm::Function& callee, const std::string& name, uint64_t field) {
    for (llvm::User* user : callee.users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user);
          call && call->getCalledOperand() == &callee &&
          call->getFunction()->getName() != program::Program::driver_symbol)
        mark(*call, name, field);
  }

  // Marks each block at most once.
  void mark_inlined(llvm::Function& function) {
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (const std::string name = inlined_handler(instruction, handlers_); !name.empty()) {
          mark(instruction, name, offsetof(runtime::State, refused));
          break;
        }
  }

  void add_mark(const llvm::Instruction& instruction, const std::string& name) {
    runtime::Mark& made = marks_.emplace_back();
    made.function = name;
    places_.locate(instruction, made.place);
  }

  void mark(llvm::Instruction& instruction, const std::string& name, uint64_t field) {
    add_mark(instruction, name);
    llvm::IRBuilder<> builder(&instruction);
    builder.SetCurrentDebugLocation({});
    llvm::Value* place =
        builder.CreateConstInBoundsGEP1_64(bytes_, module_.getOrInsertGlobal(runtime::state_symbol, bytes_), field);
    builder.CreateStore(builder.getInt64(marks_.size()), place);
    instruction.getFunction()->setMemoryEffects(llvm::MemoryEffects::unknown());
  }

  static void define(llvm::Function& function) {
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "", &function));
    llvm::Type* type = function.getReturnType();
    if (function.doesNotReturn()) { // no instruction follows its calls
      builder.CreateCall(function.getParent()->getOrInsertFunction("abort", builder.getVoidTy()));
      builder.CreateUnreachable();
    } else if (type->isVoidTy()) {
      builder.CreateRetVoid();
    } else {
      builder.CreateRet(llvm::Constant::getNullValue(type));
    }
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setVisibility(llvm::GlobalValue::DefaultVisibility);
  }

  llvm::Module& module_;
  const program::Handlers& handlers_;
  llvm::Type* bytes_;
  Places places_;
  std::vector<runtime::Mark> marks_;
};

void collect(llvm::Type* type, uint64_t offset, llvm::SmallVectorImpl<unsigned>& path, const llvm::DataLayout& layout,
             Lanes& lanes) {
  if (lanes.size() > most_lanes)
    return;
  if (auto format = format_of(type)) {
    lanes.push_back({*format, offset, {path.begin(), path.end()}, -1});
  } else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    if (auto format = format_of(vector->getElementType())) {
      uint64_t stride = layout.getTypeStoreSize(vector->getElementType());
      for (unsigned i = 0; i < vector->getNumElements() && lanes.size() <= most_lanes; ++i)
        lanes.push_back({*format, offset + i * stride, {path.begin(), path.end()}, int(i)});
    }
  } else if (auto* structure = llvm::dyn_cast<llvm::StructType>(type); structure && !structure->isOpaque()) {
    const llvm::StructLayout* fields = layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      path.push_back(i);
      collect(structure->getElementType(i), offset + fields->getElementOffset(i), path, layout, lanes);
      path.pop_back();
    }
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    uint64_t stride = layout.getTypeAllocSize(array->getElementType());
    for (unsigned i = 0; i < array->getNumElements() && lanes.size() <= most_lanes; ++i) {
      path.push_back(i);
      collect(array->getElementType(), offset + i * stride, path, layout, lanes);
      path.pop_back();
      if (lanes.empty())
        break; // elements without floats: all have the same type
    }
  }
}

unsigned count(llvm::Type* type) {
  if (format_of(type))
    return 1;
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return format_of(vector->getElementType()) ? vector->getNumElements() : 0;
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    uint64_t all = uint64_t(count(array->getElementType())) * array->getNumElements();
    return unsigned(std::min<uint64_t>(all, most_lanes + 1));
  }
  unsigned all = 0;
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type))
    for (llvm::Type* element : structure->elements())
      all = std::min(all + count(element), most_lanes + 1);
  return all;
}

// Removes attributes on memory effects: instrumented functions write to the tape.
void forget_effects(llvm::Function& function) {
  function.setMemoryEffects(llvm::MemoryEffects::unknown());
  for (llvm::Argument& argument : function.args())
    for (auto attribute : {llvm::Attribute::ReadNone, llvm::Attribute::ReadOnly, llvm::Attribute::WriteOnly})
      argument.removeAttr(attribute);
  for (llvm::User* user : function.users())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledOperand() == &function)
      call->setMemoryEffects(llvm::MemoryEffects::unknown());
}

bool is_read(const llvm::GlobalVariable& variable) {
  llvm::SmallVector<const llvm::User*, 16> open(variable.user_begin(), variable.user_end());
  while (!open.empty()) {
    const llvm::User* user = open.pop_back_val();
    if (llvm::isa<llvm::LoadInst>(user) || llvm::isa<llvm::CallBase>(user))
      return true;
    if (llvm::isa<llvm::GEPOperator>(user) || llvm::isa<llvm::AddrSpaceCastOperator>(user))
      open.append(user->user_begin(), user->user_end());
  }
  return false;
}

// Returns the names of SiteTable::changing, as in the source.
std::vector<std::string> changing_variables(const llvm::Module& module) {
  std::vector<std::string> names;
  for (const llvm::GlobalVariable& variable : module.globals()) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> descriptions;
    variable.getDebugInfo(descriptions);
    if (!variable.hasInitializer() || descriptions.empty() || !is_read(variable))
      continue;
    const llvm::DIGlobalVariable& description = *descriptions.front()->getVariable();
    if (!variable.isConstant() || program::has_rounded_initialiser(variable))
      names.push_back(description.getName().str());
  }
  return names;
}

runtime::SiteTable walk(llvm::Module& module, Execution execution, const Decisions* decisions) {
  SiteBuilder sites;
  auto emitter = execution == Execution::taped ? make_taped_emitter(module) : make_lifted_emitter(module);
  llvm::SmallVector<llvm::Function*, 32> functions;
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  for (llvm::Function* function : functions)
    forget_effects(*function);
  if (decisions) {
    for (const auto& [instruction, reason] : decisions->unsettled())
      sites.note_unsettled(*instruction, reason);
    sites.table.changing = changing_variables(module);
  } else {
    for (const auto& [instruction, reason] : changes_of_float_environment(functions))
      sites.note_unsettled(*instruction, reason);
  }
  for (llvm::Function* function : functions)
    FunctionWalk(*function, *emitter, sites, decisions).run();
  return std::move(sites.table);
}

} // namespace

std::vector<runtime::Mark> mark_calls(llvm::Module& module, const program::Handlers& handlers) {
  return Marker(module, handlers).run();
}

Lanes lanes_of(llvm::Type* type, const llvm::DataLayout& layout) {
  Lanes lanes;
  if (lane_count(type) == 0)
    return lanes;
  llvm::SmallVector<unsigned, 4> path;
  collect(type, 0, path, layout, lanes);
  return lanes;
}

unsigned lane_count(llvm::Type* type) {
  unsigned all = count(type);
  return all > most_lanes ? 0 : all;
}

unsigned lanes_before(llvm::Type* aggregate, llvm::ArrayRef<unsigned> indices) {
  unsigned before = 0;
  for (unsigned index : indices) {
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(aggregate)) {
      for (unsigned i = 0; i < index; ++i)
        before += count(structure->getElementType(i));
      aggregate = structure->getElementType(index);
    } else {
      llvm::Type* element = llvm::cast<llvm::ArrayType>(aggregate)->getElementType();
      before += index * count(element);
      aggregate = element;
    }
  }
  return before;
}

runtime::SiteTable instrument(llvm::Module& module, Execution execution) { return walk(module, execution, nullptr); }

runtime::SiteTable instrument_with_decisions(llvm::Module& module, Execution execution,
                                             std::span<const model::Cell> inputs, Integers integers) {
  const Decisions decisions(module, inputs, integers == Integers::held); // before attributes are removed
  return walk(module, execution, &decisions);
}

} // namespace faultline::instrument
