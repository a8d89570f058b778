// Links units to one module.
#pragma once

#include "program/unit.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <memory>
#include <vector>

namespace faultline::program {

struct Linked {
  Linked() = default;
  Linked(Linked&&) noexcept = default;
  Linked& operator=(Linked&& other) noexcept {
    module = std::move(other.module); // first, since the old one belongs to the old context
    context = std::move(other.context);
    return *this;
  }

  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

// If several units define a symbol, each keeps its own, and other units use the first. Remarks report this for sources,
// but not for code that a build has linked: there the linker accepted it. Throws UserError.
Linked link(const std::vector<Unit>& units, std::vector<std::string>* remarks = nullptr);

} // namespace faultline::program
