// What a file of FPCores says of a function beside its code: ranges by :pre, the meaning by :spec. Both are defaults.
#pragma once

#include "finding/settings/settings.h"
#include "frontend/fpcore/file.h"
#include "frontend/target.h"

#include <map>
#include <string>
#include <utility>

namespace faultline::finding {

// The FPCore files of a program. Each file is parsed once, however many functions it has.
class FpcoreSettings {
public:
  // Does nothing if the target is of another language, or if its file cannot be read (any more).
  void apply(const frontend::Target& target, Settings& settings);

private:
  using Functions = std::map<std::pair<std::string, int>, frontend::fpcore::FunctionSaid>; // by name and line
  std::map<std::string, Functions> files_;
};

} // namespace faultline::finding
