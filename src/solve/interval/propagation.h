// Propagation: applies projections until no domain narrows, or too little to be worthwhile.
//
// Stopping early is sound: domains are only larger than necessary. Narrowing by less than a small share of a domain
// does not wake other nodes; otherwise x = x + y with a tiny y would remove one float at a time.
#pragma once

#include "solve/interval/domain.h"
#include "solve/interval/monotone.h"
#include "solve/solver.h"

#include <deque>
#include <optional>
#include <vector>

namespace faultline::solve {

class Propagation {
public:
  // Covers the assertions and the terms they depend on. `ulp_max`: applies that filter. Stops after the deadline, if
  // any, like after any other narrowing that is no longer worthwhile.
  Propagation(const System& system, bool ulp_max, const Deadline* deadline = nullptr);

  const System& system() const { return system_; }
  const Domain& domain(Term term) const { return domains_[term]; }
  const std::vector<Domain>& domains() const { return domains_; }
  bool relevant(Term term) const { return relevant_[term]; } // an assertion needs it

  // Requires all assertions and propagates. False: there is no solution.
  bool start();
  // Narrows one domain and propagates.
  bool restrict(Term term, const Domain& domain);

  // Saves and restores the domains.
  size_t mark() const { return trail_.size(); }
  void undo(size_t mark);

  uint64_t projections() const { return projections_; }

private:
  bool narrow(Term term, const Domain& domain);
  bool revise(Term term);
  bool run();
  void wake(Term term);
  void enqueue(Term term);

  const System& system_;
  bool ulp_max_;
  const Deadline* deadline_;
  std::vector<Domain> domains_;
  std::vector<char> relevant_, queued_;
  std::vector<std::vector<Term>> users_;
  std::deque<Term> queue_;
  struct Change {
    Term term;
    Domain before;
  };
  std::vector<Change> trail_;
  uint64_t projections_ = 0;
};

// Returns the domains that follow from the assertions alone; none if the assertions contradict each other.
std::optional<std::vector<Domain>> propagated(const System& system, bool ulp_max = true,
                                              const Deadline* deadline = nullptr);

// Filtering by ULP-max (Marre and Michel 2010; FPSE, "Filtering by ULP-Maximum"): a small result bounds operands whose
// own domains do not.
//
// A large x has coarse neighbours, so x + y can be a small nonzero number only if that number is a coarse multiple: if
// 2^E <= |x| < 2^(E+1), the floats x, y and x (+) y of precision p make x (+) y a multiple of 2^(E-p). (If |y| >=
// 2^(E-1), both terms are such multiples; otherwise the sum is above 2^(E-1), where floats are.) So with 2^q the
// coarsest power of two that divides some result z, z not zero, |x| < 2^(q+p+1). If x is in the last of these binades,
// y is below 2^(q+p), or the sum would be a multiple of 2^(q+1); so |x| <= 2^(q+p) - 2^q + |x + y|, and |x + y| is
// below the successor of the largest |z|. The slides' alpha and beta are lost; these bounds replace them.
//
// For products and quotients the smallest and the largest float give the bounds: |x| <= |z| / smallest, and |x| <= |z|
// * largest.

// Narrows the operands of a sum, difference, product or quotient whose result is a nonzero number.
void filter_by_ulp_max(Op op, BinaryFormat format, Scope& scope);

} // namespace faultline::solve
