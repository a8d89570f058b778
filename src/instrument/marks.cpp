#include "instrument/marks.h"

#include "frontend/program.h"
#include "instrument/location.h"
#include "runtime/abi.h"

#include <dlfcn.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace faultline::instrument {
namespace {

// What ends a run, as people write it; empty: it does not.
std::string ending_name(llvm::StringRef symbol) {
  if (symbol == "__cxa_throw" || (symbol.starts_with("_ZSt") && symbol.contains("__throw_")))
    return "throw";
  if (symbol == "exit" || symbol == "_exit" || symbol == "_Exit" || symbol == "quick_exit" || symbol == "_FortranAExit")
    return "exit";
  if (symbol.starts_with("_FortranAStopStatement"))
    return "STOP";
  return {};
}

// The name of a handler that was inlined here: of its body something is left that is more than a computation.
std::string inlined_handler(const llvm::Instruction& instruction, const frontend::Handlers& handlers) {
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
  Marker(llvm::Module& module, const frontend::Handlers& handlers)
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
    return std::move(marks_);
  }

private:
  void mark_calls_of(llvm::Function& callee, const std::string& name, uint64_t field) {
    for (llvm::User* user : callee.users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user);
          call && call->getCalledOperand() == &callee &&
          call->getFunction()->getName() != frontend::Program::driver_symbol)
        mark(*call, name, field);
  }

  // Once in a block.
  void mark_inlined(llvm::Function& function) {
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (const std::string name = inlined_handler(instruction, handlers_); !name.empty()) {
          mark(instruction, name, offsetof(runtime::State, refused));
          break;
        }
  }

  void mark(llvm::Instruction& instruction, const std::string& name, uint64_t field) {
    runtime::Mark& made = marks_.emplace_back();
    made.function = name;
    locate(instruction, made.place, paths_);
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
    if (function.doesNotReturn()) { // nothing comes after its calls
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
  const frontend::Handlers& handlers_;
  llvm::Type* bytes_;
  ShownPaths paths_;
  std::vector<runtime::Mark> marks_;
};

} // namespace

std::vector<runtime::Mark> mark_calls(llvm::Module& module, const frontend::Handlers& handlers) {
  return Marker(module, handlers).run();
}

} // namespace faultline::instrument
