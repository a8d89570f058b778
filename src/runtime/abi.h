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
#include "ops/op.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

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
  uint64_t refused; // the number of the last mark of each sort that the run came to (instrument/instrument.h); 0: none
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

// A site is a place in the program where an operation stands: one instruction, after optimisation. Many records of a
// tape have the same site. The instrumentation makes the list; everybody else reads it.
struct Site {
  ops::Op op = ops::Op::none;
  numeric::Format format = numeric::Format::binary64;         // of the result; of the operands for comparisons, to_int
  numeric::Format operand_format = numeric::Format::binary64; // differs for fpext and fptrunc
  std::string file;
  std::string function;
  int line = 0;
  int column = 0;
  int integer_bits = 64; // of a conversion to an integer
  bool integer_signed = true;
  // How many outcomes a decision has: 2 of a comparison or a condition, one more than its cases of a switch; 0 of
  // everything else, and of a conversion to an integer, which has as many as there are integers.
  int outcomes = 0;
  bool exits_loop = false; // of a comparison: a way out of a loop hangs on it
  // Of the operands: those that are a loop's tolerance (tape/turns.h), as bits. Lifted runs can tighten them.
  uint8_t tolerances = 0;
  // Of a `decide`: what stood between the two integers ("<", "==", "unsigned <"), "switch", or nothing where the
  // condition is no comparison of integers.
  std::string predicate = {};
  std::vector<int64_t> cases = {}; // of a switch, in the order of its outcomes 1, 2, ...; outcome 0 is the default
  // Of a `leaf`, in a session that records decisions: the value depends on the decisions before it alone; or it is that
  // of an integer input, exactly but for its rounding to the format: the index of the input cell (exec::Input), or -1.
  // Of a `decide`: the conversions before it determine how it goes.
  bool determined = false;
  int parameter = -1;
  // Of a `leaf`: the function that made it, if that is not instrumented (from 1, in SiteTable::foreign), and how many
  // of the record's operands name floats that it was given: the first three at most.
  uint32_t foreign = 0;
  int arguments = 0;
};

struct Constant {
  long double value = 0; // every format's values are exact in x87's
  numeric::Format format = numeric::Format::binary64;
};

// A call by which code refuses its input or ends the run (instrument/instrument.h).
struct Mark {
  std::string function; // that is called, as people write it: mtherr, exit; or throw, STOP
  Site place;           // of the call
};

struct SiteTable {
  std::vector<Site> sites;
  std::vector<Constant> constants;
  std::vector<std::string> foreign; // functions that are called and not instrumented, as people write their names
  std::vector<Mark> marks;
  // In a session that records decisions: places where floats are read or written at an address that the path does not
  // settle. Which values a run has there may differ from run to run, although the path does not.
  std::vector<Site> unsettled;
};

} // namespace faultline::runtime
