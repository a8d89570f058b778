// What terms are functions of: the free variable, and Ariadne's dependent variables, one for each call of an elementary
// function. A dependent variable is bound to the function and its argument, which is a rational function of the free
// variable or of another dependent one.
#pragma once

#include "solve/real/inverse.h"
#include "solve/real/rational.h"

namespace faultline::solve {

using Unknown = int;
inline constexpr Unknown nothing_unknown = -1, free_variable = 0;

class Unknowns {
public:
  // A new dependent variable. `hints`: arguments near which a periodic function is of interest.
  Unknown bind(ElementaryFunction function, Unknown argument_of, RationalFunction argument, std::vector<double> hints) {
    dependent_.push_back({std::move(function), argument_of, std::move(argument), std::move(hints)});
    return Unknown(dependent_.size());
  }

  // For which values of the free variable an unknown has its value in `values`.
  std::optional<RealSet> pulled_back(Unknown unknown, RealSet values, Budget& budget) const {
    std::optional<RealSet> result = std::move(values);
    while (unknown != free_variable && result) {
      const Dependent& bound = dependent_[size_t(unknown - 1)];
      if (!budget.spend(2'000 * (1 + result->intervals().size())))
        return std::nullopt;
      result = where_in(bound.argument, preimage(bound.function, *result, bound.hints), budget);
      unknown = bound.argument_of;
    }
    return result;
  }

private:
  struct Dependent {
    ElementaryFunction function;
    Unknown argument_of;
    RationalFunction argument;
    std::vector<double> hints;
  };
  std::vector<Dependent> dependent_;
};

} // namespace faultline::solve
