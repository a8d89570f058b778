#include "program/layout.h"

#include "program/first_use.h"
#include "program/flag_uses.h"
#include "program/float_type.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <set>

namespace faultline::program {

namespace {

// Registers hold few numbers, one struct deep; bitcode may return anything.
constexpr size_t most_returned = 64;
constexpr int deepest_returned = 8;

bool add_returned(llvm::Type* type, const llvm::DataLayout& layout, uint64_t offset, int depth,
                  std::vector<model::Cell>& cells) {
  if (const std::optional<numeric::Format> format = format_of(*type)) {
    cells.push_back({"return", model::Type{true, *format, 0, true}, offset, true});
    return true;
  }
  const auto part = [&](llvm::Type* of, uint64_t at) {
    return depth > 0 && cells.size() < most_returned && add_returned(of, layout, offset + at, depth - 1, cells);
  };
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const uint64_t stride = layout.getTypeStoreSize(vector->getElementType());
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      if (!part(vector->getElementType(), i * stride))
        return false;
    return true;
  }
  if (auto* fields = llvm::dyn_cast<llvm::StructType>(type)) {
    for (unsigned i = 0; i < fields->getNumElements(); ++i)
      if (!part(fields->getElementType(i), layout.getStructLayout(fields)->getElementOffset(i)))
        return false;
    return fields->getNumElements() > 0;
  }
  return false;
}

// True for an integer that is written and not read: an INFO or IERR, which --status may name. One that is passed to
// unknown code may be read there and is an input.
bool is_status(const FirstUse& use) { return use.written && !use.read; }

// True if the name of an output (err, abserr, x_err) suggests an error estimate. Such outputs are not judged.
bool is_error_estimate(std::string name) {
  for (char& c : name)
    c = char(std::tolower(c));
  return name == "err" || name == "error" || name == "abserr" || name == "relerr" || name.ends_with("_err");
}

// The extents of a Fortran array; empty unless all are constants.
std::vector<uint64_t> extents_known(const llvm::DICompositeType& array) {
  std::vector<uint64_t> extents;
  for (const llvm::DINode* node : array.getElements()) {
    auto* range = llvm::dyn_cast_or_null<llvm::DISubrange>(node);
    auto* count = range ? llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()) : nullptr;
    auto* upper = range ? llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getUpperBound()) : nullptr;
    if (count && count->getSExtValue() > 0)
      extents.push_back(count->getZExtValue());
    else if (upper && upper->getSExtValue() > 0)
      extents.push_back(upper->getZExtValue());
    else
      return {};
  }
  return extents;
}

// True if the descriptor has flang's layout: bitcode of another compiler may have a different one. Debug information
// has the places of the extents.
bool is_descriptor_of_flang(const llvm::DICompositeType& array) {
  uint64_t where = 32;
  for (const llvm::DINode* node : array.getElements()) {
    auto* range = llvm::dyn_cast_or_null<llvm::DISubrange>(node);
    auto* count = range ? llvm::dyn_cast_if_present<llvm::DIExpression*>(range->getCount()) : nullptr;
    if (!count || count->getElements() != llvm::ArrayRef<uint64_t>{llvm::dwarf::DW_OP_push_object_address,
                                                                   llvm::dwarf::DW_OP_plus_uconst, where,
                                                                   llvm::dwarf::DW_OP_deref})
      return false;
    where += 24;
  }
  return where > 32;
}

// True for a class with a field that code outside of it cannot set.
bool has_private_field(const llvm::DICompositeType& fields) {
  return llvm::any_of(fields.getElements(), [&](const llvm::DINode* node) {
    auto* member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(node);
    if (!member || member->isStaticMember() || member->getTag() != llvm::dwarf::DW_TAG_member)
      return false;
    const bool unnamed = (member->getFlags() & llvm::DINode::FlagAccessibility) == 0;
    auto* inner = structure(strip(member->getBaseType()).type);
    return member->isPrivate() || member->isProtected() ||
           (unnamed && fields.getTag() == llvm::dwarf::DW_TAG_class_type) || (inner && has_private_field(*inner));
  });
}

} // namespace

bool ir_cells(llvm::Type* type, const llvm::DataLayout& layout, uint64_t offset, std::vector<model::Cell>& cells) {
  return add_returned(type, layout, offset, deepest_returned, cells);
}

