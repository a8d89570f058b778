#include "frontend/cells.h"

#include "frontend/cell_name.h"
#include "frontend/debug_type.h"
#include "frontend/float_type.h"

#include <cctype>
#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>

namespace faultline::frontend {

bool is_error_estimate(std::string name) {
  for (char& c : name)
    c = char(std::tolower(c));
  return name == "err" || name == "error" || name == "abserr" || name == "relerr" || name.ends_with("_err");
}

bool ir_cells(llvm::Type* type, const llvm::DataLayout& layout, uint64_t offset, std::vector<Cell>& cells) {
  if (const std::optional<numeric::Format> format = format_of(*type)) {
    cells.push_back({"return", Type{true, *format, 0, true}, offset, true});
    return true;
  }
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    uint64_t stride = layout.getTypeStoreSize(vector->getElementType());
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      if (!ir_cells(vector->getElementType(), layout, offset + i * stride, cells))
        return false;
    return true;
  }
  if (auto* fields = llvm::dyn_cast<llvm::StructType>(type)) {
    for (unsigned i = 0; i < fields->getNumElements(); ++i)
      if (!ir_cells(fields->getElementType(i), layout, offset + layout.getStructLayout(fields)->getElementOffset(i),
                    cells))
        return false;
    return true;
  }
  return false;
}

bool field_cells(const llvm::DICompositeType& fields, const std::string& prefix, uint64_t offset,
                 std::vector<Cell>& cells) {
  for (const llvm::DINode* node : fields.getElements()) {
    auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
    if (!member || member->isStaticMember())
      continue; // member functions
    if (member->getTag() != llvm::dwarf::DW_TAG_member)
      return false;
    const std::string name = prefix + "." + member->getName().str();
    const uint64_t where = offset + member->getOffsetInBits() / 8;
    const llvm::DIType* type = strip(member->getBaseType()).type;
    std::string refused;
    if (auto basic = scalar(type, refused)) {
      cells.push_back({name, *basic, where, !is_error_estimate(member->getName().str())});
    } else if (auto* inner = structure(type)) {
      if (!field_cells(*inner, name, where, cells))
        return false;
    } else if (auto* array = composite(type, llvm::dwarf::DW_TAG_array_type)) {
      auto element = scalar(strip(array->getBaseType()).type, refused);
      if (!element)
        return false;
      const uint64_t count = array->getSizeInBits() / 8 / element->bytes();
      for (uint64_t i = 0; i < count && cells.size() < most_cells; ++i)
        cells.push_back({cell_name(name, i), *element, where + i * element->bytes(), true});
    } else {
      return false;
    }
  }
  return true;
}

} // namespace faultline::frontend
