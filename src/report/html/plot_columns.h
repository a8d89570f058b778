// Plots as the page of the HTML report has them: columns, which are what is drawn, and shorter than objects.
#pragma once

#include "finding/json/json.h"
#include "finding/plot.h"

namespace faultline::report {

// Of each input: values, offsets, errors, ulps, computed, exact and, where there is a remedy, remedies. Infinite errors
// are 1e300, unknown ones null; outputs are numbers, or text if they are not finite doubles.
finding::Json plots_json(const finding::Plots& plots);

} // namespace faultline::report