bool field_cells(const llvm::DICompositeType& fields, const std::string& prefix, uint64_t offset,
                 std::vector<model::Cell>& cells, std::vector<Unmade>* unmade) {
  for (const llvm::DINode* node : fields.getElements()) {
    auto* member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(node);
    if (!member || member->isStaticMember())
      continue; // member functions
    const std::string name = prefix + "." + member->getName().str();
    const uint64_t where = offset + member->getOffsetInBits() / 8;
    const llvm::DIType* type = strip(member->getBaseType()).type;
    std::string refused;
    std::optional<model::Type> element;
    if (auto* array = composite(type, llvm::dwarf::DW_TAG_array_type))
      element = scalar(strip(array->getBaseType()).type, refused);
    if (member->getTag() != llvm::dwarf::DW_TAG_member || member->isBitField()) {
      if (!unmade)
        return false;
      unmade->push_back({name, member, where, std::max<uint64_t>(member->getSizeInBits() / 8, 1)});
    } else if (auto basic = scalar(type, refused)) {
      cells.push_back({name, *basic, where, !is_error_estimate(member->getName().str())});
    } else if (auto* inner = structure(type)) {
      if (!field_cells(*inner, name, where, cells, unmade))
        return false;
    } else if (element) {
      const uint64_t count = type->getSizeInBits() / 8 / element->bytes();
      for (uint64_t i = 0; i < count && cells.size() < model::most_cells; ++i)
        cells.push_back({model::cell_name(name, i), *element, where + i * element->bytes(), true});
    } else if (unmade) {
      unmade->push_back({name, type, where, std::max<uint64_t>(member->getSizeInBits() / 8, 1)});
    } else {
      return false;
    }
  }
  return true;
}

bool are_inside(const std::vector<model::Cell>& cells, uint64_t bytes) {
  return std::ranges::all_of(
      cells, [&](const model::Cell& cell) { return cell.offset <= bytes && cell.type.bytes() <= bytes - cell.offset; });
}

namespace {

constexpr int most_mask_bits = 4; // all combinations of so many bits are tried: 16

class Values {
public:
  explicit Values(const model::Type& type) : type_(type) {}

  void add(__int128 value) {
    const bool negative = type_.is_signed && type_.bits > 1;
    const __int128 beyond = __int128(1) << (type_.bits - (negative ? 1 : 0));
    if (value >= (negative ? -beyond : 0) && value < beyond && value <= INT64_MAX)
      values_.insert(int64_t(value));
  }

  // Compares cases as bit patterns: -1 of an unsigned type is its largest value.
  void add_cases(const std::set<__int128>& cases) {
    std::set<__int128> all;
    for (const __int128 value : cases)
      all.insert(of_type(value));
    for (const __int128 value : all) {
      add(value);
      const int towards_zero = value > 0 ? -1 : 1;
      for (const int step : {towards_zero, -towards_zero})
        if (!all.contains(value + step)) {
          add(value + step);
          break;
        }
    }
  }

  void add_combinations(uint64_t mask) {
    if (std::popcount(mask) <= most_mask_bits) {
      for (uint64_t part = mask;; part = (part - 1) & mask) {
        add(of_type(part));
        if (part == 0)
          return;
      }
    }
    add(0);
    add(of_type(mask));
    for (uint64_t rest = mask; rest != 0; rest &= rest - 1)
      add(of_type(rest & -rest));
  }

  void drop_if(const auto& is_wrong) { std::erase_if(values_, is_wrong); }

  // Thins the values out evenly and keeps both ends.
  std::vector<int64_t> chosen() const {
    const std::vector<int64_t> all(values_.begin(), values_.end());
    if (all.size() <= most_flag_values)
      return all;
    std::vector<int64_t> some;
    for (size_t i = 0; i < most_flag_values; ++i)
      some.push_back(all[i * (all.size() - 1) / (most_flag_values - 1)]);
    return some;
  }

private:
  __int128 of_type(__int128 value) const {
    return type_.is_signed || value >= 0 || type_.bits >= 64 ? value : value + (__int128(1) << type_.bits);
  }

