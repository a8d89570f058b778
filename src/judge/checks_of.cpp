#include "judge/checks_of.h"

namespace faultline::judge {

search::Checks checks_of(const finding::Settings& settings) {
  return {settings.sampling,  settings.sampling_start,    settings.sampling_step,
          settings.loss_bits, settings.cancellation_bits, settings.lines};
}

} // namespace faultline::judge
