#include "campaign/observations.h"

#include "tape/exceptions.h"

#include <algorithm>
#include <cmath>

namespace faultline::campaign {

void Observations::watch(const exec::Input& input, const exec::Run& run, const tape::Tape& tape) {
  constexpr size_t kept_outgrown = 4;
  if (run.outcome == exec::Outcome::tape_full) {
    ++runs_outgrown_;
    if (outgrown_.size() < kept_outgrown)
      outgrown_.push_back(input);
    return;
  }
  if (run.outcome != exec::Outcome::returned) {
    crashes_.try_emplace(run.outcome, input);
    return;
  }
  if (decisions_)
    look_for_close_decisions(input, tape);
  // The hardware's flags are sticky and free: without one, no record of this run can be an exception.
  if (!exceptional_ || (run.flags & exec::exception_flags) == 0)
    return;
  per_site_.resize(tape.table().sites.size());
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape::may_be_exceptional(tape, index))
      look_at(input, tape, index);
}

// A comparison of computed values that differ by a few units, or a conversion of one beside an integer.
void Observations::look_for_close_decisions(const exec::Input& input, const tape::Tape& tape) {
  constexpr size_t kept = 8;
  auto computed = [&](uint32_t operand) {
    return !runtime::is_constant(operand) && !ops::is_leaf(tape.site(operand).op);
  };
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const tape::Site& site = tape.site(index);
    const bool comparison = ops::is_comparison(site.op);
    if (!comparison && !ops::is_to_int(site.op))
      continue;
    const tape::Record& record = tape.record(index);
    if (!computed(record.a) && !(comparison && computed(record.b)))
      continue;
    const double a = tape.value(record.a);
    const double b = comparison ? tape.value(record.b) : std::rint(a);
    const double few_units =
        std::ldexp(std::fmax(std::fabs(a), std::fabs(b)), 3 - numeric::info(site.format).precision);
    if (!(std::fabs(a - b) <= few_units) || few_units == 0)
      continue;
    std::vector<exec::Input>& inputs = close_decisions_[record.site];
    if (inputs.size() < kept)
      inputs.push_back(input);
  }
}

// To tell an underflow from an exact zero takes high precision, and zeros are common: each site gets a limited number
// of looks at tiny results.
void Observations::look_at(const exec::Input& input, const tape::Tape& tape, uint32_t index) {
  constexpr uint32_t most_tiny_looks = 256;
  const uint32_t site = tape.record(index).site;
  PerSite& seen = per_site_[site];
  const bool tiny = std::fabs(tape.value(index)) < 1 && !ops::is_to_int(tape.site(index).op);
  if (tiny && (seen.underflow || seen.tiny_looks >= most_tiny_looks))
    return;
  seen.tiny_looks += tiny;
  const ops::Exception kind = tape::exception_of(tape, index);
  if (kind == ops::Exception::none)
    return;
  seen.underflow = seen.underflow || kind == ops::Exception::underflow;
  const bool spoiled = std::any_of(tape.outputs().begin(), tape.outputs().end(),
                                   [](const exec::OutputValue& output) { return std::isnan(output.value); });
  const std::pair key(site, kind);
  if (exceptions_.try_emplace(key, input).second) {
    if (spoiled)
      spoiled_.insert(key);
  } else if (!spoiled && spoiled_.erase(key) > 0) {
    exceptions_[key] = input;
  }
}

} // namespace faultline::campaign
