#include "exec/argument_block.h"

#include "exec/guard.h"

#include <new>
#include <sys/mman.h>

namespace faultline::exec {

ArgumentBlock::ArgumentBlock(uint64_t bytes) {
  constexpr uint64_t page = 4096, guard = 1 << 20;
  const uint64_t pages = (bytes + page - 1) / page * page;
  mapped_ = guard + pages + guard;
  void* memory = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  mapping_ = static_cast<char*>(memory);
  mprotect(mapping_ + guard, pages, PROT_READ | PROT_WRITE);
  data_ = mapping_ + guard + pages - bytes;
  set_argument_guard(mapping_, mapping_ + mapped_);
}

ArgumentBlock::~ArgumentBlock() {
  set_argument_guard(nullptr, nullptr);
  munmap(mapping_, mapped_);
}

} // namespace faultline::exec
