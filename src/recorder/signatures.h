// How the functions of a program get their arguments: the information that the recorder (recorder/breakpoints.h) needs
// to note them. `faultline record --signatures` writes it from debug information, once for each file; the recorder maps
// it. So it is plain data: a header, the functions, their arguments, and zero-terminated names.
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

// As in the System V calling convention for x86-64.
enum class Where : uint8_t { vector_register, general_register, stack };

struct ArgumentPlace {
  uint32_t name = 0; // its offset among the names, like all names here
  ValueType type = ValueType::binary64;
  Where where = Where::vector_register;
  uint8_t index = 0;         // of the register, in the order of arguments; of the word on the stack
  uint8_t behind = 0;        // 1: the place has a pointer to it
  uint64_t displacement = 0; // from that pointer, in bytes
};

struct FunctionPlace {
  uint32_t symbol = 0, function = 0, file = 0; // names
  uint32_t line = 0;
  uint32_t first_argument = 0, arguments = 0;
};

// The limit for inputs of a function: tuples are noted as a whole. A guess.
inline constexpr uint32_t most_arguments = 32;

struct SignatureHeader {
  char magic[8];
  uint32_t functions = 0, arguments = 0;
  uint64_t name_bytes = 0;
};
inline constexpr char signature_magic[8] = {'F', 'L', 'S', 'I', 'G', 'N', '0', '1'};

// A mapped file of signatures.
struct Signatures {
  const FunctionPlace* functions = nullptr;
  const ArgumentPlace* arguments = nullptr;
  const char* names = nullptr;
  uint32_t function_count = 0;

  const ArgumentPlace* arguments_of(uint32_t function) const { return arguments + functions[function].first_argument; }
};

// Returns no functions and null names if the bytes are not such a file.
Signatures signatures_in(const void* bytes, uint64_t size);

// The environment variables of a recorded process: the folder for its files, and the program that makes signatures.
inline constexpr const char* folder_variable = "FAULTLINE_RECORD_FOLDER";
inline constexpr const char* program_variable = "FAULTLINE_RECORD_PROGRAM";

// The file that one process writes about the calls into one file of code: mapped while the process runs, so that
// nothing is lost however it ends. It has a header, and a block for each function of the signatures.
//
// Blocks have room for the sketches of all floats, but pages that are never written take no space.
enum class Stopped : uint32_t { no, by_protection };

struct SeenHeader {
  char magic[8];
  uint32_t functions = 0;
  Stopped stopped = Stopped::no; // by_protection: the system does not allow writing to code
  uint64_t bytes = 0;            // of the whole file
  char signatures[232];          // the name of the file of signatures in the same folder
};
inline constexpr char seen_magic[8] = {'F', 'L', 'S', 'E', 'E', 'N', '0', '1'};

// The exponents of doubles, including subnormal ones; long doubles outside of this range are counted at its ends.
inline constexpr int least_binade = -1074, most_binade = 1023;
inline constexpr int binades = most_binade - least_binade + 1;

struct ArgumentSeen {
  uint64_t count, negative, zero, nan, infinite;
  long double low, high;       // of the finite values; undefined if there are none
  long double least, most;     // of the magnitudes other than 0; 0 if there are none
  uint32_t sketch[2][binades]; // positive and negative, by binade
};

inline constexpr uint32_t most_tuples = 32; // a guess: enough to start from, and few enough to try each

struct FunctionSeen {
  uint64_t noted;   // examined calls
  uint64_t sampled; // nonzero: other calls were not noted
  // Followed by the ArgumentSeen of each argument, and most_tuples tuples of long doubles.
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
