// Is what `faultline export` writes the function that it was given? It is read back, both are compiled as hunts compile
// them, and run natively, in the sandbox, on the same inputs: their results must have the same bits. (NaNs are equal to
// each other: FPCore has one.)
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace faultline::suite {

struct RoundTrip {
  std::string file, function;
  int inputs = 0, same = 0;
  std::string obstacle = {}; // why it was not exported, or not run; empty: it was

  bool is_good() const { return obstacle.empty() && inputs > 0 && same == inputs; }
};

struct RoundTripOptions {
  std::vector<std::string> files;     // FPCore, C, ...
  std::vector<std::string> functions; // empty: all suitable ones
  int inputs = 1000;                  // of each
};

// Throws frontend::UserError: a file cannot be read.
std::vector<RoundTrip> round_trips(const RoundTripOptions& options,
                                   const std::function<void(const std::string&)>& on_begin,
                                   const std::atomic<bool>& stop);

} // namespace faultline::suite
