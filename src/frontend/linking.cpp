#include "frontend/linking.h"

#include "frontend/error.h"
#include "frontend/reading/reader_guard.h"

#include <fmt/format.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Linker/Linker.h>
#include <llvm/TargetParser/Triple.h>
#include <optional>

namespace faultline::frontend {
namespace {

// Collects LLVM's error messages, which would go to standard error.
struct Collect final : llvm::DiagnosticHandler {
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(text);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }
  std::string text;
};

bool is_definition(const llvm::GlobalValue& value) { return !value.isDeclaration() || value.isMaterializable(); }

// What `module` defines and the program has already becomes its own.
void keep_private(llvm::Module& module, const llvm::Module& program) {
  for (llvm::GlobalValue& value : module.global_values()) {
    if (!value.hasExternalLinkage() || !is_definition(value))
      continue;
    const llvm::GlobalValue* first = program.getNamedValue(value.getName());
    if (!first || !first->hasExternalLinkage() || !is_definition(*first))
      continue;
    if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(&value))
      object->setComdat(nullptr);
    value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    value.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

} // namespace

Linked link(const std::vector<Unit>& units) {
  Linked linked;
  linked.context = std::make_unique<llvm::LLVMContext>();
  auto collect = std::make_unique<Collect>();
  const std::string& complaints = collect->text;
  linked.context->setDiagnosticHandler(std::move(collect));
  std::optional<llvm::Linker> linker; // one for all: it looks at the whole program when it is made
  for (const Unit& unit : units) {
    std::unique_ptr<llvm::Module> module = unit.open(*linked.context);
    if (llvm::Triple(module->getTargetTriple()).getArch() != llvm::Triple::x86_64)
      throw UserError(status_unsuitable,
                      fmt::format("{}: is for {}, not for x86-64", unit.file(), module->getTargetTriple()),
                      "compile it for this machine");
    ReaderGuard guard(unit.file());
    if (!linked.module) {
      linked.module = std::move(module);
      linker.emplace(*linked.module);
      continue;
    }
    if (unit.is_linked())
      keep_private(*module, *linked.module);
    if (linker->linkInModule(std::move(module)))
      throw UserError(status_unsuitable,
                      fmt::format("{}: does not link with the other files: {}", unit.file(), complaints),
                      "hunt in files that define the same function separately");
  }
  return linked;
}

} // namespace faultline::frontend
