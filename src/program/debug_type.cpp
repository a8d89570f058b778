#include "program/debug_type.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace faultline::program {

using llvm::Value;
using numeric::Format;

namespace {
constexpr uint64_t first_float = 25, last_float = 38; // type codes: real and complex of every kind
}

DescribedArray::DescribedArray(llvm::IRBuilder<>& builder, Value* descriptor)
    : builder_(builder), descriptor_(descriptor) {
  kind_ = builder.CreateAnd(word(builder.getInt64(16)), 0xffffffffffff);
  rank_ = builder.CreateAnd(builder.CreateLShr(kind_, 32), 0xff);
}

Value* DescribedArray::address() { return builder_.CreateLoad(builder_.getPtrTy(), descriptor_); }
Value* DescribedArray::element_bytes() { return word(builder_.getInt64(8)); }

Value* DescribedArray::is_float() {
  Value* from_first = builder_.CreateSub(builder_.CreateLShr(kind_, 40), builder_.getInt64(first_float));
  return builder_.CreateICmpULE(from_first, builder_.getInt64(last_float - first_float));
}

Value* DescribedArray::has(uint64_t dimension) {
  return builder_.CreateSExt(builder_.CreateICmpUGT(rank_, builder_.getInt64(dimension)), builder_.getInt64Ty());
}

Value* DescribedArray::word(Value* offset) {
  return builder_.CreateLoad(builder_.getInt64Ty(), builder_.CreateGEP(builder_.getInt8Ty(), descriptor_, offset));
}

Value* DescribedArray::of_dimension(uint64_t dimension, uint64_t offset) {
  Value* start = builder_.CreateAnd(has(dimension), 24 + 24 * dimension);
  return word(builder_.CreateAdd(start, builder_.getInt64(offset)));
}

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
  auto* data = llvm::dyn_cast_or_null<llvm::DIDerivedType>(fields->getElements()[0]);
  auto* length = llvm::dyn_cast_or_null<llvm::DIDerivedType>(fields->getElements()[1]);
  const llvm::DIDerivedType* to = data && data->getName() == "data_ptr" ? pointer(data->getBaseType()) : nullptr;
  if (!to || !length || length->getName() != "length")
    return std::nullopt;
  return RustSlice{to->getBaseType(), constant};
}

StrippedType strip(const llvm::DIType* type) {
  StrippedType bare{type, false};
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

namespace {

// What sources have, many times over.
constexpr int longest_chain = 256;    // typedefs, qualifiers, pointers and arrays, one of the other
constexpr int deepest_struct = 64;    // structs in structs
constexpr int most_members = 1 << 17; // of all of them

class Walk {
public:
  bool ends(const llvm::DIType* type, int depth = 0) {
    bool behind_pointer = false;
    for (int steps = 0; type; ++steps) {
      if (steps == longest_chain)
        return false;
      if (const llvm::DICompositeType* fields = structure(type))
        return (behind_pointer && depth > 0) || members_end(*fields, depth); // a list's node has a pointer to the next
      behind_pointer = behind_pointer || pointer(type);
      if (auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(type))
        type = derived->getBaseType();
      else if (auto* array = composite(type, llvm::dwarf::DW_TAG_array_type))
        type = array->getBaseType();
      else
        return true;
    }
    return true;
  }

private:
  bool members_end(const llvm::DICompositeType& fields, int depth) {
    if (depth == deepest_struct)
      return false;
    return llvm::all_of(fields.getElements(), [&](const llvm::DINode* node) {
      auto* member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(node);
      return ++members_ <= most_members &&
             (!member || member->isStaticMember() || ends(member->getBaseType(), depth + 1));
    });
  }

  int members_ = 0;
};

// Compares names where several formats have the same number of bits, or where padding is included. Fortran has other
// names.
bool is_format(const llvm::DIBasicType& type, const numeric::FormatInfo& format) {
  const auto bits = int(type.getSizeInBits());
  if (bits == 8 * format.bytes && !format.shares_size)
    return true;
  return (bits == 8 * format.bytes || bits == 8 * format.stride) && type.getName() == format.c_type;
}

// Returns the extents of an array; nothing if one of them is unknown.
std::optional<std::vector<uint64_t>> extents_of(const llvm::DICompositeType& array) {
  std::vector<uint64_t> extents;
  for (const llvm::DINode* node : array.getElements()) {
    auto* range = llvm::dyn_cast_or_null<llvm::DISubrange>(node);
    auto* count = range ? llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()) : nullptr;
    if (!count || count->getSExtValue() <= 0)
      return std::nullopt;
    extents.push_back(count->getZExtValue());
  }
  return extents;
}

// Returns the only member of a std::array, an array.
const llvm::DIType* inside_std_array(const llvm::DIType* type) {
  auto* fields = structure(type);
  if (!fields || !fields->getName().starts_with("array<") || !fields->getScope() ||
      fields->getScope()->getName() != "std")
    return nullptr;
  const llvm::DIType* inside = nullptr;
  for (const llvm::DINode* node : fields->getElements()) {
    auto* member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(node);
    if (!member || member->getTag() != llvm::dwarf::DW_TAG_member || member->isStaticMember())
      continue;
    if (inside)
      return nullptr;
    inside = strip(member->getBaseType()).type;
  }
  return composite(inside, llvm::dwarf::DW_TAG_array_type) ? inside : nullptr;
}

} // namespace

