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

} // namespace faultline::recorder
