// The one contract between instrumented code (instrument/) and what it calls (runtime/): the layout of the tape, of the
// shadow memory and of the state block, and the names of the symbols. Both sides include this header; nothing is kept
// in step by hand.
//
// Tape. A flat array of records in static-single-assignment form; an operand is the index of an earlier record. Record
// 0 is reserved ("unknown"). An operand with `constant_flag` set is an index into the program's constants instead, so
// that constants cost nothing at run time.
//
// Shadow memory. A direct-mapped cache from addresses to tape indices, 4 bytes a granule. An entry is trusted only if
// its key is the address in this very run, and the record it names has the bits that were loaded. A miss makes the
// value a fresh, exact leaf: code that rewrites floats as integers, and uninstrumented libraries, degrade instead of
// lying. Rejected: a shadow at a fixed offset of all memory, as sanitizers do; it dictates the address space of the
// process.
//
// Calls. The caller leaves the indices of its float arguments in `arguments` and the callee's address in `call_tag`;
// the callee believes them only if the tag is its own. Results come back in `results`, with `result_tag` set.
#pragma once

#include "numeric/format.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace faultline::runtime {

// The result of an operation, in the carrier of its format (numeric/format.h).
union Value {
  float f;
  double d;
  long double x;
  uint64_t bits;

  template <class Float>
  Float as() const {
    if constexpr (std::is_same_v<Float, double>)
      return d;
    else if constexpr (std::is_same_v<Float, long double>)
      return x;
    else
      return Float(f);
  }
};

// A float's result fills its 64 bits up with this, so that no float is taken for half of a double.
inline constexpr uint64_t single_tag = uint64_t(0x7ff4fa01) << 32;

struct Record {
  uint32_t site;
  uint32_t a, b, c;
  Value result;
};
static_assert(sizeof(Record) == 32 && offsetof(Record, result) == 16);

inline constexpr uint32_t constant_flag = 0x80000000u;
inline constexpr bool is_constant(uint32_t operand) { return operand & constant_flag; }

inline constexpr uint64_t tape_capacity = uint64_t(1) << 22;
// Records of one straight-line segment beyond the capacity fall into this many unmapped ones: the fault is "tape full".
inline constexpr uint64_t tape_guard_records = uint64_t(1) << 19;

struct ShadowEntry {
  uint64_t key; // address + generation
  uint64_t index;
};
inline constexpr uint64_t shadow_entries = uint64_t(1) << 20;
inline constexpr uint64_t shadow_bytes = shadow_entries * sizeof(ShadowEntry);
inline constexpr uint64_t shadow_granule = 4;
// Byte offset of the entry for an address: one granule is one entry. The second float of 2 bytes in a granule has the
// entry of a place far away.
inline constexpr uint64_t shadow_offset(uint64_t address) {
  return (address * (sizeof(ShadowEntry) / shadow_granule)) & (shadow_bytes - sizeof(ShadowEntry));
}
inline constexpr int second_half_shift = 22; // from bit 1 of an address to the highest bit of an offset
inline constexpr uint64_t shadow_offset_of_half(uint64_t address) {
  return shadow_offset(address) ^ (address & 2) << second_half_shift;
}
static_assert(shadow_bytes == uint64_t(4) << second_half_shift);
inline constexpr int generation_shift = 48;

inline constexpr int argument_slots = 64;
inline constexpr int result_slots = 16;

struct State {
  uint64_t cursor;     // index of the next record
  uint64_t generation; // number of the run, shifted by generation_shift
  uint64_t call_tag;
  uint64_t result_tag;
  uint64_t arguments[argument_slots];
  uint64_t results[result_slots];
  uint64_t refused; // the number of the last mark of each sort that the run came to (instrument/marks.h); 0: none
  uint64_t ended;
};

// The first sites are the leaves of each format, then the inputs, in the order of numeric::Format; the program's own
// sites follow.
inline constexpr uint32_t first_leaf_site = 1;
inline constexpr uint32_t first_input_site = first_leaf_site + uint32_t(numeric::all_formats.size());
inline constexpr uint32_t first_program_site = first_input_site + uint32_t(numeric::all_formats.size());

// Symbols of data. Addresses, not values: the JIT defines them as absolute symbols.
inline constexpr const char* tape_symbol = "faultline_tape";
inline constexpr const char* shadow_symbol = "faultline_shadow";
inline constexpr const char* state_symbol = "faultline_state";

} // namespace faultline::runtime
