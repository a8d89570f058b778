#include "frontend/unexpected.h"

#include <cerrno>
#include <fmt/format.h>
#include <new>
#include <system_error>

namespace faultline::frontend {

UserError unexpected(const std::exception& problem) {
  const auto* of_system = dynamic_cast<const std::system_error*>(&problem);
  const int error = of_system ? of_system->code().value() : 0;
  if (dynamic_cast<const std::bad_alloc*>(&problem) || error == ENOMEM)
    return {status_inconclusive, "out of memory", "ulimit -v shows a limit; fewer or smaller files need less"};
  if (error == EMFILE || error == ENFILE)
    return {status_inconclusive, fmt::format("too many open files: {}", problem.what()), "ulimit -n shows the limit"};
  if (error == EAGAIN)
    return {status_inconclusive, fmt::format("no process can be started: {}", problem.what()),
            "ulimit -u shows the limit on processes"};
  return {status_internal, fmt::format("internal error: {}, please report", problem.what())};
}

} // namespace faultline::frontend
