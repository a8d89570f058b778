#include "oracle/intended.h"

#include "oracle/replayed.h"
#include "tape/compensation.h"
#include "tape/reduction.h"
#include "tape/tie.h"

#include <algorithm>

namespace faultline::oracle {
namespace {

constexpr uint32_t most_records = 1u << 18; // of a tape that is carried out in high precision: some 0.1 s

std::vector<tape::Keep> kept(const tape::Tape& tape) {
  const std::vector<uint32_t> measured = tape::measured_roundings(tape), steps = tape::reduction_steps(tape),
                              ties = tape::ties_with_constants(tape);
  if (measured.empty() && steps.empty() && ties.empty())
    return {};
  std::vector<tape::Keep> keep(tape.size(), tape::Keep::nothing);
  for (const uint32_t record : measured)
    keep[record] = tape::Keep::rounding;
  for (const std::vector<uint32_t>* chosen : {&steps, &ties})
    for (const uint32_t record : *chosen)
      keep[record] = tape::Keep::choice;
  return keep;
}

bool is_wrong(const OutputJudgement& output) { return output.ulps > 1; } // what is within an ulp needs no excuse

} // namespace

void allow_for_intended(Judgement& judgement, const frontend::Target& target, const tape::Tape& tape, double floor,
                        long first) {
  if (tape.size() > most_records || std::ranges::none_of(judgement.outputs, is_wrong))
    return;
  const std::vector<tape::Keep> keep = kept(tape);
  if (keep.empty())
    return;
  std::vector<size_t> outputs;
  for (const OutputJudgement& output : judgement.outputs)
    outputs.push_back(output.output);
  const Judgement other = judge_replayed(target, tape, outputs, floor, keep, first);
  if (other.certainty != Certainty::known)
    return;
  bool nearer = false;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (other.outputs[i].ulps < judgement.outputs[i].ulps) {
      judgement.outputs[i] = other.outputs[i];
      nearer = true;
    }
  if (nearer)
    judgement.flip.reset(); // the path is right
}

} // namespace faultline::oracle
