// The inputs of a bound, from the settings: what each ranges over, and how exact ones may differ from it.
#pragma once

#include "bound/known_paths.h"
#include "finding/job.h"
#include "finding/settings/settings.h"
#include "frontend/target.h"

#include <vector>

namespace faultline::judge {

// Throws UserError: an input without a range, an error of an input that there is not.
std::vector<bound::InputDimension> bounded_inputs(const frontend::Target& target, const finding::Settings& settings,
                                                  const finding::BoundTask& task);

} // namespace faultline::judge
