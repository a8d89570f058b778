#include "judge/exceptions/own_error.h"

#include "judge/diagnosis/analysis.h"
#include "judge/judge.h"

#include <algorithm>

namespace faultline::judge {

bool is_own_error(const tape::Tape& tape, const oracle::Judgement& judgement, size_t output, uint32_t exception,
                  uint32_t swallower) {
  const uint32_t record = tape.outputs()[output].record;
  if (record == 0 || tape.size() > largest_explained)
    return true;
  Analysis analysis(judgement);
  return std::ranges::any_of(analysis.error_path(tape, record), [&](const explain::Link& link) {
    return link.record == exception || link.record == swallower;
  });
}

} // namespace faultline::judge
