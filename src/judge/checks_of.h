// Which additions a search checks, as the settings say.
#pragma once

#include "finding/settings/settings.h"
#include "search/checks.h"

namespace faultline::judge {

search::Checks checks_of(const finding::Settings& settings);

} // namespace faultline::judge
