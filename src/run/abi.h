// What the twin of a program, its runtime (run/runtime) and the reader of its counters share.
//
// The twin has one block of memory, `memory_symbol`: a header, the counters of executions, the counters of sites, and
// the records of printed numbers. The runtime maps a file without a name over it, which `faultline run` made and also
// maps. So the counters outlive the twin, whatever ends it, and processes that it forks count in the same place.
//
// Residues are exact minus computed. The shadow of a binary64 is its residue, the shadow of a binary32 is its exact
// value in binary64. The low 16 bits of a residue name the place that contributed most to it (0: unknown).
//
// Shadow memory has two planes at constant distances from the memory: residues, and copies of the values to which the
// residues belong. A value that differs from its copy was written by other code and counts as exact. The cells of a
// binary32 are half as wide: the residue is then a binary32.
#pragma once

#include <cstddef>
#include <cstdint>

namespace faultline::run {

inline constexpr const char* memory_symbol = "faultline_run_memory";
inline constexpr const char* layout_symbol = "faultline_run_layout";
inline constexpr const char* memory_variable = "FAULTLINE_RUN_MEMORY"; // the descriptor of the file

// The distances are no multiples of a page, so that a store and a load of another cell rarely look alike to the
// processor.
inline constexpr uint64_t residue_distance = 0 - (uint64_t(1) << 45) + 2112;
inline constexpr uint64_t copy_distance = 0 - (uint64_t(3) << 44) + 1088;

// The addresses that have a shadow: those of position-independent programs, their heaps, libraries and stacks on Linux.
struct AddressRange {
  uint64_t begin, end;
};
inline constexpr AddressRange shadowed[] = {{0x550000000000, 0x570000000000}, {0x7e0000000000, 0x7ffffffff000}};

inline constexpr uint64_t place_bits = 0xffff;
inline constexpr size_t header_bytes = 4096;
inline constexpr uint32_t most_outputs = 1 << 20;   // printed numbers that are recorded one by one
inline constexpr int32_t internal_unit = INT32_MIN; // of a Fortran statement that writes to a variable
inline constexpr unsigned argument_slots = 32;      // floats that one call passes or returns with residues

// The sizes of the block's parts, a constant of the twin.
struct Layout {
  uint64_t counters, sites;
};

struct Header {
  uint64_t started;   // processes
  uint64_t printed;   // numbers
  uint64_t lines;     // that were written to standard output
  uint64_t no_shadow; // processes that got no shadow memory, and ended
};

// One operation in the source, or a call that prints.
struct SiteCounters {
  double loss;      // the most digits lost at one execution
  double worst;     // the same as a factor by which the relative error grew
  double value;     // then, or of the first flip: the operation's result, or the difference of the compared values
  double residue;   // and its residue
  uint64_t losses;  // executions with a loss
  uint64_t flips;   // comparisons and roundings to integers whose exact outcome is another
  uint64_t unknown; // the exact outcome is not known: ties, and residues without bound
  uint64_t nans;    // NaN from operands that are none
  uint64_t infinities;
};

struct PrintedNumber {
  double value, residue;
  uint32_t site;
  uint32_t line; // of standard output, from 1; 0: written elsewhere
};

// The sorts of checks that the twin hands over to the runtime, with the operands and residues that they need.
enum class Check : uint32_t {
  sum,        // x + y: result in `value`
  difference, // x - y
  born,       // any arithmetic: NaN or infinity
  compare,    // an fcmp: LLVM's predicate in `detail`
  round_even, // roundings to integers: x and the rounded value in y
  round_away,
  round_up,
  round_down,
  round_to_zero,
};

// Floats that a call passes, and those that it returns. A receiver takes a residue only if the value is the same.
struct Passed {
  double residue[argument_slots];
  uint64_t value[argument_slots];
};
struct CallBlock {
  Passed arguments, results;
};
inline constexpr const char* call_block_symbol = "faultline_run_calls";

inline constexpr size_t bytes_of(const Layout& layout) {
  const size_t bytes = header_bytes + layout.counters * sizeof(uint64_t) + layout.sites * sizeof(SiteCounters) +
                       size_t(most_outputs) * sizeof(PrintedNumber);
  return (bytes + 4095) / 4096 * 4096;
}

// The parts of the block.
struct Memory {
  char* begin;
  Layout layout;

  Header& header() const { return *reinterpret_cast<Header*>(begin); }
  uint64_t* counters() const { return reinterpret_cast<uint64_t*>(begin + header_bytes); }
  SiteCounters* sites() const { return reinterpret_cast<SiteCounters*>(counters() + layout.counters); }
  PrintedNumber* printed() const { return reinterpret_cast<PrintedNumber*>(sites() + layout.sites); }
};

} // namespace faultline::run
