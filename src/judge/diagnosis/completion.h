// The work done once for each finding that is kept, and not for candidates: a more ordinary input, and the diagnosis.
#pragma once

#include "explain/remedy.h"
#include "judge/diagnosis/comparison.h"
#include "judge/diagnosis/diagnose.h"
#include "judge/exceptions/exceptions.h"
#include "judge/judge.h"
#include "judge/tasks/tell.h"
#include "model/settings/settings.h"
#include "numeric/random.h"
#include "search/space.h"

#include <functional>
#include <span>
#include <vector>

namespace faultline::judge {

// The trial of one remedy on inputs, one after the other, with a condition if it is worse on some.

// The inputs for trials of remedies: ordinary ones, round numbers, the whole searched space, the neighbourhood of
// inputs that show the problem, and the borders between inputs of two kinds. They depend only on the seed.
class TrialInputs {
public:
  // `everyday` is a part of `space`.
  TrialInputs(const search::Space& space, const search::Space& everyday, numeric::Rng rng)
      : space_(space), everyday_(everyday), rng_(rng) {}

  // All kinds, mixed, so that the first few represent all. `shown`: inputs that show the problem.
  std::vector<exec::Input> mixed(const std::vector<exec::Input>& shown, size_t count);
  // A neighbour: from another last digit to a thousand times as much, of one number or all.
  exec::Input near(const exec::Input& input);
  exec::Input ordinary();
  exec::Input any() { return rng_.coin() ? moderate() : space_.sample_floats(rng_); }
  // Two neighbours between the two inputs, one of each kind; the arguments are of different kinds.
  std::vector<exec::Input> border(const exec::Input& a, const exec::Input& b,
                                  const std::function<bool(const exec::Input&)>& is_like_a) const;
  numeric::Rng& rng() { return rng_; }

private:
  exec::Input within(exec::Input input) const; // of the space
  exec::Input round_numbers(const exec::Input& shown);
  exec::Input moderate();
  numeric::Value moved(const search::Dimension& dimension, numeric::Value value);

  const search::Space& space_;
  const search::Space& everyday_;
  numeric::Rng rng_;
};

// The setting of the trials of a finding's remedies.
struct Bench {
  Comparison& comparison;
  TrialInputs& draws;
  const search::Space& space;
  std::function<bool()> out_of_time;
  std::vector<TrialInput> inputs = {}; // for all remedies; the finding's own first
  size_t goal = 0;                     // the intended number of inputs
  size_t around_worst = 0;             // of these: near those at which the remedy did worst
  size_t extra = 0;                    // further inputs, to confirm a remedy before it is offered
  uint64_t allowance = 0;              // records that may be run for a remedy
};

struct TrialOutcome {
  size_t tried = 0; // inputs on which it did no harm
  std::optional<TrialCondition> condition;
};

// The minimum number of inputs: fewer prove nothing.
inline constexpr size_t fewest_tried = 40;
// The minimum cost of a run.
inline constexpr uint64_t least_of_trial = 400;

// Nothing if it does harm, does not help, or there is not enough time.
std::optional<TrialOutcome> evaluate_remedy(const explain::Remedy& remedy, Bench& bench);

// An input that shows the same problem and is easier to read and to type: an everyday one if possible, with as few
// inputs as possible that are neither 0 nor 1, no signs, and few decimal digits.
//
// The caller makes every attempt. Attempts are counted, not timed, so that the same hunt has the same inputs.

// The aim: the simplest input, or any everyday one, which takes only a few attempts.
enum class Simplest : uint8_t { wanted, everyday_will_do };

class Simplifier {
public:
  // True if this input shows the problem.
  using Shows = std::function<bool(const exec::Input&)>;

  Simplifier(const search::Space& space, const search::Space& everyday) : space_(space), everyday_(everyday) {}

  // The simplest input found in this many attempts; the original if there is none.
  exec::Input simplest(exec::Input input, uint64_t attempts, const Shows& shows, Simplest simplest = Simplest::wanted);

private:
  bool shows(const exec::Input& candidate);
  void to_everyday(exec::Input& input);
  void to_defaults(exec::Input& input);
  void to_positive(exec::Input& input);
  void to_few_digits(exec::Input& input);
  bool try_value(exec::Input& input, size_t cell, numeric::Value value);
  bool is_free(size_t cell) const { return !space_.dimensions[cell].held(); }

