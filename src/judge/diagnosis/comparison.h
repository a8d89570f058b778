// Compares the code with and without a change (explain/remedy.h) on one input: better, equally good, or worse.
//
// The correct outputs come from the operations of the tape in high precision. The oracle gives them where that is not
// enough: a decision that exact arithmetic makes differently, or a reference of the user. It is used only where the two
// results differ by more than a change may cost, so most inputs need no reference at all.
#pragma once

#include "explain/remedy.h"
#include "judge/judge.h"
#include "search/space.h"
#include "tape/path.h"
#include "tape/replay.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace faultline::judge {

enum class Effect : uint8_t {
  none,    // the run does not reach the place, or there is no result
  same,    // equally good, within the tolerance
  better,  // at the output that the finding is about
  worse,   // at any output: by a factor, and by more than some ulps
  unknown, // the changed code would take another path, or the correct result is unknown
};

// What a change may cost at any input: the error may be at most `factor` times the old error, or the old error and this
// many ulps. The promise is a bit weaker (2 and 4), since users have more inputs than a trial.
inline constexpr double allowed_factor = 1.5, allowed_ulps = 3;

struct ComparisonResult {
  Effect effect = Effect::none;
  bool ended = true;   // in time
  bool wrong = false;  // the code without the change, at the finding's output: about as wrong as in the finding
  bool agrees = false; // both results have half of their digits in common
  double harm = 0;     // the error with the change, relative to the allowed error: above 1 is worse
  // The probability that the code is better at such an input by chance. Errors are random up to some size, so a change
  // that leaves a large error sometimes seems to improve on an even larger one.
  double risk = 0;
  uint64_t records = 0;
};

// An input and what is known of it, for all changes.
struct TrialInput {
  exec::Input input;
  bool judged = false;
  std::vector<numeric::BigFloat> references = {}; // one per judged output, if known
};

class Comparison {
public:
  Comparison(exec::Session& session, Judge& judge) : session_(session), judge_(judge) {}

  // `output`: the target's output that the finding is about. An error of this many ulps is wrong.
  void begin(size_t output, double wrong_ulps);
  ComparisonResult compare(TrialInput& input, const explain::Change& change);
  // A number for the code's path, and whether the output is wrong by the search's own estimate.
  struct RunSummary {
    uint64_t path = 0;
    bool wrong = false, returned = false;
  };
  RunSummary look(const exec::Input& input);

private:
  exec::Run run(const exec::Input& input);
  bool replayed(TrialInput& input, const tape::Tape& tape);
  void find_references(TrialInput& input, const tape::Tape& tape);
  void weigh(ComparisonResult& compared, const TrialInput& input, const tape::Tape& tape,
             const tape::Rerun& changed) const;
  int precision_of(size_t output) const;

  exec::Session& session_;
  Judge& judge_;
  size_t output_ = 0;
  double wrong_ulps_ = 0;
  int lifted_ = 0; // judgements by the oracle for this finding
  std::array<tape::Exact, 2> exact_ = {tape::Exact(192), tape::Exact(1024)};
  tape::Residues residues_;
};

// The condition under which a change of the code helps and does no harm: a condition on one input, `x < t`, `x > t`,
// `|x| < t` or `|x| > t`, with a round bound, or only everyday inputs, or both. Derived from inputs with known effects
// of the change.

// A bound on one input.
struct Bound {
  size_t input = 0;
  bool of_magnitude = false; // of |x|
  bool below = false;        // otherwise above
  numeric::Value value = 0;  // a number of one digit

  bool holds(const exec::Input& at) const;
};

struct TrialCondition {
  std::optional<Bound> bound = {};
  bool everyday = false; // only everyday inputs (search/space.h)

  bool holds(const exec::Input& at, const search::Space& space) const;
  std::string text(const search::Space& space) const; // |x| < 0.1
};

// The bound at the beginning of a text, on one of these inputs.
std::optional<Bound> parsed_bound(const std::string& text, const std::vector<std::string>& inputs);

struct TrialResult {
  exec::Input input;
  Effect effect = Effect::none;
};

// The condition that holds for the most inputs where the change is better, including the first, and, with a margin, for
// none where it is worse. It separates two kinds of inputs: beyond it the change is worse at more than a few. Nothing
// if there is none.
std::optional<TrialCondition> condition_for(const std::vector<TrialResult>& results, const search::Space& space);

// The simplest condition on one number that describes where a problem shows: x < t, x > t, |x| < t or |x| > t. Derived
// from samples labelled by whether it shows there.
struct LabelledSample {
  numeric::Value value = 0;
  bool shows = false;
};

struct Condition {
  bool of_magnitude = false;              // of |x|
  bool below = false;                     // otherwise above
  numeric::Value inside = 0, outside = 0; // the last sample where it shows, and the next where it does not; of |x| or x
};

// Nothing if no such condition describes the samples: it must hold for nearly all that show it and hardly any other.
std::optional<Condition> condition_on(const std::vector<LabelledSample>& samples);

// "|x| < 1.2e-4", with the last bound that shows it; for integers "n >= 8".
std::string text(const Condition& condition, const std::string& name, numeric::Value bound, bool whole = false);

} // namespace faultline::judge
