#include "frontend/layout.h"
#include "frontend/uses/element_use.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>

namespace faultline::frontend {
namespace {

// Of a Fortran array; empty unless all are constants.
std::vector<uint64_t> extents_known(const llvm::DICompositeType& array) {
  std::vector<uint64_t> extents;
  for (const llvm::DINode* node : array.getElements()) {
    auto* range = llvm::dyn_cast<llvm::DISubrange>(node);
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

// Bitcode of another compiler may have other descriptors: debug information tells where the extents are.
bool is_descriptor_of_flang(const llvm::DICompositeType& array) {
  uint64_t where = 32;
  for (const llvm::DINode* node : array.getElements()) {
    auto* range = llvm::dyn_cast<llvm::DISubrange>(node);
    auto* count = range ? llvm::dyn_cast_if_present<llvm::DIExpression*>(range->getCount()) : nullptr;
    if (!count || count->getElements() != llvm::ArrayRef<uint64_t>{llvm::dwarf::DW_OP_push_object_address,
                                                                   llvm::dwarf::DW_OP_plus_uconst, where,
                                                                   llvm::dwarf::DW_OP_deref})
      return false;
    where += 24;
  }
  return where > 32;
}

} // namespace

void Layout::fortran_array(Parameter& parameter, const llvm::DICompositeType& array, const Declared& declared) {
  std::string refused;
  auto element = scalar(strip(array.getBaseType()).type, refused);
  if (!element)
    return refuse_type(target_, parameter.name, &array, refused);
  if (array.getRawAllocated() || array.getRawAssociated())
    return refuse(target_, fmt::format("'{0}' is {1}, and Faultline does not allocate arrays: write a harness that has "
                                       "a plain array {0}(:) and calls it",
                                       parameter.name, array.getRawAllocated() ? "allocatable" : "a pointer array"));
  const bool assumed_shape = array.getRawDataLocation();
  parameter.passing = assumed_shape ? Passing::descriptor : Passing::pointer;
  parameter.type = *element;
  std::vector<uint64_t> known = extents_known(array);
  if (known == std::vector<uint64_t>{1}) // x(1): how x(*) was written before there was one
    known.clear();
  std::vector<uint64_t> extents = known;
  if (extents.empty() && !size_of(parameter.name) && is_optional(*declared.argument)) {
    parameter.passing = Passing::absent;
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
  parameter.sized_by = extents == known ? SizedBy::code : SizedBy::user;
  add_array(parameter, *element, extents, use.read, use.written);
}

// --size x=16 and --size x=4x4 say the same of the memory; they win over what the declaration says, --size 4 does not.
void Layout::extents_of_explicit_shape(const Parameter& parameter, const llvm::DICompositeType& array,
                                       std::vector<uint64_t>& extents) {
  const std::vector<uint64_t>* given = size_of(parameter.name);
  if (!given || (!extents.empty() && !sizes_.contains(parameter.name)))
    return;
  if (is_for_each_dimension(parameter, *given))
    extents.assign(array.getElements().size(), given->front());
  else
    extents = *given;
}

// --size x=4x4 gives one for each dimension; --size 4, for all arrays, is that of each dimension.
bool Layout::is_for_each_dimension(const Parameter& parameter, const std::vector<uint64_t>& given) const {
  return given.size() == 1 && &given != &shared_ && !sizes_.contains(parameter.name);
}

void Layout::extents_of_assumed_shape(const Parameter& parameter, const llvm::DICompositeType& array,
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
           Obstacle::size);
  } else if (is_for_each_dimension(parameter, *given)) {
    extents.assign(rank, given->front());
  } else if (given->size() != rank) {
    refuse(target_,
           fmt::format("'{0}({1})' has {2} dimension{3}, the size {4} has {5}: --size {0}={6}", parameter.name, colons,
                       rank, rank == 1 ? "" : "s", fmt::join(*given, "x"), given->size(), example),
           Obstacle::size);
  } else {
    extents = *given;
  }
}

} // namespace faultline::frontend
