#include "frontend/debug_type.h"

#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace faultline::frontend {

using numeric::Format;

Bare strip(const llvm::DIType* type) {
  Bare bare{type, false};
  while (auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(bare.type)) {
    switch (derived->getTag()) {
    case llvm::dwarf::DW_TAG_const_type:
      bare.constant = true;
      [[fallthrough]];
    case llvm::dwarf::DW_TAG_typedef:
    case llvm::dwarf::DW_TAG_volatile_type:
    case llvm::dwarf::DW_TAG_restrict_type:
    case llvm::dwarf::DW_TAG_atomic_type:
      bare.type = derived->getBaseType();
      break;
    default:
      return bare;
    }
  }
  return bare;
}

const llvm::DIDerivedType* pointer(const llvm::DIType* type) {
  auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type);
  if (derived && (derived->getTag() == llvm::dwarf::DW_TAG_pointer_type ||
                  derived->getTag() == llvm::dwarf::DW_TAG_reference_type))
    return derived;
  return nullptr;
}

const llvm::DICompositeType* composite(const llvm::DIType* type, unsigned tag) {
  auto* found = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  return found && found->getTag() == tag ? found : nullptr;
}

const llvm::DICompositeType* structure(const llvm::DIType* type) {
  if (auto* found = composite(type, llvm::dwarf::DW_TAG_structure_type))
    return found;
  return composite(type, llvm::dwarf::DW_TAG_class_type);
}

std::optional<Type> scalar(const llvm::DIType* type, std::string& refused) {
  if (composite(type, llvm::dwarf::DW_TAG_enumeration_type))
    return Type{false, Format::binary64, int(type->getSizeInBits()), true};
  auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type);
  if (!basic)
    return std::nullopt;
  const auto bits = int(basic->getSizeInBits());
  switch (basic->getEncoding()) {
  case llvm::dwarf::DW_ATE_float:
    if (bits == 32)
      return Type{true, Format::binary32, bits, true};
    if (bits == 64)
      return Type{true, Format::binary64, bits, true};
    if (bits == 80 || (bits == 128 && basic->getName() == "long double"))
      return Type{true, Format::extended80, bits, true};
    refused = basic->getName().str();
    return std::nullopt;
  case llvm::dwarf::DW_ATE_signed:
  case llvm::dwarf::DW_ATE_signed_char:
    return Type{false, Format::binary64, bits, true};
  case llvm::dwarf::DW_ATE_unsigned:
  case llvm::dwarf::DW_ATE_unsigned_char:
  case llvm::dwarf::DW_ATE_boolean:
    return Type{false, Format::binary64, bits, false};
  default:
    return std::nullopt;
  }
}

bool is_fortran(const llvm::DISubprogram& subprogram) {
  unsigned language = subprogram.getUnit() ? subprogram.getUnit()->getSourceLanguage() : 0;
  return language == llvm::dwarf::DW_LANG_Fortran77 || language == llvm::dwarf::DW_LANG_Fortran90 ||
         language == llvm::dwarf::DW_LANG_Fortran95 || language == llvm::dwarf::DW_LANG_Fortran03 ||
         language == llvm::dwarf::DW_LANG_Fortran08 || language == llvm::dwarf::DW_LANG_Fortran18;
}

std::string type_text(const llvm::DIType* type) {
  if (!type)
    return "void";
  if (auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(type)) {
    std::string base = type_text(derived->getBaseType());
    switch (derived->getTag()) {
    case llvm::dwarf::DW_TAG_const_type:
      return "const " + base;
    case llvm::dwarf::DW_TAG_pointer_type:
      return base + "*";
    case llvm::dwarf::DW_TAG_reference_type:
      return base + "&";
    case llvm::dwarf::DW_TAG_volatile_type:
    case llvm::dwarf::DW_TAG_restrict_type:
      return base;
    default:
      return derived->getName().empty() ? base : derived->getName().str();
    }
  }
  if (auto* array = composite(type, llvm::dwarf::DW_TAG_array_type))
    return type_text(array->getBaseType()) + "[]";
  return type->getName().empty() ? std::string("?") : type->getName().str();
}

namespace {

// The extents of an array of known size; nothing if one of them is not known.
std::optional<std::vector<uint64_t>> extents_of(const llvm::DICompositeType& array) {
  std::vector<uint64_t> extents;
  for (const llvm::DINode* node : array.getElements()) {
    auto* range = llvm::dyn_cast<llvm::DISubrange>(node);
    auto* count = range ? llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()) : nullptr;
    if (!count || count->getSExtValue() <= 0)
      return std::nullopt;
    extents.push_back(count->getZExtValue());
  }
  return extents;
}

// What a std::array holds: its one member, an array.
const llvm::DIType* inside_std_array(const llvm::DIType* type) {
  auto* fields = structure(type);
  if (!fields || !fields->getName().starts_with("array<") || !fields->getScope() ||
      fields->getScope()->getName() != "std")
    return nullptr;
  const llvm::DIType* inside = nullptr;
  for (const llvm::DINode* node : fields->getElements()) {
    auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
    if (!member || member->getTag() != llvm::dwarf::DW_TAG_member || member->isStaticMember())
      continue;
    if (inside)
      return nullptr;
    inside = strip(member->getBaseType()).type;
  }
  return composite(inside, llvm::dwarf::DW_TAG_array_type) ? inside : nullptr;
}

} // namespace

std::optional<Shape> shape(const llvm::DIType* type, std::string& refused) {
  Shape shape;
  while (true) {
    if (const llvm::DIType* inside = inside_std_array(type))
      type = inside;
    auto* array = composite(type, llvm::dwarf::DW_TAG_array_type);
    if (!array)
      break;
    const auto extents = extents_of(*array);
    if (!extents)
      return std::nullopt;
    shape.extents.insert(shape.extents.end(), extents->begin(), extents->end());
    type = strip(array->getBaseType()).type;
  }
  const std::optional<Type> element = scalar(type, refused);
  if (shape.extents.empty() || !element)
    return std::nullopt;
  shape.element = *element;
  return shape;
}

const llvm::DIType* pointee_element(const llvm::DIType* type) {
  type = strip(type).type;
  if (auto* to = pointer(type))
    type = strip(to->getBaseType()).type;
  while (true) {
    if (const llvm::DIType* inside = inside_std_array(type))
      type = inside;
    auto* array = composite(type, llvm::dwarf::DW_TAG_array_type);
    if (!array)
      return type;
    type = strip(array->getBaseType()).type;
  }
}

std::vector<std::string> parameter_names(const llvm::Function& function, size_t count) {
  std::vector<std::string> names(count);
  auto note = [&](const llvm::DILocalVariable* variable) {
    if (variable && variable->getArg() >= 1 && variable->getArg() <= count &&
        variable->getScope()->getSubprogram() == function.getSubprogram())
      names[variable->getArg() - 1] = variable->getName().str();
  };
  for (const llvm::DINode* node : function.getSubprogram()->getRetainedNodes())
    note(llvm::dyn_cast_or_null<llvm::DILocalVariable>(node));
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    for (const llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
      note(record.getVariable());
    if (auto* old = llvm::dyn_cast<llvm::DbgVariableIntrinsic>(&instruction))
      note(old->getVariable());
  }
  for (size_t i = 0; i < count; ++i)
    if (names[i].empty())
      names[i] = fmt::format("arg{}", i + 1);
  return names;
}

} // namespace faultline::frontend
