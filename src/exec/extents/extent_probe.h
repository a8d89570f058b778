// Calls of a target whose arrays may have any number of elements: each call is told how many, and tells whether the
// code went beyond them. The code runs as it is, without a tape.
#pragma once

#include "exec/extents/array_memory.h"
#include "exec/input.h"
#include "exec/limits.h"
#include "exec/outcome.h"
#include "exec/session.h"
#include "frontend/program.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace faultline::exec {

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
