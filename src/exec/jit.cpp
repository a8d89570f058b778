#include "exec/jit.h"

#include "base/error.h"
#include "exec/compiled_objects.h"
#include "program/bounds_check.h"

#include <algorithm>
#include <cstdint>
#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/ExecutionEngine/ObjectCache.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/xxhash.h>
#include <map>
#include <stdexcept>
#include <string_view>

namespace faultline::exec {

void flush_fortran_output(Jit& jit) {
  constexpr int standard_output = 6;
  reinterpret_cast<void (*)(const int*)>(jit.function("flush_"))(&standard_output);
}

namespace {

// The symbols that code under test may use from the process: the C, C++ and Fortran libraries and those of references
// (MPFR, GMP). Faultline's other libraries are excluded: a missing `compress` of the program must not resolve to
// zlib's.
using namespace llvm::orc;

constexpr std::string_view libraries[] = {"libc.so",        "libm.so",         "libstdc++.so", "libgcc_s.so",
                                          "libpthread.so",  "ld-linux-x86-64", "libmpfr.so",   "libgmp.so",
                                          "libgfortran.so", "libquadmath.so",  "linux-vdso.so"};

// The program itself is included: the linker copies library variables into it (stdout, std::cout).
bool is_usable(const char* symbol) {
  void* const address = dlsym(RTLD_DEFAULT, symbol);
  dl_find_object found = {}, own = {};
  if (!address || _dl_find_object(address, &found) != 0)
    return address != nullptr; // without a library: generated, as an ifunc's address may be
  if (_dl_find_object(reinterpret_cast<void*>(&is_usable), &own) == 0 && own.dlfo_link_map == found.dlfo_link_map)
    return true;
  const std::string_view path = found.dlfo_link_map->l_name;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::ranges::any_of(libraries, [&](std::string_view library) { return name.starts_with(library); });
}

// Resolves weak references to missing symbols to null, as the linker does.
class MissingSymbols final : public DefinitionGenerator {
public:
  explicit MissingSymbols(std::map<std::string, uint64_t> variables) : variables_(std::move(variables)) {}

  llvm::Error tryToGenerate(LookupState&, LookupKind, JITDylib& library, JITDylibLookupFlags,
                            const SymbolLookupSet& symbols) override {
    SymbolMap guarded;
    for (const auto& [name, flags] : symbols) {
      if (flags == SymbolLookupFlags::WeaklyReferencedSymbol)
        continue;
      const std::string symbol = (*name).str();
      const auto variable = variables_.find(symbol);
      void* const place = variable == variables_.end() ? place_of_missing(symbol, true, 0)
                                                       : place_of_missing(symbol, false, variable->second);
      guarded[name] = {ExecutorAddr::fromPtr(place), llvm::JITSymbolFlags::Exported};
    }
    return guarded.empty() ? llvm::Error::success() : library.define(absoluteSymbols(std::move(guarded)));
  }

private:
  std::map<std::string, uint64_t> variables_;
};

// Returns the variables that a module declares without defining, with their sizes in bytes; 0 if the declaration has
// none.
std::map<std::string, uint64_t> variables_outside(const llvm::Module& module) {
  std::map<std::string, uint64_t> variables;
  for (const llvm::GlobalVariable& variable : module.globals())
    if (llvm::Type* type = variable.getValueType(); variable.isDeclaration())
      variables[variable.getName().str()] =
          type->isSized() ? module.getDataLayout().getTypeAllocSize(type).getFixedValue() : 0;
  return variables;
}

// Lets the code use these libraries of the process.
void add_libraries(LLJIT& jit) {
  auto generator = DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix(),
      [](const SymbolStringPtr& symbol) { return is_usable((*symbol).str().c_str()); });
  if (!generator)
    throw std::runtime_error(llvm::toString(generator.takeError()));
  jit.getMainJITDylib().addGenerator(std::move(*generator));
}

// Adds guarded symbols for everything that is missing (exec/replacements.h). Must be called last. A symbol is a
// function unless it is in `variables`.
void add_missing_symbols(LLJIT& jit, std::map<std::string, uint64_t> variables) {
  jit.getMainJITDylib().addGenerator(std::make_unique<MissingSymbols>(std::move(variables)));
}

constexpr const char* globals_symbol = "faultline_globals";
constexpr const char* constructors_symbol = "faultline_constructors";

template <typename T> T checked(llvm::Expected<T> value) {
  if (!value)
    throw std::runtime_error(llvm::toString(value.takeError()));
  return std::move(*value);
}

void checked(llvm::Error error) {
  if (error)
    throw std::runtime_error(llvm::toString(std::move(error)));
}

llvm::orc::JITTargetMachineBuilder baseline(Translation translation) {
  static const bool ready = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
    return true;
  }();
  (void)ready;
  llvm::orc::JITTargetMachineBuilder builder(llvm::Triple("x86_64-pc-linux-gnu"));
  builder.setCPU("x86-64");
  builder.setCodeGenOptLevel(translation == Translation::thorough ? llvm::CodeGenOptLevel::Default
                                                                  : llvm::CodeGenOptLevel::None);
  // The JIT linker places code for the small model; LLVM has no quick translation for the large model.
  builder.setCodeModel(llvm::CodeModel::Small);
  builder.setRelocationModel(llvm::Reloc::PIC_);
  builder.getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return builder;
}

