// FPSE (Botella, Gotlieb, Michel 2006; Bagnara, Carlier, Gori, Gotlieb, ICST 2013): interval propagation over floats,
// then labelling. Depth first; unsat when every part is refuted, sat with the first candidate that satisfies the
// system, unknown when the time is over.
#include "constraint/evaluate.h"
#include "solve/interval/labelling.h"
#include "solve/solver.h"

namespace faultline::solve {

using constraint::Model;

namespace {

constexpr uint64_t first_splits = 200; // before the first new start

class Search {
public:
  explicit Search(const Question& question)
      : question_(question), deadline_(question.seconds), propagation_(question.system, question.ulp_max, &deadline_),
        labelling_(propagation_, question.near, question.seed) {}

  Result run() {
    Result result = search();
    result.projections = propagation_.projections();
    return result;
  }

private:
  Result search() {
    bool consistent = propagation_.start();
    root_ = propagation_.mark();
    for (;;) {
      if (consistent) {
        if (deadline_.passed() || propagation_.projections() >= question_.effort)
          return {.reason = "time is over"};
        if (try_candidate())
          return {.answer = Answer::sat, .model = model_};
        if (const auto split = labelling_.next(propagation_, model_, manner_)) {
          if (++splits_ > most_splits_) {
            start_again();
            continue;
          }
          open_.push_back({propagation_.mark(), split->term, split->second});
          consistent = propagation_.restrict(split->term, split->first);
          continue;
        }
      }
      // Nothing here: the other part of the last split.
      if (open_.empty())
        return {.answer = Answer::unsat};
      const Open last = open_.back();
      open_.pop_back();
      propagation_.undo(last.mark);
      consistent = propagation_.restrict(last.term, last.other);
    }
  }

  // In another manner, and when all had their turn for twice as long: so the search stays complete.
  void start_again() {
    open_.clear();
    propagation_.undo(root_);
    splits_ = 0;
    manner_ = Manner((int(manner_) + 1) % manners);
    if (manner_ == Manner::as_a_rule)
      most_splits_ *= 2;
  }

  bool try_candidate() {
    model_ = labelling_.candidate(propagation_, turn_++);
    return constraint::satisfies(question_.system, model_);
  }

  struct Open {
    size_t mark;
    constraint::Term term;
    Domain other;
  };

  const Question& question_;
  Deadline deadline_;
  Propagation propagation_;
  Labelling labelling_;
  std::vector<Open> open_;
  Model model_;
  Manner manner_ = Manner::as_a_rule;
  size_t root_ = 0;
  uint64_t turn_ = 0, splits_ = 0, most_splits_ = first_splits;
};

} // namespace

// Words are no numbers to split: with them it can refute, by propagation, and no more.
Result solve_interval(const Question& question) {
  if (!constraint::reaches_words(question.system))
    return Search(question).run();
  const Deadline deadline(question.seconds);
  Propagation propagation(question.system, question.ulp_max, &deadline);
  const bool consistent = propagation.start();
  return {.answer = consistent ? Answer::unknown : Answer::unsat,
          .reason = consistent ? "interval knows little of bit-vectors" : "",
          .projections = propagation.projections()};
}

} // namespace faultline::solve
