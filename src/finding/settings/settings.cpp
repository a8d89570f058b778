#include "finding/settings/settings.h"

#include "finding/finding.h"

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

namespace {
constexpr auto norm_names = std::to_array<std::pair<Norm, std::string_view>>({
    {Norm::component, "component"},
    {Norm::infinity, "inf"},
    {Norm::two, "2"},
});
} // namespace

std::string_view text(Norm norm) { return name_of(norm_names, norm); }
std::optional<Norm> norm_of(std::string_view text) { return id_of(norm_names, text); }

} // namespace faultline::finding
