#include "program/linking.h"

#include "base/error.h"
#include "program/shown_symbol.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Linker/Linker.h>
#include <llvm/TargetParser/Triple.h>
#include <optional>
#include <string>
#include <unordered_map>

namespace faultline::program {

namespace {

// Finds functions and variables that several files of a program define. A linker rejects them. A build links one of
// these files at a time (R's sunif.c and std_unif.c), but a whole folder has all of them. Each file keeps its own
// definition, and every other file uses the first.
// other file uses the first.
struct Duplicate {
  std::string name;  // as people write it
  std::string first; // the file that defined it before
};

class Definitions {
public:
  // Called for each file before it is linked: makes symbols that earlier files define private to it. Does not read
  // lazily loaded functions.
  std::vector<Duplicate> add(llvm::Module& module, const std::string& file);

private:
  std::unordered_map<std::string, std::string> first_; // file by symbol
};

void make_private(llvm::GlobalValue& value) {
  if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(&value))
    object->setComdat(nullptr);
  value.setVisibility(llvm::GlobalValue::DefaultVisibility);
  value.setDLLStorageClass(llvm::GlobalValue::DefaultStorageClass);
  value.setLinkage(llvm::GlobalValue::InternalLinkage);
}

std::vector<Duplicate> Definitions::add(llvm::Module& module, const std::string& file) {
  std::vector<Duplicate> duplicates;
  for (llvm::GlobalValue& value : module.global_values()) {
    if (value.isDeclaration() || !value.hasExternalLinkage()) // the linker merges the others
      continue;
    const auto [known, is_first] = first_.try_emplace(value.getName().str(), file);
    if (is_first)
      continue;
    duplicates.push_back({shown_symbol(known->first), known->second});
    make_private(value);
  }
  return duplicates;
}

// "b.c keeps its own set_seed, which a.c defines, too: other files use that one"; empty if there are no duplicates.
std::string duplicates_remark(const std::string& file, const std::vector<Duplicate>& duplicates) {
  constexpr size_t most = 5; // names: a few identify the two files
  std::vector<std::string> names;
  std::string first;
  for (const Duplicate& duplicate : duplicates)
    if (duplicate.name != "main" && duplicate.name != "_QQmain") { // programs: nothing in them is called from outside
      names.push_back(duplicate.name);
      first = first.empty() ? duplicate.first : first;
    }
  if (names.empty())
    return {};
  std::ranges::sort(names);
  const size_t others = names.size() - std::min(names.size(), most);
  names.resize(names.size() - others);
  return fmt::format("{} keeps its own {}{}, which {} defines, too: other files use the first", file,
                     fmt::join(names, ", "), others == 0 ? "" : fmt::format(" and {} more", others), first);
}

// Collects LLVM's error messages, which would otherwise go to standard error.
struct DiagnosticCollector final : llvm::DiagnosticHandler {
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

// clang, flang and rustc have one layout of data for x86-64 on Linux; a file without any gets it.
void check_layout(llvm::Module& module, const std::string& file) {
  const llvm::DataLayout ours("e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128");
  if (module.getDataLayout().isDefault())
    module.setDataLayout(ours);
  if (module.getDataLayout() != ours)
    throw base::UserError(
        base::status_unsuitable,
        fmt::format("{}: has another layout of data than x86-64 has on Linux: {}", file, module.getDataLayoutStr()),
        fmt::format("target datalayout = \"{}\"", ours.getStringRepresentation()));
}

} // namespace

Linked link(const std::vector<Unit>& units, std::vector<std::string>* remarks) {
  Linked linked;
  linked.context = std::make_unique<llvm::LLVMContext>();
  auto collect = std::make_unique<DiagnosticCollector>();
  const std::string& complaints = collect->text;
  linked.context->setDiagnosticHandler(std::move(collect));
  Definitions definitions;
  std::optional<llvm::Linker> linker; // shared by all units: creating one scans the whole program
  for (const Unit& unit : units) {
    std::unique_ptr<llvm::Module> module = unit.open(*linked.context);
    if (llvm::Triple(module->getTargetTriple()).getArch() != llvm::Triple::x86_64)
      throw base::UserError(base::status_unsuitable,
                            fmt::format("{}: is for {}, not for x86-64", unit.file(), module->getTargetTriple()),
                            "compile it for this machine");
    check_layout(*module, unit.file());
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
      throw base::UserError(base::status_unsuitable,
                            fmt::format("{}: does not link with the other files: {}", unit.file(), complaints),
                            "hunt in these files one by one");
  }
  return linked;
}

} // namespace faultline::program
