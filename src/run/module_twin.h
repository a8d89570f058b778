// The instrumented twin of a module: every binary64 and binary32 gets a residue beside it (run/abi.h).
#pragma once

#include "instrument/site_builder.h"
#include "run/sites.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace faultline::run {

struct WatchedPlace {
  uint32_t variable, slot;
};

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
  uint32_t first_like(uint32_t site); // the first site of this place and operation: loops are unrolled
  uint32_t new_counter() { return uint32_t(table_.counters++); }
  void add_call(llvm::StringRef function, uint32_t counter, bool floats) {
    table_.calls.push_back({function.str(), counter, floats});
    if (floats)
      foreign_.insert(function.str());
  }
  void add_long_double(uint32_t counter) { table_.long_doubles.push_back(counter); }

  // Notes that a constant of single precision is used, once for each declaration, or each line that uses it.
  void note_constant(llvm::Instruction& user, double constant, const llvm::DILocalVariable* declared, uint32_t counter);

  // Watched variables: the number in TwinOptions::watched, and one for each place.
  std::optional<uint32_t> watched(const llvm::DIVariable* variable);
  std::optional<WatchedPlace> watched_global(const llvm::Value* global) const {
    const auto known = watched_globals_.find(global);
    return known == watched_globals_.end() ? std::nullopt : std::optional(known->second);
  }
  uint32_t new_slot() { return next_slot_++; }
  uint32_t slot_of(const llvm::DILocalVariable* variable) {
    return slots_.try_emplace(variable, next_slot_).second ? next_slot_++ : slots_[variable];
  }

  const TwinOptions& options() const { return options_; }
  llvm::Module& module() { return module_; }
  llvm::GlobalVariable* memory() { return memory_; }
  llvm::GlobalVariable* calls() { return calls_; }
  llvm::FunctionCallee entry(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters);

private:
  void define_memory();
  void watch_globals();

  llvm::Module& module_;
  TwinOptions options_;
  instrument::Places places_;
  SiteTable table_;
  std::map<std::pair<std::string, int>, uint32_t> place_numbers_;
  std::set<std::string> foreign_;
  std::map<const llvm::Value*, WatchedPlace> watched_globals_;
  std::map<const llvm::DILocalVariable*, uint32_t> slots_;
  uint32_t next_slot_ = 0;
  std::map<std::tuple<std::string, int, int, std::string>, uint32_t> first_sites_;
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
