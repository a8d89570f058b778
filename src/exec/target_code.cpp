#include "exec/target_code.h"

#include "base/error.h"
#include "exec/guard.h"
#include "exec/replacements.h"
#include "exec/worker.h"
#include "instrument/site_builder.h"
#include "runtime/entry_points.h"
#include "runtime/tape_memory.h"

#include <cassert>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace faultline::exec {
namespace {

std::vector<Replacement> symbols(Heap& heap) {
  std::vector<Replacement> all = replacements(heap);
  for (const runtime::EntryPoint& entry : runtime::entry_points())
    all.push_back({entry.name, entry.address});
  return all;
}

// Number of records after which thorough translation pays. Measured on GSL's 107 functions of one argument (27,740
// sites): it costs 0.25 ms per site and saves 0.5 of 2.4 ns per record. A count and not a clock, so that the same hunt
// always takes the same path: thorough code has smaller frames, so a recursion may end where quick code overflows.
uint64_t records_to_pay(const runtime::SiteTable& table) { return 500'000 * uint64_t(table.sites.size()); }

Lines lines_of(const runtime::SiteTable& table) {
  Lines lines;
  for (const runtime::Site& site : table.sites)
    lines.emplace(site.file, site.line);
  for (const runtime::Mark& mark : table.marks)
    lines.emplace(mark.place.file, mark.place.line);
  return lines;
}

} // namespace

TargetCode::TargetCode(program::Program program, const model::Target& target, const Limits& limits,
                       const Recording& recording, const program::Handlers& handlers, CallInProgress* progress)
    : program_(std::move(program)), target_(target), limits_(limits), progress_(progress), recording_(recording),
      heap_(limits.heap_bytes) {
  program_.reduce_to(target);
  context_ = llvm::orc::ThreadSafeContext(program_.take_context());
  std::unique_ptr<llvm::Module> module = program_.take_module();
  std::vector<runtime::Mark> marks = instrument::mark_calls(*module, handlers);
  instrument::prepare(*module);
  if (!recording.tape) {
    llvm::StripDebugInfo(*module);
    pristine_ = std::move(module);
    return;
  }
  pristine_ = llvm::CloneModule(*module);
  llvm::stripNonLineTableDebugInfo(*pristine_); // lifted runs name lines; the site table, below, has the rest
  table_ = instrument(*module, instrument::Execution::taped);
  table_.marks = std::move(marks);
  send_lines(lines_of(table_));
  std::unique_ptr<Jit> taped = compile(std::move(module), translation_);
  if (in_worker() && !recording.decisions) // most targets need taped code, and later workers can reuse it
    unstarted_ = compile_lifted();
  runtime::begin_run(); // static constructors write to the tape
  taped_ = start(std::move(taped));
  std::vector<std::string> none = missing_symbols(); // they never return, so they make no floats
  for (const Replacement& replacement : replacements(heap_))
    none.emplace_back(replacement.name);
  foreign_ = instrument::foreign_functions(*pristine_, none);
}

const Code& TargetCode::taped() {
  if (translation_ == Translation::quick && records_ > records_to_pay(table_)) {
    translation_ = Translation::thorough;
    std::unique_ptr<llvm::Module> module = without_lines();
    instrument(*module, instrument::Execution::taped);
    runtime::begin_run();
    taped_ = start(compile(std::move(module), translation_));
  }
  return taped_;
}

const Code& TargetCode::lifted() {
  if (!lifted_)
    lifted_ = start(unstarted_ ? std::move(unstarted_) : compile_lifted());
  return lifted_;
}

const Code& TargetCode::native() {
  if (!native_)
    native_ = start(compile(without_lines(), Translation::quick));
  return native_;
}

const Code& TargetCode::built() {
  if (!built_)
    built_ = start(compile_call_of_built());
  return built_;
}

runtime::SiteTable TargetCode::instrument(llvm::Module& module, instrument::Execution execution) const {
  using instrument::Integers;
  return recording_.decisions
             ? instrument::instrument_with_decisions(module, execution, target_.inputs,
                                                     recording_.integers_held ? Integers::held : Integers::free)
             : instrument::instrument(module, execution);
}

std::unique_ptr<Jit> TargetCode::compile(std::unique_ptr<llvm::Module> module, Translation translation) {
  return std::make_unique<Jit>(std::move(module), context_, symbols(heap_), translation);
}

std::unique_ptr<llvm::Module> TargetCode::without_lines() const {
  std::unique_ptr<llvm::Module> module = llvm::CloneModule(*pristine_);
  llvm::StripDebugInfo(*module);
  return module;
}

std::unique_ptr<Jit> TargetCode::compile_lifted() {
  std::unique_ptr<llvm::Module> module = llvm::CloneModule(*pristine_);
  const runtime::SiteTable lifted = instrument(*module, instrument::Execution::lifted);
  llvm::StripDebugInfo(*module);
  assert(lifted.sites.size() == table_.sites.size() && lifted.constants.size() == table_.constants.size());
  return compile(std::move(module), Translation::quick); // most of its time is spent in the hooks
}

// Compiles the driver alone. clang has found properties of its own version of the function, such as that it never
// returns, which another compiler's version need not have; what remains determines how it is called.
std::unique_ptr<Jit> TargetCode::compile_call_of_built() {
  llvm::ValueToValueMapTy map;
  std::unique_ptr<llvm::Module> module = llvm::CloneModule(*pristine_, map, [](const llvm::GlobalValue* value) {
    return value->getName() == program::Program::driver_symbol;
  });
  llvm::StripDebugInfo(*module);
  llvm::LLVMContext& context = module->getContext();
  for (llvm::Function& function : *module)
    if (function.isDeclaration() && !function.isIntrinsic())
      function.setAttributes(function.getAttributes().removeFnAttributes(context));
  for (llvm::Instruction& instruction : llvm::instructions(*module->getFunction(program::Program::driver_symbol)))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      call->setAttributes(call->getAttributes().removeFnAttributes(context));
  code_begins();
  const BuiltCode built(program_.machine_code(), target_.symbol);
  builder_ = built.compiler();
  return std::make_unique<Jit>(std::move(module), context_, symbols(heap_), Translation::quick, &built);
}

// Runs the static constructors and saves the resulting state.
Code TargetCode::start(std::unique_ptr<Jit> jit) {
  Code code;
  code.jit = std::move(jit);
  heap_.reset();
  reset_replacements();
  set_call_limit(limits_.lifted_seconds);
  runtime::begin_untaped_run();
  code_begins();
  if (code.jit->has_constructors())
    constructors_begin();
  if (progress_)
    progress_->running = CallInProgress::constructors;
  auto initialized = guarded_call([](void* jit) { static_cast<Jit*>(jit)->initialize(); }, code.jit.get());
  if (progress_)
    progress_->running = CallInProgress::nothing;
  if (code.jit->has_constructors())
    constructors_end();
  if (initialized.outcome != Outcome::returned)
    throw base::UserError(base::status_unsuitable,
                          fmt::format("the program's static initialisation failed: {}",
                                      end_words(initialized.outcome, initialized.ending)),
                          "use a file without these static objects, or make them local");
  heap_.mark();
  for (const Global& global : code.jit->globals())
    code.globals.insert(code.globals.end(), global.address, global.address + global.bytes);
  code.driver = reinterpret_cast<void (*)(void*)>(code.jit->function(program::Program::driver_symbol));
  return code;
}

void TargetCode::flush_output() {
  constexpr double seconds = 0.2; // flushing may hang if the code has destroyed the library's state
  set_call_limit(seconds);
  guarded_call(
      [](void* jit) {
        std::fflush(stdout);
        if (static_cast<Jit*>(jit)->has_fortran_runtime())
          flush_fortran_output(*static_cast<Jit*>(jit));
      },
      taped_.jit.get());
}

void TargetCode::restore(const Code& code) {
  const char* from = code.globals.data();
  for (const Global& global : code.jit->globals()) {
    std::memcpy(global.address, from, global.bytes);
    from += global.bytes;
  }
  heap_.reset();
  reset_replacements();
}

} // namespace faultline::exec
