// Exports a function as an FPCore for other tools. Reading it back gives the same values, bit for bit.
#pragma once

#include "model/target.h"

#include <map>
#include <string>
#include <utility>

namespace faultline::program::fpcore {

struct ExportedWith {
  std::map<std::string, std::pair<numeric::Value, numeric::Value>> ranges; // of inputs, by name
  std::map<std::string, numeric::Value> held;                              // of integers
};

// `bitcode` is Program::bitcode_of the target. Throws UserError with the reason if it cannot be written.
std::string exported(const std::string& bitcode, const model::Target& target, const ExportedWith& with);

} // namespace faultline::program::fpcore
