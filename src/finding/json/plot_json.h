// Plots as JSON: what a worker sends. They are not part of a report's JSON.
#pragma once

#include "finding/json/json_place.h"
#include "finding/plot.h"

namespace faultline::finding {

Json to_json(const Plots& plots);
Plots plots_at(const Place& place); // throws frontend::UserError

} // namespace faultline::finding
