// An FPCore as a function of C.
//
// An operation is carried out in the widest of its operands' formats and the one that is asked for (:precision, !), and
// its result is rounded to the one that is asked for. Where no operand is wider that is one rounding, as FPCore has it.
#pragma once

#include "frontend/fpcore/expression_writer.h"
#include "frontend/fpcore/preconditions.h"

#include <string>

namespace faultline::frontend::fpcore {

// What is called where an input is outside of the precondition (frontend/handlers.h).
inline constexpr const char* precondition_handler = "fpcore_precondition";

struct FunctionText {
  std::string text;
  numeric::Format result = numeric::Format::binary64;
};

// `is_called`: others call it. Throws UserError: something is undefined, or not supported.
FunctionText function_text(const Core& core, const Callables& earlier, bool is_called, Preconditions preconditions,
                           const std::string& file);

} // namespace faultline::frontend::fpcore
