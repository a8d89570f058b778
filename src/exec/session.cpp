#include "exec/session.h"

#include "exec/argument_block.h"
#include "exec/guard.h"
#include "exec/heap.h"
#include "exec/jit.h"
#include "exec/replacements.h"
#include "frontend/error.h"
#include "instrument/foreign.h"
#include "instrument/instrument.h"
#include "runtime/entry_points.h"
#include "runtime/tape_memory.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace faultline::exec {

using frontend::Cell;
using frontend::Type;
using numeric::Format;

namespace {

void write_cell(char* block, const Cell& cell, long double value) {
  char* where = block + cell.offset;
  auto put = [&](auto typed) { std::memcpy(where, &typed, cell.type.bytes()); };
  if (!cell.type.floating) {
    if (cell.type.is_signed)
      put(int64_t(value));
    else
      put(uint64_t(value));
    return;
  }
  switch (cell.type.format) {
  case Format::binary32:
    put(float(value));
    break;
  case Format::binary64:
    put(double(value));
    break;
  case Format::extended80:
    put(value);
    break;
  }
}

long double read_cell(const char* block, const Cell& cell) {
  const char* where = block + cell.offset;
  if (!cell.type.floating) {
    uint64_t bits = 0;
    std::memcpy(&bits, where, std::min<uint64_t>(8, cell.type.bytes()));
    if (cell.type.is_signed && cell.type.bits < 64)
      return (long double)(int64_t(bits << (64 - cell.type.bits)) >> (64 - cell.type.bits));
    return cell.type.is_signed ? (long double)int64_t(bits) : (long double)bits;
  }
  float single;
  double wide;
  long double extended;
  switch (cell.type.format) {
  case Format::binary32:
    std::memcpy(&single, where, 4);
    return single;
  case Format::binary64:
    std::memcpy(&wide, where, 8);
    return wide;
  default:
    std::memcpy(&extended, where, 16);
    return extended;
  }
}

void store_result(runtime::Value& result, Format format, long double value) {
  switch (format) {
  case Format::binary32:
    result.bits = runtime::single_tag;
    result.f = float(value);
    break;
  case Format::binary64:
    result.d = double(value);
    break;
  case Format::extended80:
    result.x = value;
    break;
  }
}

void report(Run& run, const GuardedResult& guarded) {
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

} // namespace

constexpr long first_lifted_precision = 128;

// One compiled version of the program.
struct Code {
  std::unique_ptr<Jit> jit;
  void (*driver)(void*) = nullptr;
  std::vector<char> globals; // the variables' values when a call begins

  explicit operator bool() const { return jit != nullptr; }
};

struct Session::Implementation {
  Implementation(frontend::Program source, const frontend::Target& target, const Limits& limits, Flight* flight,
                 const Recording& recording)
      : target(target), limits(limits), recording(recording), flight(flight), heap(limits.heap_bytes),
        block(target.block_bytes) {
    program = std::move(source);
  }

  frontend::Target target;
  Limits limits;
  Recording recording;
  Flight* flight;
  Heap heap;
  std::optional<frontend::Program> program;
  llvm::orc::ThreadSafeContext context;
  std::unique_ptr<llvm::Module> pristine; // prepared, not instrumented
  Code taped, lifted, native;
  runtime::SiteTable table;
  std::vector<std::string> foreign;
  std::unique_ptr<runtime::Lifter> lifter; // of the last precision
  ArgumentBlock block;
  uint64_t oracle_spent = 0;
  uint64_t lifted_limit = ~uint64_t(0);
  uint64_t calls = 0, begun = 0;
  std::vector<uint64_t> skipped;
  Run current;

  std::vector<Replacement> symbols() {
    std::vector<Replacement> all = replacements(heap);
    for (const runtime::EntryPoint& entry : runtime::entry_points())
      all.push_back({entry.name, entry.address});
    return all;
  }

  runtime::SiteTable instrumented(llvm::Module& module, instrument::Execution execution) const {
    return recording.decisions ? instrument::instrument_with_decisions(module, execution, target.inputs)
                               : instrument::instrument(module, execution);
  }

  void compile() {
    program->reduce_to(target);
    context = llvm::orc::ThreadSafeContext(program->take_context());
    std::unique_ptr<llvm::Module> module = program->take_module();
    program.reset();
    instrument::prepare(*module);
    std::vector<std::string> replaced;
    for (const Replacement& replacement : replacements(heap))
      replaced.emplace_back(replacement.name);
    foreign = instrument::foreign_functions(*module, replaced);
    pristine = llvm::CloneModule(*module);
    table = instrumented(*module, instrument::Execution::taped);
    start(taped, std::move(module), translation());
  }

