// FPCore's operations and constants (FPBench 2.0, section "Supported operations"): what each becomes in C, and in the
// mathematics of a meaning (docs/meaning.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::frontend::fpcore {

enum class OperatorKind : uint8_t {
  arithmetic, // an operator of C
  function,   // a function of the C library, of numbers
  comparison, // of two or more numbers
  test,       // of one number: isnan, signbit
  logic,      // and, or, not
};

struct Operator {
  const char* name;
  OperatorKind kind;
  int least, most;     // operands; most < 0: any number
  const char* c;       // an operator, or the name of a function of double
  const char* meaning; // with $1, $2, $3 for the operands; none: it cannot be expressed
};

const Operator* find_operator(std::string_view name);
const std::vector<Operator>& all_operators();

struct Constant {
  const char* name;
  const char* digits; // enough for every format: inf and nan are themselves
  const char* meaning;
};
const Constant* find_constant(std::string_view name);

// Names of C, and of what all bitcode may hold, that a function or an input cannot have.
bool is_taken_name(std::string_view name);

// A name of C like this one: what C does not have in names becomes _.
std::string c_name(std::string_view name);

} // namespace faultline::frontend::fpcore
