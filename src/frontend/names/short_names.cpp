#include "frontend/names/short_names.h"

#include <map>
#include <string>

namespace faultline::frontend {

void shorten(std::vector<Target>& targets) {
  std::map<std::string, int> uses;
  for (const Target& target : targets)
    ++uses[before_parameters(target.function)];
  for (Target& target : targets)
    if (uses[before_parameters(target.function)] == 1)
      target.function = before_parameters(target.function);
}

} // namespace faultline::frontend
