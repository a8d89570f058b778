// Solvers in processes of their own: one that is not ours may crash, take all memory, or not look at the clock; and
// several can work on one question side by side.
#pragma once

#include "base/process.h"
#include "solve/solver.h"

#include <cstdint>
#include <functional>

namespace faultline::solve {

struct ChildLimits {
  double seconds = 10;                 // then it is killed
  uint64_t memory = uint64_t{4} << 30; // beyond what this process has
};

using Work = std::function<Result()>;

// A process that works. What it prints is lost; when the object goes, it is killed.
class Child {
public:
  Child(const Work& work, const ChildLimits& limits);

  int descriptor() const { return line_.number(); } // to poll; -1 once it has ended
  // Takes what there is to read, after poll said so; true when it has ended.
  bool read();
  // After it has ended: its result, or unknown and how it died.
  Result result();

private:
  base::Process process_;
  base::Descriptor line_;
  base::ProcessEnd end_;
  std::string bytes_, failure_;
};

// The work's result. If the child dies, throws or is killed, that is unknown with a reason.
Result run_in_child(const Work& work, const ChildLimits& limits);

// All at the same time; the first answer that is not unknown counts, and the others are killed. Without one, the last
// reason.
Result race(const std::vector<Work>& works, const ChildLimits& limits);

} // namespace faultline::solve
