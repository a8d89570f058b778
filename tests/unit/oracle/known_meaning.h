// A value that a ready-made meaning must have.
#pragma once

#include <vector>

namespace faultline::test {

struct KnownMeaning {
  const char* function;
  const char* output;
  std::vector<long double> inputs;
  const char* value;
};

} // namespace faultline::test
