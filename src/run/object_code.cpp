#include "run/object_code.h"

#include "base/error.h"
#include "program/bounds_check.h"
#include "program/linking.h"
#include "program/unit.h"
#include "run/call_hooks.h"
#include "run/contraction.h"

#include <fmt/format.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>
#include <sstream>

namespace faultline::run {

namespace {

std::unique_ptr<llvm::TargetMachine> this_machine() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  const std::string triple = "x86_64-pc-linux-gnu";
  std::string problem;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, problem);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, "x86-64", "", options, llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Default));
}

void run_passes(llvm::Module& module, llvm::TargetMachine& machine, llvm::FunctionPassManager passes) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  all.run(module, modules);
}

// Computes several values of the program at once, before residues come beside them: that pays more often than in the
// program itself, as an operation with its residue costs ten. No result changes: nothing is reassociated, and nothing
// is folded, as roundings of constants would be lost.
void vectorize(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LoopVectorizePass());
  passes.addPass(llvm::SLPVectorizerPass());
  run_passes(module, machine, std::move(passes));
}

// Removes what the instrumentation computes twice or for nothing.
void clean_up(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::ADCEPass());
  run_passes(module, machine, std::move(passes));
}

void emit(llvm::Module& module, llvm::TargetMachine& machine, const std::string& object_file) {
  std::error_code error;
  llvm::raw_fd_ostream object(object_file, error, llvm::sys::fs::OF_None);
  llvm::legacy::PassManager generator;
  if (error || machine.addPassesToEmitFile(generator, object, nullptr, llvm::CodeGenFileType::ObjectFile))
    throw base::UserError(base::status_inconclusive, fmt::format("{}: cannot be written", object_file),
                          "XDG_CACHE_HOME names another folder");
  generator.run(module);
  object.close();
  if (object.has_error()) {
    const std::string why = object.error().message();
    object.clear_error();
    throw base::UserError(base::status_inconclusive, fmt::format("{}: cannot be written: {}", object_file, why),
                          "free some space, or let XDG_CACHE_HOME name another folder");
  }
}

void verify(const llvm::Module& module) {
  std::string complaints;
  llvm::raw_string_ostream stream(complaints);
  if (llvm::verifyModule(module, &stream))
    throw std::logic_error("the twin is not valid: " + complaints.substr(0, 500));
}

base::UserError not_a_program(const std::string& file, const std::string& why) {
  return {base::status_unsuitable, fmt::format("{}: {}", file, why),
          "name a program that faultline cc has linked: faultline run -- ./app"};
}

} // namespace

std::string processor() { return llvm::sys::getHostCPUName().str(); }

SiteTable write_object(const std::vector<program::Record>& records, const TwinOptions& options,
                       const std::string& object_file) {
  std::vector<program::Unit> units;
  for (const program::Record& record : records)
    if (record.reason.empty())
      units.push_back(program::Unit::of_build(record.source, record.bitcode));
  program::Linked linked = program::link(units);
  llvm::Module& module = *linked.module;
  SiteTable sites;
  {
    const program::ReaderGuard guard("the captured bitcode");
    program::materialize_all(module);
  }
  const std::unique_ptr<llvm::TargetMachine> machine = this_machine();
  module.setDataLayout(machine->createDataLayout());
  if (options.plain) {
    erase_checks(module);
  } else {
    contract_as_gcc(module, records);
    prepare_for_twin(module);
    if (!options.values && !options.probes) // these tell scalars apart
      vectorize(module, *machine);
    sites = ModuleTwin(module, options).run();
  }
  verify(module);
  clean_up(module, *machine);
  emit(module, *machine, object_file);
  return sites;
}

void write_recording_object(const program::Record& record, const std::string& object_file) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = program::Unit::of_build(record.source, record.bitcode).open(context);
  {
    const program::ReaderGuard guard(record.source);
    program::materialize_all(*module);
  }
  for (llvm::CallInst* check : program::checks_of(*module)) // of a hunt: the program itself has none
    check->eraseFromParent();
  add_call_hooks(*module);
  llvm::StripDebugInfo(*module);
  verify(*module);
  const std::unique_ptr<llvm::TargetMachine> machine = this_machine();
  module->setDataLayout(machine->createDataLayout());
  emit(*module, *machine, object_file);
}

