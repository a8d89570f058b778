#include "judge/checks_of.h"

namespace faultline::judge {

search::Checks checks_of(const finding::Settings& settings) {
  search::Checks checks;
  checks.sampling = settings.sampling == finding::CheckSampling::uniform ? search::CheckSampling::uniform
                                                                         : search::CheckSampling::logarithmic;
  checks.start = settings.sampling_start;
  checks.step = settings.sampling_step;
  checks.loss_bits = settings.loss_bits;
  checks.cancellation_bits = settings.cancellation_bits;
  for (const finding::CheckedLine& at : settings.lines)
    checks.lines.push_back({at.file, at.line});
  return checks;
}

} // namespace faultline::judge
