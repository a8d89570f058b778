// What the death of a worker says: the input that was under way, if the code under test was, is a finding.
#pragma once

#include "finding/finding.h"
#include "finding/job.h"
#include "finding/message.h"
#include "finding/settings/settings.h"
#include "frontend/target.h"

namespace faultline::campaign {

// An input as a worker sent it, which the code under test may have written over: one number for each input of the
// target, as the type of that input has it. None if a number does not belong to its type.
std::optional<finding::Input> typed_input(const frontend::Target& target, finding::Input values);

// None where the worker died outside of the code under test.
std::optional<finding::Finding> finding_of(const finding::WorkerDeath& death, const frontend::Target& target,
                                           const finding::Settings& settings);

// How the call ended, as a finding's detail says it.
std::string detail_of(const finding::WorkerDeath& death);

// Why nothing is known then.
std::string note_of(const finding::WorkerDeath& death);

} // namespace faultline::campaign
