#include "exec/session.h"

#include "base/clock.h"
#include "exec/argument_block.h"
#include "exec/guard.h"
#include "exec/heap.h"
#include "exec/replacements.h"
#include "exec/target_code.h"
#include "exec/worker.h"
#include "runtime/entry_points.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <map>

namespace faultline::exec {

using model::Cell;
using numeric::Format;

void write_cell(char* block, const Cell& cell, numeric::Value value) {
  char* where = block + cell.offset;
  auto put = [&](auto typed) { std::memcpy(where, &typed, cell.type.bytes()); };
  if (!cell.type.floating) {
    if (cell.type.is_signed)
      put(int64_t(value));
    else
      put(uint64_t(value));
    return;
  }
  numeric::with_type(cell.type.format, [&](auto type) { put(static_cast<typename decltype(type)::type>(value)); });
}

bool same_bits(const Input& a, const Input& b) {
  return std::ranges::equal(a, b, [](numeric::Value x, numeric::Value y) {
    return std::signbit(x) == std::signbit(y) && (x == y || (std::isnan(x) && std::isnan(y)));
  });
}

namespace {

// Detects outputs that a lifted run does not store. Output memory that is not an input is zeroed before a call, so an
// output of zero may be unset, and its value is then meaningless.
//
// In lifted runs this memory contains a mark: a negative zero with a special leaf as its shadow. Any store replaces the
// mark: of a float, of an integer, or by code that is not instrumented. Code that wrongly reads the memory still finds
// a zero.
class UnsetOutputs {
public:
  explicit UnsetOutputs(const model::Target& target) {
    std::ranges::copy_if(target.outputs, std::back_inserter(cells_), [&](const Cell& cell) {
      return cell.type.floating && std::ranges::find(target.inputs, cell.offset, &Cell::offset) == target.inputs.end();
    });
  }

  // Marks the argument block and the lifter's memory. Call before each run.
  void mark(char* block, runtime::Lifter& lifter) {
    marks_.clear();
    for (const Cell& cell : cells_) {
      const uint32_t leaf = lifter.leaf(-0.0L, cell.type.format);
      write_cell(block, cell, -0.0L);
      lifter.memory().set(reinterpret_cast<uint64_t>(block + cell.offset), leaf);
      marks_[cell.offset] = leaf;
    }
  }

  // After a run: is_mark is true if this shadow of the output is the mark. is_unset also requires unchanged memory.
  bool is_mark(const Cell& cell, uint32_t shadow, const runtime::Lifter& lifter) const {
    const auto mark = marks_.find(cell.offset);
    return mark != marks_.end() && mark->second == shadow &&
           lifter.origin(shadow) == runtime::Origin::leaf; // another value may have reused the number
  }

  bool is_unset(const Cell& cell, uint32_t shadow, numeric::Value native, const runtime::Lifter& lifter) const {
    return native == 0 && std::signbit(native) && is_mark(cell, shadow, lifter);
  }

private:
  std::vector<model::Cell> cells_;
  std::map<uint64_t, uint32_t> marks_; // by offset in the block
};

const runtime::Mark* mark(const runtime::SiteTable& table, uint64_t number) {
  return number > 0 && number <= table.marks.size() ? &table.marks[number - 1] : nullptr;
}

void report(Run& run, const GuardedResult& guarded, const runtime::SiteTable& table) {
  const runtime::State& state = *runtime::tape_memory().state;
  const bool at_mark = guarded.outcome == Outcome::threw || guarded.outcome == Outcome::exited ||
                       guarded.outcome == Outcome::out_of_bounds;
  run.ending = guarded.ending;
  run.ended_at = at_mark ? mark(table, state.ended) : nullptr;
  if (guarded.outcome == Outcome::out_of_bounds && run.ended_at)
    run.ending.words = run.ended_at->function;
  run.refused_at = mark(table, state.refused);
  run.outcome = guarded.outcome;
  run.flags = guarded.flags;
  run.error_number = guarded.error_number;
  run.errno_used = errno_was_used();
}

Origin origin_of(const runtime::Lifter& lifter, uint32_t index) {
  switch (lifter.origin(index)) {
  case runtime::Origin::operation:
    return Origin::computed;
  case runtime::Origin::leaf:
    return Origin::given;
  default:
    return Origin::elsewhere;
  }
}

bool has_halves(const runtime::SiteTable& table) {
  return std::any_of(table.sites.begin() + runtime::first_program_site, table.sites.end(),
                     [](const runtime::Site& site) { return numeric::info(site.format).bytes == 2; });
}

numeric::Value read_cell(const char* block, const Cell& cell) {
  const char* where = block + cell.offset;
  if (!cell.type.floating) {
    uint64_t bits = 0;
    std::memcpy(&bits, where, std::min<uint64_t>(8, cell.type.bytes()));
    if (cell.type.is_signed && cell.type.bits < 64)
      return numeric::Value(int64_t(bits << (64 - cell.type.bits)) >> (64 - cell.type.bits));
    return cell.type.is_signed ? numeric::Value(int64_t(bits)) : numeric::Value(bits);
  }
  return numeric::with_type(cell.type.format, [&](auto type) {
    typename decltype(type)::type value;
    std::memcpy(static_cast<void*>(&value), where, cell.type.bytes());
    return numeric::Value(value);
  });
}

// Stores a result of this format as instrumented code does.
void store_result(runtime::Value& result, Format format, numeric::Value value) {
  switch (numeric::carrier(format)) {
  case Format::binary32:
    result.bits = runtime::single_tag;
    result.f = float(value);
    break;
  case Format::binary64:
    result.d = double(value);
    break;
  default:
    result.x = value;
  }
}

} // namespace

// The precision for static constructors. Each lifted run sets its own.
constexpr long first_lifted_precision = 128;

struct Session::Implementation {
  Implementation(program::Program program, const model::Target& target, const Limits& limits, CallInProgress* progress,
                 const Recording& recording, const program::Handlers& handlers)
      : target(separated(target)), limits(limits), progress(progress),
        code(std::move(program), this->target, this->limits, recording, handlers, progress), block(this->target),
        unset(this->target), halves(has_halves(code.sites())) {}

