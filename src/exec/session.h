// An evaluation session: one target, compiled and ready, in this (worker) process. Every call starts from the same
// state: the program's variables, its heap and its random numbers are put back first, so a result depends on the input
// alone.
#pragma once

#include "exec/outcome.h"
#include "frontend/handlers.h"
#include "frontend/program.h"
#include "frontend/target.h"
#include "numeric/bigfloat.h"
#include "ops/error_bound.h"
#include "runtime/abi.h"
#include "runtime/lift.h"
#include "runtime/tape_memory.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace faultline::exec {

// What a target is called with.

// One value for each input cell of the target. x87's format holds every value of the others, and 64-bit integers.
using Input = std::vector<long double>;

// Would a run see no difference? 0 and -0 are equal, and it may tell them apart; a NaN does not equal itself.
bool same_bits(const Input& a, const Input& b);

struct OutputValue {
  long double value = 0;
  uint32_t record = 0; // the record that made it; 0 if the tape does not know
};

// A taped run. Its records and outputs are on lease (runtime/tape_memory.h): the next run of the session ends it.
struct Run {
  Outcome outcome = Outcome::returned;
  uint32_t flags = 0;      // hardware exception flags (exec/guard.h)
  int error_number = 0;    // errno after the call
  bool errno_used = false; // by the code itself: otherwise libm has set it
  Ending ending;           // of one that threw or exited, or needed what is not here
  // The session's: the call that ended such a run, and that of a handler, by which the code refused the input; or null.
  const runtime::Mark* ended_at = nullptr;
  const runtime::Mark* refused_at = nullptr;
  runtime::Records records;
  runtime::Leased<OutputValue> outputs;
};

// A run that outlives the next one: a copy.
class KeptRun {
public:
  explicit KeptRun(const Run& run)
      : records_(run.records.begin(), run.records.end()), outputs_(run.outputs.begin(), run.outputs.end()), run_(run) {
    run_.records = runtime::Records::kept(records_);
    run_.outputs = runtime::Leased<OutputValue>::kept(outputs_);
  }
  KeptRun(const KeptRun&) = delete;
  KeptRun& operator=(const KeptRun&) = delete;

  const Run& operator*() const { return run_; }
  const Run* operator->() const { return &run_; }

private:
  std::vector<runtime::Record> records_;
  std::vector<OutputValue> outputs_;
  Run run_;
};

// Where an output comes from. `computed`: an operation of the code made it. `given`: an input, a constant or an
// integer. `elsewhere`: no instrumented code made it, and its exact value is not known: the work of a function that is
// not instrumented, or a table. `untouched`: a zero in memory that no float was stored to. `unset`: nothing at all was
// stored there, and it is no input either: its value means nothing.
enum class Origin : uint8_t { computed, given, elsewhere, untouched, unset };

struct LiftedRun {
  Outcome outcome = Outcome::returned;
  Ending ending = {};                     // as of a taped run
  std::vector<numeric::BigFloat> outputs; // floats only; integers are exact
  std::vector<ops::ErrorExponent> errors; // of each of them
  std::vector<Origin> origins;            // of each of them
  // Of each of them: the function that is not instrumented, was given rounded values, and has a part in it; empty if
  // there is none. The exact value is unknown then.
  std::vector<std::string> made_with;
  uint64_t path = 0;
  std::vector<runtime::Decision> decisions;
};

// What the supervisor needs to know of the call under way. Lives in memory that both processes see, and that the code
// under test can write to: what stands there is taken for a hint.
struct Flight {
  enum : uint64_t { nothing = 0, target = 1, reference = 2, constructors = 3 };
  static constexpr uint64_t most_inputs = 1 << 17; // memory that is not written to costs nothing
  volatile uint64_t call = 0;                      // how many calls were begun
  volatile uint64_t running = 0;                   // what runs: one of the above
  volatile uint64_t stop = 0;                      // set by the supervisor: stop, and send what there is
  uint64_t inputs = 0;
  long double values[most_inputs];
};

// What a tape holds beside the float operations.
struct Recording {
  bool decisions = false; // integer conditions that the path so far does not settle, and the origin of leaves
  // The integer inputs are the same in all runs: what hangs on them alone is settled.
  bool integers_held = false;
  bool tape = true; // none: the code runs as it is, and no other way
};

// What a lifted run is for. Those of the oracle share an allowance (Limits::oracle_operations); a search keeps its own
// accounts.
enum class LiftedFor : uint8_t { oracle, search };

class Session {
public:
  // Takes the program, reduced to the target. Throws UserError if it cannot be compiled or its initialisation fails.
  Session(frontend::Program program, const frontend::Target& target, const Limits& limits, Flight* flight = nullptr,
          const Recording& recording = {}, const frontend::Handlers& handlers = {});
  ~Session();

  Run run(const Input& input);
  // The same, but a run of more records than that is cut short: it outgrew the tape, and its records are those so far.
  Run run_briefly(const Input& input, uint64_t most_records);
  // Without instrumentation: for runs that outgrow the tape. It has no records.
  Run run_native(const Input& input);
  // What a run prints on standard output and standard error (exec/heap.h).
  std::string printed(const Input& input);
  // `tightening`: loops' tolerances are taken 2^-tightening times as large.
  LiftedRun lift(const Input& input, long precision, LiftedFor purpose = LiftedFor::oracle, int tightening = 0);
  // From now on a lifted run has no more operations than these, beside Limits::lifted_operations: one that has is timed
  // out.
  void limit_lifted(uint64_t operations);

  // From now on lifted runs end when so many seconds have passed, on the clock: they are timed out.
  void end_lifted_within(double seconds);

  const runtime::SiteTable& sites() const;
  // From now on the addition at this site rounds on purpose: in lifted runs, and for all who read its operation.
  void round_on_purpose(uint32_t site);
  // This operand there is the tolerance of a loop.
  void note_tolerance(uint32_t site, int operand);
  const frontend::Target& target() const;
  // Functions that are called, are not instrumented, and may make floats (instrument/site_builder.h).
  const std::vector<std::string>& foreign() const;
  uint64_t calls() const; // taped runs so far
  uint64_t begun() const; // calls of the code so far, of any sort, as the flight counts them
  bool asked_to_stop() const;
  Flight* flight() const; // may be null

  // These calls (as the flight counts them) are not carried out: they killed an earlier worker.
  void skip(std::vector<uint64_t> calls);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Values in memory: those of a target's cells in its argument block, and the result of a record.
void write_cell(char* block, const frontend::Cell& cell, long double value);
long double read_cell(const char* block, const frontend::Cell& cell);

// As instrumented code stores a result of this format.
void store_result(runtime::Value& result, numeric::Format format, long double value);

} // namespace faultline::exec
