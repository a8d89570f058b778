// Exceptions (Ariadne, POPL 2013). Every operation that can overflow, underflow, divide by zero or be invalid is a
// goal. The means are used in the order of their cost.
//
//   sampling    promising values, then mutations of the inputs that showed something new
//   descent     steps that bring a goal nearer, measured in binades
//   bracketing  bisection, where a goal lies at a zero and both sides of it are known
//   solving     the path condition and the exception as a constraint for the solvers. Decisions are turned in the
//               same way, so that otherwise unreachable places are reached
//
// Loops: goals and decisions are tried within a bound of 1, 2, 4 to 64 rounds, and then without a bound. A path ends
// where a run makes an infinity or a NaN, unless the quest continues past exceptions.
//
// The cost is counted in records, so the search is the same on every machine.
#include "constraint/tape_terms.h"
#include "numeric/random.h"
#include "search/exception_descent.h"
#include "search/paths/paths.h"
#include "search/space.h"
#include "search/strategy.h"
#include "solve/solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace faultline::search {

namespace {

// Solves for exceptions: for an input on the path of a given run that makes an operation raise one. The answer is run,
// and the board records what it raises.

// The numbers are guesses.
struct QuestionLimits {
  uint64_t effort = 4'000;                                  // as in solve::Question
  double seconds = 2;                                       // the emergency limit
  size_t terms = 4'000;                                     // larger conditions are skipped
  std::vector<std::string> solvers = {"real", "portfolio"}; // in this order, as in the paper
};

class ExceptionQuestions {
public:
  ExceptionQuestions(Evaluator& evaluator, const Space& space, ExceptionBoard& board);

  // Solves for the goal at the nearest execution of its place, within the loop bound. False if there was no question to
  // ask.
  bool ask(size_t goal, int loop_bound, const QuestionLimits& limits, numeric::Rng& rng);

private:
  uint32_t record_of(const ExceptionBoard::Nearest& nearest, const tape::Tape& tape) const;

  Evaluator& evaluator_;
  const Space& space_;
  ExceptionBoard& board_;
  std::vector<constraint::InputRange> inputs_;
};

ExceptionQuestions::ExceptionQuestions(Evaluator& evaluator, const Space& space, ExceptionBoard& board)
    : evaluator_(evaluator), space_(space), board_(board), inputs_(input_ranges(space, evaluator.session().target())) {}

uint32_t ExceptionQuestions::record_of(const ExceptionBoard::Nearest& nearest, const tape::Tape& tape) const {
  uint32_t execution = 0;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.record(index).site == nearest.site && ++execution == nearest.execution)
      return index;
  return 0;
}

// The cost of a question in records. It is counted, so that a search ends at the same question on every machine.
uint64_t cost(const solve::Result& result, uint64_t effort) {
  constexpr uint64_t answered = 20'000, records_of_effort = 50; // roughly by the time that both take: guesses
  return result.answer == solve::Answer::unknown ? effort * records_of_effort : answered;
}

bool ExceptionQuestions::ask(size_t goal, int loop_bound, const QuestionLimits& limits, numeric::Rng& rng) {
  const ExceptionBoard::Nearest nearest = board_.goals()[goal].nearest();
  if (nearest.input.empty() || nearest.execution > uint32_t(loop_bound))
    return false;
  const tape::Tape tape = evaluator_.run(nearest.input);
  const uint32_t record = record_of(nearest, tape);
  if (record == 0)
    return false;
  const auto condition = constraint::exception_condition(tape, record, board_.goals()[goal].kind, inputs_,
                                                         constraint::Leaves::as_they_were, limits.terms);
  if (!condition)
    return false;
  solve::Question question{condition->system, limits.seconds, rng.next()};
  question.effort = limits.effort;
  question.in_process = true;
  question.near = {constraint::model_of(*condition, inputs_, nearest.input)};
  const solve::Result result = solve::solve_by_turns(limits.solvers, question);
  evaluator_.charge(cost(result, limits.effort));
  if (result.answer == solve::Answer::sat) {
    const Evaluator::FoundBy found_by(evaluator_, solve::known_name(result.solver));
    evaluator_.run(space_.with_own_values(constraint::input_of(*condition, inputs_, result.model, nearest.input)));
  }
  return true;
}

// As in the paper (docs/exceptions.md). The last is no limit.
constexpr int loop_bounds[] = {1, 2, 4, 8, 16, 32, 64, std::numeric_limits<int>::max()};

