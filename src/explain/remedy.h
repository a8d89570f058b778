// Remedies: tries standard remedies on the tape, one after the other, at the operation at fault and at the next ones
// that its error passes through. Returns those with a much smaller error. Whether they do harm at other inputs is
// decided where the code can be run (judge/diagnosis/completion.h).
#pragma once

#include "explain/cause.h"
#include "numeric/bigfloat.h"
#include "tape/replay.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::explain {

// A change of the code at one place of its source: another formula for an operation, a compensated sum, or a wider
// format. It is found on one run and applies to runs of other inputs wherever they reach the place, without another
// search.
enum class Means : uint8_t { rewrite, compensation, wider };

struct Change {
  Means means = Means::rewrite;
  // The operations at the place. Unrolled loops and inlined functions have several sites for one place.
  std::vector<uint32_t> sites = {};
  std::string rule = {}; // of a rewrite (explain/rewrite.h): its name and variant
  int variant = 0;
  // True if the change must give the same result where the code is right. Otherwise digits may have been dropped on
  // purpose, and the reference may be wrong.
  bool must_agree = false;
};

// Returns the sites of the same operation at the same place in the source, this one first.
std::vector<uint32_t> sites_beside(const runtime::SiteTable& table, uint32_t site);

// Returns the run with the change. Rerun::replaced counts its applications: 0 if the run does not reach the place.
// Returns nothing if that is too much work. In a wider format the values have that format: output_of rounds them.
std::optional<tape::Rerun> changed(const tape::Tape& tape, const Change& change);

// An output of the run with the change.
numeric::Value output_of(const tape::Tape& tape, const tape::Rerun& changed, size_t output);

struct Remedy {
  std::string name;    // for example, log1p
  std::string advice;  // "write log1p(x) for log(1 + x)"
  uint32_t record = 0; // where
  double relative = 0; // the output's error with it
  Change change = {};
  std::string where = {}; // the condition of the advice as text; empty if there is none
};

// A run with a wrong output, and what is known about its error.
struct FaultyRun {
  const tape::Tape& tape;
  uint32_t output = 0; // the record of the wrong output
  const numeric::BigFloat& reference;
  const std::vector<Link>& path; // of its error (explain/cause.h)
  uint32_t guilty = 0;
  const std::vector<std::string>& inputs; // their names
  bool may_be_wider = true;               // try a wider format
};

// Returns remedies, best first: the smallest error, and the simplest among equals. A wider format comes last, since it
// does not improve the code.
std::vector<Remedy> find_remedies(const FaultyRun& run);

} // namespace faultline::explain
