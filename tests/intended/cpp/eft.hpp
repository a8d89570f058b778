#pragma once
#include <limits>

namespace eft {

struct dd {
    double hi, lo;
};

// Adding and taking away this number rounds to a multiple of 2^-Bits.
template <typename T, int Bits> struct shifter {
    static constexpr T scale() {
        T s = 1;
        for (int i = 0; i < (Bits < 0 ? -Bits : Bits); ++i)
            s *= 2;
        return Bits < 0 ? s : 1 / s;
    }
    static constexpr T value = T(1.5) / std::numeric_limits<T>::epsilon() * scale();
    static constexpr T limit = value / 3;
};

extern const double binomial5[6]; // coefficients of (x - 1)^5, highest first

double in_range(double x, double least, double most);
dd two_sum(double a, double b);
dd two_prod(double a, double b);

} // namespace eft
