// The short run of a target among the unit tests: its seeds are read, and so is what some thousand mutants of them are,
// or they are refused. A failure names the mutant.
#pragma once

#include "mutation.h"
#include "targets.h"

namespace faultline::fuzz {

using Target = int (*)(const uint8_t* data, size_t size);
using Mutate = std::string (*)(const Material& material, numeric::Rng& rng);

struct ShortRun {
  size_t mutants = 3000;
  // At least so many of them are read and refused: else the mutants are no good.
  size_t read = 100, refused = 500;
};
void expect_no_surprise(Target target, const Material& material, Mutate mutate, const ShortRun& run = {});

} // namespace faultline::fuzz
