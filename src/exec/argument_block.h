// The memory of the argument block: it ends where unmapped memory begins, so that code which takes a pointer to one
// number for an array faults at once instead of writing over our memory.
#pragma once

#include <cstdint>

namespace faultline::exec {

class ArgumentBlock {
public:
  explicit ArgumentBlock(uint64_t bytes); // a multiple of 16
  ~ArgumentBlock();
  ArgumentBlock(const ArgumentBlock&) = delete;
  ArgumentBlock& operator=(const ArgumentBlock&) = delete;
  char* data() const { return data_; }

private:
  char* mapping_;
  uint64_t mapped_;
  char* data_;
};

} // namespace faultline::exec
