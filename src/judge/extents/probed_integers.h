// The integers of a function whose arrays are measured by running it: which values they are given, and which of them
// the function is hunted in with.
#pragma once

#include "finding/settings/settings.h"
#include "frontend/target.h"
#include "numeric/random.h"

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::judge {

// An integer of which the length of an array may be a formula.
struct VariedInteger {
  size_t input = 0;          // of the target
  int64_t low = 1, high = 9; // that it is given
  int64_t usual = 4;         // that the function is hunted in with
  bool is_free = true;       // nobody gave it a range
};

// A flag, or an enumeration.
struct ProbedFlag {
  size_t input = 0;
  std::vector<int64_t> values;
};

// One that has its value already: by --hold, or as the length of an array with a size.
struct FixedInteger {
  size_t input = 0;
  int64_t value = 0;
};

struct ProbedIntegers {
  std::vector<VariedInteger> varied;
  std::vector<ProbedFlag> flags;
  std::vector<FixedInteger> fixed;

  // The values of the varied ones: all the same, one unlike the others, some at random. None twice.
  std::vector<std::vector<int64_t>> rows(numeric::Rng rng) const;
  // Of the flags: all of them where there are few, else some.
  std::vector<std::vector<int64_t>> choices(numeric::Rng rng) const;
  std::vector<int64_t> usual() const;
};

ProbedIntegers probed_integers(const frontend::Target& target, const finding::Settings& settings);

} // namespace faultline::judge
