// The inputs that are known to break a function, to be tried again when it has changed.
#pragma once

#include "campaign/store/database.h"
#include "finding/job.h"
#include "finding/settings/settings.h"
#include "frontend/target.h"

#include <vector>

namespace faultline::campaign {

// Those of its findings and of their witnesses, as far as they fit its ranges and formats.
std::vector<finding::Retry> known_inputs(Database& database, int64_t row, const frontend::Target& target,
                                         const finding::Settings& settings);

// The same of what a first look has found, to be diagnosed. Crashes and hangs are left out: all is known of them.
std::vector<finding::Retry> inputs_to_diagnose(Database& database, int64_t row, const frontend::Target& target,
                                               const finding::Settings& settings);

// Of its findings: what another search need not diagnose again.
std::vector<finding::KnownCause> known_causes_of(Database& database, int64_t row);

} // namespace faultline::campaign
