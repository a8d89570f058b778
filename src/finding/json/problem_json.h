// Problems as JSON: what a report has beside its targets. They are made of the findings, so they are not read back.
#pragma once

#include "finding/json/json.h"
#include "finding/problem.h"

#include <nlohmann/json_fwd.hpp>

namespace faultline::finding {

Json to_json(const Problem& problem);

} // namespace faultline::finding
