// One finding as a SARIF result.
#pragma once

#include "campaign/finding.h"
#include "report/sarif_place.h"

#include <nlohmann/json.hpp>

namespace faultline::report {

// `index`: of its rule in the run.
nlohmann::ordered_json sarif_result(const campaign::TargetReport& target, const campaign::Finding& finding,
                                    size_t index, const SarifPlaces& places);

} // namespace faultline::report
