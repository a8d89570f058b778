// Which instruction is which operation: the one place that maps LLVM's instructions, intrinsics and libm calls to the
// table of operations.
#pragma once

#include "numeric/format.h"
#include "ops/op.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instruction.h>
#include <optional>

namespace faultline::instrument {

// The format of an LLVM type, if it is one of ours.
std::optional<numeric::Format> format_of(const llvm::Type* type);

struct Operation {
  ops::Op op = ops::Op::none;
  numeric::Format format = numeric::Format::binary64;
  numeric::Format operand_format = numeric::Format::binary64;
  bool is_signed = true;                       // the integer of a to_int
  llvm::SmallVector<llvm::Value*, 3> operands; // floats, but for the integer second operand of ldexp, powi, jn and yn
};

// A scalar operation with one result, or a comparison, or a conversion to an integer. Nothing for everything else.
std::optional<Operation> operation_of(llvm::Instruction& instruction);

// libm functions with a second result behind a pointer.
enum class TwoResults { none, frexp, modf, sincos };
TwoResults two_results(const llvm::CallBase& call);

// Is this the declaration of a function of libm that is an operation?
bool is_math_function(const llvm::Function& function);

// A call that cannot run instrumented code and leaves memory alone but for its own results.
bool is_math_call(const llvm::CallBase& call);

} // namespace faultline::instrument
