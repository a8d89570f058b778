#include "frontend/discover.h"

#include "frontend/path.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <optional>

namespace faultline::frontend {

using numeric::Format;

namespace {

constexpr uint64_t most_cells = 1u << 16;

// A debug-information type without its typedefs and qualifiers, and whether one of them was const.
struct Bare {
  const llvm::DIType* type = nullptr;
  bool constant = false;
};

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

// A scalar type, or nothing; `refused` names a float format that is known and not supported.
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

// Lays out one function's argument block.
class Layout {
public:
  Layout(const llvm::Function& function, const Sizes& sizes, Target& target)
      : function_(function), sizes_(sizes), target_(target), fortran_(is_fortran(*function.getSubprogram())) {}

  void run() {
    const llvm::DISubroutineType* type = function_.getSubprogram()->getType();
    auto types = type ? type->getTypeArray() : llvm::DITypeRefArray(nullptr);
    // The first type is that of the result; flang leaves it out for a subroutine.
    const bool subroutine = fortran_ && function_.getReturnType()->isVoidTy() && types.size() == function_.arg_size();
    const size_t first = subroutine || types.size() == 0 ? 0 : 1;
    const size_t count = types.size() - first;
    names_ = parameter_names(function_, count);
    returned(first == 1 ? types[0] : nullptr);
    if (!target_.suitable())
      return;
    const size_t hidden = target_.returned_by_pointer ? 1 : 0;
    if (function_.isVarArg())
      return refuse("it takes a variable number of arguments: write a harness");
    if (function_.arg_size() != count + hidden)
      return refuse("its parameters are passed in a way that Faultline does not follow (a struct by value, a string, "
                    "an unused parameter "
                    "that the optimiser removed): write a harness");
    for (size_t i = 0; i < count && target_.suitable(); ++i)
      parameter(names_[i], types[unsigned(i + first)], *function_.getArg(unsigned(i + hidden)));
    if (!target_.suitable())
      return;
    const bool any_float =
        std::any_of(target_.inputs.begin(), target_.inputs.end(), [](const Cell& cell) { return cell.type.floating; });
    if (!any_float)
      return refuse("it has no floating-point input; a pointer counts as an output unless it is an array with a size: "
                    "--size NAME=N");
    target_.block_bytes = (target_.block_bytes + 15) / 16 * 16;
    target_.can_be_called = true;
    if (std::none_of(target_.outputs.begin(), target_.outputs.end(),
                     [](const Cell& cell) { return cell.type.floating; }))
      return refuse("it has no floating-point output");
  }

private:
  void refuse(const std::string& reason) {
    if (target_.unsuitable.empty())
      target_.unsuitable = reason;
  }

  void refuse_type(const std::string& name, const llvm::DIType* type, const std::string& format) {
    if (!format.empty())
      refuse(fmt::format("'{}' has the float format {}, which is not supported (float, double and x86 long double "
                         "are): write a harness that converts",
                         name, format));
    else
      refuse(
          fmt::format("parameter '{}' has type {}: write a harness, a function with scalar parameters that builds it",
                      name, type_text(type)));
  }

  uint64_t place(const Type& type) {
    const uint64_t alignment = type.bytes();
    uint64_t offset = (target_.block_bytes + alignment - 1) / alignment * alignment;
    target_.block_bytes = offset + type.bytes();
    return offset;
  }

  static bool is_error_estimate(std::string name) {
    for (char& c : name)
      c = char(std::tolower(c));
    return name == "err" || name == "error" || name == "abserr" || name == "relerr" || name.ends_with("_err");
  }

