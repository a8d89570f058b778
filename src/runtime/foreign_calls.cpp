#include "runtime/foreign_calls.h"

#include <algorithm>

namespace faultline::runtime {

namespace {
constexpr uint64_t usual_bytes = 4096;
constexpr size_t most_ranges = 64; // of memory that was written; then the oldest are forgotten
} // namespace

MemoryRange passed_range(uint64_t pointer, uint64_t bytes, PointerKind kind) {
  if (kind == PointerKind::descriptor && pointer != 0)
    return {*reinterpret_cast<const uint64_t*>(pointer), usual_bytes};
  return {pointer, pointer == 0 ? 0 : bytes == 0 ? usual_bytes : bytes};
}

void ForeignCalls::clear() {
  begin(0);
  written_.clear();
}

void ForeignCalls::begin(uint32_t function) {
  current_ = function;
  rounded_ = false;
  passed_.clear();
}

void ForeignCalls::pass(const MemoryRange& range) {
  passed_.push_back(range);
  note_written();
}

void ForeignCalls::note_rounded() {
  rounded_ = true;
  note_written();
}

// The values may come before the pointers or after them.
void ForeignCalls::note_written() {
  if (!rounded_)
    return;
  for (const MemoryRange& range : passed_) {
    std::erase_if(written_, [&](const Written& other) { return other.range.address == range.address; });
    if (written_.size() == most_ranges)
      written_.erase(written_.begin());
    written_.push_back({range, current_});
  }
  passed_.clear();
}

uint32_t ForeignCalls::writer_of(uint64_t address) const {
  for (auto written = written_.rbegin(); written != written_.rend(); ++written)
    if (address - written->range.address < written->range.bytes)
      return written->function;
  return 0;
}

} // namespace faultline::runtime