namespace {

// The defined or undefined names in the table of dynamic symbols.
std::set<std::string> dynamic_names(const llvm::object::ELF64LEObjectFile& file, bool defined) {
  std::set<std::string> names;
  for (const llvm::object::ELFSymbolRef symbol : file.getDynamicSymbolIterators()) {
    const bool weak = symbol.getBinding() == llvm::ELF::STB_WEAK;
    auto name = symbol.getName();
    auto flags = symbol.getFlags();
    if (!name || !flags) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(flags.takeError());
      continue;
    }
    const bool undefined = *flags & llvm::object::SymbolRef::SF_Undefined;
    if (undefined != defined && !(undefined && weak) && !name->empty())
      names.insert(name->str());
  }
  return names;
}

} // namespace

DynamicSymbols dynamic_symbols(const std::string& file) {
  auto binary = llvm::object::ObjectFile::createObjectFile(file);
  if (!binary) {
    llvm::consumeError(binary.takeError());
    return {};
  }
  const auto* elf = llvm::dyn_cast<llvm::object::ELF64LEObjectFile>(binary->getBinary());
  return elf ? DynamicSymbols{dynamic_names(*elf, true), dynamic_names(*elf, false)} : DynamicSymbols{};
}

Needed needed_by(const std::string& program, bool is_library) {
  auto binary = llvm::object::ObjectFile::createObjectFile(program);
  if (!binary) {
    llvm::consumeError(binary.takeError());
    throw not_a_program(program, "is not a program of this machine");
  }
  auto* file = llvm::dyn_cast<llvm::object::ELF64LEObjectFile>(binary->getBinary());
  if (!file || file->getArch() != llvm::Triple::x86_64)
    throw not_a_program(program, "is not a program for x86-64");
  Needed needed;
  for (const auto& segment : llvm::cantFail(file->getELFFile().program_headers()))
    needed.is_program |= segment.p_type == llvm::ELF::PT_INTERP;
  auto entries = file->getELFFile().dynamicEntries();
  if (!entries || (!needed.is_program && !is_library)) {
    llvm::consumeError(entries.takeError());
    throw not_a_program(program, "is linked statically, or is not a program");
  }
  uint64_t strings = 0;
  for (const auto& entry : *entries)
    if (entry.getTag() == llvm::ELF::DT_STRTAB)
      strings = entry.getPtr();
  auto table = file->getELFFile().toMappedAddr(strings);
  if (!table) {
    llvm::consumeError(table.takeError());
    throw not_a_program(program, "is damaged");
  }
  const llvm::StringRef all = file->getData();
  const size_t begin = size_t(*table - reinterpret_cast<const uint8_t*>(all.data()));
  const auto text = [&](uint64_t offset) {
    const llvm::StringRef rest = all.substr(begin + offset);
    return rest.take_until([](char c) { return c == 0; }).str();
  };
  for (const auto& entry : *entries)
    if (entry.getTag() == llvm::ELF::DT_NEEDED) {
      needed.libraries.push_back(text(entry.getVal()));
    } else if (entry.getTag() == llvm::ELF::DT_SONAME) {
      needed.name = text(entry.getVal());
    } else if (entry.getTag() == llvm::ELF::DT_RUNPATH || entry.getTag() == llvm::ELF::DT_RPATH) {
      std::istringstream folders(text(entry.getVal()));
      for (std::string folder; std::getline(folders, folder, ':');)
        needed.folders.push_back(folder);
    }
  for (const llvm::object::ELFSymbolRef symbol : file->symbols())
    if (auto name = symbol.getName(); symbol.getELFType() == llvm::ELF::STT_FUNC && symbol.getSize() > 0 && name)
      needed.functions.emplace_back(name->str(), symbol.getSize());
    else if (!name)
      llvm::consumeError(name.takeError());
  return needed;
}

} // namespace faultline::run
