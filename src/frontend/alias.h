// Aliases: pointer parameters that share memory, as in a call in place, f(A, A).
//
// --alias y=x lets y point to the memory of x, the owner. y's elements have no cells of their own then: what is read or
// written through y are x's cells, under x's name. It applies to every function that has both parameters. The two must
// point to elements of the same type, and these must be floats: which integers of the code are inputs is settled before
// it runs (instrument/input_cells.h), and a write through another pointer would not be seen.
#pragma once

#include "frontend/target.h"

#include <span>
#include <string>
#include <vector>

namespace faultline::frontend {

// The parameter whose memory `name` shares, through as many aliases as it takes; empty if it has its own. Aliases to
// names that are not among the parameters do not count. Throws UserError if they go in a circle.
std::string owner_of(const std::string& name, const Aliases& aliases, const std::vector<std::string>& parameters);

// Throws UserError: an alias that applies to none of the targets.
void check_aliases(std::span<const Target> targets, const Aliases& aliases);

} // namespace faultline::frontend
