// Rust's references and slices, as its debug information has them: a pointer type has a name (&f64, &mut demo::Point,
// *const f64), and a slice is a struct of data_ptr and length that is passed as these two.
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>
#include <optional>

namespace faultline::frontend {

enum class RustPointer : uint8_t {
  none,      // another language's
  shared,    // &T: points to one that is only read
  exclusive, // &mut T: points to one that is initialised, and may be changed
  raw_const, // *const T
  raw_mut,   // *mut T
};
RustPointer rust_pointer(const llvm::DIDerivedType& pointer);

struct RustSlice {
  const llvm::DIType* element;
  bool constant; // &[T]
};
std::optional<RustSlice> rust_slice(const llvm::DIType* type);

} // namespace faultline::frontend
