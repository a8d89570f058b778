// What a function can run, as a hash: two programs in which a function has the same one run the same code when it is
// called, whatever else has changed around it.
#pragma once

#include <string>

namespace faultline::frontend {

struct ReachHash {
  std::string code;   // 64 hexadecimal digits
  std::string places; // the same, of files (without their folders) and lines

  bool operator==(const ReachHash&) const = default;
};

} // namespace faultline::frontend
