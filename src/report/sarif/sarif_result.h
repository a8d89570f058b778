// One problem as a SARIF result.
#pragma once

#include "finding/json/json.h"
#include "finding/problem.h"
#include "report/sarif/sarif_place.h"

namespace faultline::report {

// `index`: of its rule in the run.
finding::Json sarif_result(const finding::Problem& problem, size_t index, const SarifPlaces& places);

} // namespace faultline::report
