// The instrumented twin of a module: every binary64 and binary32 gets a residue beside it (run/abi.h).
#pragma once

#include "instrument/site_builder.h"
#include "run/sites.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace faultline::run {

// What all functions of a twin share.
class ModuleTwin {
public:
  ModuleTwin(llvm::Module& module, const TwinOptions& options);

  // Instruments all functions and defines the twin's memory.
  SiteTable run();

  // Adds a site; its executions are counted by `counter`.
  uint32_t site(const llvm::Instruction& instruction, std::string operation, uint32_t counter);
  uint32_t place_of(const llvm::Instruction& instruction); // 0 without causes, and beyond 65,535 lines
  bool has_places() const { return options_.causes; }
  bool writes_values() const { return options_.values; }
  void locate(const llvm::Instruction& instruction, ValueSite& site);
  uint32_t value_site(const ValueSite& site);
  uint32_t new_counter() { return uint32_t(table_.counters++); }
  void add_foreign(llvm::StringRef function) { foreign_.insert(function.str()); }
  void add_long_double() { ++table_.long_doubles; }

  // Notes that a constant of single precision is used, once for each declaration, or each line that uses it.
  void note_constant(llvm::Instruction& user, double constant, const llvm::DILocalVariable* declared, uint32_t counter);

  const TwinOptions& options() const { return options_; }
  llvm::Module& module() { return module_; }
  llvm::GlobalVariable* memory() { return memory_; }
  llvm::GlobalVariable* calls() { return calls_; }
  llvm::FunctionCallee entry(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters);

private:
  void define_memory();

  llvm::Module& module_;
  TwinOptions options_;
  instrument::Places places_;
  SiteTable table_;
  std::map<std::pair<std::string, int>, uint32_t> place_numbers_;
  std::set<std::string> foreign_;
  std::set<std::tuple<std::string, int, double, uint32_t>> constants_;
  llvm::GlobalVariable* memory_; // until define_memory() a declaration
  llvm::GlobalVariable* calls_;
};

// True if the build allowed to change the order of these operations (-ffast-math). prepare_for_twin() makes all strict.
bool may_reassociate(const llvm::Instruction& operation);

void erase_checks(llvm::Module& module); // those of a hunt: the program itself has none

// Prepares a module so that what its twin computes is what it computes itself: operations that may be fused stay apart
// unless the module was compiled for fused operations, and no instruction may be changed by later stages of LLVM.
// Enables the fused and vector operations of this machine for the residues.
void prepare_for_twin(llvm::Module& module);

} // namespace faultline::run