  model::Target target;
  Limits limits;
  CallInProgress* progress;
  TargetCode code;
  std::unique_ptr<runtime::Lifter> lifter; // for the last precision
  ArgumentBlock block;
  UnsetOutputs unset;
  bool halves;
  uint64_t oracle_spent = 0;
  uint64_t lifted_limit = ~uint64_t(0);
  base::Deadline lifted_end{std::numeric_limits<double>::infinity()};
  uint64_t calls = 0, begun = 0;
  std::vector<uint64_t> skipped;
  std::vector<OutputValue> outputs; // of the last run

  // Higher precision costs more: an operation counts once per 256 bits.
  static uint64_t weight(long precision) { return uint64_t(std::max(1L, precision / 256)); }
  uint64_t affordable(long precision) const {
    return (limits.oracle_operations - std::min(oracle_spent, limits.oracle_operations)) / weight(precision);
  }

  const Code& lifted_code() {
    if (!code.has_lifted())
      begin_lifted(first_lifted_precision, __builtin_frame_address(0));
    const Code& lifted = code.lifted();
    end_lifted();
    return lifted;
  }

  runtime::Lifter& begin_lifted(long precision, const void* stack_base, LiftedFor purpose = LiftedFor::oracle,
                                const runtime::LiftVariation& variation = {}) {
    if (!lifter || lifter->precision() != precision)
      lifter = std::make_unique<runtime::Lifter>(code.sites(), precision);
    const uint64_t most = std::min(limits.lifted_operations, lifted_limit);
    lifter->begin(stack_base, purpose == LiftedFor::search ? most : std::min(most, affordable(precision)), variation);
    runtime::set_lifter(lifter.get(), {enter_own_code, leave_own_code, [] { leave_call(Outcome::timed_out); }});
    return *lifter;
  }
  void end_lifted() { runtime::set_lifter(nullptr, {}); }

  // Calls one version of the program on the block.
  GuardedResult call(const Code& version, const Input& input, double seconds) {
    announce(input);
    runtime::expect_halves(halves);
    GuardedResult result;
    if (must_skip()) {
      result.outcome = Outcome::killed;
    } else {
      set_call_limit(seconds);
      result = guarded_call(version.driver, block.data());
    }
    if (progress)
      progress->running = CallInProgress::nothing;
    return result;
  }

  void write_inputs(const Input& input) {
    block.clear();
    for (size_t i = 0; i < target.inputs.size(); ++i)
      write_cell(block.data(), target.inputs[i], input[i]);
  }

  // Appends the first records. Integer inputs are on the tape too, so record i + 1 is always input i.
  void record_inputs(const Input& input) {
    runtime::TapeMemory& memory = runtime::tape_memory();
    uint64_t& cursor = memory.state->cursor;
    for (size_t i = 0; i < target.inputs.size(); ++i) {
      const Cell& cell = target.inputs[i];
      const Format format = cell.type.floating ? cell.type.format : numeric::all_formats.back();
      runtime::Record& record = memory.records[cursor];
      record.site = runtime::first_input_site + uint32_t(format);
      record.a = record.b = record.c = 0;
      store_result(record.result, format, input[i]);
      if (cell.type.floating)
        runtime::set_shadow(block.data() + cell.offset, uint32_t(cursor), cell.type.bytes());
      ++cursor;
    }
  }

