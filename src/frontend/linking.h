// Units linked to one module.
#pragma once

#include "frontend/unit.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <memory>
#include <vector>

namespace faultline::frontend {

struct Linked {
  Linked() = default;
  Linked(Linked&&) noexcept = default;
  Linked& operator=(Linked&& other) noexcept {
    module = std::move(other.module); // first: the old one belongs to the old context
    context = std::move(other.context);
    return *this;
  }

  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

// What several units define is each one's own, and others use the first (frontend/linking.h). That is told
// of sources; of what a build has linked already it is what the linker has let pass. Throws UserError.
Linked link(const std::vector<Unit>& units, std::vector<std::string>* remarks = nullptr);

} // namespace faultline::frontend
