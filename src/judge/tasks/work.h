// Carries out jobs in a worker.
#pragma once

#include "exec/reference.h"
#include "exec/session.h"
#include "exec/worker.h"
#include "judge/judge.h"
#include "judge/tasks/tell.h"
#include "model/job.h"
#include "model/message.h"
#include "model/settings/settings.h"
#include "numeric/format.h"
#include "program/program.h"
#include "search/evaluator.h"
#include "search/space.h"

#include <functional>
#include <vector>

namespace faultline::judge {

// Carries out a job in the worker process. Consumes the program, which is reduced to the target. Throws UserError.
void work(const model::Job& job, program::Program program, const model::Target& target, exec::Reference* reference,
          exec::Channel& channel);

// The hunt in one target, in a worker: searches, then judges the candidates.

// Retries are judged in addition to the search's candidates.
void hunt_target(exec::Session& session, const model::Settings& settings, const model::HuntTask& task,
                 exec::Reference* reference, const exec::Channel& channel, const Tell& tell);

// The first finding on the screen during the search: a promising input is judged and reported at once.
//
// Only in a long search, and rarely: the final judgement finds it again with the rest. The time of a sighting depends
// on the work done and not on the clock, since a worker that is restarted must make the same calls.
class Sightings {
public:
  // `judge` is a separate one: its failures do not count.
  Sightings(const search::Evaluator& evaluator, Judge judge, std::function<void(const model::Finding&)> tell)
      : evaluator_(evaluator), judge_(std::move(judge)), tell_(std::move(tell)) {}

  void promising(const exec::Input& input, double error);
  void between_runs();                        // may run the code
  double seconds() const { return seconds_; } // its own, which are not part of the search

private:
  uint64_t work() const;

  const search::Evaluator& evaluator_;
  Judge judge_;
  std::function<void(const model::Finding&)> tell_;
  exec::Input best_;
  double error_ = 0; // estimated by its score
  double told_ = 0;
  uint64_t next_ = 20'000'000; // in records of work
  double seconds_ = 0;
};

// The worker's part of explain: runs the input, judges it exactly as a hunt judges candidates, and sends the results.
// `wanted` (--for) is ignored: a user who names an input wants everything about it.
inline constexpr const char* given_strategy = "given"; // the means that found the input: the user

void explain(exec::Session& session, Judge& judge, const model::Settings& settings, const model::ExplainTask& task,
             const Tell& tell);

// What a test of the fixed code may demand at an input.
//
// A test must demand no more than a good implementation gives. So every input is run again here, and the exact result
// is examined around it: the change in ulps of the output when each input moves by an ulp; half of that is the cost of
// rounding the inputs alone. The bound is 8 ulps and 8 times that cost: a backward stable algorithm perturbs its inputs
// by a few units. An error within the bound is omitted, with the reason: a test of it would demand the impossible. The
// bound for a wrong branch is a quarter of the error: the test shows which branch was taken.
//
// Differences of exact results are preferred to derivatives along the run's own path: they are valid even if that path
// is wrong, overflowed, or divided by zero.

// One message for each finding, in order.
void examine(exec::Session& session, Judge& judge, const model::ExamineTask& task, const Tell& tell);

// The worker's part of plots: for each finding, the inputs, the points, and at each point the output, its error, and
// the error with the remedy.

// Points of one plot. Over the range: two for each everyday decade of either sign, and one for every ten of all
// decades.
inline constexpr size_t most_around = 161, most_of_range = 261;

// Samples plots of the findings, in order, until the task's time is up.
void sample_plots(exec::Session& session, Judge& judge, const model::PlotTask& task, const Tell& tell);

// The values of an input that a plot samples. Pure functions of the dimension and the finding's value.

// `value` and its neighbours in the range, sorted: a quarter of them adjacent, the rest at distances that grow by a
// constant factor up to a change of the exponent. At most about `count`.
std::vector<numeric::Value> points_around(const search::Dimension& dimension, numeric::Value value, size_t count);

// Equal steps of the order of floats from one end of the range to the other, sorted, and `value`. The others are
// rounded to few digits where that moves them by less than half a step, for readability.
std::vector<numeric::Value> points_of_range(const search::Dimension& dimension, numeric::Value value, size_t count);

// The whole range for a reader. Half of the points cover all of it (points_of_range). The others are where zooming in
// must show details: among the everyday numbers, or, if `value` is not one, within nine decades of it; and equally
// spaced as numbers if the range was given. At most about `count`.
std::vector<numeric::Value> points_to_read(const search::Dimension& dimension, numeric::Value value, size_t count);

// The order in which n points are sampled: from coarse to fine, so that they are evenly spread whenever it stops.
std::vector<size_t> coarse_to_fine(size_t n);

// The worker's part of test vectors: inputs to choose from, with the outcomes of branches that each shows.
//
// All limits are counts, so that the same seed gives the same candidates. The clock is an emergency limit, which is
// reported.

// The session records integer conditions, like that of cover.
void tell_candidates(exec::Session& session, const model::Settings& settings, const model::CandidatesTask& task,
                     const Tell& tell);

// Inputs that programs treat specially, or fail to: zeros of both signs, ones, the ends of the format and of the
// ranges. Each value for all inputs at once, if all ranges contain it, and for each input with the rest at 1.
std::vector<exec::Input> special_inputs(const search::Space& space);

// Checks every claim of a finding against a fresh run. In addition to reproducing it, a strict replay checks:
//
//   computed value   equal to that of the code without instrumentation
//   reference        unchanged within its doubt and to its last digit, when the oracle works at twice the precision;
//                    the error is that of the two
//   diagnosis        consistent (chain_violations)
//   cause            executed, and on the chain, if there is one
//
// A claim that cannot be checked is not a violation: a reference that is unknown at the higher precision for lack of
// time, or the cause of a run that outgrows the tape.
class SelfCheck {
public:
  SelfCheck(exec::Session& session, Judge& judge) : session_(session), judge_(judge) {}

