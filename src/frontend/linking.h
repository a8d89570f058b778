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

// Two sources that define the same are an error. Of what a build has linked already each unit keeps its own, private to
// it, and others use the first: the linker has let it pass, because one of them was made local, or is in a member of an
// archive that was not needed. Throws UserError.
Linked link(const std::vector<Unit>& units);

} // namespace faultline::frontend