  void returned(const llvm::DIType* type) {
    llvm::Type* ir = function_.getReturnType();
    if (!ir->isVoidTy()) {
      target_.block_bytes = (target_.block_bytes + 15) / 16 * 16;
      target_.return_offset = target_.block_bytes;
      const llvm::DataLayout& layout = function_.getDataLayout();
      std::vector<Cell> cells;
      std::string refused;
      if (auto basic = scalar(strip(type).type, refused)) {
        cells.push_back({"return", *basic, target_.return_offset, basic->floating});
      } else if (ir_cells(ir, layout, target_.return_offset, cells)) {
        for (size_t i = 0; i < cells.size() && cells.size() > 1; ++i)
          cells[i].name = fmt::format("return[{}]", i);
      } else if (!ir->isPointerTy()) {
        return refuse_type("return", type, refused);
      }
      target_.block_bytes += layout.getTypeAllocSize(ir);
      target_.outputs.insert(target_.outputs.end(), cells.begin(), cells.end());
      return;
    }
    if (function_.arg_size() > 0 && function_.hasStructRetAttr() && function_.getArg(0)->hasStructRetAttr()) {
      auto* fields = structure(strip(type).type);
      std::vector<Cell> cells;
      target_.block_bytes = (target_.block_bytes + 15) / 16 * 16;
      target_.return_offset = target_.block_bytes;
      target_.returned_by_pointer = true;
      if (!fields || !field_cells(*fields, "return", target_.return_offset, cells))
        return refuse("it returns a struct that has more than numbers in it: write a harness");
      target_.block_bytes += fields->getSizeInBits() / 8;
      add_outputs(cells);
    }
  }

  // The floats of a value returned in registers.
  static bool ir_cells(llvm::Type* type, const llvm::DataLayout& layout, uint64_t offset, std::vector<Cell>& cells) {
    auto add = [&](Format format) {
      cells.push_back({"return", Type{true, format, 0, true}, offset, true});
      return true;
    };
    if (type->isFloatTy())
      return add(Format::binary32);
    if (type->isDoubleTy())
      return add(Format::binary64);
    if (type->isX86_FP80Ty())
      return add(Format::extended80);
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

  // The scalars of a struct; false if there is anything else in it.
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
          cells.push_back({fmt::format("{}[{}]", name, i), *element, where + i * element->bytes(), true});
      } else {
        return false;
      }
    }
    return true;
  }

  void add_outputs(const std::vector<Cell>& cells) {
    std::copy_if(cells.begin(), cells.end(), std::back_inserter(target_.outputs),
                 [](const Cell& cell) { return cell.type.floating; });
  }

  const std::vector<uint64_t>* size_of(const std::string& name) const {
    auto found = sizes_.find(name);
    if (found == sizes_.end())
      found = sizes_.find("*");
    return found == sizes_.end() ? nullptr : &found->second;
  }

  void add_array(Parameter& parameter, const Type& element, const std::vector<uint64_t>& extents, bool reads,
                 bool writes) {
    parameter.is_array = true;
    parameter.count = 1;
    for (uint64_t extent : extents)
      parameter.count *= extent;
    if (parameter.count == 0 || parameter.count > most_cells)
      return refuse(
          fmt::format("array '{}' has {} elements; 1 to {} are possible", parameter.name, parameter.count, most_cells));
    target_.block_bytes = (target_.block_bytes + 15) / 16 * 16;
    for (uint64_t i = 0; i < parameter.count; ++i) {
      Cell cell{fmt::format("{}[{}]", parameter.name, i), element, place(element), true};
      if (i == 0)
        parameter.offset = cell.offset;
      if (reads)
        target_.inputs.push_back(cell);
      if (writes && element.floating)
        target_.outputs.push_back(cell);
    }
  }

  void parameter(const std::string& name, const llvm::DIType* declared, const llvm::Argument& argument) {
    Parameter parameter;
    parameter.name = name;
    parameter.type_name = type_text(declared);
    Bare bare = strip(declared);
    std::string refused;
    const bool only_read = argument.onlyReadsMemory();
    if (auto type = scalar(bare.type, refused)) {
      parameter.type = *type;
      parameter.offset = place(*type);
      if (fortran_ && argument.getType()->isPointerTy()) { // (F)
        parameter.passing = Passing::pointer;
        Cell cell{name, *type, parameter.offset, true};
        const bool only_written = argument.hasAttribute(llvm::Attribute::WriteOnly);
        if (!only_written)
          target_.inputs.push_back(cell);
        if (!only_read && type->floating)
          target_.outputs.push_back(cell);
      } else if (argument.getType()->isPointerTy()) {
        return refuse_type(name, declared, refused);
      } else { // (A), (B)
        target_.inputs.push_back({name, *type, parameter.offset, true});
      }
    } else if (auto* array = composite(bare.type, llvm::dwarf::DW_TAG_array_type); array && fortran_) { // (G)
      fortran_array(parameter, *array, only_read, argument.hasAttribute(llvm::Attribute::WriteOnly));
    } else if (auto* to = pointer(bare.type)) {
      parameter.passing = Passing::pointer;
      behind_pointer(parameter, *to, declared, only_read);
    } else {
      return refuse_type(name, declared, refused);
    }
    target_.parameters.push_back(parameter);
  }

