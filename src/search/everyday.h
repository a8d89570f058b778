// Everyday inputs: those that people use code on. Each float is 0 or has a magnitude of 1e-9 to 1e9 (binary32: 1e-6 to
// 1e6), within the ranges that were given; a range that has nothing of that but 0 counts as everyday itself.
#pragma once

#include "search/space.h"

namespace faultline::search {

// The least and the largest magnitude in everyday use, of a format.
struct EverydaySize {
  long double least, largest;
};
EverydaySize everyday_size(numeric::Format format);

// The part of the space that has the everyday inputs only.
Space everyday_part(const Space& space);

// Is it in that part? A part is made once, and asked often.
bool is_in(const Space& part, const exec::Input& input);

} // namespace faultline::search
