// What would have helped: standard remedies are tried out on the tape, one after the other, at the operation that is to
// blame and at those that its error passes through next. Those are named that leave a much smaller error than there is.
// Whether they do no harm at other inputs is for whoever can run the code (judge/diagnosis/completion.h).
#pragma once

#include "explain/chain.h"
#include "numeric/bigfloat.h"
#include "tape/replay.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::explain {

// A change of the code at one place of its source: another way to write an operation, a compensated sum, a wider
// format. It is found on one run (explain/remedy.h), and can be made in the runs of other inputs, wherever they come by
// the place: nothing is searched for again.
enum class Means : uint8_t { rewrite, compensation, wider };

struct Change {
  Means means = Means::rewrite;
  // The operations at the place: a loop that was unrolled and a function that was inlined have several sites for one.
  std::vector<uint32_t> sites = {};
  std::string rule = {}; // of a rewrite (explain/rewrite.h): its name and variant
  int variant = 0;
  // Is it to give the same result where the code is right? Otherwise digits may have been lost on purpose, and the
  // reference may be wrong.
  bool must_agree = false;
};

// The sites of the same operation at the same place in the source, this one first.
std::vector<uint32_t> sites_beside(const runtime::SiteTable& table, uint32_t site);

// The run as it would be with the change: Rerun::replaced says how often it was made, and 0 if the run does not come
// by. Nothing if that is too much work. In a wider format the values are of that format: output_of rounds.
std::optional<tape::Rerun> changed(const tape::Tape& tape, const Change& change);

// An output of the run with the change.
long double output_of(const tape::Tape& tape, const tape::Rerun& changed, size_t output);

struct Remedy {
  std::string name;    // log1p
  std::string advice;  // "write log1p(x) for log(1 + x)"
  uint32_t record = 0; // where
  double relative = 0; // the output's error with it
  Change change = {};
  std::string where = {}; // the condition that the advice has, in its words; empty if there is none
};

// A run with a wrong output, and what is known about its error.
struct FaultyRun {
  const tape::Tape& tape;
  uint32_t output = 0; // the record of the wrong output
  const numeric::BigFloat& reference;
  const std::vector<Link>& path; // of its error (explain/chain.h)
  uint32_t guilty = 0;
  const std::vector<std::string>& inputs; // their names
  bool may_be_wider = true;               // is a wider format worth trying?
};

// The best first: the smallest error, and of those that are as good the simplest. A wider format comes last, as it is
// no better code.
std::vector<Remedy> find_remedies(const FaultyRun& run);

} // namespace faultline::explain