  const model::Type& type_;
  std::set<int64_t> values_;
};

void add_enumerators(const llvm::DIType* declared, Values& values) {
  auto* enumeration = composite(strip(declared).type, llvm::dwarf::DW_TAG_enumeration_type);
  if (!enumeration)
    return;
  for (const llvm::DINode* node : enumeration->getElements())
    if (auto* enumerator = llvm::dyn_cast_or_null<llvm::DIEnumerator>(node))
      values.add(enumerator->getValue().getSExtValue());
}

// Returns the values in order; empty if the integer is not a flag. `argument` is the integer or a pointer to it.
std::vector<int64_t> flag_values(const llvm::Argument& argument, const model::Type& type,
                                 const llvm::DIType* declared) {
  Values values(type);
  add_enumerators(declared, values);
  const std::optional<FlagUses> uses = flag_uses(argument, type.bits);
  const bool enumeration = !values.chosen().empty();
  if (uses && uses->mask != 0)
    values.add_combinations(uses->mask);
  if (uses && !enumeration) {
    values.add_cases(uses->cases);
    for (const __int128 index : uses->indices)
      values.add(index);
    for (const __int128 end : uses->ends)
      values.add(end);
  }
  if (uses && uses->masked_table)
    values.drop_if(
        [&](int64_t value) { return (uint64_t(value) & uses->masked_table->mask) >= uses->masked_table->length; });
  return values.chosen();
}

} // namespace

void refuse(model::Target& target, const std::string& reason, model::Obstacle obstacle) {
  if (!target.suitable())
    return;
  target.unsuitable = reason;
  target.obstacle = obstacle;
}

void refuse_type(model::Target& target, const std::string& name, const llvm::DIType* type, const std::string& format) {
  if (!format.empty())
    refuse(target,
           fmt::format("'{}' has the float format {}, which is not supported (float, double and x86 long double "
                       "are): write a harness that converts",
                       name, format));
  else
    refuse(target,
           fmt::format("parameter '{}' has type {}: write a harness, a function with scalar parameters or plain arrays "
                       "that builds it",
                       name, type_text(type)));
}

void add_outputs(model::Target& target, const std::vector<model::Cell>& cells) {
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(target.outputs),
               [](const model::Cell& cell) { return cell.type.floating; });
}

Layout::Layout(const model::Shapes& shapes, bool fortran, model::Target& target)
    : sizes_(shapes.sizes), declared_(shapes.declared), target_(target), fortran_(fortran) {
  sizes_.insert(declared_.begin(), declared_.end());
}

void Layout::add(model::Parameter& parameter, const Declared& declared, std::optional<uint64_t> shared) {
  shared_.clear();
  if (shared)
    shared_ = {*shared};
  parameter.type_name = type_text(declared.type);
  const StrippedType bare = strip(declared.type);
  std::string refused;
  if (const auto type = scalar(bare.type, refused)) {
    add_scalar(parameter, *type, declared);
  } else if (auto* array = composite(bare.type, llvm::dwarf::DW_TAG_array_type); array && fortran_) { // (G)
    fortran_array(parameter, *array, declared);
  } else if (const std::optional<RustSlice> slice = rust_slice(bare.type)) {
    this->slice(parameter, *slice, declared);
  } else if (auto* to = pointer(bare.type)) {
    parameter.passing = model::Passing::pointer;
    behind_pointer(parameter, *to, declared);
  } else {
    refuse_type(target_, parameter.name, declared.type, refused);
  }
  parameter.bytes = target_.block_bytes - std::min(parameter.offset, target_.block_bytes);
}

void Layout::add_scalar(model::Parameter& parameter, const model::Type& type, const Declared& declared) {
  parameter.type = type;
  parameter.offset = place(type);
  model::Cell cell{parameter.name, type, parameter.offset, true};
  if (fortran_ && declared.argument->getType()->isPointerTy()) { // (F)
    if (!type.floating && is_no_integer(*declared.argument))
      return refuse_undescribed(parameter);
    parameter.passing = model::Passing::pointer;
    if (!type.floating)
      cell.values = flag_values(*declared.argument, type, declared.type);
    const FirstUse use = first_use(*declared.argument, type.bytes());
    if (use.read || !use.written)
      target_.inputs.push_back(cell);
    if (use.written && !declared.only_read() && (type.floating || is_status(use)))
      target_.outputs.push_back({parameter.name, type, parameter.offset, type.floating});
  } else if (declared.argument->getType()->isPointerTy()) {
    refuse_type(target_, parameter.name, declared.type, "");
  } else { // (A), (B)
    if (!type.floating)
      cell.values = flag_values(*declared.argument, type, declared.type);
    target_.inputs.push_back(cell);
  }
}