  void behind_pointer(Parameter& parameter, const llvm::DIDerivedType& to, const llvm::DIType* declared,
                      bool only_read) {
    Bare pointee = strip(to.getBaseType());
    std::string refused;
    if (auto element = scalar(pointee.type, refused)) {
      parameter.type = *element;
      if (to.getTag() == llvm::dwarf::DW_TAG_reference_type && pointee.constant) {
        parameter.offset = place(*element);
        target_.inputs.push_back({parameter.name, *element, parameter.offset, true});
        return;
      }
      if (const auto* extents = size_of(parameter.name))
        return add_array(parameter, *element, *extents, true, !pointee.constant && !only_read);
      if (pointee.constant || only_read) // (C)
        return refuse(fmt::format("'{}' is an array ({}) and needs a size: --size {}=N", parameter.name,
                                  parameter.type_name, parameter.name));
      parameter.offset = place(*element); // (D)
      if (element->floating)
        target_.outputs.push_back({parameter.name, *element, parameter.offset, !is_error_estimate(parameter.name)});
      return;
    }
    if (auto* fields = structure(pointee.type)) { // (E)
      std::vector<Cell> cells;
      target_.block_bytes = (target_.block_bytes + 15) / 16 * 16;
      parameter.offset = target_.block_bytes;
      if (!field_cells(*fields, parameter.name, parameter.offset, cells) || cells.empty())
        return refuse_type(parameter.name, declared, refused);
      target_.block_bytes += fields->getSizeInBits() / 8;
      if (pointee.constant)
        target_.inputs.insert(target_.inputs.end(), cells.begin(), cells.end());
      else
        add_outputs(cells);
      return;
    }
    refuse_type(parameter.name, declared, refused);
  }

  void fortran_array(Parameter& parameter, const llvm::DICompositeType& array, bool only_read, bool only_written) {
    std::string refused;
    auto element = scalar(strip(array.getBaseType()).type, refused);
    if (!element)
      return refuse_type(parameter.name, &array, refused);
    if (array.getRawDataLocation() || array.getRawAllocated() || array.getRawAssociated())
      return refuse(
          fmt::format("'{}' is an assumed-shape, allocatable or pointer array: write a harness with explicit shapes",
                      parameter.name));
    parameter.passing = Passing::pointer;
    parameter.type = *element;
    std::vector<uint64_t> extents;
    if (const auto* given = size_of(parameter.name)) {
      extents = *given;
    } else {
      for (const llvm::DINode* node : array.getElements()) {
        auto* range = llvm::dyn_cast<llvm::DISubrange>(node);
        auto* count = range ? llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()) : nullptr;
        auto* upper = range ? llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getUpperBound()) : nullptr;
        if (count && count->getSExtValue() > 0)
          extents.push_back(count->getZExtValue());
        else if (upper && upper->getSExtValue() > 0)
          extents.push_back(upper->getZExtValue());
        else
          return refuse(fmt::format("'{}' is an array and needs a size: --size {}=N", parameter.name, parameter.name));
      }
    }
    add_array(parameter, *element, extents, !only_written, !only_read);
  }

  const llvm::Function& function_;
  const Sizes& sizes_;
  Target& target_;
  bool fortran_;
  std::vector<std::string> names_;
};

} // namespace

Target discover(const llvm::Function& function, const Sizes& sizes) {
  Target target;
  target.symbol = function.getName().str();
  target.function = target.symbol;
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram) {
    target.unsuitable = "it has no debug information: compile it with -g";
    return target;
  }
  target.file = shown_path(subprogram->getDirectory().str(), subprogram->getFilename().str());
  target.line = int(subprogram->getLine());
  if (!subprogram->getName().empty())
    target.function = subprogram->getName().str();
  if (!subprogram->getLinkageName().empty() && subprogram->getLinkageName().starts_with("_Z")) {
    std::string full = llvm::demangle(subprogram->getLinkageName().str());
    target.function = full;
  }
  Layout(function, sizes, target).run();
  return target;
}

} // namespace faultline::frontend
