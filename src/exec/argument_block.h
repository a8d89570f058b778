// The memory that a call's arguments are passed in. What a pointer parameter points to has pages of its own: it ends at
// the end of a page, inaccessible pages follow, and no other argument is near. So code that reads or writes behind an
// array, or uses a pointer to one number as an array, faults at once.
#pragma once

#include "model/target.h"

#include <cstdint>
#include <vector>

namespace faultline::exec {

// Returns the target with its cells and parameters moved to their places in an ArgumentBlock.
model::Target separated(model::Target target);

class ArgumentBlock {
public:
  explicit ArgumentBlock(const model::Target& separated);
  ~ArgumentBlock();
  ArgumentBlock(const ArgumentBlock&) = delete;
  ArgumentBlock& operator=(const ArgumentBlock&) = delete;

  char* data() const { return data_; }
  void clear(); // sets all of the memory to zero

private:
  struct Pages {
    char* begin;
    uint64_t bytes;
  };

  char* mapping_;
  uint64_t mapped_;
  char* data_;
  std::vector<Pages> accessible_;
};

} // namespace faultline::exec