// Returns the target machine for all code of this process: its tables take a millisecond to build, and workers inherit
// them.
llvm::TargetMachine& machine(Translation translation) {
  static std::unique_ptr<llvm::TargetMachine> machines[2];
  auto& machine = machines[size_t(translation)];
  if (!machine)
    machine = checked(baseline(translation).createTargetMachine());
  return *machine;
}

// Reuses the object that an earlier worker compiled from the same module, and keeps new objects for the next worker.
class SharedObjects final : public llvm::ObjectCache {
public:
  std::unique_ptr<llvm::MemoryBuffer> getObject(const llvm::Module* module) override {
    llvm::SmallVector<char, 0> bitcode;
    llvm::raw_svector_ostream stream(bitcode);
    llvm::WriteBitcodeToFile(*module, stream);
    const llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(stream.str()));
    key_ = {hash.low64, hash.high64};
    const std::string* known = known_object(key_);
    return known ? llvm::MemoryBuffer::getMemBuffer(*known, "", false) : nullptr;
  }
  void notifyObjectCompiled(const llvm::Module*, llvm::MemoryBufferRef object) override {
    send_object(key_, object.getBuffer());
  }

private:
  CompiledObjects::Key key_ = {};
};

// Adds a table of the writable variables, so that each call can restore them: { address, bytes }, ended by zeros.
void list_globals(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  auto* pointer = llvm::PointerType::getUnqual(context);
  auto* size = llvm::Type::getInt64Ty(context);
  auto* row = llvm::StructType::get(pointer, size);
  std::vector<llvm::Constant*> rows;
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (variable.isThreadLocal())
      variable.setThreadLocal(false); // a worker has one thread
    if (variable.isDeclaration() || variable.isConstant() || variable.getName().starts_with("llvm."))
      continue;
    uint64_t bytes = module.getDataLayout().getTypeAllocSize(variable.getValueType());
    rows.push_back(llvm::ConstantStruct::get(row, {&variable, llvm::ConstantInt::get(size, bytes)}));
  }
  rows.push_back(
      llvm::ConstantStruct::get(row, {llvm::ConstantPointerNull::get(pointer), llvm::ConstantInt::get(size, 0)}));
  auto* type = llvm::ArrayType::get(row, rows.size());
  new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::ExternalLinkage, llvm::ConstantArray::get(type, rows),
                           globals_symbol);
}

// Makes one function of the static constructors, in order of priority. Destructors never run.
bool gather_constructors(llvm::Module& module) {
  std::vector<std::tuple<uint64_t, size_t, llvm::Function*>> constructors; // priority, place
  if (auto* list = module.getGlobalVariable("llvm.global_ctors", true)) {
    if (auto* rows =
            llvm::dyn_cast_or_null<llvm::ConstantArray>(list->hasInitializer() ? list->getInitializer() : nullptr))
      for (llvm::Use& row : rows->operands()) {
        auto* entry = llvm::cast<llvm::ConstantStruct>(row);
        if (auto* function = llvm::dyn_cast<llvm::Function>(entry->getOperand(1)->stripPointerCasts()))
          constructors.emplace_back(llvm::cast<llvm::ConstantInt>(entry->getOperand(0))->getZExtValue(),
                                    constructors.size(), function);
      }
    list->eraseFromParent();
  }
  if (auto* list = module.getGlobalVariable("llvm.global_dtors", true))
    list->eraseFromParent();
  std::sort(constructors.begin(), constructors.end());
  llvm::LLVMContext& context = module.getContext();
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  auto* all = llvm::Function::Create(type, llvm::Function::ExternalLinkage, constructors_symbol, module);
  all->setUWTableKind(llvm::UWTableKind::Async);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", all));
  for (const auto& [priority, place, function] : constructors)
    builder.CreateCall(function->getFunctionType(), function);
  builder.CreateRetVoid();
  return !constructors.empty();
}

