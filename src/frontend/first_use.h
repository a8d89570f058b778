// What a function does first with the one number that a pointer parameter points to: a number that it may read before
// it has written it is an input, whatever becomes of it later; one that it always writes first is an output alone.
//
// The pointer is followed through the function, through variables that unoptimised code keeps it in, and into the
// functions of the module that it is handed to; along each path a store ends the time in which a load is a first read.
// Where it cannot be followed (it is stored in memory, or given to code of which nothing is known), a read is assumed.
//
// Rejected: the attributes readonly and writeonly alone. A sum that is set to 0 and then added up has neither, nor has
// a coordinate that is read and then replaced.
#pragma once

#include <llvm/IR/Argument.h>

namespace faultline::frontend {

struct FirstUse {
  bool read = false;    // perhaps before it is written
  bool written = false; // perhaps, at any time
  bool beyond = false;  // perhaps memory beside this number is reached, too: it is one of an array
};

// Functions of a module that is read lazily count as unknown code until they are read.
FirstUse first_use(const llvm::Argument& pointer, uint64_t bytes);

// Reads the functions that the function's pointers may be handed to.
void materialize_takers(llvm::Function& function);

// What a function does with the elements of an array that it gets a descriptor of (frontend/descriptor.h): does it read
// them, does it write them?
//
// Debug information does not tell intent(in) from intent(out), and LLVM's attributes of the parameter speak of the
// descriptor. So the address is followed from the descriptor to loads and stores, through the copies of descriptors
// that flang makes, into the functions of the module, and into Fortran's runtime library, whose functions are known by
// name. Where it cannot be followed, both are assumed.
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
