#include "exec/extent_probe.h"

#include "exec/guard.h"
#include "exec/target_code.h"
#include "exec/worker.h"
#include "model/target.h"
#include "runtime/tape_memory.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace faultline::exec {

using model::Cell;
using model::Parameter;
using model::Passing;
using model::SizedBy;
using model::Target;

namespace {

constexpr uint64_t probe_page = 4096;
// The guard on either side of an array: an access up to 2^18 doubles beyond the end is recognised. The size is a guess;
// it costs only addresses.
constexpr uint64_t array_guard = uint64_t(2) << 20;

uint64_t whole_pages(uint64_t bytes) { return (bytes + probe_page - 1) / probe_page * probe_page; }

constexpr uint64_t block_alignment = 16; // of the block, in bytes

// Returns the target with the addresses of its free arrays in its block, after everything else. Arrays that share
// memory have the same address.
Target with_addresses(Target target, const std::vector<FreeArray>& arrays) {
  for (const FreeArray& array : arrays) {
    const std::string name = target.parameters[array.parameter].name;
    for (Parameter& parameter : target.parameters)
      if (parameter.name == name || parameter.alias_of == name) {
        parameter.passing = Passing::address;
        parameter.offset = target.block_bytes;
      }
    target.block_bytes += sizeof(char*);
  }
  target.block_bytes = (target.block_bytes + block_alignment - 1) / block_alignment * block_alignment;
  return target;
}

// Returns the memory that each array needs. The block of all other arguments follows the free arrays.
std::vector<ArraySize> sizes(const std::vector<FreeArray>& arrays, const Target& target) {
  std::vector<ArraySize> all;
  for (const FreeArray& array : arrays)
    all.push_back({array.type.bytes(), model::most_cells});
  all.push_back({block_alignment, target.block_bytes / block_alignment});
  return all;
}

} // namespace

ArrayMemory::ArrayMemory(const std::vector<ArraySize>& sizes) {
  for (const ArraySize& size : sizes)
    mapped_ += array_guard + whole_pages(size.element_bytes * size.most_elements) + array_guard;
  void* memory = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  mapping_ = static_cast<char*>(memory);
  char* next = mapping_;
  for (const ArraySize& size : sizes) {
    regions_.push_back({size.element_bytes, next + array_guard, whole_pages(size.element_bytes * size.most_elements)});
    next += array_guard + regions_.back().bytes + array_guard;
  }
}

ArrayMemory::~ArrayMemory() { munmap(mapping_, mapped_); }

char* ArrayMemory::place(size_t array, uint64_t elements, Edge edge) {
  Region& region = regions_[array];
  const uint64_t bytes = elements * region.element_bytes;
  const uint64_t open_bytes = whole_pages(bytes);
  char* open = edge == Edge::before ? region.begin : region.begin + region.bytes - open_bytes;
  if (open != region.open || open_bytes != region.open_bytes) {
    if (region.open)
      mprotect(region.open, region.open_bytes, PROT_NONE);
    mprotect(open, open_bytes, PROT_READ | PROT_WRITE);
  }
  region.open = open;
  region.open_bytes = open_bytes;
  region.data = edge == Edge::before ? open : open + open_bytes - bytes;
  return region.data;
}

std::optional<OverrunElement> ArrayMemory::at(const void* address) const {
  const auto* where = static_cast<const char*>(address);
  for (size_t i = 0; i < regions_.size(); ++i) {
    const Region& region = regions_[i];
    if (where < region.begin - array_guard || where >= region.begin + region.bytes + array_guard || !region.data)
      continue;
    const int64_t distance = where - region.data, bytes = int64_t(region.element_bytes);
    return OverrunElement{i, distance >= 0 ? distance / bytes : -((-distance + bytes - 1) / bytes)};
  }
  return std::nullopt;
}

