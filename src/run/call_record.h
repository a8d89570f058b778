// What a recorded program notes about the calls of its functions (faultline record). Shared by the instrumentation
// (run/call_hooks.h), the runtime (run/runtime/calls.cpp) and the reader (run/recording.h).
//
// A process writes files of `chunk_bytes` into the folder that `folder_variable` names. Each file describes itself: a
// header, then entries, each a word with its sort and size and its content. Files are mapped while the process runs, so
// nothing is lost however it ends.
#pragma once

#include <cstddef>
#include <cstdint>

namespace faultline::run {

inline constexpr const char* folder_variable = "FAULTLINE_RECORD_FOLDER";
inline constexpr const char* maker_variable = "FAULTLINE_RECORD_PROGRAM"; // faultline itself, which makes twins
inline constexpr const char* hook_symbol = "faultline_record_call";

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

// One input of a function. Its argument is a number, a pointer to it, or a pointer to a struct with it.
struct RecordedInput {
  const char* name; // of the cell, or of an array of any length
  ValueType type;
  bool is_array;      // whose length the caller decides
  bool is_behind;     // the argument is a pointer
  bool may_be_output; // perhaps the function only writes it
  uint8_t dimensions; // of a Fortran descriptor, to which the argument points; 0: none
  uint32_t argument;  // its slot
  uint64_t place;     // in bytes behind the pointer
  int64_t field;      // of the pointer to it, in bytes behind the argument; -1: the argument itself
  int32_t lengths[2]; // of an array: the inputs whose product is its length; -1: 1
  int32_t stride;     // of an array: the input with the distance of its elements; -1: 1
  uint64_t times;     // a constant factor of its length
};

struct RecordedFunction {
  const char *symbol, *function, *file;
  const char* reason; // why its inputs cannot be recorded; null if they can
  const RecordedInput* inputs;
  uint32_t line, input_count;
  // The runtime's own. The function notes a call if its number is above `next`.
  uint64_t calls, next;
  uint64_t random;
  uint32_t id, generation; // in the current file
};

inline constexpr size_t slot_bytes = 16; // of one argument: a pointer, a number, or a long double

// Calls that are noted one by one, and about how many are noted whenever the number of calls has grown e-fold after
// these. Guesses: a million calls leave 770 notes, in about a millisecond.
inline constexpr uint64_t first_calls = 256, later_calls = 32;
inline constexpr uint32_t most_inputs = 64;    // of a function: a guess, a pair of 4x4 matrices and more
inline constexpr uint32_t most_elements = 256; // of one array that are noted: a guess

inline constexpr size_t chunk_bytes = 1 << 20;
inline constexpr char chunk_magic[8] = {'F', 'L', 'C', 'A', 'L', 'L', '0', '1'};

struct ChunkHeader {
  char magic[8];
  uint32_t process, number;
};

// The contents of entries.
//   function  id, line, number of inputs (4 bytes each), symbol, name, file and reason, then for each input its type,
//             whether it is an array, whether it may be an output (1 byte each) and its name. Texts end with 0.
//   call      id (4 bytes), 4 bytes, then for each input a long double, for an array its length and then its elements
//   sampled   id: calls are missing from here on
enum class EntrySort : uint32_t { none, function, call, sampled };

struct EntryHeader {
  EntrySort sort;
  uint32_t bytes; // of the content; a multiple of 16
  uint64_t reserved;
};

} // namespace faultline::run
