#include "exec/symbols/outside_symbols.h"

#include "exec/symbols/missing_symbols.h"

#include <algorithm>
#include <dlfcn.h>
#include <link.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <stdexcept>
#include <string_view>

namespace faultline::exec {
namespace {

using namespace llvm::orc;

constexpr std::string_view libraries[] = {"libc.so",        "libm.so",         "libstdc++.so", "libgcc_s.so",
                                          "libpthread.so",  "ld-linux-x86-64", "libmpfr.so",   "libgmp.so",
                                          "libgfortran.so", "libquadmath.so",  "linux-vdso.so"};

// The program itself is among them: the linker copies variables of libraries into it (stdout, std::cout).
bool is_usable(const char* symbol) {
  void* const address = dlsym(RTLD_DEFAULT, symbol);
  dl_find_object found = {}, own = {};
  if (!address || _dl_find_object(address, &found) != 0)
    return address != nullptr; // without a library: generated, as an ifunc's may be
  if (_dl_find_object(reinterpret_cast<void*>(&is_usable), &own) == 0 && own.dlfo_link_map == found.dlfo_link_map)
    return true;
  const std::string_view path = found.dlfo_link_map->l_name;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::ranges::any_of(libraries, [&](std::string_view library) { return name.starts_with(library); });
}

// Weak references to what is nowhere stay null, as the linker has it.
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

} // namespace

std::map<std::string, uint64_t> variables_outside(const llvm::Module& module) {
  std::map<std::string, uint64_t> variables;
  for (const llvm::GlobalVariable& variable : module.globals())
    if (llvm::Type* type = variable.getValueType(); variable.isDeclaration())
      variables[variable.getName().str()] =
          type->isSized() ? module.getDataLayout().getTypeAllocSize(type).getFixedValue() : 0;
  return variables;
}

void add_libraries(LLJIT& jit) {
  auto generator = DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix(),
      [](const SymbolStringPtr& symbol) { return is_usable((*symbol).str().c_str()); });
  if (!generator)
    throw std::runtime_error(llvm::toString(generator.takeError()));
  jit.getMainJITDylib().addGenerator(std::move(*generator));
}

void add_missing_symbols(LLJIT& jit, std::map<std::string, uint64_t> variables) {
  jit.getMainJITDylib().addGenerator(std::make_unique<MissingSymbols>(std::move(variables)));
}

} // namespace faultline::exec
