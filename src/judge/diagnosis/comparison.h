// The code with and without a change (explain/remedy.h), on one input: is it better, as good, or worse?
//
// What the outputs should be is told by the operations of the tape in high precision, and by the oracle where that does
// not settle it: a decision that exact arithmetic makes differently, a reference of the user's own. It is asked for
// only where the two results differ by more than a change may cost, so that most inputs need no reference at all.
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
  none,    // the run does not come by the place, or there is no result
  same,    // as good, as far as anybody cares
  better,  // at the output that the finding is about
  worse,   // at any output: by a factor, and by more than some ulps
  unknown, // the changed code would go another way, or nobody knows what is right
};

// What a change may cost, at any input: the error must not be larger than `factor` times what it was, or than what it
// was and so many ulps. That is a bit less than what is promised (2 and 4): users have more inputs than a trial.
inline constexpr double allowed_factor = 1.5, allowed_ulps = 3;

struct Compared {
  Effect effect = Effect::none;
  bool ended = true;   // in time
  bool wrong = false;  // the code, without the change, at the finding's output: as the finding has it, or nearly
  bool agrees = false; // both results have half of their digits in common
  double harm = 0;     // the error with the change, in units of what is allowed: above 1 is worse
  // How likely it is that the code is better at such an input by chance: errors are anything up to some size, so what
  // leaves a large one, though a much smaller one than there was, is now and then the larger one of the two.
  double risk = 0;
  uint64_t records = 0;
};

// An input, and what is known of it: the same for every change.
struct TrialInput {
  exec::Input input;
  bool judged = false;
  std::vector<numeric::BigFloat> references = {}; // one a judged output, if known
};

class Comparison {
public:
  Comparison(exec::Session& session, Judge& judge) : session_(session), judge_(judge) {}

  // `output`: an index of the target's, the one that the finding is about. An error of so many ulps is wrong.
  void begin(size_t output, double wrong_ulps);
  Compared compare(TrialInput& input, const explain::Change& change);
  // The path that the code takes, as a number; and whether the output is wrong by the search's own estimate.
  struct Looks {
    uint64_t path = 0;
    bool wrong = false, returned = false;
  };
  Looks look(const exec::Input& input);

private:
  exec::Run run(const exec::Input& input);
  bool replayed(TrialInput& input, const tape::Tape& tape);
  void find_references(TrialInput& input, const tape::Tape& tape);
  void weigh(Compared& compared, const TrialInput& input, const tape::Tape& tape, const tape::Rerun& changed) const;
  int precision_of(size_t output) const;

  exec::Session& session_;
  Judge& judge_;
  size_t output_ = 0;
  double wrong_ulps_ = 0;
  int lifted_ = 0; // judgements by the oracle for this finding
  std::array<tape::Exact, 2> exact_ = {tape::Exact(192), tape::Exact(1024)};
  tape::Residues residues_;
};

// Where a change of the code helps and does no harm: a condition on one input, `x < t`, `x > t`, `|x| < t` or
// `|x| > t`, with a round bound, or everyday inputs only, or both. From inputs of which it is known what the change
// does there.

// On one input.
struct Bound {
  size_t input = 0;
  bool of_magnitude = false; // of |x|
  bool below = false;        // else above
  long double value = 0;     // a number of one digit

  bool holds(const exec::Input& at) const;
};

struct TrialCondition {
  std::optional<Bound> bound = {};
  bool everyday = false; // every input is (search/space.h)

  bool holds(const exec::Input& at, const search::Space& space) const;
  std::string text(const search::Space& space) const; // |x| < 0.1
};

// The bound that a text begins with, on one of these inputs.
std::optional<Bound> parsed_bound(const std::string& text, const std::vector<std::string>& inputs);

struct TrialResult {
  exec::Input input;
  Effect effect = Effect::none;
};

// The one that holds for the most inputs where the change is better, among them the first; and for none where it is
// worse, with a margin. It tells two sorts of inputs apart: beyond it the change is worse at more than a few. Nothing
// if there is none.
std::optional<TrialCondition> condition_for(const std::vector<TrialResult>& results, const search::Space& space);

// The simplest condition on one number that tells where something shows: x < t, x > t, |x| < t or |x| > t. From samples
// of which it is known whether it shows there.
struct Labelled {
  long double value = 0;
  bool shows = false;
};

struct Condition {
  bool of_magnitude = false;           // of |x|
  bool below = false;                  // else above
  long double inside = 0, outside = 0; // where it still shows, and the next sample where it does not; of |x| or x
};

// Nothing if no such condition describes the samples: it holds for nearly all that show it, and hardly any other.
std::optional<Condition> condition_on(const std::vector<Labelled>& samples);

// "|x| < 1.2e-4", with the last bound that shows it; of whole numbers "n >= 8".
std::string text(const Condition& condition, const std::string& name, long double bound, bool whole = false);

} // namespace faultline::judge
