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

} // namespace faultline::frontend
