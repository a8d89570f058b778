#include "exec/extents/array_memory.h"

#include <new>
#include <sys/mman.h>

namespace faultline::exec {
namespace {

constexpr uint64_t page = 4096;
// On either side of an array: a step of 2^18 doubles beyond it is still seen for what it is. A guess; it costs nothing
// but addresses.
constexpr uint64_t guard = uint64_t(2) << 20;

uint64_t whole_pages(uint64_t bytes) { return (bytes + page - 1) / page * page; }

} // namespace

ArrayMemory::ArrayMemory(const std::vector<Room>& rooms) {
  for (const Room& room : rooms)
    mapped_ += guard + whole_pages(room.element_bytes * room.most_elements) + guard;
  void* memory = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  mapping_ = static_cast<char*>(memory);
  char* next = mapping_;
  for (const Room& room : rooms) {
    stretches_.push_back({room.element_bytes, next + guard, whole_pages(room.element_bytes * room.most_elements)});
    next += guard + stretches_.back().bytes + guard;
  }
}

ArrayMemory::~ArrayMemory() { munmap(mapping_, mapped_); }

char* ArrayMemory::place(size_t array, uint64_t elements, Edge edge) {
  Stretch& stretch = stretches_[array];
  const uint64_t bytes = elements * stretch.element_bytes;
  const uint64_t open_bytes = whole_pages(bytes);
  char* open = edge == Edge::before ? stretch.begin : stretch.begin + stretch.bytes - open_bytes;
  if (open != stretch.open || open_bytes != stretch.open_bytes) {
    if (stretch.open)
      mprotect(stretch.open, stretch.open_bytes, PROT_NONE);
    mprotect(open, open_bytes, PROT_READ | PROT_WRITE);
  }
  stretch.open = open;
  stretch.open_bytes = open_bytes;
  stretch.data = edge == Edge::before ? open : open + open_bytes - bytes;
  return stretch.data;
}

std::optional<Beyond> ArrayMemory::at(const void* address) const {
  const auto* where = static_cast<const char*>(address);
  for (size_t i = 0; i < stretches_.size(); ++i) {
    const Stretch& stretch = stretches_[i];
    if (where < stretch.begin - guard || where >= stretch.begin + stretch.bytes + guard || !stretch.data)
      continue;
    const int64_t distance = where - stretch.data, bytes = int64_t(stretch.element_bytes);
    return Beyond{i, distance >= 0 ? distance / bytes : -((-distance + bytes - 1) / bytes)};
  }
  return std::nullopt;
}

} // namespace faultline::exec
