// The heap of the code under test: a separate arena, so that a target that allocates without end reaches its own limit,
// and every call starts from the same heap. Memory is zeroed, so reads do not depend on earlier calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace faultline::exec {

class Heap {
public:
  explicit Heap(uint64_t limit);
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  // Null when the limit is reached.
  void* allocate(size_t bytes, size_t alignment = 16);
  void* reallocate(void* block, size_t bytes);
  void release(void* block);
  bool owns(const void* block) const;

  // Saves the state that every call starts from. `reset` restores it, with the contents of all blocks, and drops later
  // allocations.
  void mark();
  void reset();

private:
  struct Header;
  char* base_;
  uint64_t limit_;
  uint64_t used_ = 0;
  uint64_t mark_ = 0;
  uint64_t dirty_ = 0;  // memory from here on is unused and still zero
  void* free_[64] = {}; // released blocks, by power of two
  void* marked_free_[64] = {};
  std::vector<char> saved_; // the memory below the mark
};

// The output of code under test. It is discarded cheaply except in runs that capture it.

// Prepares capturing. Must run before the sandbox closes, because files cannot be opened later.
void prepare_printing();

// Returns what `run` prints on standard output and standard error, up to 64 KiB. Empty if nothing was prepared. Writes
// beyond the limit fail.
std::string printed_by(const std::function<void()>& run);

} // namespace faultline::exec