  const search::Space& space_;
  const search::Space& everyday_; // the everyday part of space_
  const Shows* shows_ = nullptr;
  uint64_t attempts_ = 0; // left
  bool stay_everyday_ = false;
};

// A remedy that helps one input (explain/remedy.h) is tried on a thousand others before it is offered. It must never be
// worse than the code by more than a change may cost (judge/diagnosis/comparison.h), and it must be better where the
// code is wrong. If it helps on one side of a bound only, it is offered with that condition.
//
// The number of inputs is counted, so that the same seed gives the same hints; the clock is an emergency limit. A
// remedy that was tried on too few inputs is not offered.
class RemedyTrial {
public:
  // `everyday` is a part of `space`, which contains the searched inputs. Without a deadline there is no time limit.
  RemedyTrial(exec::Session& session, const model::Settings& settings, Judge& judge, const search::Space& space,
              const search::Space& everyday, Deadline* deadline = nullptr)
      : session_(session), settings_(settings), space_(space), everyday_(everyday), deadline_(deadline),
        comparison_(session, judge) {}

  // Adds the first of these remedies that passes the trial to the finding's diagnosis. Runs the code.
  void choose(model::Finding& finding, std::span<const explain::Remedy> remedies);

private:
  bool begin(const model::Finding& finding);
  void fill(Bench& bench, const model::Finding& finding);
  void add_borders(Bench& bench, size_t count);
  std::vector<exec::Input> shown_by(const model::Finding& finding) const;
  model::Remedy offered(const explain::Remedy& remedy, const TrialOutcome& outcome) const;
  bool out_of_time();

  exec::Session& session_;
  const model::Settings& settings_;
  const search::Space& space_;
  const search::Space& everyday_;
  Deadline* deadline_;
  Comparison comparison_;
};

// The diagnosis of a judged run whose output is wrong. Nothing for very long runs, and if the error does not arise on
// the path of the run.
std::optional<DiagnosisWithRemedies> diagnosis_of(const tape::Tape& tape, const model::Target& target,
                                                  Analysis& analysis, const oracle::OutputJudgement& output,
                                                  const model::Finding& finding);

// Adds a diagnosis to a finding of this run: an error, or an avoidable exception that spoils the output if the error of
// the output begins with it. Returns the remedies that help here; the choice among them is left.
std::vector<explain::Remedy> add_diagnosis(model::Finding& finding, const tape::Tape& tape, const model::Target& target,
                                           Analysis& analysis);

class Completion {
public:
  // `to_roots`: looks for the largest errors next to roots. Without a deadline there is no time limit.
  Completion(exec::Session& session, Judge& judge, ExceptionJudge& exceptions, const search::Space& space,
             const search::Space& everyday, RemedyTrial& trial, bool to_roots = true, Deadline* deadline = nullptr)
      : session_(session), judge_(judge), exceptions_(exceptions), space_(space), simplifier_(space, everyday),
        trial_(trial), to_roots_(to_roots), deadline_(deadline) {}

  // Moves the finding to a simpler input that shows it: with the same cause, no lower tier, and, for an error, at least
  // half the size, where all errors of 1 or more are equal.
  void simplify(JudgedFinding& found, Simplest simplest = Simplest::wanted);
  // Moves the largest error of a cause to the worst input nearby, next to a root of the exact result.
  void approach_root(JudgedFinding& found);
  // `found.analysis`: of the finding's run, if available. With only the finding's own input there is no remedy, since
  // it could not be tried.
  enum class Inputs : uint8_t { any, its_own };
  void diagnose(JudgedFinding& found, Inputs inputs = Inputs::any);

private:
  uint64_t attempts_for(const model::Finding& finding);
  bool no_new_inputs() const; // true if it is too late to try other inputs
  std::optional<JudgedFinding> same_at(const exec::Input& input, const model::Finding& wanted);

  exec::Session& session_;
  Judge& judge_;
  ExceptionJudge& exceptions_;
  const search::Space& space_;
  Simplifier simplifier_;
  RemedyTrial& trial_;
  bool to_roots_;
  Deadline* deadline_;
  uint64_t allowance_ = 40'000'000;     // records, for all findings: a guess
  uint64_t root_allowance_ = 2'000'000; // records, in high precision: about a second
};

} // namespace faultline::judge
