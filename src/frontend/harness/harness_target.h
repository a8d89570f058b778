// A target that is called through a harness.
#pragma once

#include "frontend/harness/harness_note.h"

#include <llvm/IR/Function.h>

namespace faultline::frontend {

// `harness` is the function that the note names; null if there is none, and then the target is not suitable.
Target harnessed(const llvm::Function* harness, const HarnessNote& note, const ShapesOf& shapes_of);

} // namespace faultline::frontend
