// The pass: instruments every function of a linked, optimised module for taped or for lifted execution.
//
// It runs late, after optimisation, so that the analysed code is the code that runs. The order of sites depends only on
// the module, so the taped and the lifted version of a module have the same sites.
#pragma once

#include "model/target.h"
#include "numeric/format.h"
#include "program/handlers.h"
#include "runtime/abi.h"

#include <cstdint>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Type.h>
#include <span>
#include <vector>

namespace faultline::instrument {

enum class Execution { taped, lifted };

// Brings the module into the form that the walk expects: scalar code instead of vector code, no fused
// pseudo-operations, no reductions. Run it once, before the module is copied for the two kinds of execution.
void prepare(llvm::Module& module);

runtime::SiteTable instrument(llvm::Module& module, Execution execution);

// `held`: the integer inputs are the same in all runs.
enum class Integers { free, held };

// Also instruments integer conditions and origins of leaves (instrument/decisions.h), for callers that need every
// decision of a run. A separate mode, because it makes taped code slower. `inputs` are the target's.
runtime::SiteTable instrument_with_decisions(llvm::Module& module, Execution execution,
                                             std::span<const model::Cell> inputs, Integers integers = Integers::free);

// Lanes: the float scalars inside a type, in memory order. A double has one, <2 x float> two, {double, {float, i32}}
// two, an integer or a pointer none. Every value with lanes gets one tape index per lane. This rule alone carries data
// flow through phis, selects, calls, returns, vectors and structs.
struct Lane {
  numeric::Format format;
  uint64_t offset;                     // in bytes, from the start of the value in memory
  llvm::SmallVector<unsigned, 2> path; // of struct and array indices to the scalar or to its vector
  int element = -1;                    // of the vector, or -1
};

using Lanes = llvm::SmallVector<Lane, 2>;

// Types with more than `most_lanes` lanes (large arrays as SSA values) have none: their values become leaves.
inline constexpr unsigned most_lanes = 64;
Lanes lanes_of(llvm::Type* type, const llvm::DataLayout& layout);
unsigned lane_count(llvm::Type* type);
inline bool has_lanes(llvm::Type* type) { return lane_count(type) != 0; }

// Returns the number of lanes before the part of an aggregate that `indices` select.
unsigned lanes_before(llvm::Type* aggregate, llvm::ArrayRef<unsigned> indices);

// Marks: calls that classify a run. A call of a handler rejects the input (--reject); a throw, an exit or a STOP ends
// the run. Before each of these calls its number is stored in the state block, so after the run the last one of each
// kind is known. Marks cost nothing unless executed. Each check of a memory access (program/bounds_check.h) receives
// the number of its mark, which is stored if it fails.

// Adds marks. Run it before the module is copied, so that all versions of the code have the same marks: mark i has
// number i + 1. An undefined handler gets a body that does nothing and returns zero.
std::vector<runtime::Mark> mark_calls(llvm::Module& module, const program::Handlers& handlers);

} // namespace faultline::instrument
