// Maps LLVM's instructions, intrinsics and libm calls to the table of operations. This is the only place that does.
#pragma once

#include "numeric/format.h"
#include "ops/op.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instruction.h>
#include <optional>

namespace faultline::instrument {

// Returns the format of an LLVM type, if there is one.
std::optional<numeric::Format> format_of(const llvm::Type* type);

struct Operation {
  ops::Op op = ops::Op::none;
  numeric::Format format = numeric::Format::binary64;
  numeric::Format operand_format = numeric::Format::binary64;
  bool is_signed = true;                       // the signedness of a to_int
  llvm::SmallVector<llvm::Value*, 3> operands; // floats; ldexp, powi, jn and yn have an integer second operand
};

// Returns the scalar operation with one result, the comparison, or the conversion to an integer that an instruction
// computes. None for everything else.
std::optional<Operation> operation_of(llvm::Instruction& instruction);

// Returns the operation that a function of the module with the name of a libm function computes, if the standard
// defines its result to the last bit (floor, fabs, scalbn, fmod, sqrt, ...). Such functions often work on bits, which
// lifted execution cannot follow. The caller checks that the function does return this result.
std::optional<Operation> specified_operation(llvm::CallBase& call);

// True for a product or quotient whose result is returned, stored or one of several results, and that no arithmetic
// uses.
bool is_passed_on(const llvm::Instruction& instruction);

// Metadata of operations that the user's flags allow to be fused with others.
inline constexpr const char* may_be_fused = "faultline.may_be_fused";

// libm functions with a second result behind a pointer.
enum class TwoResults { none, frexp, modf, sincos };
TwoResults two_results(const llvm::CallBase& call);

// True if this declares a function of libm that is an operation.
bool is_math_function(const llvm::Function& function);

// True for a call that cannot run instrumented code and changes no memory except its own results.
bool is_math_call(const llvm::CallBase& call);

} // namespace faultline::instrument
