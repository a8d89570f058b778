#include "finding/settings/settings.h"

#include "finding/names.h"

namespace faultline::finding {

std::string_view text(OracleName oracle) {
  static constexpr auto names = std::to_array<std::pair<OracleName, std::string_view>>({
      {OracleName::lifted, "lifted"},
      {OracleName::replay, "replay"},
      {OracleName::reference, "reference"},
      {OracleName::none, "none"},
  });
  return name_of(names, oracle);
}

} // namespace faultline::finding
