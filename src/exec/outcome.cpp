#include "exec/outcome.h"

namespace faultline::exec {

std::string_view text(Outcome outcome) {
  static constexpr std::string_view texts[] = {
#define FAULTLINE_OUTCOME_TEXT(id, text) text,
      FAULTLINE_OUTCOMES(FAULTLINE_OUTCOME_TEXT)
#undef FAULTLINE_OUTCOME_TEXT
  };
  return texts[static_cast<size_t>(outcome)];
}

} // namespace faultline::exec
