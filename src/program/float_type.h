// Maps LLVM's float types to the formats of numeric/format.h, by precision and exponent range.
#pragma once

#include "numeric/format.h"

#include <llvm/IR/Type.h>
#include <optional>

namespace faultline::program {

// Returns nothing for vectors, for other types than floats, and for unknown formats.
std::optional<numeric::Format> format_of(const llvm::Type& type);
llvm::Type* type_of(numeric::Format format, llvm::LLVMContext& context);

} // namespace faultline::program
