// LLVM's float types and the formats of numeric/format.h. A type has the format whose precision and exponent range are
// those of its semantics.
#pragma once

#include "numeric/format.h"

#include <llvm/IR/Type.h>
#include <optional>

namespace faultline::frontend {

// Nothing for vectors, and for types that are no floats or have no format.
std::optional<numeric::Format> format_of(const llvm::Type& type);
llvm::Type* type_of(numeric::Format format, llvm::LLVMContext& context);

} // namespace faultline::frontend
