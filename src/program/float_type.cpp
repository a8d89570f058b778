#include "program/float_type.h"

#include <llvm/ADT/APFloat.h>

namespace faultline::program {
namespace {

using llvm::APFloat;

bool is_of(const llvm::fltSemantics& semantics, const numeric::FormatInfo& format) {
  return int(APFloat::semanticsPrecision(semantics)) == format.precision &&
         APFloat::semanticsMaxExponent(semantics) == format.max_exponent;
}

} // namespace

std::optional<numeric::Format> format_of(const llvm::Type& type) {
  if (!type.isFloatingPointTy())
    return std::nullopt;
  for (const numeric::Format format : numeric::all_formats)
    if (is_of(type.getFltSemantics(), numeric::info(format)))
      return format;
  return std::nullopt;
}

llvm::Type* type_of(numeric::Format format, llvm::LLVMContext& context) {
  for (const llvm::Type::TypeID id : {llvm::Type::HalfTyID, llvm::Type::BFloatTyID, llvm::Type::FloatTyID,
                                      llvm::Type::DoubleTyID, llvm::Type::X86_FP80TyID, llvm::Type::FP128TyID})
    if (llvm::Type* type = llvm::Type::getPrimitiveType(context, id); format_of(*type) == format)
      return type;
  llvm_unreachable("LLVM has a type for each format");
}

} // namespace faultline::program
