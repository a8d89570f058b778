// The verdict of an oracle on one input: what the outputs should have been, and how wrong they are.
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

// Oracles double the precision from the first to the last of these, at most.
inline constexpr long first_precision = 128;
inline constexpr long last_precision = 4096;

// Exact arithmetic does not give the limit either.
struct Truncation {
  uint32_t exit = 0;  // the record of the loop's last decision to go on or to stop, or of its last turn
  uint32_t turns = 0; // where it makes so many, whatever the input
  numeric::BigFloat exact = numeric::BigFloat(64); // what the code's own tolerance gives in exact arithmetic
  bool settled = false;                            // is the reference the limit, or only nearer to it?
};

struct OutputJudgement {
  size_t output = 0; // index into the target's outputs
  long double computed = 0;
  numeric::BigFloat reference;
  double relative = 0;
  double absolute = 0;
  double ulps = 0;
  double bits = 0;
  int64_t good_bits = INT64_MAX; // of the reference: smaller errors cannot be told
  bool by_meaning = false;       // the reference is the value of a meaning
  // What exact arithmetic makes of the code there, if the reference is the value of a meaning and that is known.
  std::optional<numeric::BigFloat> lifted = {};
  // The run writes it, and the code carried out exactly does not: the reference is a mere zero.
  bool unset = false;
  // A loop stopped too early: the reference is what its result tends to (oracle/truncation.h).
  std::optional<Truncation> truncation;

  // Is the error larger than the doubt about the reference?
  bool is_certain() const;
};

enum class Certainty { known, unknown };

struct Judgement {
  Certainty certainty = Certainty::unknown;
  std::string why_unknown;
  bool undefined = false; // unknown because the meaning has no value there
  long precision = 0;     // at which the answer was found
  std::vector<OutputJudgement> outputs;
  std::optional<tape::Divergence> flip; // the first decision that exact arithmetic makes differently
  // How the code ends in exact arithmetic, if it is known not to return there. The outputs are unknown then.
  std::optional<exec::Outcome> ends;
};

// The error of a computed output against its reference. With a floor, the relative error of a reference of smaller
// magnitude is measured against the floor: |computed - reference| / max(floor, |reference|), as FPGen has it.
OutputJudgement measure(size_t output, const frontend::Cell& cell, long double computed,
                        const numeric::BigFloat& reference, double floor = 0);

// A reference at some precision, and how far it can be off.
struct Reference {
  numeric::BigFloat value;
  ops::ErrorExponent error = ops::no_error;

  int64_t good_bits() const { return ops::good_bits(value.raw(), error); }
};

// Can nobody tell it from zero? Its magnitude and its error are far below the floor, or, without one, below what rounds
// to zero in the format. Exact results of zero stay unknown otherwise, wherever a division was rounded on the way.
bool is_as_good_as_zero(const Reference& reference, numeric::Format format, double floor);

// Do two references of the same output, from two precisions, agree as far as the format can tell? The finer one must
// have enough correct bits to say so; or, where code that is not instrumented limits them, no more than the coarser.
bool agree(const Reference& coarse, const Reference& fine, numeric::Format format);

// The index of an output among the float outputs, which is how a lifted run counts.
size_t among_floats(const frontend::Target& target, size_t output);

std::vector<numeric::Format> formats_of(const frontend::Target& target, const std::vector<size_t>& outputs);

// The references of the outputs to be judged, precision after precision, until they are settled.
class Settling {
public:
  explicit Settling(double floor) : floor_(floor) {}

  // One more precision, and the path that the code took at it. Are all of them known now? A value that is as good as
  // zero on two different paths may be the precision's own doing: a loop that ends when nothing changes any more.
  bool add(std::vector<Reference> finer, std::span<const numeric::Format> formats, uint64_t path = 0);
  const std::vector<Reference>& settled() const { return last_; }

private:
  double floor_;
  std::vector<Reference> last_;
  uint64_t path_ = 0;
};

// The cheap oracle: the operations of the tape at high precision, on the path that the run took. No code runs again; a
// wrong branch is not seen.

// `keep`: what exact arithmetic keeps of the run, one a record. Where it keeps something, it has nothing to say if it
// would take another path.
Judgement judge_replayed(const frontend::Target& target, const tape::Tape& tape, const std::vector<size_t>& outputs,
                         double floor = 0, std::span<const tape::Keep> keep = {}, long first = first_precision);

// The oracle that the user supplies: a reference function. It sees what lifted execution cannot: truncated series,
// wrong constants, wrong formulas.

// Judges the one output that the reference computes.
Judgement judge_referenced(exec::Reference& reference, const frontend::Target& target, const exec::Input& input,
                           const tape::Tape& tape, size_t output, double floor = 0, exec::Flight* flight = nullptr,
                           long first = first_precision);

// A second reading of what the code means, for results that lifted execution finds wrong.
//
// Lifted execution rounds nowhere, but where the code rounds by adding a large constant (tape/intended.h). That is
// right for formulas, and wrong for terms that measure a rounding (tape/intended.h), which it makes zero, and for
// results that hang on the neighbour which a reduction of the argument took (tape/path.h). Here these roundings
// and choices are kept, and all else is exact. If the run's path is that of this reading too, a result that is right by
// it is right.

// Outputs that are nearer to this reading get its reference and error.
void allow_for_intended(Judgement& judgement, const frontend::Target& target, const tape::Tape& tape, double floor = 0,
                        long first = first_precision);

} // namespace faultline::oracle
