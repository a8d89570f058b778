// What the death of a worker says: the input that was under way, if the code under test was, is a finding.
#pragma once

#include "finding/finding.h"
#include "finding/message.h"
#include "finding/settings/settings.h"
#include "frontend/target.h"

namespace faultline::campaign {

// None where the worker died outside of the code under test.
std::optional<finding::Finding> finding_of(const finding::WorkerDeath& death, const frontend::Target& target,
                                           const finding::Settings& settings);

// How the call ended, as a finding's detail says it.
std::string detail_of(const finding::WorkerDeath& death);

// Why nothing is known then.
std::string note_of(const finding::WorkerDeath& death);

} // namespace faultline::campaign
