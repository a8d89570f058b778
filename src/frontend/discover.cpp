#include "frontend/discover.h"

#include "frontend/alias.h"
#include "frontend/cells.h"
#include "frontend/debug_type.h"
#include "frontend/error.h"
#include "frontend/path.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Module.h>
#include <optional>

namespace faultline::frontend {

using numeric::Format;

namespace {

// Lays out one function's argument block.
class Layout {
public:
  Layout(const llvm::Function& function, const Sizes& sizes, const Aliases& aliases, Target& target)
      : function_(function), sizes_(sizes), aliases_(aliases), target_(target),
        fortran_(is_fortran(*function.getSubprogram())) {}

  void run() {
    const llvm::DISubroutineType* type = function_.getSubprogram()->getType();
    auto types = type ? type->getTypeArray() : llvm::DITypeRefArray(nullptr);
    // The first type is that of the result; flang leaves it out for a subroutine.
    const bool subroutine = fortran_ && function_.getReturnType()->isVoidTy() && types.size() == function_.arg_size();
    const size_t first = subroutine || types.size() == 0 ? 0 : 1;
    const size_t count = types.size() - first;
    names_ = parameter_names(function_, count);
    for (const std::string& name : names_)
      target_.parameters.emplace_back().name = name;
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
    for (size_t i = 0; i < count; ++i)
      declared_.push_back({types[unsigned(i + first)], function_.getArg(unsigned(i + hidden))});
    parameters();
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
  struct Declared {
    const llvm::DIType* type;
    const llvm::Argument* argument;
  };

  // Those with memory of their own first: the others point into it.
  void parameters() {
    std::vector<std::string> owners;
    for (const std::string& name : names_)
      owners.push_back(owner_of(name, aliases_, names_));
    for (size_t i = 0; i < names_.size() && target_.suitable(); ++i)
      if (owners[i].empty())
        parameter(i);
    for (size_t i = 0; i < names_.size() && target_.suitable(); ++i)
      if (!owners[i].empty())
        share(i, size_t(std::find(names_.begin(), names_.end(), owners[i]) - names_.begin()));
  }

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
          fmt::format("parameter '{}' has type {}: write a harness, a function with scalar parameters or plain arrays "
                      "that builds it",
                      name, type_text(type)));
  }

