#pragma once

#include "runtime/site.h"
#include "tape/tape.h"

#include <vector>

namespace faultline::judge {

// How many of the program's operations have been executed: for the status line, so now and then a look is enough.
class Reached {
public:
  explicit Reached(size_t sites) : seen_(sites) {}

  void watch(const tape::Tape& tape) {
    constexpr uint64_t first_ones = 64, later = 64;
    if (++runs_ > first_ones && runs_ % later != 0)
      return;
    for (uint32_t index = 1; index < tape.size(); ++index)
      if (const uint32_t site = tape.record(index).site; site >= runtime::first_program_site && !seen_[site]) {
        seen_[site] = true;
        ++count_;
      }
  }
  uint64_t count() const { return count_; }

private:
  std::vector<bool> seen_;
  uint64_t runs_ = 0, count_ = 0;
};

} // namespace faultline::judge