void Layout::refuse_undescribed(const model::Parameter& parameter) {
  refuse(target_, fmt::format("'{}' has a type that flang's debug information does not describe (a derived type, a "
                              "procedure): write a harness, a function with scalar parameters or plain arrays that "
                              "builds it",
                              parameter.name));
}

uint64_t Layout::place(const model::Type& type) {
  const uint64_t alignment = type.bytes();
  uint64_t offset = (target_.block_bytes + alignment - 1) / alignment * alignment;
  target_.block_bytes = offset + type.bytes();
  return offset;
}

const std::vector<uint64_t>* Layout::size_of(const std::string& name) const {
  auto found = sizes_.find(name);
  if (found == sizes_.end() && !shared_.empty())
    return &shared_;
  if (found == sizes_.end())
    found = sizes_.find("*");
  return found == sizes_.end() ? nullptr : &found->second;
}

model::SizedBy Layout::size_origin(const std::string& name) const {
  const auto declared = declared_.find(name);
  return declared != declared_.end() && declared->second == sizes_.at(name) ? model::SizedBy::code
                                                                            : model::SizedBy::user;
}

// Uses the smallest extents until running the function shows how many elements there are.
void Layout::add_unsized(model::Parameter& parameter, const std::vector<uint64_t>& extents, bool reads, bool writes,
                         const std::string& reason) {
  if (needs_size_.empty())
    needs_size_ = reason;
  add_array(parameter, parameter.type, extents, reads, writes);
  parameter.sized_by = model::SizedBy::unknown;
}

void Layout::add_array(model::Parameter& parameter, const model::Type& element, const std::vector<uint64_t>& extents,
                       bool reads, bool writes) {
  parameter.is_array = true;
  parameter.extents = extents;
  parameter.count = 1;
  for (const uint64_t extent : extents) {
    parameter.count *= extent;
    if (extent == 0 || extent > model::most_cells || parameter.count > model::most_cells)
      return refuse(target_,
                    fmt::format("array '{}' has {} elements; 1 to {} are possible", parameter.name,
                                fmt::join(extents, " x "), model::most_cells),
                    model::Obstacle::size);
  }
  target_.block_bytes = (target_.block_bytes + 15) / 16 * 16;
  for (uint64_t i = 0; i < parameter.count; ++i) {
    model::Cell cell{model::cell_name(parameter.name, i), element, place(element), true};
    if (i == 0)
      parameter.offset = cell.offset;
    if (reads)
      target_.inputs.push_back(cell);
    if (writes && element.floating)
      target_.outputs.push_back(cell);
  }
}

void Layout::slice(model::Parameter& parameter, const RustSlice& slice, const Declared& declared) {
  std::string refused;
  const std::optional<model::Type> element = scalar(strip(slice.element).type, refused);
  if (!element)
    return refuse_type(target_, parameter.name, declared.type, refused);
  const std::vector<uint64_t>* extents = size_of(parameter.name);
  if (!extents)
    return refuse(target_,
                  fmt::format("'{}' is a slice ({}) and needs a size: --size {}=N", parameter.name, parameter.type_name,
                              parameter.name),
                  model::Obstacle::size);
  parameter.passing = model::Passing::slice;
  parameter.type = *element;
  add_array(parameter, *element, *extents, !declared.only_written(), !slice.constant && !declared.only_read());
}