  uint64_t place(const Type& type) {
    const uint64_t alignment = type.bytes();
    uint64_t offset = (target_.block_bytes + alignment - 1) / alignment * alignment;
    target_.block_bytes = offset + type.bytes();
    return offset;
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

  void add_outputs(const std::vector<Cell>& cells) {
    std::copy_if(cells.begin(), cells.end(), std::back_inserter(target_.outputs),
                 [](const Cell& cell) { return cell.type.floating; });
  }

  const std::vector<uint64_t>* size_of(const std::string& name) const {
    auto found = sizes_.find(name);
    if (found == sizes_.end() && !owners_extents_.empty())
      return &owners_extents_;
    if (found == sizes_.end())
      found = sizes_.find("*");
    return found == sizes_.end() ? nullptr : &found->second;
  }

  void add_array(Parameter& parameter, const Type& element, const std::vector<uint64_t>& extents, bool reads,
                 bool writes) {
    parameter.is_array = true;
    parameter.extents = extents;
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

  void parameter(size_t index) {
    const auto& [declared, pointer_to_argument] = declared_[index];
    const llvm::Argument& argument = *pointer_to_argument;
    Parameter& parameter = target_.parameters[index];
    const std::string& name = parameter.name;
    parameter.type_name = type_text(declared);
    Bare bare = strip(declared);
    std::string refused;
    const bool only_read = argument.onlyReadsMemory();
    const bool only_written = argument.hasAttribute(llvm::Attribute::WriteOnly);
    if (auto type = scalar(bare.type, refused)) {
      parameter.type = *type;
      parameter.offset = place(*type);
      if (fortran_ && argument.getType()->isPointerTy()) { // (F)
        parameter.passing = Passing::pointer;
        Cell cell{name, *type, parameter.offset, true};
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
      fortran_array(parameter, *array, only_read, only_written);
    } else if (auto* to = pointer(bare.type)) {
      parameter.passing = Passing::pointer;
      behind_pointer(parameter, *to, declared, only_read, only_written);
    } else {
      return refuse_type(name, declared, refused);
    }
  }

  void behind_pointer(Parameter& parameter, const llvm::DIDerivedType& to, const llvm::DIType* declared, bool only_read,
                      bool only_written) {
    Bare pointee = strip(to.getBaseType());
    std::string refused;
    if (const std::optional<Shape> row = shape(pointee.type, refused)) { // (I)
      const std::optional<std::vector<uint64_t>> extents = extents_of_rows(parameter, to, *row);
      parameter.type = row->element;
      if (extents)
        add_array(parameter, row->element, *extents, !only_written, !pointee.constant && !only_read);
      return;
    }
    if (auto element = scalar(pointee.type, refused)) {
      parameter.type = *element;
      if (to.getTag() == llvm::dwarf::DW_TAG_reference_type && pointee.constant) {
        parameter.offset = place(*element);
        target_.inputs.push_back({parameter.name, *element, parameter.offset, true});
        return;
      }
      if (const auto* extents = size_of(parameter.name))
        return add_array(parameter, *element, *extents, !only_written, !pointee.constant && !only_read);
      if (pointee.constant || only_read) // (C)
        return refuse(fmt::format("'{}' is an array ({}) and needs a size: --size {}=N", parameter.name,
                                  parameter.type_name, parameter.name));
      parameter.offset = place(*element); // (D)
      if (element->floating)
        target_.outputs.push_back({parameter.name, *element, parameter.offset, !is_error_estimate(parameter.name)});
      return;
    }
    if (auto* fields = structure(pointee.type)) { // (E)
      const bool reference = to.getTag() == llvm::dwarf::DW_TAG_reference_type;
      return structs(parameter, *fields, declared, reference, pointee.constant);
    }
    refuse_type(parameter.name, declared, refused);
  }

  // One struct, or as many as --size says: p[0].x, p[0].y, p[1].x, ... Many are read and written, as other arrays are.
  void structs(Parameter& parameter, const llvm::DICompositeType& fields, const llvm::DIType* declared, bool reference,
               bool constant) {
    const auto given = sizes_.find(parameter.name);
    const bool many = given != sizes_.end();
    if (many && reference)
      return refuse(fmt::format("'{0}' is a reference to one struct ({1}): leave out --size {0}", parameter.name,
                                parameter.type_name));
    if (many) {
      parameter.is_array = true;
      parameter.extents = given->second;
      for (const uint64_t extent : given->second)
        parameter.count *= extent;
    }
    std::vector<Cell> cells;
    target_.block_bytes = (target_.block_bytes + 15) / 16 * 16;
    parameter.offset = target_.block_bytes;
    for (uint64_t i = 0; i < parameter.count && cells.size() <= most_cells; ++i) {
      const std::string name = many ? fmt::format("{}[{}]", parameter.name, i) : parameter.name;
      if (!field_cells(fields, name, target_.block_bytes, cells) || cells.empty())
        return refuse_type(parameter.name, declared, "");
      target_.block_bytes += fields.getSizeInBits() / 8;
    }
    if (cells.size() > most_cells)
      return refuse(fmt::format("array '{}' has more than {} numbers", parameter.name, most_cells));
    if (constant || many)
      target_.inputs.insert(target_.inputs.end(), cells.begin(), cells.end());
    if (!constant)
      add_outputs(cells);
  }

  // A pointer to rows (double (*A)[4], which double A[4][4] is, too) does not tell how many there are; a reference to
  // an array, and a std::array, do. --size gives all extents, or the number of rows.
  std::optional<std::vector<uint64_t>> extents_of_rows(const Parameter& parameter, const llvm::DIDerivedType& to,
                                                       const Shape& row) {
    const bool whole = to.getTag() == llvm::dwarf::DW_TAG_reference_type || structure(strip(to.getBaseType()).type);
    std::vector<uint64_t> extents = row.extents;
    if (whole)
      return extents;
    uint64_t length = 1; // of a row
    for (const uint64_t extent : row.extents)
      length *= extent;
    const std::string rows = fmt::format("{}", fmt::join(row.extents, "x"));
    const std::vector<uint64_t>* given = size_of(parameter.name);
    if (given == &owners_extents_ && given->front() % length == 0)
      return std::vector<uint64_t>{given->front()};
    const bool by_name = sizes_.contains(parameter.name);
    if (given && (given->size() == 1 || (given->size() == extents.size() + 1 &&
                                         std::equal(extents.begin(), extents.end(), given->begin() + 1)))) {
      extents.insert(extents.begin(), given->front());
      return extents;
    }
    refuse(given && by_name ? fmt::format("'{0}' has rows of {1} ({2}), --size {0}={3} does not fit: --size {0}=Nx{1}",
                                          parameter.name, rows, parameter.type_name, fmt::join(*given, "x"))
                            : fmt::format("'{0}' is an array of rows ({1}) and needs a size: --size {0}=Nx{2}",
                                          parameter.name, parameter.type_name, rows));
    return std::nullopt;
  }

  // Lays the parameter out as if it had memory of its own, and moves its cells to the owner's.
  void share(size_t index, size_t owners) {
    const Parameter owner = target_.parameters[owners];
    const std::vector<Cell> inputs = target_.inputs, outputs = target_.outputs;
    const uint64_t bytes = target_.block_bytes;
    owners_extents_.clear();
    if (owner.is_array)
      owners_extents_ = {owner.count};
    check_sharing(index, owners);
    target_.block_bytes = 0;
    target_.inputs.clear();
    target_.outputs.clear();
    parameter(index);
    owners_extents_.clear();
    const std::vector<Cell> read = std::move(target_.inputs), written = std::move(target_.outputs);
    target_.inputs = inputs;
    target_.outputs = outputs;
    target_.block_bytes = bytes;
    if (!target_.suitable())
      return;
    Parameter& sharing = target_.parameters[index];
    if (sharing.count > owner.count)
      cannot_share(
          index, owners,
          fmt::format("'{}' has {} elements, '{}' only {}", sharing.name, sharing.count, owner.name, owner.count),
          fmt::format("--alias {}={}, or leave out --size {}", owner.name, sharing.name, sharing.name));
    merge(target_.inputs, read, sharing, owner);
    merge(target_.outputs, written, sharing, owner);
    check_shared_cells(index, owners, owner);
    sharing.offset = owner.offset;
    sharing.alias_of = owner.name;
  }

  static void merge(std::vector<Cell>& cells, const std::vector<Cell>& more, const Parameter& sharing,
                    const Parameter& owner) {
    for (Cell cell : more) {
      cell.offset = cell.offset - sharing.offset + owner.offset;
      cell.name = owner.name + cell.name.substr(sharing.name.size());
      if (std::none_of(cells.begin(), cells.end(), [&](const Cell& other) { return other.offset == cell.offset; }))
        cells.push_back(cell);
    }
  }

  [[noreturn]] void cannot_share(size_t index, size_t owners, const std::string& why, const std::string& hint) const {
    throw UserError(status_usage,
                    fmt::format("--alias {}={}: {} ({})", names_[index], names_[owners], why, target_.function), hint);
  }

  void check_sharing(size_t index, size_t owners) const {
    for (const size_t i : {index, owners})
      if (!declared_[i].argument->getType()->isPointerTy())
        cannot_share(index, owners, fmt::format("'{}' is passed by value", names_[i]),
                     "only pointers can share memory");
    const llvm::DIType *a = declared_[index].type, *b = declared_[owners].type;
    if (pointee_element(a) != pointee_element(b))
      cannot_share(index, owners,
                   fmt::format("'{}' is {}, '{}' is {}", names_[index], type_text(a), names_[owners], type_text(b)),
                   "both must point to elements of the same type");
  }

  // Memory that is written must not be promised to be nobody else's.
  void check_shared_cells(size_t index, size_t owners, const Parameter& owner) const {
    const auto is_owners = [&](const Cell& cell) {
      return cell.name == owner.name || cell.name.starts_with(owner.name + "[") ||
             cell.name.starts_with(owner.name + ".");
    };
    const auto is_integer = [&](const Cell& cell) { return is_owners(cell) && !cell.type.floating; };
    if (std::any_of(target_.inputs.begin(), target_.inputs.end(), is_integer) || !owner.type.floating)
      cannot_share(index, owners, fmt::format("'{}' has integers in it", owner.name), "only floats can be shared");
    const bool written = std::any_of(target_.outputs.begin(), target_.outputs.end(), is_owners);
    const bool promised =
        fortran_ || declared_[index].argument->hasNoAliasAttr() || declared_[owners].argument->hasNoAliasAttr();
    if (written && promised)
      cannot_share(index, owners,
                   fortran_ ? "Fortran allows no two arguments to share memory that is written"
                            : "one of them is restrict: the code need not work if they share memory",
                   "hunt in a function that makes no such promise");
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
  const Aliases& aliases_;
  Target& target_;
  bool fortran_;
  std::vector<std::string> names_;
  std::vector<Declared> declared_;
  std::vector<uint64_t> owners_extents_; // while a parameter is laid out that shares an array
};

} // namespace

Target discover(const llvm::Function& function, const Sizes& sizes, const Aliases& aliases) {
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
  Layout(function, sizes, aliases, target).run();
  return target;
}

} // namespace faultline::frontend
