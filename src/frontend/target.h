// A target: a function that can be hunted in, with its inputs and outputs.
//
// The function's parameters are flattened to scalars. Each scalar has a cell in the argument block, one stretch of
// memory that is written before a call and read after it; a pointer parameter points into the block. A cell can be an
// input, an output, or both (an array that is changed in place).
#pragma once

#include "numeric/format.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::frontend {

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
  bool judged = true;  // outputs: its error counts by default
  // Of an input that is a flag or an enumeration (frontend/layout.h); empty: it is none.
  std::vector<int64_t> values = {};
};

enum class Passing {
  value,
  pointer,
  descriptor, // a pointer to a Fortran descriptor of the cells (frontend/descriptor.h)
  absent,     // a null pointer: an optional dummy argument of Fortran that is not there
  address,    // a pointer that stands in the block itself: what it points to is elsewhere (exec/extents/)
  slice,      // a pointer and the number of elements, as two arguments: Rust's &[T]
};

// Who says how many numbers are behind a pointer.
enum class SizedBy : uint8_t {
  code,   // its type, its declaration, or what the function can do with it: one number, a struct, double p[3]
  user,   // --size
  nobody, // it is to be found by running the function (judge/extents/)
};

struct Parameter {
  std::string name;
  std::string type_name; // as the source has it
  Passing passing = Passing::value;
  Type type = {};      // of a value
  uint64_t offset = 0; // of its first cell
  uint64_t count = 1;  // elements of an array
  bool is_array = false;
  SizedBy sized_by = SizedBy::code;
  std::vector<uint64_t> extents = {}; // of an array; where nobody says how many, of what is laid out until it is known
  std::string alias_of = {};          // the parameter whose memory it shares; empty: it has its own
  // Of an array, as the source declares them (frontend/discover.h): n of x(n); empty: it says nothing.
  std::vector<std::string> declared_extents = {};
};

// What keeps a function from being hunted in. Few enough to count by; the reason in words says more. `extent`: nothing
// but the extents of arrays, which running it will tell.
enum class Obstacle : uint8_t {
  none,
  harness,
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
  std::vector<Cell> inputs;
  std::vector<Cell> outputs;
  uint64_t block_bytes = 0;
  uint64_t return_offset = 0;
  bool returned_by_pointer = false; // a struct returned through a hidden first parameter
  std::string unsuitable;           // why it cannot be hunted in, and what to do about it; empty if it can
  Obstacle obstacle = Obstacle::none;

  // Of a target that is called through a harness (frontend/harness/), whose symbol it has: the harness's code, the
  // symbol of the function itself (empty for an instance of a template), and those of its parameters that are functions
  // of a small family. Empty: it is called as it is.
  std::string harness;
  std::string called_symbol;
  std::vector<std::string> families;

  bool hidden = false; // other libraries cannot call it: a helper of its own library, unless somebody names it

  bool can_be_called = false; // suitable, but perhaps for its output, which may be an integer: enough for cover

  bool suitable() const { return unsuitable.empty(); }
  // Suitable, perhaps once the extents of its arrays are found.
  bool huntable() const { return suitable() || obstacle == Obstacle::extent; }
};

// --size A=4x4: the extents of array parameters, by name; "*" is for all.
using Sizes = std::map<std::string, std::vector<uint64_t>>;

// --alias y=x: the pointer y points to the memory of x, so that a call in place, f(A, A), can be hunted in.
using Aliases = std::map<std::string, std::string>;

// Both, of one function. It is asked for when the target has its names and its place in the source, and no more.
struct Shapes {
  Sizes sizes;
  Aliases aliases;
  Sizes declared = {}; // by the source: what the user says comes before it
};
using ShapesOf = std::function<Shapes(const Target&)>;

// Leaves the hidden ones out, with the reason, if there are others that can be hunted in.
void leave_out_hidden(std::vector<Target>& targets);

std::string before_parameters(const std::string& name); // f of f(double)

std::string parameter_of(const std::string& cell); // A of A, A[3], A.x, A%x and A(2,1)

// What a user may call the target: its symbol, its name in full (f(double)) and in short (f), Fortran's without the
// underscore, that of a template with its arguments and without them (f<double>, f), Rust's without the hash.
std::vector<std::string> names_of(const Target& target);

// Has the name something in it that stands for others, as in gsl_sf_*?
bool is_pattern(const std::string& name);
// Is it one of the target's names, or a pattern that one of them matches?
bool answers_to(const Target& target, const std::string& pattern);