void Layout::behind_pointer(model::Parameter& parameter, const llvm::DIDerivedType& to, const Declared& declared) {
  StrippedType pointee = strip(to.getBaseType());
  const RustPointer rust = rust_pointer(to);
  pointee.constant = pointee.constant || rust == RustPointer::shared || rust == RustPointer::raw_const;
  const bool reference = to.getTag() == llvm::dwarf::DW_TAG_reference_type || rust == RustPointer::shared ||
                         rust == RustPointer::exclusive;
  const bool reads = !declared.only_written(), writes = !pointee.constant && !declared.only_read();
  std::string refused;
  if (const std::optional<Shape> row = shape(pointee.type, refused)) // (I)
    return rows(parameter, to, *row, reads, writes);
  if (auto element = scalar(pointee.type, refused)) {
    parameter.type = *element;
    const auto* extents = reference && pointee.constant ? nullptr : size_of(parameter.name);
    if (extents) {
      parameter.sized_by = size_origin(parameter.name);
      return add_array(parameter, *element, *extents, reads, writes);
    }
    if (writes || (reference && !pointee.constant))
      return add_changed(parameter, declared, to, reference);
    if (reference || !first_use(*declared.argument, element->bytes()).beyond) {
      parameter.offset = place(*element);
      return add_input(parameter, declared, to);
    }
    return add_unsized(parameter, {1}, reads, false, // (C)
                       fmt::format("'{}' is an array ({}) and needs a size: --size {}=N", parameter.name,
                                   parameter.type_name, parameter.name));
  }
  if (pointer(pointee.type) && !is_freed(*declared.argument) &&
      !first_use(*declared.argument, sizeof(void*)).needs_object) { // (J)
    parameter.offset = target_.block_bytes = (target_.block_bytes + 15) / 16 * 16;
    target_.block_bytes += sizeof(void*);
    return;
  }
  if (auto* fields = structure(pointee.type)) // (E)
    return structs(parameter, *fields, declared,
                   {reference, pointee.constant, rust == RustPointer::exclusive, rust != RustPointer::none});
  refuse_type(target_, parameter.name, declared.type, refused);
}

void Layout::add_input(const model::Parameter& parameter, const Declared& declared, const llvm::DIDerivedType& to) {
  target_.inputs.push_back({parameter.name, parameter.type, parameter.offset, true});
  if (!parameter.type.floating)
    target_.inputs.back().values = flag_values(*declared.argument, parameter.type, to.getBaseType());
}

// (D): one number behind a pointer or a reference, without a size.
void Layout::add_changed(model::Parameter& parameter, const Declared& declared, const llvm::DIDerivedType& to,
                         bool reference) {
  FirstUse use = first_use(*declared.argument, parameter.type.bytes());
  use.read &= !declared.only_written();
  const bool one_number = reference || !use.beyond;
  if (!one_number)
    parameter.sized_by = model::SizedBy::unknown;
  if (!declared.only_written() && !one_number && perhaps_an_array_.empty())
    perhaps_an_array_ = parameter.name;
  parameter.offset = place(parameter.type);
  if (use.read && one_number)
    add_input(parameter, declared, to);
  const bool floating = parameter.type.floating;
  if (!declared.only_read() && (floating || (one_number && is_status(use))))
    target_.outputs.push_back(
        {parameter.name, parameter.type, parameter.offset, floating && !is_error_estimate(parameter.name)});
}

// Lays out one struct, or as many as --size gives: p[0].x, p[0].y, p[1].x, ... Several are read and written, like other
// arrays.
void Layout::structs(model::Parameter& parameter, const llvm::DICompositeType& fields, const Declared& declared,
                     const Access& access) {
  const auto given = sizes_.find(parameter.name);
  const bool many = given != sizes_.end();
  if (many && access.one)
    return refuse(target_,
                  fmt::format("'{0}' is a reference to one struct ({1}): leave out --size {0}", parameter.name,
                              parameter.type_name),
                  model::Obstacle::size);
  if (many) {
    parameter.is_array = true;
    parameter.extents = given->second;
    for (const uint64_t extent : given->second)
      parameter.count *= extent;
  }
  std::vector<model::Cell> cells;
  std::vector<Unmade> unmade;
  target_.block_bytes = (target_.block_bytes + 15) / 16 * 16;
  parameter.offset = target_.block_bytes;
  for (uint64_t i = 0; i < parameter.count && cells.size() <= model::most_cells; ++i) {
    const std::string name = many ? model::cell_name(parameter.name, i) : parameter.name;
    if (!field_cells(fields, name, target_.block_bytes, cells, many ? nullptr : &unmade) || cells.empty())
      return refuse_type(target_, parameter.name, declared.type, "");
    target_.block_bytes += fields.getSizeInBits() / 8;
    if (!are_inside(cells, target_.block_bytes))
      return refuse_type(target_, parameter.name, declared.type, "");
  }
  if (cells.size() > model::most_cells)
    return refuse(target_, fmt::format("array '{}' has more than {} numbers", parameter.name, model::most_cells),
                  model::Obstacle::size);
  const std::vector<model::Cell> read = many ? cells : state(parameter, fields, declared, access, cells, unmade);
  target_.inputs.insert(target_.inputs.end(), read.begin(), read.end());
  if (!access.constant)
    add_outputs(target_, cells);
}

