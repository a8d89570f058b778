// What the death of a worker says: the input that was under way, if the code under test was, is a finding.
#pragma once

#include "campaign/finding.h"
#include "exec/worker.h"

namespace faultline::campaign {

// None where the worker died outside of the code under test.
std::optional<Finding> finding_of(const exec::Death& death, const frontend::Target& target);

// Why nothing is known then.
std::string note_of(const exec::Death& death);

} // namespace faultline::campaign
