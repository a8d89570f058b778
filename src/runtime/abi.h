// The contract between instrumented code (instrument/) and the functions it calls (runtime/): the layout of the tape,
// of the shadow memory and of the state block, and the names of the symbols. Both sides include this header.
//
// Tape. A flat array of records in static-single-assignment form. An operand is the index of an earlier record. Record
// 0 is reserved ("unknown"). An operand with `constant_flag` set is an index into the program's constants, so that
// constants cost nothing at run time.
//
// Shadow memory. A direct-mapped cache from addresses to tape indices, 4 bytes per granule. An entry is trusted only if
// its key is the address in this very run, and its record has the bits that were loaded. After a miss the value is a
// fresh, exact leaf. Code that rewrites floats as integers, and uninstrumented libraries, thus lose data flow but never
// get a wrong one. Rejected: a shadow at a fixed offset of all memory, as in sanitizers; it dictates the address space
// of the process.
//
// Calls. The caller stores the indices of its float arguments in `arguments` and the callee's address in `call_tag`.
// The callee trusts them only if the tag is its own address. Results return in `results`, with `result_tag` set.
#pragma once

#include "numeric/format.h"
#include "ops/op.h"

#include <cmath>
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

  template <class Float> Float as() const {
    if constexpr (std::is_same_v<Float, double>)
      return d;
    else if constexpr (std::is_same_v<Float, long double>)
      return x;
    else
      return Float(f);
  }
};

// Fills the upper half of a float's result, so that a float is never mistaken for half of a double.
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
// Records of a straight-line segment beyond the capacity fall into these unmapped ones: the fault means "tape full".
inline constexpr uint64_t tape_guard_records = uint64_t(1) << 19;

struct ShadowEntry {
  uint64_t key; // address + generation
  uint64_t index;
};
inline constexpr uint64_t shadow_entries = uint64_t(1) << 20;
inline constexpr uint64_t shadow_bytes = shadow_entries * sizeof(ShadowEntry);
inline constexpr uint64_t shadow_granule = 4;
// Byte offset of the entry for an address: one granule has one entry. The second 2-byte float in a granule uses a
// distant entry.
inline constexpr uint64_t shadow_offset(uint64_t address) {
  return (address * (sizeof(ShadowEntry) / shadow_granule)) & (shadow_bytes - sizeof(ShadowEntry));
}
inline constexpr int second_half_shift = 22; // from bit 1 of an address to the highest bit of an offset
inline constexpr uint64_t shadow_offset_of_half(uint64_t address) {
  return shadow_offset(address) ^ (address & 2) << second_half_shift;
}
static_assert(shadow_bytes == uint64_t(4) << second_half_shift);
inline constexpr int generation_shift = 48;

// Entry points take a format and a source line in one word: the line is shifted by this.
inline constexpr int line_shift = 8;

inline constexpr int argument_slots = 64;
inline constexpr int result_slots = 16;

struct State {
  uint64_t cursor;     // index of the next record
  uint64_t generation; // number of the run, shifted by generation_shift
  uint64_t call_tag;
  uint64_t result_tag;
  uint64_t arguments[argument_slots];
  uint64_t results[result_slots];
  uint64_t refused; // the last mark of each type that the run reached, by number (instrument/instrument.h); 0: none
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

// A site is the place of an operation in the program: one instruction, after optimisation. Many records of a tape have
// the same site. Only the instrumentation writes the list.
struct Site {
  ops::Op op = ops::Op::none;
  numeric::Format format = numeric::Format::binary64;         // of the result; of the operands for comparisons, to_int
  numeric::Format operand_format = numeric::Format::binary64; // differs for fpext and fptrunc
  std::string file;
  std::string function;
  int line = 0;
  int column = 0;
  std::string within = {}; // the place in a header of a library that this line calls; empty for the user's own code
  // Of a product or quotient that the function passes on as it is. Where it has a huge constant as an operand, and is
  // too large for its format, the code means infinity: return x * 1e300.
  bool passed_on = false;
  int integer_bits = 64; // of a conversion to an integer
  bool integer_signed = true;
  // The number of outcomes of a decision: 2 for a comparison or a condition, the number of cases plus one for a switch.
  // 0 for all other operations, including conversions to integers, which have too many.
  int outcomes = 0;
  bool exits_loop = false; // of a comparison: decides whether a loop exits
  // The operands that are a loop's tolerance (tape/turns.h), as bits. Lifted runs can tighten them.
  uint8_t tolerances = 0;
  // Of a `decide`: the operator between the two integers ("<", "==", "unsigned <"), "switch", or nothing where the
  // condition is not a comparison of integers.
  std::string predicate = {};
  std::vector<int64_t> cases = {}; // of a switch, in the order of its outcomes 1, 2, ...; outcome 0 is the default
  // Used in sessions that record decisions. `determined`: the value of a `leaf` depends only on the decisions before
  // it; the outcome of a `decide` follows from the conversions before it. `parameter`: the input cell (exec::Input) of
  // an integer input whose value, rounded to the format, is this `leaf`; or -1.
  bool determined = false;
  int parameter = -1;
  // Of a `leaf`: the uninstrumented function that made it (from 1, in SiteTable::foreign), and how many of the record's
  // operands are floats passed to it: at most the first three.
  uint32_t foreign = 0;
  int arguments = 0;
};

// True for 1e300 and 0x1p1023: the exponent is more than half of the format's largest one. Constants of formulas are
// smaller.
inline bool is_huge(long double constant, numeric::Format format) {
  return std::isfinite(constant) && constant != 0 && std::ilogb(constant) > numeric::info(format).max_exponent / 2;
}

struct Constant {
  long double value = 0; // every format's values are exact in x87's
  numeric::Format format = numeric::Format::binary64;
};

// A call with which code rejects its input or ends the run, or a memory access that is checked
// (instrument/instrument.h).
struct Mark {
  std::string function; // the callee as in source code: mtherr, exit; or throw, STOP; of an access, its description
  Site place;           // of the call
};

// A place where runs on the same path may differ in more than the values of the inputs.
struct Unsettled {
  std::string reason;
  Site place;
};

struct SiteTable {
  std::vector<Site> sites;
  std::vector<Constant> constants;
  std::vector<std::string> foreign; // uninstrumented functions that are called, as in source code
  std::vector<Mark> marks;
  // In a session that records decisions: places whose effects the tape does not show.
  std::vector<Unsettled> unsettled;
  // In such a session: variables that the code reads, and that other code may change or whose initialisers round. A run
  // begins with their initial values.
  std::vector<std::string> changing;
};

} // namespace faultline::runtime
