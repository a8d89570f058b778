// How the functions of a program take their arguments: what the recorder (recorder/breakpoints.h) must know to note
// them. `faultline record --signatures` writes it from debug information, once for each file; the recorder maps it. So
// it is plain data: a header, the functions, their arguments, and names that end with a zero.
#pragma once

#include <cstdint>

namespace faultline::recorder {

enum class ValueType : uint8_t {
  binary32,
  binary64,
  binary80,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64
};

// By the calling convention of System V for x86-64.
enum class Where : uint8_t { vector_register, general_register, stack };

struct ArgumentPlace {
  uint32_t name = 0; // where it begins among the names, as all of them
  ValueType type = ValueType::binary64;
  Where where = Where::vector_register;
  uint8_t index = 0;         // of the register, in the order in which arguments take them; of the stack's words
  uint8_t behind = 0;        // 1: what is there is a pointer to it
  uint64_t displacement = 0; // from that pointer, in bytes
};

struct FunctionPlace {
  uint32_t symbol = 0, function = 0, file = 0; // names
  uint32_t line = 0;
  uint32_t first_argument = 0, arguments = 0;
};

// A tuple is noted as a whole, so functions with more inputs are left out: a guess.
inline constexpr uint32_t most_arguments = 32;

struct SignatureHeader {
  char magic[8];
  uint32_t functions = 0, arguments = 0;
  uint64_t name_bytes = 0;
};
inline constexpr char signature_magic[8] = {'F', 'L', 'S', 'I', 'G', 'N', '0', '1'};

// A file of signatures, mapped.
struct Signatures {
  const FunctionPlace* functions = nullptr;
  const ArgumentPlace* arguments = nullptr;
  const char* names = nullptr;
  uint32_t function_count = 0;

  const ArgumentPlace* arguments_of(uint32_t function) const { return arguments + functions[function].first_argument; }
};

// Nothing (no functions, names null) if the bytes are not such a file.
Signatures signatures_in(const void* bytes, uint64_t size);

// The two variables by which a process knows that it is recorded: the folder for its files, and the program that makes
// signatures.
inline constexpr const char* folder_variable = "FAULTLINE_RECORD_FOLDER";
inline constexpr const char* program_variable = "FAULTLINE_RECORD_PROGRAM";

// What one process leaves of the calls that it made into one file of code: a file that is mapped while it runs, so that
// nothing is lost however it ends. A header, and a block for each function of the signatures (recorder/signatures.h).
//
// Blocks are as large as the sketches of all floats need, but pages that nothing was written to take no space.
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
