// Memory of arrays whose extents are not known: each lies in a stretch of its own, between pages that nobody may touch,
// so that a fault tells which array was left, and how far.
//
// An array ends where its stretch ends, or begins where it begins: pages are coarse, and only at one side of an array
// the first number beyond it can be told from the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace faultline::exec {

// The side at which the next number is out of bounds.
enum class Edge : uint8_t { behind, before };

// Where a call went. An element may be negative.
struct Beyond {
  size_t array = 0;
  int64_t element = 0;
};

// What there has to be room for.
struct Room {
  uint64_t element_bytes;
  uint64_t most_elements;
};

class ArrayMemory {
public:
  // One room for each array.
  explicit ArrayMemory(const std::vector<Room>& rooms);
  ~ArrayMemory();
  ArrayMemory(const ArrayMemory&) = delete;
  ArrayMemory& operator=(const ArrayMemory&) = delete;

  // Gives the array so many elements. What they hold is not kept.
  char* place(size_t array, uint64_t elements, Edge edge);

  // Nothing: the address is near none of the arrays.
  std::optional<Beyond> at(const void* address) const;

  const char* low() const { return mapping_; }
  const char* high() const { return mapping_ + mapped_; }

private:
  struct Stretch {
    uint64_t element_bytes;
    char* begin;          // of what can be made accessible
    uint64_t bytes;       // of that
    char* data = nullptr; // of the array
    char* open = nullptr; // what is accessible
    uint64_t open_bytes = 0;
  };

  char* mapping_ = nullptr;
  uint64_t mapped_ = 0;
  std::vector<Stretch> stretches_;
};

} // namespace faultline::exec
