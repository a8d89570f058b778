// Lanes: the float scalars inside a type, in memory order. A double has one, <2 x float> two, {double, {float, i32}}
// two, an integer or a pointer none. Every value of the program that has lanes gets one tape index for each of them;
// that one rule carries data flow through phis, selects, calls, returns, vectors and structs alike.
#pragma once

#include "numeric/format.h"

#include <cstdint>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Type.h>

namespace faultline::instrument {

struct Lane {
  numeric::Format format;
  uint64_t offset;                     // in bytes, from the start of the value in memory
  llvm::SmallVector<unsigned, 2> path; // of struct and array indices to the scalar or to its vector
  int element = -1;                    // of the vector, or -1
};

using Lanes = llvm::SmallVector<Lane, 2>;

// Types with more lanes than `most_lanes` (large arrays as SSA values) have none: their values become leaves.
inline constexpr unsigned most_lanes = 64;
Lanes lanes_of(llvm::Type* type, const llvm::DataLayout& layout);
unsigned lane_count(llvm::Type* type);
inline bool has_lanes(llvm::Type* type) { return lane_count(type) != 0; }

// How many lanes stand before the part of an aggregate that `indices` select.
unsigned lanes_before(llvm::Type* aggregate, llvm::ArrayRef<unsigned> indices);

} // namespace faultline::instrument
