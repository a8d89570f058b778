// Calls a target with arrays of chosen lengths and reports accesses beyond them. The code runs unchanged, without a
// tape.
#pragma once

#include "exec/outcome.h"
#include "exec/session.h"
#include "program/program.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace faultline::exec {

// Memory for arrays of unknown length. Each array has a region of its own between inaccessible pages, so a fault
// identifies the array and the element.
//
// An array ends at the end of its region or begins at its beginning: pages are coarse, so an access just outside is
// detected on one side only.

// The side at which the next number is out of bounds.
enum class Edge : uint8_t { behind, before };

// The element that an overrun accessed. It may be negative.
struct OverrunElement {
  size_t array = 0;
  int64_t element = 0;
};

// The largest size of an array.
struct ArraySize {
  uint64_t element_bytes;
  uint64_t most_elements;
};

class ArrayMemory {
public:
  // `sizes`: one per array.
  explicit ArrayMemory(const std::vector<ArraySize>& sizes);
  ~ArrayMemory();
  ArrayMemory(const ArrayMemory&) = delete;
  ArrayMemory& operator=(const ArrayMemory&) = delete;

  // Gives the array this many elements. Their values are not kept.
  char* place(size_t array, uint64_t elements, Edge edge);

  // The element at an address; none if the address is not near an array.
  std::optional<OverrunElement> at(const void* address) const;

  const char* low() const { return mapping_; }
  const char* high() const { return mapping_ + mapped_; }

private:
  struct Region {
    uint64_t element_bytes;
    char* begin;          // the part that can be made accessible
    uint64_t bytes;       // of that part
    char* data = nullptr; // the first element
    char* open = nullptr; // the accessible part
    uint64_t open_bytes = 0;
  };

  char* mapping_ = nullptr;
  uint64_t mapped_ = 0;
  std::vector<Region> regions_;
};

// An array of the target whose length the caller chooses.
struct FreeArray {
  size_t parameter = 0; // of the target
  model::Type type;
};

struct ProbedCall {
  Outcome outcome = Outcome::returned;
  // For an overrun: the element accessed; none if it is in no free array.
  std::optional<OverrunElement> beyond = {};
};

class ExtentProbe {
public:
  // Takes the program. Free arrays are those without a declared length and, with `sized`, also those whose length the
  // user gave. Throws UserError if the program cannot be compiled or its initialisation fails.
  ExtentProbe(program::Program program, const model::Target& target, bool sized, const Limits& limits,
              CallInProgress* progress = nullptr, std::vector<uint64_t> skipped = {});
  ~ExtentProbe();

  const std::vector<FreeArray>& arrays() const;

  using Element = std::function<numeric::Value(size_t array, uint64_t element)>;
  // `input` has all inputs of the target. The elements of free arrays come from `element` instead.
  ProbedCall call(const Input& input, const std::vector<uint64_t>& extents, const Element& element,
                  Edge edge = Edge::behind);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Returns the free arrays of a target.
std::vector<FreeArray> free_arrays(const model::Target& target, bool sized);

} // namespace faultline::exec