std::vector<FreeArray> free_arrays(const Target& target, bool sized) {
  std::vector<FreeArray> arrays;
  for (size_t i = 0; i < target.parameters.size(); ++i) {
    const Parameter& parameter = target.parameters[i];
    const bool is_free = parameter.sized_by == SizedBy::unknown || (sized && parameter.sized_by == SizedBy::user);
    if (is_free && parameter.passing == Passing::pointer && parameter.alias_of.empty())
      arrays.push_back({i, parameter.type});
  }
  return arrays;
}

struct ExtentProbe::Implementation {
  Implementation(program::Program program, const Target& original, bool sized, const Limits& limits,
                 CallInProgress* progress, std::vector<uint64_t> skipped)
      : original(original), arrays(free_arrays(original, sized)), target(with_addresses(original, arrays)),
        limits(limits), progress(progress), skipped(std::move(skipped)),
        code(std::move(program), target, this->limits, Recording{.tape = false}, {}, progress),
        memory(sizes(arrays, target)),
        block(memory.place(arrays.size(), target.block_bytes / block_alignment, Edge::behind)) {}

  bool is_free(const Cell& cell) const {
    return std::ranges::any_of(arrays, [&](const FreeArray& array) {
      return model::is_part_of(cell.name, original.parameters[array.parameter].name);
    });
  }

  void write(const Input& input, const std::vector<uint64_t>& extents, const Element& element, Edge edge) {
    std::memset(block, 0, target.block_bytes);
    for (size_t i = 0; i < original.inputs.size(); ++i)
      if (!is_free(original.inputs[i]))
        write_cell(block, original.inputs[i], input[i]);
    for (size_t i = 0; i < arrays.size(); ++i) {
      char* data = memory.place(i, extents[i], edge);
      for (uint64_t k = 0; k < extents[i]; ++k)
        write_cell(data, {"", arrays[i].type, k * arrays[i].type.bytes()}, element(i, k));
      std::memcpy(block + target.parameters[arrays[i].parameter].offset, &data, sizeof data);
    }
  }

  // Every worker of a job makes the same calls in the same order. A call that killed an earlier worker is skipped.
  GuardedResult guarded(const Code& native) {
    ++begun;
    GuardedResult result;
    result.outcome = Outcome::killed;
    if (std::ranges::find(skipped, begun) != skipped.end())
      return result;
    if (progress) {
      progress->inputs = 0;
      progress->call = begun;
      progress->running = CallInProgress::target;
    }
    set_call_limit(limits.native_seconds);
    set_argument_guard(memory.low(), memory.high());
    result = guarded_call(native.driver, block);
    if (progress)
      progress->running = CallInProgress::nothing;
    return result;
  }

  Target original;
  std::vector<FreeArray> arrays;
  Target target;
  Limits limits;
  CallInProgress* progress;
  std::vector<uint64_t> skipped;
  TargetCode code;
  ArrayMemory memory;
  char* block;
  uint64_t begun = 0;
};

ExtentProbe::ExtentProbe(program::Program program, const Target& target, bool sized, const Limits& limits,
                         CallInProgress* progress, std::vector<uint64_t> skipped)
    : implementation_(
          std::make_unique<Implementation>(std::move(program), target, sized, limits, progress, std::move(skipped))) {}

ExtentProbe::~ExtentProbe() {
  if (in_worker()) // the process ends soon, and destroying LLVM's data is slow
    (void)implementation_.release();
}

const std::vector<FreeArray>& ExtentProbe::arrays() const { return implementation_->arrays; }

ProbedCall ExtentProbe::call(const Input& input, const std::vector<uint64_t>& extents, const Element& element,
                             Edge edge) {
  Implementation& self = *implementation_;
  const Code& native = self.code.native();
  self.code.restore(native);
  self.write(input, extents, element, edge);
  runtime::begin_untaped_run();
  const GuardedResult result = self.guarded(native);
  std::optional<OverrunElement> beyond = result.overrun_at ? self.memory.at(result.overrun_at) : std::nullopt;
  if (beyond && beyond->array == self.arrays.size())
    beyond.reset();
  return {result.outcome, beyond};
}

} // namespace faultline::exec
