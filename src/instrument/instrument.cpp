#include "instrument/instrument.h"

#include "instrument/decisions.h"
#include "instrument/emitter.h"
#include "instrument/function_walk.h"
#include "instrument/site_builder.h"

#include <llvm/IR/Instructions.h>

namespace faultline::instrument {
namespace {

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

runtime::SiteTable walk(llvm::Module& module, Execution execution, const Decisions* decisions) {
  SiteBuilder sites;
  auto emitter = execution == Execution::taped ? make_taped_emitter(module) : make_lifted_emitter(module);
  llvm::SmallVector<llvm::Function*, 32> functions;
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  for (llvm::Function* function : functions)
    forget_effects(*function);
  if (decisions)
    for (const llvm::Instruction* access : decisions->unsettled_accesses())
      sites.note_unsettled(*access);
  for (llvm::Function* function : functions)
    FunctionWalk(*function, *emitter, sites, decisions).run();
  return std::move(sites.table);
}

} // namespace

runtime::SiteTable instrument(llvm::Module& module, Execution execution) { return walk(module, execution, nullptr); }

runtime::SiteTable instrument_with_decisions(llvm::Module& module, Execution execution,
                                             std::span<const frontend::Cell> inputs, Integers integers) {
  const Decisions decisions(module, inputs, integers == Integers::held); // before attributes are forgotten
  return walk(module, execution, &decisions);
}

} // namespace faultline::instrument
