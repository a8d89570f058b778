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

// What `faultline run` asks of the twin with `TwinOptions::probes`; written before the twin begins.
inline constexpr uint64_t all_sites = ~uint64_t(0);
struct Probe {
  uint64_t fills = 0;        // fresh memory is filled with `fresh_pattern`
  uint64_t decides = 0;      // inexact comparisons have their exact outcome
  double tightening = 0;     // a factor for the tolerances of loops; 0 keeps them
  uint64_t site = all_sites; // the only comparison to which this applies
};
// Fresh memory: a quiet NaN as binary32, and twice as binary64. The low 16 bits number the site that got the memory.
inline constexpr uint32_t fresh_pattern = 0x7ff80000;
inline constexpr uint32_t fresh_sites = 0xffff; // the index from 1; the largest: a later site

struct Header {
  Probe probe;
  uint64_t uninitialised; // values with the pattern that were computed with
  uint64_t started;       // processes
  uint64_t printed;       // numbers
  uint64_t lines;         // that were written to standard output
  uint64_t no_shadow;     // processes that got no shadow memory, and ended
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
  uint64_t nan_ends;      // NaN that a comparison, minimum or maximum takes and does not pass on
  uint64_t uninitialised; // the first value with the pattern of fresh memory was used here: its low 16 bits, and 1 more
  uint64_t exits;         // of a loop by its tolerance
  uint64_t widened;       // results of single precision that are inexact
  uint64_t noise;         // tests of a tolerance by a quantity without a right digit
};

struct PrintedNumber {
  double value, residue;
  uint32_t site;
  uint32_t line; // of standard output, from 1; 0: written elsewhere
};

// The time line of a variable (TwinOptions::watched): every assignment, or for an array its norm after as many stores
// as it has elements. When it is full, every second sample is dropped.
inline constexpr uint32_t most_samples = 512;
inline constexpr uint32_t most_watched = 16; // variables
struct WatchSample {
  uint64_t event; // the number of the assignment
  double value, residue;
};
struct WatchLine {
  uint64_t events, stores, elements;
  uint64_t stride, used;
  WatchSample last, worst; // worst: the largest relative error
  WatchSample samples[most_samples];
};

// Where a watched variable is: in a table of the twin, `watched_symbol`, for those at constant addresses.
struct WatchedGlobal {
  char* begin;
  uint64_t bytes;
  uint32_t variable, slot;
};
inline constexpr const char* watched_symbol = "faultline_run_watched";

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
  choose, // a minimum or maximum: NaN
  widen,  // an inexact binary32 becomes a binary64
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
                       size_t(most_outputs) * sizeof(PrintedNumber) + most_watched * sizeof(WatchLine);
  return (bytes + 4095) / 4096 * 4096;
}

// What a twin computed, one value after the other: for the comparison with another run (run/alignment.h). Each thread
// writes to a ring of its own in a second file, and waits while its ring is full. The reader is `faultline run`.
inline constexpr const char* events_variable = "FAULTLINE_RUN_EVENTS"; // the descriptor of that file
inline constexpr uint32_t ring_events = 1 << 14;
inline constexpr uint32_t most_rings = 64; // the events of further threads are lost

// Events that are not values.
inline constexpr uint32_t printed_event = 0xffffffff; // a printed number; `thread` and `outcome` are the site
inline constexpr uint32_t region_begin = 0xfffffffe;  // several threads may run until region_end
inline constexpr uint32_t region_end = 0xfffffffd;
inline constexpr uint32_t region_ring = 0xfffffffc; // before region_end: ring `thread` has written `value` events

struct Event {
  uint32_t place;   // of the table of values (run/sites.h)
  uint16_t thread;  // OpenMP's number
  uint16_t outcome; // of a decision: true, or the low bits of an integer
  double value, residue;
};

struct Ring {
  alignas(64) uint64_t written;
  alignas(64) uint64_t read;
  alignas(64) Event events[ring_events];
};
struct EventMemory {
  uint64_t rings; // in use
  uint64_t lost;  // threads without a ring
  uint64_t muted; // set by the reader: it wants printed numbers only
  alignas(64) Ring ring[most_rings];
};

// The parts of the block.
struct Memory {
  char* begin;
  Layout layout;

  Header& header() const { return *reinterpret_cast<Header*>(begin); }
  uint64_t* counters() const { return reinterpret_cast<uint64_t*>(begin + header_bytes); }
  SiteCounters* sites() const { return reinterpret_cast<SiteCounters*>(counters() + layout.counters); }
  PrintedNumber* printed() const { return reinterpret_cast<PrintedNumber*>(sites() + layout.sites); }
  WatchLine* watched() const { return reinterpret_cast<WatchLine*>(printed() + most_outputs); }
};

} // namespace faultline::run
