// Translates FPCore's expressions to C statements.
#pragma once

#include "numeric/format.h"
#include "program/fpcore/core.h"
#include "program/fpcore/operators.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::program::fpcore {

// The value of an expression: a name or a literal of C.
struct Value {
  std::string text;
  bool is_truth = false; // TRUE or FALSE; else a number
  numeric::Format format = numeric::Format::binary64;
};

const char* c_type(numeric::Format format);
inline const char* c_type(const Value& value) { return value.is_truth ? "int" : c_type(value.format); }

// The preceding cores by their symbols, with the formats of their results.
struct Callable {
  const Core* core = nullptr;
  numeric::Format result = numeric::Format::binary64;
};
using Callables = std::map<std::string, Callable>;

// Whether the functions of FPCores check their preconditions beyond ranges. A proof over a box needs functions that
// accept all of it. It then holds for the inputs that the precondition admits, too.
enum class Preconditions : uint8_t { checked, left_out };

// The function that is called for an input outside of the precondition (program/handlers.h).
inline constexpr const char* precondition_handler = "fpcore_precondition";

struct FunctionText {
  std::string text;
  numeric::Format result = numeric::Format::binary64;
};

// Translates an FPCore to a C function.
//
// An operation is computed in the widest of its operands' formats and the requested format (:precision, !), and its
// result is rounded to the requested one. If no operand is wider, this is one rounding, as FPCore requires.
//
// `is_called` is true if other cores call it. Throws UserError if something is undefined or not supported.
FunctionText function_text(const Core& core, const Callables& earlier, bool is_called, Preconditions preconditions,
                           const std::string& file);

} // namespace faultline::program::fpcore
