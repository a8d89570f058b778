// Which kinds of findings --for asks for.
#pragma once

#include "campaign/finding.h"
#include "campaign/options.h"

namespace faultline::campaign {

bool is_wanted(Kind kind, const Wanted& wanted);

} // namespace faultline::campaign
