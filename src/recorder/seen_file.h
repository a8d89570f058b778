// What one process leaves of the calls that it made into one file of code: a file that is mapped while it runs, so that
// nothing is lost however it ends. A header, and a block for each function of the signatures (recorder/signatures.h).
//
// Blocks are as large as the sketches of all floats need, but pages that nothing was written to take no space.
#pragma once

#include "recorder/signatures.h"

#include <cstdint>

namespace faultline::recorder {

enum class Stopped : uint32_t { no, by_protection };

struct SeenHeader {
  char magic[8];
  uint32_t functions = 0;
  Stopped stopped = Stopped::no; // by_protection: the system does not let code be written
  uint64_t bytes = 0;            // of the whole file
  char signatures[232];          // the name of the file that has them, in the same folder
};
inline constexpr char seen_magic[8] = {'F', 'L', 'S', 'E', 'E', 'N', '0', '1'};

// Exponents of doubles, subnormal ones included; those of long doubles beyond are counted at the ends.
inline constexpr int least_binade = -1074, most_binade = 1023;
inline constexpr int binades = most_binade - least_binade + 1;

struct ArgumentSeen {
  uint64_t count, negative, zero, nan, infinite;
  long double low, high;       // of the finite values; nothing if there are none
  long double least, most;     // of the magnitudes other than 0; 0 if there are none
  uint32_t sketch[2][binades]; // positive and negative, by binade
};

inline constexpr uint32_t most_tuples = 32; // a guess: enough to start from, few enough to try each

struct FunctionSeen {
  uint64_t noted;   // calls that were looked at
  uint64_t sampled; // not 0: there were others
  // ArgumentSeen of each argument, then most_tuples tuples of long doubles.
};

inline uint64_t block_bytes(uint32_t arguments) {
  return sizeof(FunctionSeen) + arguments * (sizeof(ArgumentSeen) + most_tuples * sizeof(long double));
}
inline ArgumentSeen* arguments_of(FunctionSeen* seen) { return reinterpret_cast<ArgumentSeen*>(seen + 1); }
inline long double* tuples_of(FunctionSeen* seen, uint32_t arguments) {
  return reinterpret_cast<long double*>(arguments_of(seen) + arguments);
}

uint64_t file_bytes(const Signatures& signatures);

} // namespace faultline::recorder