// Returns the fields that are inputs. Refuses the target if it may read a field that cannot be set: a pointer, or a
// private field, which only the functions of its class may set.
std::vector<model::Cell> Layout::state(const model::Parameter& parameter, const llvm::DICompositeType& fields,
                                       const Declared& declared, const Access& access,
                                       const std::vector<model::Cell>& cells, const std::vector<Unmade>& unmade) {
  constexpr size_t most_fields = 64; // that are looked at one by one: a guess
  const auto may_read = [&](uint64_t offset, uint64_t bytes) {
    return !declared.only_written() && first_use(*declared.argument, bytes, offset).read;
  };
  const std::string type = type_text(pointer(strip(declared.type).type)->getBaseType());
  const auto refuse_state = [&](const std::string& why) {
    refuse(target_,
           fmt::format("needs state ({}): {}; write a harness that makes it",
                       type.substr(type.starts_with("const ") ? 6 : 0), why),
           model::Obstacle::state);
  };
  std::vector<uint64_t> offsets;
  for (const model::Cell& cell : cells)
    offsets.push_back(cell.offset - parameter.offset);
  for (const Unmade& one : unmade)
    offsets.push_back(one.offset - parameter.offset);
  // A pointer that the code tests for null is null.
  const auto needs_object = [&](const Unmade& one) {
    const FirstUse use = first_use(*declared.argument, one.bytes, one.offset - parameter.offset, offsets);
    return use.read && (use.needs_object || !pointer(one.type));
  };
  for (const Unmade& one : unmade)
    if (declared.only_written() || !needs_object(one))
      continue;
    else if (memory_of(one) && !access.rust)
      pointers_.push_back(one);
    else
      refuse_state(fmt::format("it reads {}{}, which Faultline cannot set", one.name,
                               llvm::isa<llvm::DIDerivedType>(one.type) && !pointer(one.type)
                                   ? ""
                                   : fmt::format(" ({})", type_text(one.type))));
  if (is_freed(*declared.argument))
    refuse_state("it frees it");
  std::vector<model::Cell> read = cells;
  const bool all =
      access.constant || access.initialised || (cells.size() > most_fields && may_read(0, fields.getSizeInBits() / 8));
  if (!all && cells.size() > most_fields)
    read.clear();
  else if (!all)
    std::erase_if(
        read, [&](const model::Cell& cell) { return !may_read(cell.offset - parameter.offset, cell.type.bytes()); });
  if (!read.empty() && !access.rust && has_private_field(fields))
    refuse_state("its private fields are set by its own functions");
  return read;
}

// Describes the memory of a field that points to numbers, to rows of them, or to a struct of numbers; none for others.
std::optional<model::Parameter> Layout::memory_of(const Unmade& field) const {
  const llvm::DIDerivedType* to = pointer(field.type);
  const llvm::DIType* pointee = to ? strip(to->getBaseType()).type : nullptr;
  std::string refused;
  model::Parameter memory{.name = field.name, .type_name = type_text(field.type), .passing = model::Passing::pointer};
  memory.stored_at = field.offset;
  if (const std::optional<Shape> row = shape(pointee, refused)) {
    memory.type = row->element;
    memory.extents = row->extents;
    memory.is_array = true;
    return memory;
  }
  if (const std::optional<model::Type> element = scalar(pointee, refused)) {
    memory.type = *element;
    memory.is_array = true;
    return memory;
  }
  std::vector<model::Cell> cells;
  const llvm::DICompositeType* fields = structure(pointee);
  if (!fields || !field_cells(*fields, field.name, 0, cells) || cells.empty() ||
      !are_inside(cells, fields->getSizeInBits() / 8))
    return std::nullopt;
  return memory;
}

