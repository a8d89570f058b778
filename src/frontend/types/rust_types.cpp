#include "frontend/types/rust_types.h"

#include "frontend/debug_type.h"

namespace faultline::frontend {

RustPointer rust_pointer(const llvm::DIDerivedType& pointer) {
  const llvm::StringRef name = pointer.getName(); // other languages leave it empty
  if (name.starts_with("&mut "))
    return RustPointer::exclusive;
  if (name.starts_with("&"))
    return RustPointer::shared;
  if (name.starts_with("*const "))
    return RustPointer::raw_const;
  return name.starts_with("*mut ") ? RustPointer::raw_mut : RustPointer::none;
}

std::optional<RustSlice> rust_slice(const llvm::DIType* type) {
  const llvm::DICompositeType* fields = structure(type);
  const llvm::StringRef name = fields ? fields->getName() : "";
  const bool constant = name.starts_with("&[");
  if ((!constant && !name.starts_with("&mut [")) || fields->getElements().size() != 2)
    return std::nullopt;
  auto* data = llvm::dyn_cast<llvm::DIDerivedType>(fields->getElements()[0]);
  auto* length = llvm::dyn_cast<llvm::DIDerivedType>(fields->getElements()[1]);
  const llvm::DIDerivedType* to = data && data->getName() == "data_ptr" ? pointer(data->getBaseType()) : nullptr;
  if (!to || !length || length->getName() != "length")
    return std::nullopt;
  return RustSlice{to->getBaseType(), constant};
}

} // namespace faultline::frontend
