#include "exec/heap.h"

#include "runtime/entry_points.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace faultline::exec {

namespace {

int pipe_ends[2] = {-1, -1};

void send_output_to(int descriptor) {
  dup2(descriptor, STDOUT_FILENO);
  dup2(descriptor, STDERR_FILENO);
}

} // namespace

void prepare_printing() {
  if (pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0)
    pipe_ends[0] = pipe_ends[1] = -1;
}

std::string printed_by(const std::function<void()>& run) {
  std::string output;
  if (pipe_ends[0] < 0)
    return output;
  send_output_to(pipe_ends[1]);
  run();
  send_output_to(STDIN_FILENO); // /dev/null, open for writing as well
  char chunk[1 << 12];
  for (ssize_t count = 0; (count = read(pipe_ends[0], chunk, sizeof chunk)) > 0;)
    output.append(chunk, size_t(count));
  return output;
}

// Precedes each block.
struct Heap::Header {
  uint64_t bytes;    // requested by the caller
  uint64_t capacity; // a power of two for reusable blocks, else 0
};

Heap::Heap(uint64_t limit) : limit_(limit) {
  void* memory = mmap(nullptr, limit, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  base_ = static_cast<char*>(memory);
}

Heap::~Heap() { munmap(base_, limit_); }

void Heap::mark() {
  mark_ = used_;
  std::memcpy(marked_free_, free_, sizeof free_);
  saved_.assign(base_, base_ + mark_);
}

bool Heap::owns(const void* block) const {
  auto* where = static_cast<const char*>(block);
  return where >= base_ && where < base_ + limit_;
}

void* Heap::allocate(size_t bytes, size_t alignment) {
  if (bytes > limit_ || alignment > limit_)
    return nullptr;
  const uint64_t capacity = std::bit_ceil(uint64_t(bytes < 16 ? 16 : bytes));
  void*& reusable = free_[std::bit_width(capacity)];
  if (alignment <= 16 && reusable) {
    void* block = reusable;
    std::memcpy(&reusable, block, sizeof(void*));
    std::memset(block, 0, capacity);
    static_cast<Header*>(block)[-1].bytes = bytes;
    faultline_clear_shadow(block, bytes);
    return block;
  }
  uint64_t start = used_ + sizeof(Header);
  start = (start + alignment - 1) / alignment * alignment;
  start = (start + 15) / 16 * 16;
  if (start + capacity > limit_)
    return nullptr;
  used_ = start + capacity;
  char* block = base_ + start;
  if (start < dirty_)
    std::memset(block, 0, std::min(dirty_, start + capacity) - start);
  dirty_ = std::max(dirty_, used_);
  reinterpret_cast<Header*>(block)[-1] = {bytes, alignment <= 16 ? capacity : 0};
  faultline_clear_shadow(block, bytes);
  return block;
}

void* Heap::reallocate(void* block, size_t bytes) {
  void* moved = allocate(bytes);
  if (moved && block && owns(block)) {
    uint64_t old = static_cast<Header*>(block)[-1].bytes;
    uint64_t kept = std::min<uint64_t>(old, bytes);
    std::memcpy(moved, block, kept);
    faultline_copy_shadow(moved, block, kept);
    release(block);
  }
  return moved;
}

void Heap::release(void* block) {
  if (!block || !owns(block))
    return;
  uint64_t capacity = static_cast<Header*>(block)[-1].capacity;
  if (!std::has_single_bit(capacity) || capacity > limit_)
    return; // specially aligned or with an overwritten header: not reused
  void*& reusable = free_[std::bit_width(capacity)];
  std::memcpy(block, &reusable, sizeof(void*));
  reusable = block;
}

void Heap::reset() {
  std::memcpy(free_, marked_free_, sizeof free_);
  if (!saved_.empty())
    std::memcpy(base_, saved_.data(), saved_.size());
  if (used_ == mark_)
    return;
  constexpr uint64_t give_back = 64u << 20; // releases a large arena after one greedy call
  if (dirty_ > mark_ + give_back) {
    uint64_t page = (mark_ + 4095) / 4096 * 4096;
    madvise(base_ + page, dirty_ - page, MADV_DONTNEED);
    dirty_ = page;
  }
  used_ = mark_;
}

} // namespace faultline::exec
