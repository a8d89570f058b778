// Types as debug information has them: C, C++ and Fortran, without typedefs and qualifiers.
#pragma once

#include "frontend/target.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <optional>
#include <string>
#include <vector>

namespace faultline::frontend {

// A type without its typedefs and qualifiers, and whether one of them was const.
struct Bare {
  const llvm::DIType* type = nullptr;
  bool constant = false;
};
Bare strip(const llvm::DIType* type);

// These are null if the type is something else.
const llvm::DIDerivedType* pointer(const llvm::DIType* type); // or a reference
const llvm::DICompositeType* composite(const llvm::DIType* type, unsigned tag);
const llvm::DICompositeType* structure(const llvm::DIType* type); // or a class

// A scalar type, or nothing; `refused` names a float format that is known and not supported.
std::optional<Type> scalar(const llvm::DIType* type, std::string& refused);

// An array of scalars whose extents the type tells: double[4][4], or a std::array, or one of the other.
struct Shape {
  Type element;
  std::vector<uint64_t> extents;
};
std::optional<Shape> shape(const llvm::DIType* type, std::string& refused);

// What the memory behind a pointer is made of: the type without the pointer, and without arrays and std::arrays. Two
// pointers may point to the same memory if it is the same.
const llvm::DIType* pointee_element(const llvm::DIType* type);

// Of its first `count` parameters; arg1, arg2 where the names are gone.
std::vector<std::string> parameter_names(const llvm::Function& function, size_t count);

bool is_fortran(const llvm::DISubprogram& subprogram);

std::string type_text(const llvm::DIType* type); // const double*

} // namespace faultline::frontend
