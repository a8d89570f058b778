// A function that a program offers, as faultline list shows it.
#pragma once

#include "frontend/target.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace faultline::finding {

struct ListedTarget {
  frontend::Target target;
  uint64_t sites = 0;
  std::map<std::string, std::string> held = {};            // integers that have one value: what an array's size tells
  std::map<std::string, std::vector<int64_t>> values = {}; // of flags and enumerations
};

} // namespace faultline::finding