// Those of the targets that are called so, all overloads and instances of it: by one of their names; if there is none,
// by the last parts of the name (expm1_over for stats::expm1_over). Throws UserError if these parts mean different
// functions. Patterns are not looked for.
std::vector<Target> called(const std::string& name, const std::vector<Target>& targets);

// How many numbers an array may have: a limit of layouts, and of --size.

// Of an array. A guess: vectors of 100,000 can be hunted in, and a finding that shows one stays a file to be read.
inline constexpr uint64_t most_cells = 1u << 17;

// --size NAME=N: is there a parameter of that name?

// Throws UserError for a name that no parameter of the targets has. Targets that are not suitable count: a wrong name
// may be the reason.
void check_sizes(std::span<const Target> targets, const Sizes& sizes);

// Aliases: pointer parameters that share memory, as in a call in place, f(A, A).
//
// --alias y=x lets y point to the memory of x, the owner. y's elements have no cells of their own then: what is read or
// written through y are x's cells, under x's name. It applies to every function that has both parameters. The two must
// point to elements of the same type, and these must be floats: which integers of the code are inputs is settled before
// it runs (instrument/decisions.h), and a write through another pointer would not be seen.

// The parameter whose memory `name` shares, through as many aliases as it takes; empty if it has its own. Aliases to
// names that are not among the parameters do not count. Throws UserError if they go in a circle.
std::string owner_of(const std::string& name, const Aliases& aliases, const std::vector<std::string>& parameters);

// Throws UserError: an alias that applies to none of the targets.
void check_aliases(std::span<const Target> targets, const Aliases& aliases);

// The names of cells of arrays: A[3] is cell 3 of A. Findings, messages and people name cells; here the names are made
// and taken apart.
struct ArrayCell {
  std::string array;
  size_t index = 0;
};

std::string cell_name(const std::string& array, size_t index);
std::optional<ArrayCell> array_cell(const std::string& name); // none if the name is not of this form

// What precedes the last bracket: A of A[3], p of p[0].x, x of x.
std::string array_of(const std::string& name);

// Cells A[0], A[1], ... of one array that follow each other in a list.
struct ArrayRun {
  std::string array;
  size_t length = 0; // 0: the first cell is not A[0]
};

// The run that begins at cell `first`. The cells have a `name`.
template <class Cell>
ArrayRun array_run(const std::vector<Cell>& cells, size_t first) {
  const std::optional<ArrayCell> head = array_cell(cells[first].name);
  if (!head)
    return {};
  ArrayRun run{head->array};
  for (size_t i = first; i < cells.size(); ++i, ++run.length)
    if (const auto next = array_cell(cells[i].name); !next || next->array != run.array || next->index != run.length)
      break;
  return run;
}

// Plain data that searches, proofs and findings share. It is here because all of them see this layer.

// In what an error is measured.
enum class ErrorMeasure : uint8_t { absolute, ulps, relative };
inline constexpr std::array all_measures = {ErrorMeasure::absolute, ErrorMeasure::ulps, ErrorMeasure::relative};
std::string_view text(ErrorMeasure measure);
std::optional<ErrorMeasure> error_measure_of(std::string_view text);

// What is known of one way that a decision of the code can go.
enum class Standing : uint8_t { covered, infeasible, open };
std::string_view text(Standing standing);
std::optional<Standing> standing_of(std::string_view text);

// Which executions of an addition are checked for precision loss and cancellation (search/checks.h).
enum class CheckSampling : uint8_t { uniform, logarithmic };

// A line whose additions are checked.
struct CheckedLine {
  std::string file; // a path, or its last parts
  int line = 0;

  bool operator==(const CheckedLine&) const = default;
};

// What calls of the code under test may cost.
struct CallLimits {
  double call_seconds = 1;   // CPU time, as all of these
  double native_seconds = 5; // without a tape
  double lifted_seconds = 10;
  uint64_t lifted_operations = 50'000'000; // of one lifted run
  uint64_t oracle_operations = 40'000'000; // of all lifted runs of a session, high precisions counting more
  uint64_t heap_bytes = 512u << 20;

  bool operator==(const CallLimits&) const = default;
};

// A worker died or hung.
struct WorkerDeath {
  bool hung = false; // else it died of `signal`, or ended with `status`
  int signal = 0;
  int status = 0;
  bool in_call = false;           // of the target
  bool in_reference = false;      // in the user's reference
  std::vector<long double> input; // of the call under way, as far as the shared memory tells
  bool in_constructors = false;   // of the program
  bool out_of_time = false;       // it hung until the time of the whole job was over
};

} // namespace faultline::frontend