// Symbols of the process can be anywhere in the address space, whatever the compiler assumed.
void settle_linkage(llvm::Module& module) {
  if (auto* handle = module.getGlobalVariable("__dso_handle", true); handle && handle->isDeclaration()) {
    handle->setInitializer(llvm::Constant::getNullValue(handle->getValueType()));
    handle->setLinkage(llvm::GlobalValue::InternalLinkage);
    handle->setVisibility(llvm::GlobalValue::DefaultVisibility);
  }
  for (llvm::GlobalValue& value : module.global_values())
    if (value.isDeclaration()) {
      value.setVisibility(llvm::GlobalValue::DefaultVisibility);
      value.setDSOLocal(false);
    }
}

bool needs_fortran_runtime(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && function.getName().starts_with("_Fortran"))
      return true;
  return false;
}

} // namespace

Jit::Jit(std::unique_ptr<llvm::Module> module, llvm::orc::ThreadSafeContext context,
         std::span<const Replacement> symbols, Translation translation, const BuiltCode* built) {
  using namespace llvm::orc;
  auto target = baseline(translation);
  module->setTargetTriple(target.getTargetTriple().str());
  llvm::Type* nothing = llvm::Type::getVoidTy(module->getContext());
  llvm::Type* number = llvm::Type::getInt64Ty(module->getContext());
  program::expand_checks(*module, module->getOrInsertFunction(out_of_bounds_symbol, nothing, number));
  llvm::StripDebugInfo(*module); // the site table already has the locations
  has_constructors_ = gather_constructors(*module);
  settle_linkage(*module);
  list_globals(*module);
  has_fortran_runtime_ = needs_fortran_runtime(*module);

  // No platform: constructors are called here, and the other parts of a platform (atexit, thread-local storage) are
  // unwanted.
  jit_ = checked(LLJITBuilder()
                     .setJITTargetMachineBuilder(target)
                     .setPlatformSetUp(setUpInactivePlatform)
                     .setCompileFunctionCreator([translation](JITTargetMachineBuilder) {
                       static SharedObjects objects;
                       return std::make_unique<SimpleCompiler>(machine(translation),
                                                               translation == Translation::quick ? &objects : nullptr);
                     })
                     .create());
  JITDylib& main = jit_->getMainJITDylib();
  SymbolMap absolute;
  for (const Replacement& symbol : symbols)
    absolute[jit_->mangleAndIntern(symbol.name)] = {ExecutorAddr::fromPtr(symbol.address),
                                                    llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  checked(main.define(absoluteSymbols(std::move(absolute))));
  if (has_fortran_runtime_)
    add_fortran_runtime(*jit_, linked_);
  if (built)
    built->add_to(*jit_, linked_);
  add_libraries(*jit_);
  add_missing_symbols(*jit_, variables_outside(*module));
  checked(jit_->addIRModule(ThreadSafeModule(std::move(module), context)));

  // Looking up one symbol compiles and links the whole module.
  std::string problem;
  jit_->getExecutionSession().setErrorReporter([&](llvm::Error error) { problem += llvm::toString(std::move(error)); });
  auto table = jit_->lookup(globals_symbol);
  jit_->getExecutionSession().setErrorReporter([](llvm::Error error) { llvm::consumeError(std::move(error)); });
  if (!table) {
    std::string reason =
        problem.empty() ? llvm::toString(table.takeError()) : (llvm::consumeError(table.takeError()), problem);
    throw base::UserError(base::status_unsuitable, fmt::format("the program does not link: {}", reason),
                          "hunt in a part of it: -f NAME, or fewer files");
  }
  globals_ = linked_.globals;
  struct Row {
    char* address;
    uint64_t bytes;
  };
  for (auto* row = table->toPtr<const Row*>(); row->address; ++row)
    globals_.push_back({row->address, row->bytes});
}

Jit::~Jit() = default;

void Jit::initialize() {
  run_constructors(linked_);
  if (has_constructors_)
    reinterpret_cast<void (*)()>(function(constructors_symbol))();
}

void* Jit::function(const std::string& name) { return checked(jit_->lookup(name)).toPtr<void*>(); }

} // namespace faultline::exec
