// Where an instruction stands in the user's source.
#pragma once

#include "runtime/site.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instruction.h>
#include <string>

namespace faultline::instrument {

// The paths of files as they are shown: files are few, instructions many.
using ShownPaths = llvm::DenseMap<const llvm::DIFile*, std::string>;

// Fills file, function, line and column. An instruction that the optimiser left without a location (hoisted out of a
// loop, say) takes that of its nearest user; code inlined from a header of the C or C++ standard library that of the
// line it was inlined into, in the user's code or in another library.
void locate(const llvm::Instruction& instruction, runtime::Site& site, ShownPaths& paths);

} // namespace faultline::instrument
