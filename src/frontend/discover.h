// Discovery: the inputs and outputs of a function from its debug information.
//
// (A) float, double and long double by value: inputs.         (B) integers by value: inputs over a small range;
// flags and enumerations over their values (frontend/layout.h).
// (A') reference to const scalar: as the scalar.
// (C) pointer to const scalar, or to a scalar the function only reads: an array, needs a size.
// (D) pointer or reference to a scalar: an output, and an input too if it may be read before it is written
// (frontend/first_use.h); integers are outputs (not judged) if they are no inputs; with a size, an array that is
// read and written, or only one of them. Without a size, a pointer that reaches further is to an array, and no input:
// f(double* A, int n) needs the size if it has no other float. (E) pointer to a struct: its float fields are outputs;
// if const, all its scalar fields are inputs. With a size, an array of structs: inputs, and outputs too unless const.
// (F) Fortran scalars by reference: inputs if they may be read before they are written, outputs unless only read. (G)
// Fortran arrays of explicit shape: as (D), with constant bounds known. Those of assumed shape, x(:), need a size; what
// the code does with their elements (frontend/first_use.h) tells whether they are inputs or outputs. An optional
// array without a size is absent.
// Allocatable and pointer arrays need a harness. (H) return: a float, a struct of floats (by value or through a hidden
// pointer), or an integer (kept, not judged). (I) pointer to rows (double (*)[4]): an array, needs a size; reference to
// an array or to a std::array: its size is known. A pointer that shares another's memory (frontend/target.h) adds to
// what the other is. Everything else makes the function unsuitable, and the reason says what to do.
#pragma once

#include "frontend/target.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <map>
#include <string>
#include <vector>

namespace faultline::frontend {

// Throws UserError for an invalid alias.
Target discover(const llvm::Function& function, const ShapesOf& shapes_of);

// The extents of array parameters as written in the source: x(n) in Fortran, a[n][m] in C. Debug information only has
// constants; which integer is the length of which array follows from the names.

// Reads the extents of the target's arrays if it also has integer parameters and its source can be read.
void read_declared_extents(const llvm::DISubprogram& subprogram, Target& target);

// Extents by parameter. The text begins at the procedure's line; Fortran names are in lower case.
using DeclaredExtents = std::map<std::string, std::vector<std::string>>;
DeclaredExtents extents_in_fortran(const std::vector<std::string>& statements);
DeclaredExtents extents_in_c(const std::string& text, const std::string& function);

} // namespace faultline::frontend
