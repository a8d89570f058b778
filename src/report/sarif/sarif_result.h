// One problem as a SARIF result.
#pragma once

#include "finding/problem.h"
#include "report/sarif/sarif_place.h"

#include <nlohmann/json.hpp>

namespace faultline::report {

// `index`: of its rule in the run.
nlohmann::ordered_json sarif_result(const finding::Problem& problem, size_t index, const SarifPlaces& places);

} // namespace faultline::report
