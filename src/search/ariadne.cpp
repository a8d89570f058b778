// Exceptions (Ariadne, POPL 2013): every operation that can overflow, underflow, divide by zero or be invalid is a goal,
// and the means are taken in the order of what they cost.
//
//   sampling    values worth a try, then changes of those inputs that showed something new
//   descent     steps that bring a goal nearer, counted in exponents
//   bracketing  where a goal lies at a zero and both sides of it are known, bisection
//   solving     the path condition and the exception as a constraint, given to the solvers: to the real ones first, as
//               the paper does; then decisions that no run has turned are turned the same way, so that places are
//               reached that nothing else reaches
//
// Loops: a goal is asked for at the execution that came nearest, and decisions are turned, within a bound of 1, 2, 4 to
// 64 rounds, and then without one.
#include "search/exception_board.h"
#include "search/exception_descent.h"
#include "search/exception_questions.h"
#include "search/paths.h"
#include "search/strategy.h"
#include "search/value_pool.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace faultline::search {
namespace {

constexpr uint64_t first_samples = 1'200, most_samples = 8'000;

class Ariadne {
public:
  explicit Ariadne(Quest& quest)
      : quest_(quest), evaluator_(quest.evaluator), board_(evaluator_.session().sites()),
        pool_(quest.space, evaluator_.session().sites()), descent_(evaluator_, quest.space, board_),
        questions_(evaluator_, quest.space, board_) {}

  void run() {
    const Evaluator::Listening listening(
        evaluator_, [this](const exec::Input& input, const exec::Run& run, const tape::Tape& tape) {
          if (board_.watch(input, run, tape))
            corpus_.push_back(input);
        });
    phase("sampling", [&] { sample(); });
    phase("breeding", [&] { breed(); });
    phase("descent", [&] { descend(40); });
    phase("bracketing", [&] { bracket(); });
    phase("breeding", [&] { breed(); });
    phase("descent", [&] { descend(160); });
    if (!getenv("NOSOLVE"))
    phase("solving", [&] { solve(); });
  }

private:
  template <class Work>
  void phase(const char* means, Work work) {
    evaluator_.by(means);
    const size_t before = board_.seen();
    const uint64_t e = evaluator_.evaluations(), r = evaluator_.records();
    const double t = evaluator_.seconds();
    work();
    if (getenv("TRACE"))
      fprintf(stderr, "%-10s +%zu = %zu, %zu of %zu places, %lu runs, %.1fM records, %.3f s\n", means,
              board_.seen() - before, board_.seen(), board_.places_reached(), board_.places(),
              evaluator_.evaluations() - e, double(evaluator_.records() - r) / 1e6, evaluator_.seconds() - t);
  }

  void sample() {
    for (uint64_t i = 0; i < first_samples && !evaluator_.spent(); ++i)
      evaluator_.run(pool_.draw(quest_.rng));
  }

  void breed() {
    constexpr uint64_t patience = 1'500;
    uint64_t last = evaluator_.evaluations();
    size_t news = board_.seen() + board_.places_reached();
    const uint64_t end = evaluator_.evaluations() + most_samples;
    while (!evaluator_.spent() && evaluator_.evaluations() < std::min(end, last + patience) && !corpus_.empty()) {
      if (quest_.rng.below(4) == 0)
        evaluator_.run(pool_.draw(quest_.rng));
      else
        evaluator_.run(pool_.mutate(corpus_[quest_.rng.below(corpus_.size())], quest_.rng));
      if (const size_t now = board_.seen() + board_.places_reached(); now > news) {
        news = now;
        last = evaluator_.evaluations();
      }
    }
  }

  // Open goals that runs came to, nearest first.
  std::vector<size_t> open_goals() const {
    std::vector<size_t> open;
    for (size_t i = 0; i < board_.goals().size(); ++i)
      if (!board_.goals()[i].seen && board_.goals()[i].reached())
        open.push_back(i);
    std::ranges::sort(open, [&](size_t a, size_t b) {
      return std::pair(board_.goals()[a].nearest().distance, a) < std::pair(board_.goals()[b].nearest().distance, b);
    });
    return open;
  }

  void descend(uint64_t runs) {
    for (const size_t goal : open_goals()) {
      if (evaluator_.spent())
        return;
      if (board_.goals()[goal].least < board_.goals()[goal].most)
        descent_.descend(goal, runs);
    }
  }

  void bracket() {
    constexpr uint64_t runs = 120;
    for (const size_t goal : open_goals())
      if (!evaluator_.spent())
        descent_.bisect(goal, runs);
  }

  void solve() {
    for (const uint32_t bound : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 0u}) {
      for (const size_t goal : open_goals()) {
        if (evaluator_.spent())
          return;
        if (board_.goals()[goal].work == 0 && questions_.ask(goal, bound, {}, quest_.rng))
          ++board_.goals()[goal].work;
      }
      PathsLimits limits;
      limits.loop_bound = bound == 0 ? std::numeric_limits<int>::max() : int(bound);
      limits.samples = 0;
      limits.questions = 200;
      limits.effort = 40'000;
      limits.question_seconds = 2;
    }
  }

  Quest& quest_;
  Evaluator& evaluator_;
  ExceptionBoard board_;
  ValuePool pool_;
  ExceptionDescent descent_;
  ExceptionQuestions questions_;
  std::vector<exec::Input> corpus_;
};

} // namespace

std::vector<Candidate> search_ariadne(Quest& quest) {
  Ariadne(quest).run();
  return {};
}

} // namespace faultline::search