  std::vector<model::Violation> violations(const exec::Input& input, const model::Finding& finding);

private:
  void check_computed(const exec::Input& input, const model::Finding& finding);
  void check_reference(const exec::Input& input, const tape::Tape& tape, const model::Finding& finding);
  void check_finer(const exec::Input& input, const tape::Tape& tape, const oracle::OutputJudgement& coarse,
                   long precision);
  void check_cause(const tape::Tape& tape, const model::Finding& finding);
  void note(std::string what, std::string expected, std::string found);

  exec::Session& session_;
  Judge& judge_;
  std::vector<model::Violation> violations_;
};

// Checks that a diagnosis is consistent, from its data only: the shares of the lines have the sum 1; the error of an
// operation in the chain is the difference of the two values next to it; each step's value is an operand of the next;
// the last step has the error that the oracle found, as far as the path accounts for it.

// Empty if the finding has no diagnosis.
std::vector<model::Violation> chain_violations(const model::Finding& finding);

// The worker's part of bound: proves a limit of the error over the ranges, and looks for inputs with large errors.

// Throws UserError for an input without a range or an integer that is not held.
void bound(exec::Session& session, const model::Settings& settings, const model::BoundTask& task, const Tell& tell);

// The size and measure of the errors that count, if the user gave one.
struct Counting {
  std::optional<double> threshold;
  model::ErrorMeasure measure = model::ErrorMeasure::relative;
};
Counting counting_of(const model::Settings& settings);

// The worker's part of a hunt's proof: proves with a fixed number of boxes that no error over the ranges counts, and
// that nothing overflows or is undefined there. If errors were found, it makes the map of where they are and are not.
//
// Effort is counted, not timed, so that the same command has the same outcome.

// True if a proof is attempted: all floats have a given range, integers are held or have few values, and errors are
// those of the code's own formulas.
bool can_be_proved(const model::Target& target, const model::Settings& settings);

void prove(exec::Session& session, const model::Settings& settings, const model::ProveTask& task, const Tell& tell);

} // namespace faultline::judge
