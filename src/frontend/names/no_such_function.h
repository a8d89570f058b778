// What is told of a name that no function of the program has.
#pragma once

#include "frontend/error.h"

#include <llvm/IR/Module.h>
#include <string>

namespace faultline::frontend {

// With the nearest names that there are.
UserError no_such_function(const llvm::Module& module, const std::string& name);

} // namespace faultline::frontend
