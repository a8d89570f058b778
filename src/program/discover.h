// Discovery: finds the inputs and outputs of a function in its debug information.
//
// (A)  float, double and long double by value: inputs.
// (A') Reference to a const scalar: like the scalar.
// (B)  Integers by value: inputs over a small range; flags and enumerations over their values (program/layout.h).
// (C)  Pointer to a const scalar, or to a scalar that the function only reads: an array, needs a size.
// (D)  Pointer or reference to a scalar: an output, and also an input if it may be read before it is written
//      (program/first_use.h). Integers are outputs (not judged) unless they are inputs. With a size, it is an array
//      that is read, written, or both. Without a size, a pointer that reaches further points to an array and is not
//      an input: f(double* A, int n) needs the size if it has no other float.
// (E)  Pointer to a struct: its float fields are outputs, and its scalar fields are inputs if they may be read before
//      they are written; if const, all are inputs. With a size, it is an array of structs: inputs, and also outputs
//      unless const. A field that points to numbers, or to a struct of numbers, gets memory, which is laid out like a
//      parameter; one that the code tests for null is null. Another pointer or a private field that may be read needs
//      state, which a harness or a setup function (program/setup_function.h) may make.
// (F)  Fortran scalars by reference: inputs if they may be read before they are written, outputs unless only read.
// (G)  Fortran arrays of explicit shape: like (D), with constant bounds known. Those of assumed shape, x(:), need a
//      size; the accesses to their elements (program/first_use.h) determine whether they are inputs or outputs. An
//      optional array without a size is absent. Allocatable and pointer arrays need a harness.
// (H)  Return value: a float, a struct of floats (by value or through a hidden pointer), or an integer (kept, not
//      judged).
// (I)  Pointer to rows (double (*)[4]): an array, needs a size. Reference to an array or to a std::array: its size is
//      known.
// (J)  Pointer to a pointer that the code tests for null: to a null pointer.
//
// A pointer that shares another's memory (model/target.h) adds to what the other is. Everything else makes the
// function unsuitable, and the reason has a suggestion.
#pragma once

#include "program/target_names.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <map>
#include <string>
#include <vector>

namespace faultline::program {

// Throws UserError for an invalid alias.
model::Target discover(const llvm::Function& function, const ShapesOf& shapes_of);

// The extents of array parameters as written in the source: x(n) in Fortran, a[n][m] in C. Debug information only has
// constants; which integer is the length of which array follows from the names.

// Extents by parameter. The text begins at the procedure's line; Fortran names are in lower case.
using DeclaredExtents = std::map<std::string, std::vector<std::string>>;
DeclaredExtents extents_in_fortran(const std::vector<std::string>& statements);
DeclaredExtents extents_in_c(const std::string& text, const std::string& function);

} // namespace faultline::program
