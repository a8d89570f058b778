// One finding as a SARIF result.
#pragma once

#include "finding/report.h"
#include "report/sarif/sarif_place.h"

#include <nlohmann/json.hpp>

namespace faultline::report {

// `index`: of its rule in the run.
nlohmann::ordered_json sarif_result(const finding::TargetReport& target, const finding::Finding& finding, size_t index,
                                    const SarifPlaces& places);

} // namespace faultline::report
