// What a worker may do once it runs code under test: compute, read files, and write to the descriptors it was given.
// It cannot create, change or remove files, start processes, open sockets or signal others; it has a limit on memory
// and dies with its supervisor. What is refused fails with EPERM, as on a strict system.
#pragma once

#include <cstdint>

namespace faultline::exec {

// Limits that the supervisor's death and the kernel enforce. `memory` is beyond what the process uses now.
void limit_process(uint64_t memory);

// Installs the system-call filter. Returns false where the kernel has none (the limits hold all the same).
// `may_become_another`: the process may replace itself by another program, which the filter holds for just as well.
bool filter_system_calls(bool may_become_another = false);

} // namespace faultline::exec
