// Which kinds of findings --for asks for.
#pragma once

#include "finding/finding.h"
#include "finding/settings/settings.h"

namespace faultline::finding {

bool is_wanted(Kind kind, const Wanted& wanted);

} // namespace faultline::finding