void Layout::add_memory_of_fields() {
  for (const Unmade& field : pointers_) {
    model::Parameter memory = *memory_of(field);
    const StrippedType pointee = strip(pointer(field.type)->getBaseType());
    const auto* array = composite(pointee.type, llvm::dwarf::DW_TAG_array_type);
    const bool writes = !pointee.constant && !(array && strip(array->getBaseType()).constant);
    target_.block_bytes = (target_.block_bytes + 15) / 16 * 16;
    memory.offset = target_.block_bytes;
    if (const llvm::DICompositeType* fields = structure(pointee.type); fields && !memory.is_array) {
      std::vector<model::Cell> cells;
      field_cells(*fields, field.name, memory.offset, cells);
      target_.block_bytes += fields->getSizeInBits() / 8;
      target_.inputs.insert(target_.inputs.end(), cells.begin(), cells.end());
      if (writes)
        add_outputs(target_, cells);
    } else {
      // Text is empty: its characters are no numbers.
      const bool is_text = !memory.type.floating && memory.type.bits == 8 && memory.type.is_signed;
      const std::vector<uint64_t>* given = size_of(field.name);
      std::vector<uint64_t> extents = memory.extents;
      extents.insert(extents.begin(), given ? given->front() : 1);
      if (given) {
        memory.sized_by = model::SizedBy::user;
        add_array(memory, memory.type, extents, !is_text, writes);
      } else {
        add_unsized(
            memory, extents, !is_text, writes,
            fmt::format("'{0}' points to numbers ({1}) and needs a size: --size {0}=N", field.name, memory.type_name));
      }
    }
    memory.bytes = target_.block_bytes - memory.offset;
    target_.parameters.push_back(std::move(memory));
    if (!target_.suitable())
      return;
  }
}

void Layout::share_fields(const std::string& parameter) {
  std::erase_if(pointers_, [&](const Unmade& field) { return model::is_part_of(field.name, parameter); });
}

// A pointer to rows (double (*A)[4], and also double A[4][4]) has no number of rows; a reference to an array and a
// std::array have one. --size gives all extents, or the number of rows.
void Layout::rows(model::Parameter& parameter, const llvm::DIDerivedType& to, const Shape& row, bool reads,
                  bool writes) {
  const bool whole = to.getTag() == llvm::dwarf::DW_TAG_reference_type || structure(strip(to.getBaseType()).type);
  parameter.type = row.element;
  std::vector<uint64_t> extents = row.extents;
  if (whole)
    return add_array(parameter, row.element, extents, reads, writes);
  uint64_t length = 1; // of a row
  for (const uint64_t extent : row.extents) {
    if (extent > model::most_cells || (length *= extent) > model::most_cells)
      return refuse(target_, fmt::format("a row of '{}' has more than {} elements", parameter.name, model::most_cells),
                    model::Obstacle::size);
  }
  const std::string columns = fmt::format("{}", fmt::join(row.extents, "x"));
  const std::vector<uint64_t>* given = size_of(parameter.name);
  if (given == &shared_ && given->front() % length == 0)
    return add_array(parameter, row.element, {given->front()}, reads, writes);
  const bool fits = given && (given->size() == 1 || (given->size() == extents.size() + 1 &&
                                                     std::equal(extents.begin(), extents.end(), given->begin() + 1)));
  extents.insert(extents.begin(), fits ? given->front() : 1);
  if (fits) {
    parameter.sized_by = size_origin(parameter.name);
    return add_array(parameter, row.element, extents, reads, writes);
  }
  if (given && sizes_.contains(parameter.name))
    return refuse(target_,
                  fmt::format("'{0}' has rows of {1} ({2}), --size {0}={3} does not fit: --size {0}=Nx{1}",
                              parameter.name, columns, parameter.type_name, fmt::join(*given, "x")),
                  model::Obstacle::size);
  add_unsized(parameter, extents, reads, writes,
              fmt::format("'{0}' is an array of rows ({1}) and needs a size: --size {0}=Nx{2}", parameter.name,
                          parameter.type_name, columns));
}

