// What a file of FPCores says of a function beside its code: ranges by :pre, the meaning by :spec. They hold where
// nobody says anything else.
#pragma once

#include "finding/settings/settings.h"
#include "frontend/target.h"

namespace faultline::finding {

// Nothing is done if the target is of another language, or its file cannot be read (any more).
void use_fpcore(const frontend::Target& target, Settings& settings);

} // namespace faultline::finding
