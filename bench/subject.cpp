#include "subject.h"

#include "subjects.h"

#include "instrument/instrument.h"
#include "program/program.h"
#include "runtime/entry_points.h"
#include "runtime/tape_memory.h"

#include <chrono>
#include <cstring>
#include <llvm/Transforms/Utils/Cloning.h>

namespace faultline::bench {
namespace {

std::vector<exec::Replacement> symbols(exec::Heap& heap) {
  std::vector<exec::Replacement> all = exec::replacements(heap);
  for (const runtime::EntryPoint& entry : runtime::entry_points())
    all.push_back({entry.name, entry.address});
  return all;
}

auto driver(exec::Jit& jit) { return reinterpret_cast<void (*)(void*)>(jit.function(program::Program::driver_symbol)); }

template <typename Call> uint64_t time_calls(const SubjectInfo& info, char* blocks, uint64_t stride, Call call) {
  auto start = std::chrono::steady_clock::now();
  for (int round = 0; round < info.rounds; ++round)
    for (int k = 0; k < info.inputs; ++k)
      call(blocks + uint64_t(k) * stride);
  return uint64_t(std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count());
}

} // namespace

std::vector<SubjectInfo> all_subjects() {
#define FUNCTION(name, arguments, low, high) {#name, BENCH_GSL, 1, function_inputs, function_rounds, low, high},
#define ARRAY(name, file, elements, inputs) {#name, BENCH_SOURCES "/" file, elements, inputs, array_rounds, 0, 0},
  return {BENCH_FUNCTIONS(FUNCTION) BENCH_ARRAYS(ARRAY)};
#undef FUNCTION
#undef ARRAY
}

Subject::Subject(const SubjectInfo& info, exec::Heap& heap) : info_(info) {
  program::Program program = program::Program::load({{info.file}, {}, {}});
  target_ = program.find({info.name}, {{"A", {info.elements}}}).front();
  program.reduce_to(target_);
  context_ = llvm::orc::ThreadSafeContext(program.take_context());
  std::unique_ptr<llvm::Module> module = program.take_module();
  native_ = std::make_unique<exec::Jit>(llvm::CloneModule(*module), context_, symbols(heap));
  instrument::prepare(*module);
  instrument::instrument(*module, instrument::Execution::taped);
  taped_ = std::make_unique<exec::Jit>(std::move(module), context_, symbols(heap));
  native_driver_ = driver(*native_);
  taped_driver_ = driver(*taped_);

  constexpr uint64_t line = 64;
  stride_ = (target_.block_bytes + line - 1) / line * line;
  memory_.resize(stride_ * uint64_t(info.inputs) + line);
  blocks_ = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(memory_.data()) + line - 1) & ~uintptr_t(line - 1));
}

void Subject::fill() {
  for (int k = 0; k < info_.inputs; ++k) {
    uint64_t position = 0;
    for (const model::Cell& cell : target_.inputs) {
      if (!cell.type.floating)
        continue; // airy_Ai's mode: 0, full precision
      double value = info_.elements == 1 ? function_input(info_.low, info_.high, k) : array_input(k, position++);
      std::memcpy(blocks_ + uint64_t(k) * stride_ + cell.offset, &value, sizeof value);
    }
  }
}

uint64_t Subject::time_native() {
  fill();
  return time_calls(info_, blocks_, stride_, native_driver_);
}

uint64_t Subject::time_taped() {
  fill();
  return time_calls(info_, blocks_, stride_, [driver = taped_driver_](char* block) {
    runtime::begin_run();
    driver(block);
  });
}

double Subject::records() {
  fill();
  uint64_t all = 0;
  for (int k = 0; k < info_.inputs; ++k) {
    runtime::begin_run();
    taped_driver_(blocks_ + uint64_t(k) * stride_);
    all += runtime::tape_memory().state->cursor - 1;
  }
  return double(all) / info_.inputs;
}

} // namespace faultline::bench
