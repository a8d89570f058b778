#include "finding/cover_report.h"

#include "finding/names.h"

#include <algorithm>

namespace faultline::finding {
namespace {

constexpr auto standing_names = std::to_array<std::pair<Standing, std::string_view>>({
    {Standing::covered, "covered"},
    {Standing::infeasible, "infeasible"},
    {Standing::open, "open"},
});

} // namespace

std::string_view text(Standing standing) { return name_of(standing_names, standing); }
std::optional<Standing> standing_of(std::string_view text) { return id_of(standing_names, text); }

size_t CoverReport::count(Standing standing) const {
  return size_t(std::ranges::count(branches, standing, &CoveredBranch::standing));
}

} // namespace faultline::finding