bool is_finite(const llvm::DIType* type) { return Walk().ends(type); }

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

std::optional<model::Type> scalar(const llvm::DIType* type, std::string& refused) {
  constexpr int most_bits = 128; // of an integer; a declared enumeration has none
  const uint64_t size = type ? type->getSizeInBits() : 0;
  if (composite(type, llvm::dwarf::DW_TAG_enumeration_type) && size > 0 && size <= most_bits)
    return model::Type{false, Format::binary64, int(size), true};
  auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type);
  if (!basic || size == 0 || size > most_bits)
    return std::nullopt;
  const auto bits = int(size);
  switch (basic->getEncoding()) {
  case llvm::dwarf::DW_ATE_float:
    for (const Format format : numeric::all_formats)
      if (is_format(*basic, numeric::info(format)))
        return model::Type{true, format, bits, true};
    refused = basic->getName().str();
    return std::nullopt;
  case llvm::dwarf::DW_ATE_signed:
  case llvm::dwarf::DW_ATE_signed_char:
    return model::Type{false, Format::binary64, bits, true};
  case llvm::dwarf::DW_ATE_unsigned:
  case llvm::dwarf::DW_ATE_unsigned_char:
  case llvm::dwarf::DW_ATE_boolean:
    return model::Type{false, Format::binary64, bits, false};
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
    if (pointer(derived) && !derived->getName().empty()) // Rust's: &mut f64
      return derived->getName().str();
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
  const std::optional<model::Type> element = scalar(type, refused);
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

namespace {

// Finds the parameter behind a Fortran variable if flang does not record it: the parameter itself (passed by value) or
// a local copy, or an array whose address is in the parameter's descriptor (if contiguous).
const llvm::Argument* parameter_at(const llvm::Value* place) {
  if (llvm::isa_and_nonnull<llvm::AllocaInst>(place)) {
    for (const llvm::User* user : place->users())
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && store->getPointerOperand() == place)
        if (auto* argument = llvm::dyn_cast<llvm::Argument>(store->getValueOperand()))
          return argument;
    return nullptr;
  }
  if (auto* load = llvm::dyn_cast_or_null<llvm::LoadInst>(place); load && load->getType()->isPointerTy()) {
    llvm::APInt offset(64, 0);
    place = load->getPointerOperand()->stripAndAccumulateConstantOffsets(load->getDataLayout(), offset, true);
    return offset == 0 ? llvm::dyn_cast<llvm::Argument>(place) : nullptr;
  }
  return llvm::dyn_cast_or_null<llvm::Argument>(place);
}

class ParameterNames {
public:
  ParameterNames(const llvm::Function& function, size_t count)
      : subprogram_(*function.getSubprogram()), fortran_(is_fortran(subprogram_)), names_(count), guesses_(count) {}

  void note(const llvm::DILocalVariable* variable, const llvm::Value* place) {
    if (!variable || variable->getScope()->getSubprogram() != &subprogram_)
      return;
    if (variable->getArg() >= 1 && variable->getArg() <= names_.size())
      names_[variable->getArg() - 1] = variable->getName().str();
    const llvm::Argument* parameter = fortran_ && variable->getArg() == 0 ? parameter_at(place) : nullptr;
    if (parameter && parameter->getArgNo() < guesses_.size() && guesses_[parameter->getArgNo()].empty())
      guesses_[parameter->getArgNo()] = variable->getName().str();
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names = names_;
    for (size_t i = 0; i < names.size(); ++i)
      if (names[i].empty())
        names[i] = guesses_[i].empty() || std::ranges::find(names, guesses_[i]) != names.end()
                       ? fmt::format("arg{}", i + 1)
                       : guesses_[i];
    return names;
  }

private:
  const llvm::DISubprogram& subprogram_;
  bool fortran_;
  std::vector<std::string> names_, guesses_;
};

} // namespace

std::vector<std::string> parameter_names(const llvm::Function& function, size_t count) {
  ParameterNames names(function, count);
  for (const llvm::DINode* node : function.getSubprogram()->getRetainedNodes())
    names.note(llvm::dyn_cast_or_null<llvm::DILocalVariable>(node), nullptr);
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    for (const llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
      names.note(record.getVariable(), record.getVariableLocationOp(0));
    if (auto* old = llvm::dyn_cast<llvm::DbgVariableIntrinsic>(&instruction))
      names.note(old->getVariable(), old->getVariableLocationOp(0));
  }
  return names.names();
}

} // namespace faultline::program