// The cost that each means may have, in records and in runs. These and all other numbers here are guesses, last tuned
// with `faultline bench gsl-exceptions` (figures in docs/exceptions.md). They scale with the budget.
struct Portion {
  uint64_t records;
  uint64_t runs;
};
constexpr Portion sampling{3'000'000, 2'000}, breeding{8'000'000, 16'000}, descending{2'500'000, 2'500},
    bracketing{2'000'000, 4'000}, confirming{5'000'000, 1'000}, asking{2'000'000, 10'000}, turning{2'000'000, 10'000};
constexpr double largest_scale = 1e3; // the largest scale, relative to the default

// In records: a sample is cut short at the shortest length, which each coin doubles up to the longest.
constexpr uint64_t shortest_sample = 1'000, longest_sample = 300'000;
constexpr uint64_t longest_whole_run = 1'000'000, longest_seed = 3'000; // records: to confirm, to solve on its path

// Breeding ends after this many runs without news, for each input and one more. One in `fresh_one_in` samples is new,
// the others are mutations of a parent, which is the shortest of a few.
constexpr uint64_t breeding_patience = 1'000, fresh_one_in = 3;
constexpr int parents = 3;

// Runs for one goal. Descents are short for all goals, then long for those that remain.
constexpr uint64_t short_descent = 40, long_descent = 200, bisection = 150;

constexpr uint64_t efforts[] = {4'000, 40'000}; // of a solver for one question
constexpr double small_program = 300;           // places: the second effort is made only for small programs
constexpr int patience_of_asking = 16, patience_of_turning = 24; // fruitless questions
constexpr uint64_t turning_samples = 64; // fewer than for paths: inputs that showed something new are the seeds
constexpr uint64_t turning_trials = 24;  // runs to turn a decision without a solver

class Ariadne {
public:
  explicit Ariadne(Quest& quest)
      : quest_(quest), evaluator_(quest.evaluator), board_(evaluator_.session().sites()),
        pool_(quest.space, evaluator_.session().sites()), descent_(evaluator_, quest.space, board_),
        questions_(evaluator_, quest.space, board_),
        scale_(std::clamp(evaluator_.seconds_allowed() / Budget().seconds, 1.0, largest_scale)) {}

  void run() {
    const Evaluator::Listening listening(
        evaluator_, [this](const exec::Input& input, const exec::Run& run, const tape::Tape& tape) {
          if (board_.watch(input, run, tape))
            corpus_.push_back({input, tape.size()});
        });
    use("sampling", sampling, [&] { sample(); });
    use("sampling", breeding, [&] { breed(); });
    use("sampling", confirming, [&] { confirm(); });
    approach();
    const size_t before = progress();
    for (const uint64_t effort : efforts) {
      if (effort > efforts[0] && double(board_.places()) > small_program * scale_)
        break;
      use("sampling", asking, [&] { ask(effort); });
      use("sampling", turning, [&] { turn(effort); });
    }
    if (progress() > before)
      approach();
    if (quest_.use_all && !quest_.errors_wanted)
      use_up();
  }

private:
  // Uses the evaluations that the user requested.
  void use_up() {
    for (uint64_t before = 0; !evaluator_.spent() && evaluator_.evaluations() > before;) {
      before = evaluator_.evaluations();
      use("sampling", breeding, [&] { breed(); });
      approach();
    }
  }

  // Approaches goals that are near.
  void approach() {
    use("bracketing", bracketing, [&] { bracket(); });
    use("descent", descending, [&] { descend(); });
    use("sampling", confirming, [&] { confirm(); });
  }

  struct Seed {
    exec::Input input;
    uint32_t records = 0;
  };

  template <class Work> void use(const char* name, const Portion& allotment, Work work) {
    const Evaluator::FoundBy found_by(evaluator_, name);
    const Evaluator::Allowance allowance(evaluator_, scaled(allotment.runs), scaled(allotment.records));
    work();
  }
  uint64_t scaled(uint64_t amount) const { return uint64_t(std::min(double(amount) * scale_, 0x1p62)); }

  // Long runs are series that converge slowly and show little for their cost. They are cut short unless they show
  // something new.
  void try_input(const exec::Input& input) {
    uint64_t most_records = shortest_sample;
    while (most_records < longest_sample && quest_.rng.coin())
      most_records *= 2;
    evaluator_.peek(input, most_records);
  }

  // Repeats runs that were cut short as whole runs, to confirm the exceptions they raised. One at a time, since one run
  // may confirm many.
  void confirm() {
    std::set<exec::Input> tried;
    for (bool found = true; found && !evaluator_.spent();) {
      found = false;
      for (const exec::Input& input : board_.unconfirmed_inputs())
        if (tried.insert(input).second) {
          evaluator_.peek(input, longest_whole_run);
          found = true;
          break;
        }
    }
  }

  void sample() {
    while (!evaluator_.spent())
      try_input(pool_.draw(quest_.rng));
  }

  // Mutates inputs that showed something new, until nothing new appears for a while.
  void breed() {
    const uint64_t patience = breeding_patience * (1 + pool_.free());
    uint64_t last = evaluator_.evaluations();
    for (size_t news = progress(); !evaluator_.spent() && evaluator_.evaluations() < last + patience;) {
      if (corpus_.empty() || quest_.rng.below(fresh_one_in) == 0)
        try_input(pool_.draw(quest_.rng));
      else
        try_input(pool_.mutate(parent().input, quest_.rng));
      if (progress() > news) {
        news = progress();
        last = evaluator_.evaluations();
      }
    }
  }

  size_t progress() const { return board_.seen() + board_.places_reached(); }

  // The seed with the shortest run among several: long runs cost more than they show.
  const Seed& parent() {
    size_t best = quest_.rng.below(corpus_.size());
    for (int i = 1; i < parents; ++i)
      if (const size_t other = quest_.rng.below(corpus_.size()); corpus_[other].records < corpus_[best].records)
        best = other;
    return corpus_[best];
  }

  // Open goals that runs reached, nearest first.
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

  void descend() {
    for (const uint64_t runs : {short_descent, long_descent})
      for (const size_t goal : open_goals())
        if (!evaluator_.spent() && board_.goals()[goal].least < board_.goals()[goal].most)
          descent_.descend(goal, runs);
  }

  void bracket() {
    for (const size_t goal : open_goals())
      if (!evaluator_.spent())
        descent_.bisect(goal, bisection);
  }

  // Solves for exceptions on known paths. Where the conditions already hold and nothing was raised, the result was
  // exact or not used: no solver helps there.
  void ask(uint64_t effort) {
    QuestionLimits limits;
    limits.effort = effort;
    int fruitless = 0;
    std::set<size_t> asked;
    for (const int bound : loop_bounds)
      for (const size_t goal : open_goals()) {
        if (evaluator_.spent() || fruitless >= patience_of_asking)
          return;
        const size_t before = progress();
        if (!asked.contains(goal) && board_.goals()[goal].nearest().distance > 0 &&
            questions_.ask(goal, bound, limits, quest_.rng)) {
          asked.insert(goal);
          fruitless = progress() > before ? 0 : fruitless + 1;
        }
      }
  }

  // Solves for unknown paths.
  void turn(uint64_t effort) {
    if (board_.places_reached() + 1 >= board_.places())
      return;
    PathsLimits limits;
    limits.loop_bound = loop_bounds[0];
    limits.further_bounds.assign(std::begin(loop_bounds) + 1, std::end(loop_bounds));
    limits.samples = turning_samples;
    limits.every_path = true; // a place may need several decisions turned one by one
    limits.effort = effort;
    limits.question_seconds = QuestionLimits().seconds;
    limits.solvers = QuestionLimits().solvers;
    limits.terms = QuestionLimits().terms;
    limits.trials = turning_trials;
    limits.cost = cost;
    limits.go_on = [this, last = progress(), fruitless = 0]() mutable {
      fruitless = progress() > last ? 0 : fruitless + 1;
      last = progress();
      return fruitless < patience_of_turning;
    };
    limits.past_exceptions = quest_.past_exceptions;
    for (const Seed& seed : corpus_)
      if (seed.records < longest_seed)
        limits.seeds.push_back(seed.input);
    explore_paths(evaluator_, quest_.space, evaluator_.session().target(), limits, quest_.rng.fork("paths"));
  }

  Quest& quest_;
  Evaluator& evaluator_;
  ExceptionBoard board_;
  ValuePool pool_;
  ExceptionDescent descent_;
  ExceptionQuestions questions_;
  double scale_;
  std::vector<Seed> corpus_;
};

} // namespace

std::vector<Candidate> search_ariadne(Quest& quest) {
  Ariadne(quest).run();
  return {};
}

} // namespace faultline::search
