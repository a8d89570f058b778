// What follows a hunt in given ranges: a proof that there is nothing to be found, or the map of where there is. A fresh
// worker makes it, as its tapes hold more than those of a search (exec::Recording).
#pragma once

#include "finding/message.h"
#include "finding/report.h"
#include "finding/settings/settings.h"
#include "frontend/target.h"

#include <optional>

namespace faultline::campaign {

// None: there is nothing to be proved, or no way to.
std::optional<finding::Task> proof_task(const finding::TargetReport& report, const frontend::Target& target,
                                        const finding::Settings& settings);

// A message of that worker.
void take_proof(finding::TargetReport& report, const finding::Message& message);

} // namespace faultline::campaign
