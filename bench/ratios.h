// The table at the end: run times a call, and what matters, their ratios. Times differ from machine to machine.
#pragma once

#include <string>
#include <vector>

namespace faultline::bench {

struct Row {
  std::string name;
  double records;             // a call leaves on the tape
  double native, taped, nsan; // nanoseconds a call; 0 if not measured
};

std::string ratio_table(const std::vector<Row>& rows);

} // namespace faultline::bench
