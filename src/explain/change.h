// A change of the code at one place of its source: another way to write an operation, a compensated sum, a wider
// format. It is found on one run (explain/remedy.h), and can be made in the runs of other inputs, wherever they come by
// the place: nothing is searched for again.
#pragma once

#include "tape/rerun.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::explain {

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

} // namespace faultline::explain
