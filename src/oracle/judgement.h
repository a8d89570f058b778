// The judgement of an oracle on one input: the reference value and the error of each output.
#pragma once

#include "exec/reference.h"
#include "exec/session.h"
#include "numeric/bigfloat.h"
#include "ops/error_bound.h"
#include "tape/path.h"
#include "tape/replay.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace faultline::oracle {

// Oracles double the precision from first_precision up to last_precision.
inline constexpr long first_precision = 128;
inline constexpr long last_precision = 4096;

// A loop whose result is not the limit even in exact arithmetic.
struct Truncation {
  uint32_t exit = 0;  // the record of the loop's last decision to continue or stop, or of its last turn
  uint32_t turns = 0; // the number of turns, if it is fixed
  numeric::BigFloat exact = numeric::BigFloat(64); // the result with the code's own tolerance in exact arithmetic
  bool settled = false;                            // the reference is the limit, not only closer to it
};

struct OutputJudgement {
  size_t output = 0; // index into the target's outputs
  numeric::Value computed = 0;
  numeric::BigFloat reference;
  double relative = 0;
  double absolute = 0;
  double ulps = 0;
  double bits = 0;
  int64_t good_bits = INT64_MAX; // of the reference: smaller errors are undetectable
  bool by_meaning = false;       // the reference is the value of a meaning
  // The result of the code in exact arithmetic, if known, where the reference is the value of a meaning.
  std::optional<numeric::BigFloat> lifted = {};
  // The run writes the output, but the exactly evaluated code does not: the reference is a placeholder zero.
  bool unset = false;
  // A loop stopped too early: the reference is the limit of its result (oracle/truncation.h).
  std::optional<Truncation> truncation;

  // True if the error is larger than the uncertainty of the reference.
  bool is_certain() const;
};

enum class Certainty { known, unknown };

struct Judgement {
  Certainty certainty = Certainty::unknown;
  std::string why_unknown;
  bool undefined = false; // unknown because the meaning has no value there
  long precision = 0;     // the precision of the answer
  std::vector<OutputJudgement> outputs;
  std::optional<tape::Divergence> flip; // the first decision that exact arithmetic makes differently
  bool works_on_bits = false; // the code makes floats of the bits of rounded values; the tape does not show it
  // How the code ends in exact arithmetic, if it is known not to return. The outputs are then unknown.
  std::optional<exec::Outcome> ends;
};

// Measures a computed output against its reference. With a floor, the relative error of a smaller reference is measured
// against the floor: |computed - reference| / max(floor, |reference|), as in FPGen.
OutputJudgement measure(size_t output, const model::Cell& cell, numeric::Value computed,
                        const numeric::BigFloat& reference, double floor = 0);

// A reference at some precision, with its error.
struct Reference {
  numeric::BigFloat value;
  ops::ErrorExponent error = ops::no_error;

  int64_t good_bits() const { return ops::good_bits(value.raw(), error); }
};

// True if the reference is indistinguishable from zero: its magnitude and its error are far below the floor or, without
// a floor, below the numbers that round to zero in the format. Otherwise an exact result of zero stays unknown wherever
// a division was rounded on the way.
bool is_as_good_as_zero(const Reference& reference, numeric::Format format, double floor);

// True if two references of the same output, from two precisions, agree as far as the format can show. The finer one
// must have enough correct bits or, where uninstrumented code limits them, no more than the coarser one.
bool agree(const Reference& coarse, const Reference& fine, numeric::Format format);

// Returns the index of an output among the float outputs, as in a lifted run.
size_t among_floats(const model::Target& target, size_t output);

std::vector<numeric::Format> formats_of(const model::Target& target, const std::vector<size_t>& outputs);

// The references of the judged outputs, at increasing precision until they are settled.
class ReferenceSequence {
public:
  explicit ReferenceSequence(double floor) : floor_(floor) {}

  // Adds the references of another precision, and the code's path at it. Returns true if all are known now. A value
  // that is as good as zero on two different paths may be an artefact of the precision: a loop that ends when nothing
  // changes any more.
  bool add(std::vector<Reference> finer, std::span<const numeric::Format> formats, uint64_t path = 0);
  const std::vector<Reference>& settled() const { return last_; }

private:
  double floor_;
  std::vector<Reference> last_;
  uint64_t path_ = 0;
};

// The cheap oracle: replays the tape at high precision, on the path of the run. It runs no code and does not see a
// wrong branch.

// `keep` has one entry per record: what exact arithmetic keeps of the run. With such entries, a different path makes
// the result unknown.
Judgement judge_replayed(const model::Target& target, const tape::Tape& tape, const std::vector<size_t>& outputs,
                         double floor = 0, std::span<const tape::Keep> keep = {}, long first = first_precision);

// The user's oracle: a reference function. It sees errors that lifted execution cannot: truncated series, wrong
// constants, wrong formulas.

// Judges the one output that the reference computes.
Judgement judge_referenced(exec::Reference& reference, const model::Target& target, const exec::Input& input,
                           const tape::Tape& tape, size_t output, double floor = 0,
                           exec::CallInProgress* progress = nullptr, long first = first_precision);

// A second interpretation of the code, for results that lifted execution finds wrong.
//
// Lifted execution rounds only where the code adds a large constant in order to round (tape/intended.h). That is right
// for formulas. It is wrong for terms that measure a rounding (tape/intended.h), which it makes zero, and for results
// that depend on the neighbour chosen by an argument reduction (tape/path.h). This interpretation keeps these roundings
// and choices, and all else is exact. If the run's path is also that of this interpretation, a result that is right by
// it is right.

// Replaces reference and error of outputs that are closer to this interpretation.
void allow_for_intended(Judgement& judgement, const model::Target& target, const tape::Tape& tape, double floor = 0,
                        long first = first_precision);

} // namespace faultline::oracle
