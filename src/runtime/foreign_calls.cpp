#include "runtime/foreign_calls.h"

#include <algorithm>

namespace faultline::runtime {

namespace {
constexpr uint64_t usual_bytes = 4096;
constexpr size_t most_ranges = 64; // of memory that was written; then the oldest are forgotten

// From the first element of a flang descriptor (frontend/descriptor.h) to the end of the last one. A part that most
// arrays fill if this is no such descriptor, or one whose elements do not lie behind each other in this order.
uint64_t described_bytes(const uint64_t* words, uint64_t bytes_of_descriptor) {
  constexpr uint64_t version = 20180515, most_dimensions = 15, head = 24, dimension = 24;
  if (bytes_of_descriptor < head)
    return usual_bytes;
  const uint64_t rank = words[2] >> 32 & 0xff;
  if (uint32_t(words[2]) != version || rank > most_dimensions || bytes_of_descriptor < head + rank * dimension)
    return usual_bytes;
  uint64_t bytes = words[1];
  for (uint64_t i = 0; i < rank; ++i) {
    const auto extent = int64_t(words[4 + 3 * i]), stride = int64_t(words[5 + 3 * i]);
    uint64_t reach = 0;
    if (extent < 0 || stride < 0 || __builtin_mul_overflow(uint64_t(stride), uint64_t(extent), &reach))
      return usual_bytes;
    if (extent == 0)
      return 0;
    bytes += reach - uint64_t(stride);
  }
  return bytes;
}

MemoryRange common(const MemoryRange& a, const MemoryRange& b) {
  const uint64_t begin = std::max(a.address, b.address), end = std::min(a.address + a.bytes, b.address + b.bytes);
  return {begin, begin < end ? end - begin : 0};
}
} // namespace

MemoryRange passed_range(uint64_t pointer, uint64_t bytes, PointerKind kind) {
  if (kind != PointerKind::data && pointer != 0) {
    auto* words = reinterpret_cast<const uint64_t*>(pointer);
    return {words[0], described_bytes(words, bytes == 0 ? UINT64_MAX : bytes)};
  }
  return {pointer, pointer == 0 ? 0 : bytes == 0 ? usual_bytes : bytes};
}

void ForeignCalls::clear() {
  begin(0);
  written_.clear();
}

void ForeignCalls::begin(uint32_t function, bool rounds) {
  current_ = function;
  rounded_ = rounds;
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
  for (const MemoryRange& range : passed_)
    add({range, current_});
  passed_.clear();
}

void ForeignCalls::add(const Written& written) {
  std::erase_if(written_, [&](const Written& other) { return other.range.address == written.range.address; });
  if (written_.size() == most_ranges)
    written_.erase(written_.begin());
  written_.push_back(written);
}

void ForeignCalls::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  std::vector<Written> copies;
  for (const Written& written : written_)
    if (const MemoryRange part = common({from, bytes}, written.range); part.bytes != 0)
      copies.push_back({{to + (part.address - from), part.bytes}, written.function});
  for (const Written& written : copies)
    add(written);
}

bool ForeignCalls::wrote_into(const MemoryRange& range) const {
  return std::ranges::any_of(written_, [&](const Written& written) { return common(range, written.range).bytes != 0; });
}

uint32_t ForeignCalls::writer_of(uint64_t address) const {
  for (auto written = written_.rbegin(); written != written_.rend(); ++written)
    if (address - written->range.address < written->range.bytes)
      return written->function;
  return 0;
}

} // namespace faultline::runtime
