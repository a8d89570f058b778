// Ctrl-C. The first one asks a hunt to end and report what it has; the second one kills at once.
#pragma once

#include <atomic>

namespace faultline::cli {

// While one lives, SIGINT and SIGTERM set the flag. There is one at a time: signals know no objects.
class Interrupt {
public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const std::atomic<bool>& flag() const;
};

} // namespace faultline::cli
