// Calls of a target whose arrays may have any number of elements: each call is told how many, and tells whether the
// code went beyond them. The code runs as it is, without a tape.
#pragma once

#include "exec/outcome.h"
#include "exec/session.h"
#include "frontend/program.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace faultline::exec {

// Memory of arrays whose extents are not known: each lies in a stretch of its own, between pages that nobody may touch,
// so that a fault tells which array was left, and how far.
//
// An array ends where its stretch ends, or begins where it begins: pages are coarse, and only at one side of an array
// the first number beyond it can be told from the rest.

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

// An array of the target with as many elements as it is given.
struct FreeArray {
  size_t parameter = 0; // of the target
  frontend::Type type;
};

struct ProbedCall {
  Outcome outcome = Outcome::returned;
  // Of an overrun: where it went; nothing if that was none of the free arrays.
  std::optional<Beyond> beyond = {};
};

class ExtentProbe {
public:
  // Takes the program. The free arrays are those whose size nobody says, and if `sized`, those that the user has sized,
  // too. Throws UserError if it cannot be compiled or its initialisation fails.
  ExtentProbe(frontend::Program program, const frontend::Target& target, bool sized, const Limits& limits,
              Flight* flight = nullptr, std::vector<uint64_t> skipped = {});
  ~ExtentProbe();

  const std::vector<FreeArray>& arrays() const;

  using Element = std::function<long double(size_t array, uint64_t element)>;
  // `input`: of all inputs of the target. Those of free arrays are not looked at: `element` has their values.
  ProbedCall call(const Input& input, const std::vector<uint64_t>& extents, const Element& element,
                  Edge edge = Edge::behind);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// The free arrays of a target.
std::vector<FreeArray> free_arrays(const frontend::Target& target, bool sized);

} // namespace faultline::exec
