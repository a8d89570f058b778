// The same address space in every run: the shadow memory is a cache indexed by addresses, and code under test may
// itself depend on them, so randomised addresses would make two runs with the same seed differ.
#pragma once

namespace faultline::exec {

// Starts the program again without address space randomisation, if it has it and the system lets us; else does nothing.
void fix_address_space(char** argv);

} // namespace faultline::exec
