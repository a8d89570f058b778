// The verdict of an oracle on one input: what the outputs should have been, and how wrong they are.
#pragma once

#include "exec/session.h"
#include "numeric/bigfloat.h"
#include "tape/path.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::oracle {

struct OutputJudgement {
  size_t output = 0; // index into the target's outputs
  long double computed = 0;
  numeric::BigFloat reference;
  double relative = 0;
  double absolute = 0;
  double ulps = 0;
  double bits = 0;
  int64_t good_bits = INT64_MAX; // of the reference: smaller errors cannot be told

  // Is the error larger than the doubt about the reference?
  bool is_certain() const;
};

enum class Certainty { known, unknown };

struct Judgement {
  Certainty certainty = Certainty::unknown;
  std::string why_unknown;
  long precision = 0; // at which the answer was found
  std::vector<OutputJudgement> outputs;
  std::optional<tape::Divergence> flip; // the first decision that exact arithmetic makes differently
};

// The error of a computed output against its reference.
OutputJudgement measure(size_t output, const frontend::Cell& cell, long double computed,
                        const numeric::BigFloat& reference);

// A reference at some precision, and how many of its bits are right.
struct Reference {
  const numeric::BigFloat& value;
  int64_t good_bits;
};

// Do two references of the same output, from two precisions, agree as far as the format can tell? The finer one must
// have enough correct bits to say so; or, where code that is not instrumented limits them, no more than the coarser.
bool agree(const Reference& coarse, const Reference& fine, numeric::Format format);

} // namespace faultline::oracle
