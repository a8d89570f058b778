// Marks: calls that tell how a run is to be taken. A call of a handler says that the input is refused (--reject); a
// throw, an exit or a STOP ends the run. Before each of them its number is stored in the state block, so that it is
// known afterwards which of them a run came to: the last of each sort. This costs nothing where none is executed.
#pragma once

#include "frontend/handlers.h"
#include "runtime/site.h"

#include <llvm/IR/Module.h>
#include <vector>

namespace faultline::instrument {

// To be done before the module is copied, so that all versions of the code have the same marks: mark i has number
// i + 1. A handler that nobody defines gets a body that does nothing and returns zero.
std::vector<runtime::Mark> mark_calls(llvm::Module& module, const frontend::Handlers& handlers);

} // namespace faultline::instrument