  // Returns an output, with the record that made it if the tape has it.
  OutputValue taped_output(const Cell& cell) const {
    OutputValue output{read_cell(block.data(), cell), 0};
    if (!cell.type.floating)
      return output;
    const runtime::TapeMemory& memory = runtime::tape_memory();
    const uint32_t index = runtime::shadow_index(block.data() + cell.offset, cell.type.bytes());
    runtime::Value expected{};
    store_result(expected, cell.type.format, output.value);
    const auto bytes = size_t(numeric::info(numeric::carrier(cell.type.format)).bytes);
    if (index != 0 && index < memory.state->cursor && std::memcmp(&memory.records[index].result, &expected, bytes) == 0)
      output.record = index;
    return output;
  }

  // Adds an output of the lifted run that has just ended.
  void add_lifted_output(const Cell& cell, LiftedRun& result) const {
    const auto address = reinterpret_cast<uint64_t>(block.data() + cell.offset);
    const numeric::Value native = read_cell(block.data(), cell);
    const uint32_t shadow = lifter->memory().get(address);
    const bool left = unset.is_unset(cell, shadow, native, *lifter);
    const uint32_t index = unset.is_mark(cell, shadow, *lifter) ? 0 : shadow;
    const bool known = index != 0 && (lifter->native(index) == native ||
                                      (native != native && lifter->native(index) != lifter->native(index)));
    numeric::BigFloat value(lifter->precision());
    if (known)
      mpfr_set(value.raw(), lifter->shadow(index), MPFR_RNDN);
    else
      mpfr_set_ld(value.raw(), left ? 0 : native, MPFR_RNDN);
    result.errors.push_back(known ? lifter->error(index) : ops::no_error);
    const Origin stored = left ? Origin::unset : native == 0 ? Origin::untouched : Origin::elsewhere;
    result.origins.push_back(known ? origin_of(*lifter, index) : stored);
    const runtime::BitsRead& read = lifter->bits_read();
    const uint32_t function = known ? lifter->made_with(index) : lifter->foreign().writer_of(address);
    result.made_with.push_back(why_unknown(function, read));
    result.outputs.push_back(std::move(value));
  }

  Run run_untaped(const Code& version, const Input& input) {
    code.restore(version);
    write_inputs(input);
    runtime::begin_run(); // clears the records and invalidates earlier ones
    const GuardedResult guarded = call(version, input, limits.native_seconds);
    Run result;
    report(result, guarded, code.sites());
    result.records = runtime::Records({runtime::tape_memory().records, 1});
    outputs.clear();
    for (const Cell& cell : target.outputs)
      outputs.push_back({read_cell(block.data(), cell), 0});
    result.outputs = runtime::Leased<OutputValue>(outputs);
    return result;
  }

  // Why a lifted value has no exact one; `marked` is Lifter::made_with. Empty if it has one.
  std::string why_unknown(uint32_t marked, const runtime::BitsRead& read) const {
    if (marked == 0)
      return read.of_overflown ? fmt::format("the bits of a number that overflows, in line {}", read.line) : "";
    const uint32_t line = marked & ~(runtime::made_of_bits | runtime::made_of_overflow);
    if ((marked & runtime::made_of_bits) != 0)
      return line == 0 ? "the bits of a rounded value" : fmt::format("the bits of a rounded value in line {}", line);
    if ((marked & runtime::made_of_overflow) != 0)
      return fmt::format("a product with a huge constant in line {}, which may mean infinity", line);
    return code.sites().foreign[marked - 1] + ", which is not instrumented and received rounded values";
  }