void Layout::fortran_array(model::Parameter& parameter, const llvm::DICompositeType& array, const Declared& declared) {
  std::string refused;
  auto element = scalar(strip(array.getBaseType()).type, refused);
  if (!element)
    return refuse_type(target_, parameter.name, &array, refused);
  if (array.getRawAllocated() || array.getRawAssociated())
    return refuse(target_, fmt::format("'{0}' is {1}, and Faultline does not allocate arrays: write a harness that has "
                                       "a plain array {0}(:) and calls it",
                                       parameter.name, array.getRawAllocated() ? "allocatable" : "a pointer array"));
  const bool assumed_shape = array.getRawDataLocation();
  parameter.passing = assumed_shape ? model::Passing::descriptor : model::Passing::pointer;
  parameter.type = *element;
  std::vector<uint64_t> known = extents_known(array);
  if (known == std::vector<uint64_t>{1}) // x(1): the way to write x(*) before Fortran 77
    known.clear();
  std::vector<uint64_t> extents = known;
  if (extents.empty() && !size_of(parameter.name) && is_optional(*declared.argument)) {
    parameter.passing = model::Passing::absent;
    return;
  }
  if (assumed_shape)
    extents_of_assumed_shape(parameter, array, extents);
  else
    extents_of_explicit_shape(parameter, array, extents);
  if (!target_.suitable())
    return;
  const ElementUse use = assumed_shape ? element_use(*declared.argument)
                                       : ElementUse{!declared.only_written(), !declared.only_read(), false};
  if (!element->floating && use.as_floats)
    return refuse_undescribed(parameter);
  if (extents.empty())
    return add_unsized(parameter, {1}, use.read, use.written,
                       fmt::format("'{}' is an array and needs a size: --size {}=N", parameter.name, parameter.name));
  parameter.sized_by = extents == known ? model::SizedBy::code : model::SizedBy::user;
  add_array(parameter, *element, extents, use.read, use.written);
}

// --size x=16 and --size x=4x4 mean the same amount of memory. They override the declaration; --size 4 does not.
void Layout::extents_of_explicit_shape(const model::Parameter& parameter, const llvm::DICompositeType& array,
                                       std::vector<uint64_t>& extents) {
  const std::vector<uint64_t>* given = size_of(parameter.name);
  if (!given || (!extents.empty() && !sizes_.contains(parameter.name)))
    return;
  if (is_for_each_dimension(parameter, *given))
    extents.assign(array.getElements().size(), given->front());
  else
    extents = *given;
}

// --size x=4x4 has an extent for each dimension; --size 4, for all arrays, applies to every dimension.
bool Layout::is_for_each_dimension(const model::Parameter& parameter, const std::vector<uint64_t>& given) const {
  return given.size() == 1 && &given != &shared_ && !sizes_.contains(parameter.name);
}

void Layout::extents_of_assumed_shape(const model::Parameter& parameter, const llvm::DICompositeType& array,
                                      std::vector<uint64_t>& extents) {
  const size_t rank = array.getElements().size();
  const std::vector<std::string> letters{"N", "M", "K"};
  const std::string colons = fmt::format("{}", fmt::join(std::vector<std::string>(rank, ":"), ","));
  std::string example = "N";
  for (size_t i = 1; i < rank; ++i)
    example += "x" + letters[std::min(i, letters.size() - 1)];
  const std::vector<uint64_t>* given = size_of(parameter.name);
  if (!is_descriptor_of_flang(array)) {
    refuse(target_, fmt::format("'{0}({1})' is passed with a descriptor that is not flang-19's: write a harness with "
                                "explicit shapes",
                                parameter.name, colons));
  } else if (!given) {
    refuse(target_,
           fmt::format("'{0}({1})' is an array and needs a size: --size {0}={2}", parameter.name, colons, example),
           model::Obstacle::size);
  } else if (is_for_each_dimension(parameter, *given)) {
    extents.assign(rank, given->front());
  } else if (given->size() != rank) {
    refuse(target_,
           fmt::format("'{0}({1})' has {2} dimension{3}, the size {4} has {5}: --size {0}={6}", parameter.name, colons,
                       rank, rank == 1 ? "" : "s", fmt::join(*given, "x"), given->size(), example),
           model::Obstacle::size);
  } else {
    extents = *given;
  }
}

} // namespace faultline::program
