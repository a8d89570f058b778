// FPSE (Botella, Gotlieb, Michel 2006; Bagnara, Carlier, Gori, Gotlieb, ICST 2013): interval propagation over floats,
// then labelling. Depth first; unsat when every part is refuted, sat with the first candidate that satisfies the
// system, unknown when the time is over.
#include "constraint/evaluate.h"
#include "solve/labelling.h"
#include "solve/solver.h"

namespace faultline::solve {

using constraint::Model;

namespace {

class Search {
public:
  explicit Search(const Question& question)
      : question_(question), deadline_(question.seconds), propagation_(question.system, question.ulp_max),
        labelling_(propagation_, question.near) {}

  Result run() {
    bool consistent = propagation_.start();
    for (;;) {
      if (consistent) {
        if (deadline_.passed())
          return {.reason = "time is over"};
        if (try_candidate())
          return {.answer = Answer::sat, .model = model_};
        if (const auto split = labelling_.next(propagation_, model_)) {
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

private:
  // The satisfied share of candidates guides the search, so the best of the turn is kept.
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
  uint64_t turn_ = 0;
};

} // namespace

Result solve_interval(const Question& question) { return Search(question).run(); }

} // namespace faultline::solve
