// Exceptions that no code throws on purpose.
#pragma once

#include "frontend/error.h"

#include <exception>

namespace faultline::frontend {

// Returns what the exception means to the user: a limit of the system is reached (status_inconclusive), or there is a
// bug (status_internal).
UserError unexpected(const std::exception& problem);

} // namespace faultline::frontend
