// Integers within bounds known beforehand: low plus an unsigned word that is just wide enough for high. Exponents are
// kept so: what is known of a value's size then makes every circuit that its exponent enters narrower, without a case
// distinction anywhere.
//
// The bounds hold for what the number stands for. Where it stands for nothing (the exponent of a NaN) the word is
// whatever it is.
#pragma once

#include "solve/bits/words.h"

namespace faultline::solve {

struct Ranged {
  int low = 0, high = 0;
  Word word = {}; // of bit_count(high - low) bits
};

Ranged ranged(int value);
Ranged sum(Gates& gates, const Ranged& a, const Ranged& b);
Ranged difference(Gates& gates, const Ranged& a, const Ranged& b);
Ranged shifted(const Ranged& a, int constant);           // a + constant, free
Ranged plus(Gates& gates, const Ranged& a, Gate carry);  // a + carry
Ranged halved(Gates& gates, const Ranged& a, Gate& odd); // floor(a / 2)

// The same number with other bounds, within which it lies.
Ranged within(Gates& gates, const Ranged& a, int low, int high);
// max(a, bound), min(a, bound).
Ranged at_least(Gates& gates, const Ranged& a, int bound);
Ranged at_most(Gates& gates, const Ranged& a, int bound);
Ranged choose(Gates& gates, Gate condition, const Ranged& then, const Ranged& otherwise);

Gate less(Gates& gates, const Ranged& a, int bound);
Gate less(Gates& gates, const Ranged& a, const Ranged& b);
Gate equal(Gates& gates, const Ranged& a, const Ranged& b);

} // namespace faultline::solve
