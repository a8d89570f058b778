// What a function does with the elements of an array that it gets a descriptor of (frontend/descriptor.h): does it read
// them, does it write them?
//
// Debug information does not tell intent(in) from intent(out), and LLVM's attributes of the parameter speak of the
// descriptor. So the address is followed from the descriptor to loads and stores, through the copies of descriptors
// that flang makes, into the functions of the module, and into Fortran's runtime library, whose functions are known by
// name. Where it cannot be followed, both are assumed.
#pragma once

#include <llvm/IR/Argument.h>

namespace faultline::frontend {

struct ElementUse {
  bool read = false;
  bool written = false;
  bool as_floats = false; // some of it
};

ElementUse element_use(const llvm::Argument& descriptor);

// A dummy argument that is optional may be absent, and is asked whether it is a null pointer; no other is.
bool is_optional(const llvm::Argument& argument);

// In flang-19's debug information everything that it cannot describe is an integer: derived types, procedures,
// strings. Does the code take what is behind the argument for more than one integer?
bool is_no_integer(const llvm::Argument& argument);

} // namespace faultline::frontend
