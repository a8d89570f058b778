// What is known of a term before its circuit is built, from interval propagation for instance.
//
// It must follow from the system: it holds of the term's value in every model. Circuits are built for such values only,
// and others are forbidden by clauses, so no model is lost and none is invented.
#pragma once

#include "numeric/binary.h"

namespace faultline::solve {

// A value between two, as numbers of BinaryFormat::order (both zeros have one), or NaN. low > high: a NaN, or nothing.
// Of a Boolean term: 0 and 1.
struct Known {
  numeric::Int128 low = 0, high = 0;
  bool nan = false;
};

constexpr Known anything(numeric::BinaryFormat format) { return {format.lowest(), format.highest(), true}; }

} // namespace faultline::solve
