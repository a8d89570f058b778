// An evaluation session: one target, compiled, in this (worker) process. Every call starts from the same state: the
// program's variables, heap and random numbers are restored first, so a result depends on the input alone.
#pragma once

#include "exec/outcome.h"
#include "model/target.h"
#include "numeric/bigfloat.h"
#include "ops/error_bound.h"
#include "program/handlers.h"
#include "program/program.h"
#include "runtime/abi.h"
#include "runtime/lift.h"
#include "runtime/tape_memory.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace faultline::exec {

// One value for each input cell of the target. The x87 format holds every value of the other formats and 64-bit
// integers.
using Input = std::vector<numeric::Value>;

// True if the values are the same bit by bit: unlike ==, this distinguishes 0 from -0, and a NaN equals itself.
bool same_bits(const Input& a, const Input& b);

struct OutputValue {
  numeric::Value value = 0;
  uint32_t record = 0; // the record that made it; 0 if unknown
};

// A taped run. Its records and outputs are leased (runtime/tape_memory.h) until the next run of the session.
struct Run {
  Outcome outcome = Outcome::returned;
  uint32_t flags = 0;      // hardware exception flags (exec/guard.h)
  int error_number = 0;    // errno after the call
  bool errno_used = false; // used by the code itself; otherwise libm set it
  Ending ending;           // for a run that threw, exited or needed a missing symbol
  // Owned by the session, or null: the call that ended the run, and the call of a handler that rejected the input.
  const runtime::Mark* ended_at = nullptr;
  const runtime::Mark* refused_at = nullptr;
  runtime::Records records;
  runtime::Leased<OutputValue> outputs;
};

// A copy of a run, valid after the next run.
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

// The origin of an output:
// computed: an operation of the code made it
// given: an input, a constant or an integer
// elsewhere: made by code that is not instrumented or read from a table; its exact value is unknown
// untouched: zeroed memory that no float was stored to
// unset: memory that nothing was stored to and that is no input; its value is meaningless
enum class Origin : uint8_t { computed, given, elsewhere, untouched, unset };

struct LiftedRun {
  Outcome outcome = Outcome::returned;
  Ending ending = {};                     // as of a taped run
  std::vector<numeric::BigFloat> outputs; // floats only; integers are exact
  std::vector<ops::ErrorExponent> errors; // of each output
  std::vector<Origin> origins;            // of each output
  // For each output: the uninstrumented function with rounded values, or the bits, that contributed to it; empty if
  // none. The exact value is then unknown.
  std::vector<std::string> made_with;
  bool works_on_bits = false; // runtime/lift.h
  bool reads_bits = false;    // of rounded values
  uint64_t path = 0;
  std::vector<runtime::Decision> decisions;
};

// The state of the current call, for the supervisor. It is in shared memory, which the code under test can overwrite,
// so the supervisor treats it as a hint.
struct CallInProgress {
  enum : uint64_t { nothing = 0, target = 1, reference = 2, constructors = 3 };
  static constexpr uint64_t most_inputs = 1 << 17; // unused memory costs nothing
  volatile uint64_t call = 0;                      // number of calls begun
  volatile uint64_t running = 0;                   // the code that runs: one of the constants above
  volatile uint64_t stop = 0;                      // set by the supervisor: stop, and send what is there
  uint64_t inputs = 0;
  numeric::Value values[most_inputs];
};

// What a tape records in addition to the float operations.
struct Recording {
  bool decisions = false; // integer conditions not determined by the path, and the origin of leaves
  // The integer inputs are the same in all runs, so all that depends only on them is determined.
  bool integers_held = false;
  bool tape = true; // if false, the code runs without a tape
};

// The purpose of a lifted run. Runs of the oracle share an allowance (Limits::oracle_operations); a search keeps its
// own.
enum class LiftedFor : uint8_t { oracle, search };

class Session {
public:
  // Takes the program, reduced to the target. Throws UserError if it cannot be compiled or its initialisation fails.
  Session(program::Program program, const model::Target& target, const Limits& limits,
          CallInProgress* progress = nullptr, const Recording& recording = {}, const program::Handlers& handlers = {});
  ~Session();

  Run run(const Input& input);
  // As `run`, but ends after this many records with the outcome of a full tape. The run keeps the records so far.
  Run run_briefly(const Input& input, uint64_t most_records);
  // Runs without instrumentation, for runs too long for the tape. The result has no records.
  Run run_native(const Input& input);
  // CPU time of this many native calls on one input, one after the other, without restoring anything in between. NaN if
  // one does not return.
  double time_native(const Input& input, uint64_t calls);
  // Runs the machine code of the user's own build in the same way. Throws UserError if it cannot be called.
  Run run_built(const Input& input);
  // The compiler that made it, after a run; empty if it is unknown.
  const std::string& builder() const;
  // Returns what a run prints on standard output and standard error (exec/heap.h).
  std::string printed(const Input& input);
  LiftedRun lift(const Input& input, long precision, LiftedFor purpose = LiftedFor::oracle,
                 const runtime::LiftVariation& variation = {});
  // Limits the operations of later lifted runs, in addition to Limits::lifted_operations. A run that exceeds the limit
  // is timed out.
  void limit_lifted(uint64_t operations);

  // Limits later lifted runs to this wall-clock time. A run that exceeds it is timed out.
  void end_lifted_within(double seconds);

  const runtime::SiteTable& sites() const;
  // Declares that the addition at this site rounds on purpose, in lifted runs and for all readers of its operation.
  void round_on_purpose(uint32_t site);
  // Declares that this operand is the tolerance of a loop.
  void note_tolerance(uint32_t site, int operand);
  const model::Target& target() const;
  // The called functions that are not instrumented and may make floats (instrument/site_builder.h).
  const std::vector<std::string>& foreign() const;
  uint64_t calls() const; // taped runs so far
  uint64_t begun() const; // calls of the code so far, of any kind, as the supervisor counts them
  bool asked_to_stop() const;
  CallInProgress* progress() const; // may be null

  // Skips these calls (as the supervisor counts them) because they killed an earlier worker.
  void skip(std::vector<uint64_t> calls);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Limits lifted runs while it exists (Session::limit_lifted).
class LiftedLimit {
public:
  LiftedLimit(Session& session, uint64_t operations) : session_(session) { session.limit_lifted(operations); }
  ~LiftedLimit() { session_.limit_lifted(~uint64_t(0)); }
  LiftedLimit(const LiftedLimit&) = delete;
  LiftedLimit& operator=(const LiftedLimit&) = delete;

private:
  Session& session_;
};

// Writes a cell of a target's argument block.
void write_cell(char* block, const model::Cell& cell, numeric::Value value);

} // namespace faultline::exec
