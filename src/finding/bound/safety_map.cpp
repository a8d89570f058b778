#include "finding/bound/safety_map.h"

#include "finding/names.h"

namespace faultline::finding {
namespace {

constexpr auto measure_names = std::to_array<std::pair<ErrorMeasure, std::string_view>>({
    {ErrorMeasure::absolute, "absolute"},
    {ErrorMeasure::ulps, "ulps"},
    {ErrorMeasure::relative, "relative"},
});

} // namespace

std::string_view text(ErrorMeasure measure) { return name_of(measure_names, measure); }
std::optional<ErrorMeasure> error_measure_of(std::string_view text) { return id_of(measure_names, text); }

} // namespace faultline::finding
