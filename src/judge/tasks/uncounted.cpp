#include "judge/tasks/uncounted.h"

#include "judge/what_counts.h"
#include "numeric/ulp.h"

namespace faultline::judge {

std::string why_uncounted(const oracle::OutputJudgement& output, const Judge& judge, const finding::Settings& settings,
                          const frontend::Target& target) {
  if (judge.counts(output))
    return "next to it, rounding one input makes the result anything at all (a pole): a hunt does not report it";
  if (!is_above_threshold(output, settings))
    return below_threshold_words(settings);
  if (!output.is_certain())
    return "the reference is not known well enough to say that it is wrong";
  if (output.absolute < numeric::smallest_normal(target.outputs[output.output].type.format))
    return "wrong by less than the smallest normal number: an underflow";
  return "the exact result is too small to count (--nonzero)";
}

} // namespace faultline::judge