  void announce(const Input& input) {
    ++begun;
    if (!progress)
      return;
    progress->inputs = std::min<uint64_t>(input.size(), CallInProgress::most_inputs);
    std::copy_n(input.begin(), progress->inputs, progress->values);
    progress->call = begun;
    progress->running = CallInProgress::target;
  }
  double lifted_seconds() const {
    constexpr double shortest = 1e-3; // a timer set to 0 never fires
    return std::clamp(lifted_end.left(), shortest, std::max(limits.lifted_seconds, shortest));
  }
  bool must_skip() const { return std::find(skipped.begin(), skipped.end(), begun) != skipped.end(); }
};

Session::Session(program::Program program, const model::Target& target, const Limits& limits, CallInProgress* progress,
                 const Recording& recording, const program::Handlers& handlers)
    : implementation_(
          std::make_unique<Implementation>(std::move(program), target, limits, progress, recording, handlers)) {}

Session::~Session() {
  if (in_worker()) // the process ends soon, and destroying LLVM's data is slow
    (void)implementation_.release();
}

const runtime::SiteTable& Session::sites() const { return implementation_->code.sites(); }
void Session::round_on_purpose(uint32_t site) { implementation_->code.round_on_purpose(site); }
void Session::note_tolerance(uint32_t site, int operand) { implementation_->code.note_tolerance(site, operand); }
const model::Target& Session::target() const { return implementation_->target; }
const std::vector<std::string>& Session::foreign() const { return implementation_->code.foreign(); }
uint64_t Session::calls() const { return implementation_->calls; }
uint64_t Session::begun() const { return implementation_->begun; }
CallInProgress* Session::progress() const { return implementation_->progress; }
bool Session::asked_to_stop() const { return implementation_->progress && implementation_->progress->stop != 0; }
void Session::limit_lifted(uint64_t operations) { implementation_->lifted_limit = operations; }
void Session::end_lifted_within(double seconds) { implementation_->lifted_end = base::Deadline(seconds); }
void Session::skip(std::vector<uint64_t> calls) { implementation_->skipped = std::move(calls); }

Run Session::run(const Input& input) { return run_briefly(input, runtime::tape_capacity); }

Run Session::run_briefly(const Input& input, uint64_t most_records) {
  Implementation& self = *implementation_;
  // The inputs are written before the code runs, so the tape must have room for them.
  runtime::limit_tape(std::max(most_records, input.size() + 1));
  ++self.calls;
  const Code& taped = self.code.taped();
  self.code.restore(taped);
  self.write_inputs(input);
  runtime::begin_run();
  self.record_inputs(input);
  const GuardedResult guarded = self.call(taped, input, self.limits.call_seconds);
  Run result;
  report(result, guarded, self.code.sites());
  runtime::TapeMemory& memory = runtime::tape_memory();
  uint64_t& cursor = memory.state->cursor;
  if (result.outcome == Outcome::tape_full && runtime::tape_limit() == runtime::tape_capacity)
    cursor = runtime::tape_capacity;
  self.code.count(cursor);
  result.records = runtime::Records({memory.records, cursor});
  self.outputs.clear();
  for (const Cell& cell : self.target.outputs)
    self.outputs.push_back(self.taped_output(cell));
  result.outputs = runtime::Leased<OutputValue>(self.outputs);
  return result;
}

Run Session::run_native(const Input& input) {
  return implementation_->run_untaped(implementation_->code.native(), input);
}
double Session::time_native(const Input& input, uint64_t calls) {
  struct Calls {
    void (*driver)(void*);
    void* block;
    uint64_t count;
  };
  Implementation& self = *implementation_;
  const Code& native = self.code.native();
  self.code.restore(native);
  self.write_inputs(input);
  runtime::begin_run();
  Calls all{native.driver, self.block.data(), calls};
  set_call_limit(self.limits.native_seconds);
  timespec begin{}, end{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  const GuardedResult guarded = guarded_call(
      [](void* argument) {
        const Calls& calls = *static_cast<const Calls*>(argument);
        for (uint64_t i = 0; i < calls.count; ++i)
          calls.driver(calls.block);
      },
      &all);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  if (guarded.outcome != Outcome::returned)
    return std::numeric_limits<double>::quiet_NaN();
  return double(end.tv_sec - begin.tv_sec) + 1e-9 * double(end.tv_nsec - begin.tv_nsec);
}

Run Session::run_built(const Input& input) {
  return implementation_->run_untaped(implementation_->code.built(), input);
}
const std::string& Session::builder() const { return implementation_->code.builder(); }

std::string Session::printed(const Input& input) {
  implementation_->code.flush_output(); // of earlier runs; discarded
  return printed_by([&] {
    run(input);
    implementation_->code.flush_output();
  });
}

LiftedRun Session::lift(const Input& input, long precision, LiftedFor purpose,
                        const runtime::LiftVariation& variation) {
  Implementation& self = *implementation_;
  const Code& lifted = self.lifted_code();
  self.write_inputs(input);
  runtime::begin_untaped_run();
  runtime::Lifter& lifter = self.begin_lifted(precision, __builtin_frame_address(0), purpose, variation);
  self.code.restore(lifted);
  for (size_t i = 0; i < self.target.inputs.size(); ++i)
    if (const Cell& cell = self.target.inputs[i]; cell.type.floating)
      lifter.memory().set(reinterpret_cast<uint64_t>(self.block.data() + cell.offset),
                          lifter.leaf(input[i], cell.type.format));
  self.unset.mark(self.block.data(), lifter);
  LiftedRun result;
  GuardedResult guarded = self.call(lifted, input, self.lifted_seconds());
  result.outcome = guarded.outcome;
  result.ending = std::move(guarded.ending);
  if (purpose == LiftedFor::oracle)
    self.oracle_spent += lifter.operations() * Implementation::weight(precision);
  self.end_lifted();
  result.works_on_bits = lifter.works_on_bits();
  result.reads_bits = lifter.bits_read().of_rounded;
  result.path = lifter.path();
  result.decisions = lifter.decisions();
  for (const Cell& cell : self.target.outputs)
    if (cell.type.floating)
      self.add_lifted_output(cell, result);
  return result;
}

} // namespace faultline::exec