  void compile_lifted() {
    if (lifted)
      return;
    std::unique_ptr<llvm::Module> module = llvm::CloneModule(*pristine);
    instrumented(*module, instrument::Execution::lifted);
    begin_lifted(first_lifted_precision, __builtin_frame_address(0)); // for static constructors
    start(lifted, std::move(module), Translation::quick);             // its time goes into the hooks
    end_lifted();
  }

  // Of a large program a run sees little, and its readers take longer than the run: seconds of translation would be
  // lost.
  Translation translation() const {
    constexpr size_t large = 1'000;
    return table.sites.size() > large ? Translation::quick : Translation::thorough;
  }

  // High precision costs more: an operation counts once for every 256 bits.
  static uint64_t weight(long precision) { return uint64_t(std::max(1L, precision / 256)); }
  uint64_t affordable(long precision) const {
    return (limits.oracle_operations - std::min(oracle_spent, limits.oracle_operations)) / weight(precision);
  }

  runtime::Lifter& begin_lifted(long precision, const void* stack_base, LiftedFor purpose = LiftedFor::oracle) {
    if (!lifter || lifter->precision() != precision)
      lifter = std::make_unique<runtime::Lifter>(table, precision);
    const uint64_t most = std::min(limits.lifted_operations, lifted_limit);
    lifter->begin(stack_base, purpose == LiftedFor::search ? most : std::min(most, affordable(precision)));
    runtime::set_lifter(lifter.get(), {enter_own_code, leave_own_code, [] { leave_call(Outcome::timed_out); }});
    return *lifter;
  }
  void end_lifted() { runtime::set_lifter(nullptr, {}); }

  void compile_native() {
    if (!native)
      start(native, llvm::CloneModule(*pristine), Translation::quick);
  }

  // Compiles, runs the static constructors and keeps the state that they leave.
  void start(Code& code, std::unique_ptr<llvm::Module> module, Translation translation) {
    code.jit = std::make_unique<Jit>(std::move(module), context, symbols(), translation);
    heap.reset();
    reset_replacements();
    set_call_limit(limits.lifted_seconds);
    runtime::begin_run();
    auto initialized = guarded_call([](void* jit) { static_cast<Jit*>(jit)->initialize(); }, code.jit.get());
    if (initialized.outcome != Outcome::returned)
      throw frontend::UserError(
          frontend::status_unsuitable,
          fmt::format("the program's static initialisation did not end well: {}", text(initialized.outcome)),
          "hunt in a file without these static objects, or make them local");
    heap.mark();
    for (const Global& global : code.jit->globals())
      code.globals.insert(code.globals.end(), global.address, global.address + global.bytes);
    code.driver = reinterpret_cast<void (*)(void*)>(code.jit->function(frontend::Program::driver_symbol));
  }

  void restore(const Code& code) {
    const char* from = code.globals.data();
    for (const Global& global : code.jit->globals()) {
      std::memcpy(global.address, from, global.bytes);
      from += global.bytes;
    }
    heap.reset();
    reset_replacements();
  }

  // Calls one version of the program on the block.
  GuardedResult call(const Code& code, const Input& input, double seconds) {
    announce(input);
    GuardedResult result;
    if (must_skip()) {
      result.outcome = Outcome::killed;
    } else {
      set_call_limit(seconds);
      result = guarded_call(code.driver, block.data());
    }
    if (flight)
      flight->running = Flight::nothing;
    return result;
  }

  void write_inputs(const Input& input) {
    std::memset(block.data(), 0, target.block_bytes);
    for (size_t i = 0; i < target.inputs.size(); ++i)
      write_cell(block.data(), target.inputs[i], input[i]);
  }

