// The pass: instruments every function of a linked, optimised module for taped or for lifted execution.
//
// It runs late, after optimisation, so that what is analysed is what runs. The order of sites depends only on the
// module, so the taped and the lifted version of the same module have the same sites.
#pragma once

#include "frontend/target.h"
#include "runtime/site.h"

#include <llvm/IR/Module.h>
#include <span>

namespace faultline::instrument {

enum class Execution { taped, lifted };

// Brings the module into the form the walk expects: vector code as scalars, no fused pseudo-operations, no reductions.
// To be done once, before the module is copied for the two kinds of execution.
void prepare(llvm::Module& module);

runtime::SiteTable instrument(llvm::Module& module, Execution execution);

// Are the integer inputs the same in all runs?
enum class Integers { free, held };

// Also integer conditions, and where leaves come from (instrument/decisions.h): for callers that need every decision of
// a run. A mode of its own, since it makes taped code slower. The inputs are the target's.
runtime::SiteTable instrument_with_decisions(llvm::Module& module, Execution execution,
                                             std::span<const frontend::Cell> inputs,
                                             Integers integers = Integers::free);

} // namespace faultline::instrument
