// Integers that code uses as flags or enumerations: it compares them with constants, switches on them, masks them,
// looks them up in a table of constants, and does nothing else with them. The values that the code tells apart are all
// that is worth trying: a mode of 17 is treated as one of 3 is.
//
// The values are, each in the type's range:
//   == c, a case of a switch   c, and a neighbour that is no other case, on the side of zero if it can be
//   <, <=, >, >= c             c - 1, c, c + 1
//   a range check, lo to hi    lo - 1, lo, hi, hi + 1
//   & mask                     all combinations of the bits of all masks; if they are many, none, each and all of them
//   table[n]                   the indices of the table
// An enumeration has its enumerators, and the combinations of masks beside them.
//
// The integer is followed through casts, selections and variables of its own, and into functions of the program. To
// print it is no use of it. Where it is followed to anything else (it is computed with, stored, returned, compared with
// a variable), it is a number, and has no such values.
#pragma once

#include "frontend/target.h"

#include <llvm/IR/Argument.h>
#include <llvm/IR/DebugInfoMetadata.h>

namespace faultline::frontend {

inline constexpr size_t most_flag_values = 32; // more are thinned out: a search tries them all beside its floats

// Sorted; empty: the integer is no flag. `argument` is the integer, or a pointer to it.
std::vector<int64_t> flag_values(const llvm::Argument& argument, const Type& type, const llvm::DIType* declared);

} // namespace faultline::frontend
