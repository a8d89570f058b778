// A target: a function under test, with its inputs and outputs.
//
// The parameters are flattened to scalars. Each scalar has a cell in the argument block, a contiguous piece of memory
// that is written before a call and read after it. Pointer parameters point into the block. A cell can be an input, an
// output, or both (an array that is changed in place).
#pragma once

#include "numeric/format.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::model {

struct Type {
  bool floating = true;
  numeric::Format format = numeric::Format::binary64;
  int bits = 64; // of an integer
  bool is_signed = true;

  uint64_t bytes() const;   // in memory
  std::string name() const; // binary64, int32, uint8
};

struct Cell {
  std::string name; // x, A[3], result.val, return
  Type type;
  uint64_t offset = 0; // in the argument block
  bool judged = true;  // of an output: its error counts by default
  // The values of an input that is a flag or an enumeration (program/layout.h); empty for other inputs.
  std::vector<int64_t> values = {};
};

enum class Passing {
  value,
  pointer,
  descriptor, // a pointer to a Fortran descriptor of the cells (program/descriptor.h)
  absent,     // a null pointer: an absent optional dummy argument of Fortran
  address,    // a pointer stored in the block; what it points to is elsewhere (exec/extent_probe.h)
  slice,      // a pointer and the number of elements, as two arguments: Rust's &[T]
};

// What determines how many numbers a pointer points to.
enum class SizedBy : uint8_t {
  code,    // the type, the declaration, or the accesses in the code: one number, a struct, double p[3]
  user,    // --size
  unknown, // found by running the function (judge/extent_search.h)
};

struct Parameter {
  std::string name;
  std::string type_name; // as the source has it
  Passing passing = Passing::value;
  Type type = {};      // of a value
  uint64_t offset = 0; // of its first cell
  uint64_t bytes = 0;  // of the memory that a pointer points to
  uint64_t count = 1;  // elements of an array
  bool is_array = false;
  SizedBy sized_by = SizedBy::code;
  std::vector<uint64_t> extents = {}; // of an array; if the size is unknown, of the provisional layout
  std::string alias_of = {};          // the parameter whose memory it shares; empty if it has its own
  // The offset in the block of the field that points to this memory, which is no argument itself; none: an argument.
  std::optional<uint64_t> stored_at = {};
  // The extents of an array as declared in the source (program/discover.h): n of x(n); empty if there are none.
  std::vector<std::string> declared_extents = {};
};

// What an integer that a function returns says about its success.
enum class Success : uint8_t { unknown, zero, not_zero };

// A function that makes the object of a parameter before each call (--setup). If it fails, there is no call.
struct Setup {
  std::string function, symbol;
  std::string makes = {};                 // the name of the parameter
  bool returns_object = false;            // its address; if false, a pointer argument gets it
  Success succeeds = Success::unknown;    // by its result
  std::vector<Parameter> parameters = {}; // its arguments: the object (Passing::pointer) and numbers
};

// Why a function cannot be tested, as categories to count by; Target::unsuitable has the details. `extent`: only the
// extents of arrays are unknown, which running the function will find.
enum class Obstacle : uint8_t {
  none,
  harness,
  state, // fields that are read and that cannot be set
  size,
  extent,
  no_input,
  no_output,
  no_debug_information,
  hidden,
  skipped
};

struct Target {
  std::string function; // as the user calls it
  std::string symbol;
  std::string file;
  int line = 0;
  std::vector<Parameter> parameters;
  std::vector<Setup> setups = {}; // run before each call, in this order
  std::vector<Cell> inputs;
  std::vector<Cell> outputs;
  uint64_t block_bytes = 0;
  uint64_t return_offset = 0;
  bool returned_by_pointer = false; // returns a struct through a hidden first parameter
  std::string unsuitable;           // why it cannot be tested, and what to do about it; empty if it can
  Obstacle obstacle = Obstacle::none;

  // For a target that is called through a harness (program/harnessed_source.h), `symbol` is the harness's. These are
  // the harness's code, the symbol of the function itself (empty for an instance of a template), and the symbols of
  // those parameters that are functions of a small family. Empty if there is no harness.
  std::string harness;
  std::string called_symbol;
  std::vector<std::string> families;

  bool hidden = false; // not callable from other libraries: an internal helper, used only if it is named

