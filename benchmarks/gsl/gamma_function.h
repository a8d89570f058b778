// What several families need of the gamma function, at exact arguments.
#pragma once

#include <initializer_list>

#include "formula.h"

namespace faultline::benchmarks {

// Sums of doubles that are not rounded: a + b of GSL's formulas may just miss a pole, or just hit it.
Ball exact_sum(std::initializer_list<double> terms, slong precision);
bool is_gamma_pole(const Ball& exact);

// log |gamma(x)|; x is exact, and no pole. Exactly 0 at 1 and 2.
Ball log_abs_gamma(const Ball& x);

} // namespace faultline::benchmarks
