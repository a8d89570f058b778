// What a recording might have seen, for tests.
#pragma once

#include "model/settings/seen.h"

namespace faultline::model {

inline SeenInput seen_input(std::string name, std::string type, long double low, long double high, long double least) {
  SeenInput input;
  input.name = std::move(name);
  input.type = std::move(type);
  input.finite = 2;
  input.negative = low < 0;
  input.low = low;
  input.high = high;
  input.least = least;
  input.most = std::max(-low, high);
  input.positives = {{3, 1}};
  if (low < 0)
    input.negatives = {{-1, 1}};
  return input;
}

inline SeenFunction seen_function() {
  SeenFunction seen;
  seen.function = "f";
  seen.symbol = "f";
  seen.file = "src/f.c";
  seen.line = 3;
  seen.calls = 2;
  seen.inputs = {seen_input("x", "binary64", -0.1, 10, 0.1), seen_input("n", "int32", 0, 8, 8)};
  seen.tuples = {SeenCall{{-0.1L}, {0}}, SeenCall{{10}, {8}}};
  return seen;
}

inline SeenRuns seen_runs() { return {{"./app", "input.txt"}, 2, {seen_function()}}; }

} // namespace faultline::model