  void announce(const Input& input) {
    ++begun;
    if (!flight)
      return;
    flight->inputs = std::min<uint64_t>(input.size(), Flight::most_inputs);
    std::copy_n(input.begin(), flight->inputs, flight->values);
    flight->call = begun;
    flight->running = Flight::target;
  }
  bool must_skip() const { return std::find(skipped.begin(), skipped.end(), begun) != skipped.end(); }
};

Session::Session(frontend::Program program, const frontend::Target& target, const Limits& limits, Flight* flight,
                 const Recording& recording)
    : implementation_(std::make_unique<Implementation>(std::move(program), target, limits, flight, recording)) {
  implementation_->compile();
}

Session::~Session() = default;

const runtime::SiteTable& Session::sites() const { return implementation_->table; }
const frontend::Target& Session::target() const { return implementation_->target; }
const std::vector<std::string>& Session::foreign() const { return implementation_->foreign; }
uint64_t Session::calls() const { return implementation_->calls; }

uint64_t Session::begun() const { return implementation_->begun; }
Flight* Session::flight() const { return implementation_->flight; }
bool Session::asked_to_stop() const { return implementation_->flight && implementation_->flight->stop != 0; }
void Session::limit_lifted(uint64_t operations) { implementation_->lifted_limit = operations; }
void Session::skip(std::vector<uint64_t> calls) { implementation_->skipped = std::move(calls); }

const Run& Session::run(const Input& input) { return run_briefly(input, runtime::tape_capacity); }

const Run& Session::run_briefly(const Input& input, uint64_t most_records) {
  Implementation& self = *implementation_;
  runtime::limit_tape(most_records);
  Run& result = self.current;
  result.outcome = Outcome::returned;
  result.flags = 0;
  result.outputs.clear();
  ++self.calls;
  self.restore(self.taped);
  self.write_inputs(input);
  runtime::begin_run();
  runtime::TapeMemory& memory = runtime::tape_memory();
  uint64_t& cursor = memory.state->cursor;
  for (size_t i = 0; i < self.target.inputs.size(); ++i) {
    // Integer inputs stand on the tape too, so that record i + 1 is always input i.
    const Cell& cell = self.target.inputs[i];
    Format format = cell.type.floating ? cell.type.format : Format::extended80;
    runtime::Record& record = memory.records[cursor];
    record.site = runtime::first_input_site + uint32_t(format);
    record.a = record.b = record.c = 0;
    store_result(record.result, format, input[i]);
    if (cell.type.floating)
      runtime::set_shadow(self.block.data() + cell.offset, uint32_t(cursor));
    ++cursor;
  }
  GuardedResult guarded = self.call(self.taped, input, self.limits.call_seconds);
  report(result, guarded);
  if (result.outcome == Outcome::tape_full && runtime::tape_limit() == runtime::tape_capacity)
    cursor = runtime::tape_capacity;
  result.records = {memory.records, cursor};
  for (const Cell& cell : self.target.outputs) {
    OutputValue output;
    output.value = read_cell(self.block.data(), cell);
    if (cell.type.floating) {
      uint32_t index = runtime::shadow_index(self.block.data() + cell.offset);
      runtime::Value expected{};
      store_result(expected, cell.type.format, output.value);
      size_t bytes = size_t(numeric::info(cell.type.format).bytes);
      if (index != 0 && index < cursor && std::memcmp(&memory.records[index].result, &expected, bytes) == 0)
        output.record = index;
    }
    result.outputs.push_back(output);
  }
  return result;
}

const Run& Session::run_native(const Input& input) {
  Implementation& self = *implementation_;
  self.compile_native();
  self.restore(self.native);
  self.write_inputs(input);
  runtime::begin_run(); // no records, and no trust in old ones
  GuardedResult guarded = self.call(self.native, input, self.limits.native_seconds);
  Run& result = self.current;
  report(result, guarded);
  result.records = {runtime::tape_memory().records, 1};
  result.outputs.clear();
  for (const Cell& cell : self.target.outputs)
    result.outputs.push_back({read_cell(self.block.data(), cell), 0});
  return result;
}

LiftedRun Session::lift(const Input& input, long precision, LiftedFor purpose) {
  Implementation& self = *implementation_;
  self.compile_lifted();
  self.write_inputs(input);
  runtime::begin_run();
  runtime::Lifter& current = self.begin_lifted(precision, __builtin_frame_address(0), purpose);
  self.restore(self.lifted);
  for (size_t i = 0; i < self.target.inputs.size(); ++i)
    if (const Cell& cell = self.target.inputs[i]; cell.type.floating)
      current.memory().set(reinterpret_cast<uint64_t>(self.block.data() + cell.offset),
                           current.leaf(input[i], cell.type.format));
  LiftedRun result;
  result.outcome = self.call(self.lifted, input, self.limits.lifted_seconds).outcome;
  if (purpose == LiftedFor::oracle)
    self.oracle_spent += current.operations() * Implementation::weight(precision);
  self.end_lifted();
  result.path = current.path();
  result.decisions = current.decisions();
  for (const Cell& cell : self.target.outputs) {
    if (!cell.type.floating)
      continue;
    numeric::BigFloat value(precision);
    uint32_t index = current.memory().get(reinterpret_cast<uint64_t>(self.block.data() + cell.offset));
    long double native = read_cell(self.block.data(), cell);
    const bool known = index != 0 && (current.native(index) == native ||
                                      (native != native && current.native(index) != current.native(index)));
    if (known)
      mpfr_set(value.raw(), current.shadow(index), MPFR_RNDN);
    else
      mpfr_set_ld(value.raw(), native, MPFR_RNDN);
    result.errors.push_back(known ? current.error(index) : ops::no_error);
    result.origins.push_back(known ? origin_of(current, index) : native == 0 ? Origin::untouched : Origin::elsewhere);
    const uint32_t function =
        known ? current.made_with(index)
              : current.foreign().writer_of(reinterpret_cast<uint64_t>(self.block.data() + cell.offset));
    result.made_with.push_back(function == 0 ? std::string() : self.table.foreign[function - 1]);
    result.outputs.push_back(std::move(value));
  }
  return result;
}

} // namespace faultline::exec
