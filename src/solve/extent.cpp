#include "solve/extent.h"

#include "constraint/evaluate.h"
#include "solve/interval/propagation.h"

namespace faultline::solve {

namespace {

// Restricts the term to the range. Comparisons treat the zeros as equal, so an end between them also needs the sign.
System within(System system, Term term, const Range& range) {
  const BinaryFormat format = system.sort(term).format;
  system.assert_true(system.negate(system.classify(Class::nan, term)));
  if (range.low > format.lowest())
    system.assert_true(system.compare(Op::cmp_oge, term, system.constant(format.at(range.low), format)));
  if (range.high < format.highest())
    system.assert_true(system.compare(Op::cmp_ole, term, system.constant(format.at(range.high), format)));
  if (range.low == 0)
    system.assert_true(system.classify(Class::positive, term));
  if (range.high == -1)
    system.assert_true(system.classify(Class::negative, term));
  return system;
}

class Search {
public:
  Search(const System& system, Term term, const NamedSolver& solver, const ExtentLimits& limits)
      : system_(system), term_(term), solver_(solver), limits_(limits), deadline_(limits.seconds) {}

  Extent run() {
    const BinaryFormat format = system_.sort(term_).format;
    const Range all{format.lowest(), format.highest()};
    const auto domains = propagated(within(system_, term_, all), limits_.ulp_max);
    if (!domains)
      return extent_;
    extent_.possible = meet((*domains)[term_].numbers, all);
    switch (ask(extent_.possible)) {
    case Answer::unsat:
      extent_.possible = {};
      return extent_;
    case Answer::unknown:
      return extent_;
    case Answer::sat:
      break;
    }
    find_least();
    find_greatest();
    return extent_;
  }

private:
  // The end of the possible range comes first, because propagation is often exact.
  void find_least() {
    Int128 to = extent_.possible.low;
    while (extent_.seen.low > extent_.possible.low) {
      const Answer answer = ask({extent_.possible.low, to});
      if (answer == Answer::unknown)
        return;
      if (answer == Answer::unsat)
        extent_.possible.low = to + 1;
      to = extent_.possible.low + (extent_.seen.low - 1 - extent_.possible.low) / 2;
    }
  }

  void find_greatest() {
    Int128 from = extent_.possible.high;
    while (extent_.seen.high < extent_.possible.high) {
      const Answer answer = ask({from, extent_.possible.high});
      if (answer == Answer::unknown)
        return;
      if (answer == Answer::unsat)
        extent_.possible.high = from - 1;
      from = extent_.possible.high - (extent_.possible.high - 1 - extent_.seen.high) / 2;
    }
  }

  Answer ask(const Range& range) {
    if (deadline_.passed())
      return Answer::unknown;
    const System restricted = within(system_, term_, range);
    Question question{.system = restricted, .seconds = deadline_.left(), .near = near_, .ulp_max = limits_.ulp_max};
    question.effort = limits_.effort;
    const Result result = solve(solver_, question);
    ++extent_.questions;
    extent_.projections += result.projections;
    if (result.answer == Answer::sat)
      note(result.model);
    return result.answer;
  }

  void note(const Model& model) {
    constraint::evaluate(system_, model, values_);
    const Int128 order = system_.sort(term_).format.order(values_[term_]);
    if (extent_.seen.empty() || order < extent_.seen.low)
      extent_.least_model = model;
    if (extent_.seen.empty() || order > extent_.seen.high)
      extent_.greatest_model = model;
    extent_.seen = join(extent_.seen, {order, order});
    near_ = {model};
  }

  const System& system_;
  Term term_;
  const NamedSolver& solver_;
  ExtentLimits limits_;
  Deadline deadline_;
  std::vector<Model> near_;
  std::vector<Bits> values_;
  Extent extent_;
};

} // namespace

Extent extent(const System& system, Term term, const NamedSolver& solver, const ExtentLimits& limits) {
  return Search(system, term, solver, limits).run();
}

} // namespace faultline::solve
