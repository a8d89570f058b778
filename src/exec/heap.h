// The heap of the code under test: an arena of its own, so that a target that allocates without end meets its limit and
// not ours, and so that every call starts from the same heap. Memory is handed out zeroed: what a call reads does not
// depend on the calls before it.
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

  // The state that every call starts from: what is allocated now stays, with its contents; `reset` brings it back and
  // forgets all later allocations.
  void mark();
  void reset();

private:
  struct Header;
  char* base_;
  uint64_t limit_;
  uint64_t used_ = 0;
  uint64_t mark_ = 0;
  uint64_t dirty_ = 0;  // memory from here on was never used: still zero
  void* free_[64] = {}; // released blocks, by power of two
  void* marked_free_[64] = {};
  std::vector<char> saved_; // what stood below the mark
};

// What code under test prints. It goes nowhere, and costs little, but in a run whose output somebody asks for.

// Before the sandbox closes: later nothing can be opened. Only where output is asked for.
void prepare_printing();

// What is printed on standard output and standard error while this runs, the first 64 KiB of it. Empty if nothing was
// prepared. What is written beyond that fails: the run is for nothing else.
std::string printed_by(const std::function<void()>& run);

} // namespace faultline::exec
