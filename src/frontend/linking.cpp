#include "frontend/linking.h"

#include "frontend/error.h"
#include "frontend/loading/duplicates.h"
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

} // namespace

Linked link(const std::vector<Unit>& units, std::vector<std::string>* remarks) {
  Linked linked;
  linked.context = std::make_unique<llvm::LLVMContext>();
  auto collect = std::make_unique<Collect>();
  const std::string& complaints = collect->text;
  linked.context->setDiagnosticHandler(std::move(collect));
  Definitions definitions;
  std::optional<llvm::Linker> linker; // one for all, if there is more than one: it looks at the whole program
  for (const Unit& unit : units) {
    std::unique_ptr<llvm::Module> module = unit.open(*linked.context);
    if (llvm::Triple(module->getTargetTriple()).getArch() != llvm::Triple::x86_64)
      throw UserError(status_unsuitable,
                      fmt::format("{}: is for {}, not for x86-64", unit.file(), module->getTargetTriple()),
                      "compile it for this machine");
    ReaderGuard guard(unit.file());
    const std::string remark = duplicates_remark(unit.file(), definitions.add(*module, unit.file()));
    if (remarks && !remark.empty() && !unit.is_linked())
      remarks->push_back(remark);
    if (!linked.module) {
      linked.module = std::move(module);
      continue;
    }
    if (!linker)
      linker.emplace(*linked.module);
    if (linker->linkInModule(std::move(module)))
      throw UserError(status_unsuitable,
                      fmt::format("{}: does not link with the other files: {}", unit.file(), complaints),
                      "hunt in these files one by one");
  }
  return linked;
}

} // namespace faultline::frontend
