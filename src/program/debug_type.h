// Types of C, C++ and Fortran in debug information, without typedefs and qualifiers.
#pragma once

#include "model/target.h"

#include <algorithm>
#include <limits>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <optional>
#include <string>
#include <vector>

namespace faultline::program {

// A type without its typedefs and qualifiers, and whether one of them was const.
struct StrippedType {
  const llvm::DIType* type = nullptr;
  bool constant = false;
};
StrippedType strip(const llvm::DIType* type);

// True if the functions here and in program/layout.h come to an end with the type and with the structs in it. A type
// in bitcode may contain itself, and may be of any depth. Ask before anything else.
bool is_finite(const llvm::DIType* type);

// A line of debug information; `#line` and bitcode may have any.
inline int line_number(unsigned line) { return int(std::min(line, unsigned(std::numeric_limits<int>::max()))); }

// The following return null for other types.
const llvm::DIDerivedType* pointer(const llvm::DIType* type); // or a reference
const llvm::DICompositeType* composite(const llvm::DIType* type, unsigned tag);
const llvm::DICompositeType* structure(const llvm::DIType* type); // or a class

// Returns a scalar type, or nothing; `refused` is set to a float format that is known but not supported.
std::optional<model::Type> scalar(const llvm::DIType* type, std::string& refused);

// An array of scalars whose type has its extents: double[4][4], a std::array, or nested ones.
struct Shape {
  model::Type element;
  std::vector<uint64_t> extents;
};
std::optional<Shape> shape(const llvm::DIType* type, std::string& refused);

// The type of the elements behind a pointer, without arrays and std::arrays. Two pointers may point to the same memory
// if their element types are the same.
const llvm::DIType* pointee_element(const llvm::DIType* type);

// The names of the first `count` parameters; arg1, arg2, ... if they are unknown.
std::vector<std::string> parameter_names(const llvm::Function& function, size_t count);

bool is_fortran(const llvm::DISubprogram& subprogram);

std::string type_text(const llvm::DIType* type); // const double*

// Rust's references and slices in debug information. A pointer type has a name (&f64, &mut demo::Point, *const f64); a
// slice is a struct of data_ptr and length, which is passed as two arguments.
enum class RustPointer : uint8_t {
  none,      // another language's
  shared,    // &T: to a value that is only read
  exclusive, // &mut T: to an initialised value that may be changed
  raw_const, // *const T
  raw_mut,   // *mut T
};
RustPointer rust_pointer(const llvm::DIDerivedType& pointer);

struct RustSlice {
  const llvm::DIType* element;
  bool constant; // &[T]
};
std::optional<RustSlice> rust_slice(const llvm::DIType* type);

// Generates code that reads a Fortran array's descriptor at run time (program/descriptor.h has the layout).
//
// The code has no branch and no select: these would be decisions of the program under test.
class DescribedArray {
public:
  DescribedArray(llvm::IRBuilder<>& builder, llvm::Value* descriptor);

  llvm::Value* address();
  llvm::Value* element_bytes();
  llvm::Value* kind() const { return kind_; } // version, rank and type of the elements
  llvm::Value* rank() const { return rank_; }
  llvm::Value* is_float(); // or a complex number
  // All ones if there is such a dimension, else 0. If there is none, its extent and stride are meaningless.
  llvm::Value* has(uint64_t dimension);
  llvm::Value* extent(uint64_t dimension) { return of_dimension(dimension, 8); }
  llvm::Value* stride(uint64_t dimension) { return of_dimension(dimension, 16); } // in bytes

private:
  llvm::Value* word(llvm::Value* offset);
  llvm::Value* of_dimension(uint64_t dimension, uint64_t offset);

  llvm::IRBuilder<>& builder_;
  llvm::Value* descriptor_;
  llvm::Value* kind_;
  llvm::Value* rank_;
};

} // namespace faultline::program