  std::string checksum = {}; // MD5 of `file` when it was compiled, from debug information; empty: unknown

  bool can_be_called = false; // suitable except perhaps for its output, which may be an integer: enough for cover

  bool suitable() const { return unsuitable.empty(); }
  // True if the target is suitable, perhaps once the extents of its arrays are found.
  bool huntable() const { return suitable() || obstacle == Obstacle::extent; }
};

// --size A=4x4: the extents of array parameters, by name; "*" is for all.
using Sizes = std::map<std::string, std::vector<uint64_t>>;

// --alias y=x: the pointer y points to the memory of x, to test a call in place, f(A, A).
using Aliases = std::map<std::string, std::string>;

// Sizes and aliases of one function.
struct Shapes {
  Sizes sizes;
  Aliases aliases;
  Sizes declared = {};                  // from the source; the user's sizes take precedence
  std::vector<std::string> setups = {}; // --setup
};
std::string before_parameters(const std::string& name); // f of f(double)

std::string parameter_of(const std::string& cell); // A of A, A[3], A.x, A%x and A(2,1)
// True if the parameter, or the memory behind a field (s.values), contains the cell.
bool is_part_of(const std::string& cell, const std::string& parameter);

// The largest number of elements of an array, for layouts and --size. A guess: vectors of 100,000 elements can be
// tested, and a finding that prints one remains readable.
inline constexpr uint64_t most_cells = 1u << 17;

// The names of array cells: A[3] is cell 3 of A. Findings and messages contain them.
struct ArrayCell {
  std::string array;
  size_t index = 0;
};

std::string cell_name(const std::string& array, size_t index);
std::optional<ArrayCell> array_cell(const std::string& name); // none if the name does not have this form

// What precedes the last bracket: A of A[3], p of p[0].x, x of x.
std::string array_of(const std::string& name);

// Consecutive cells A[0], A[1], ... of one array in a list.
struct ArrayRun {
  std::string array;
  size_t length = 0; // 0 if the first cell is not A[0]
};

// Returns the run that begins at cell `first`. Cells must have a `name`.
template <class Cell> ArrayRun array_run(const std::vector<Cell>& cells, size_t first) {
  const std::optional<ArrayCell> head = array_cell(cells[first].name);
  if (!head)
    return {};
  ArrayRun run{head->array};
  for (size_t i = first; i < cells.size(); ++i, ++run.length)
    if (const auto next = array_cell(cells[i].name); !next || next->array != run.array || next->index != run.length)
      break;
  return run;
}

// The unit of an error.
enum class ErrorMeasure : uint8_t { absolute, ulps, relative };
inline constexpr std::array all_measures = {ErrorMeasure::absolute, ErrorMeasure::ulps, ErrorMeasure::relative};
std::string_view text(ErrorMeasure measure);
std::optional<ErrorMeasure> error_measure_of(std::string_view text);

// What is known about one outcome of a decision in the code.
enum class BranchState : uint8_t { covered, infeasible, open };
std::string_view text(BranchState state);
std::optional<BranchState> branch_state_of(std::string_view text);

// How the executions of an addition that are checked for precision loss and cancellation are chosen (search/checks.h).
enum class CheckSampling : uint8_t { uniform, logarithmic };

// A line whose additions are checked.
struct CheckedLine {
  std::string file; // a path, or its last parts
  int line = 0;

  bool operator==(const CheckedLine&) const = default;
};

// Limits for calls of the code under test.
struct CallLimits {
  double call_seconds = 1;   // CPU time, like all of these
  double native_seconds = 5; // without a tape
  double lifted_seconds = 10;
  uint64_t lifted_operations = 50'000'000; // of one lifted run
  uint64_t oracle_operations = 40'000'000; // of all lifted runs of a session, high precisions counting more
  uint64_t heap_bytes = 512u << 20;

  bool operator==(const CallLimits&) const = default;
};

// How a worker died or hung.
struct WorkerDeath {
  bool hung = false; // if false, it died of `signal` or ended with `status`
  int signal = 0;
  int status = 0;
  bool in_call = false;              // while calling the target
  bool in_reference = false;         // while calling the user's reference
  std::vector<numeric::Value> input; // of the call in progress, as far as the shared memory has it
  bool in_constructors = false;      // while running the program's constructors
  bool out_of_time = false;          // it hung until the time of the whole job was over
};

} // namespace faultline::model
