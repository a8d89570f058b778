// How a function uses one number behind a pointer parameter: what the pointer points to, or a field of it. A number
// that may be read before it is written is an input, whatever happens to it later; one that is always written first is
// only an output.
//
// The pointer is followed through the function, through variables that hold it in unoptimised code, and into functions
// of the module that receive it. On each path, loads after a store are not first reads. Where the pointer cannot be
// followed (it is stored in memory or passed to unknown code), or its distance from the parameter is not a constant, a
// read is assumed.
//
// Rejected: using only the attributes readonly and writeonly. A sum that is set to 0 and then accumulated has neither,
// and neither has a coordinate that is read and then replaced.
#pragma once

#include <cstdint>
#include <llvm/IR/Argument.h>
#include <span>

namespace faultline::program {

struct FirstUse {
  bool read = false;    // perhaps, before it is written
  bool written = false; // perhaps, at any time
  bool beyond = false;  // perhaps, memory next to this number is accessed, too: it is part of an array or a struct
  // Perhaps, what was read is used as a pointer to an object. If not, the code tests it for null before each such use,
  // and null is a legal value.
  bool needs_object = false;

  bool operator==(const FirstUse&) const = default;
};

// The number has so many bytes, and is `offset` bytes behind the pointer. Functions of a lazily loaded module count as
// unknown code until they are read. `fields`: offsets of numbers and pointers beside this one. Unknown code that gets
// the address of one of them does not need an object behind this one, as C has it; only the first may stand for the
// struct.
FirstUse first_use(const llvm::Argument& pointer, uint64_t bytes, uint64_t offset = 0,
                   std::span<const uint64_t> fields = {});

// True if the function gives the memory back.
bool is_freed(const llvm::Argument& pointer);

// Reads the functions that may receive the function's pointers.
void materialize_takers(llvm::Function& function);

// Whether a function reads or writes the elements of an array that it gets as a descriptor (program/descriptor.h).
//
// Debug information does not distinguish intent(in) from intent(out), and LLVM's attributes of the parameter describe
// the descriptor. So the address is followed from the descriptor to loads and stores, through the copies of descriptors
// that flang makes, into the functions of the module, and into Fortran's runtime library, whose functions are known by
// name. Where it cannot be followed, both are assumed.
struct ElementUse {
  bool read = false;
  bool written = false;
  bool as_floats = false; // some of the accesses
};

ElementUse element_use(const llvm::Argument& descriptor);

// True if the dummy argument is optional. Only optional arguments are compared with a null pointer.
bool is_optional(const llvm::Argument& argument);

// True if the code treats what the argument points to as more than one integer. The debug information of flang-19
// describes everything that it cannot express as an integer: derived types, procedures, strings.
bool is_no_integer(const llvm::Argument& argument);

} // namespace faultline::program
