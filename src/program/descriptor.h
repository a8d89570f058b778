// The descriptor of a Fortran array: flang passes it, by reference, for a dummy argument of assumed shape, c(:).
//
// It is CFI_cdesc_t of ISO_Fortran_binding.h (Fortran 2018, 18.5.3) as flang-19 lays it out, here as words of 8 bytes:
//   0        the address of the first element
//   1        bytes of an element
//   2        from the lowest byte: version (4 bytes), rank, type code, attribute (0: no pointer, not allocatable), 0
//   3, 4, 5  of the first dimension: lower bound, extent, bytes from one element to the next; then those of the second
// The elements are contiguous, the first index varies fastest, and lower bounds are 1; a dummy argument x(0:) sets its
// own. gfortran's descriptor is different.
#pragma once

#include "model/target.h"

#include <cstdint>
#include <vector>

namespace faultline::program {

// Word 0 is 0: only the caller knows the address.
std::vector<uint64_t> descriptor_words(const model::Parameter& array);

} // namespace faultline::program
