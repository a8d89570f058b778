#include "frontend/fortran/extents.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>

namespace faultline::frontend {
namespace {

constexpr uint64_t length_of_results = 4; // where nothing tells: a guess, as for vectors of C++

} // namespace

FortranExtents::FortranExtents(const FortranProcedure& procedure, const Sizes& given) : given_(given) {
  for (const FortranEntity& dummy : procedure.dummies) {
    if (!dummy.is_array())
      continue;
    const auto sizes = of(dummy.name, dummy.shape.size());
    for (size_t i = 0; sizes && i < sizes->size(); ++i) {
      longest_ = std::max(longest_, (*sizes)[i]);
      if (sizes->size() == dummy.shape.size() && !dummy.shape[i].upper.empty() && dummy.shape[i].upper != "*")
        known_.emplace(dummy.shape[i].text(), (*sizes)[i]);
    }
  }
}

std::optional<std::vector<uint64_t>> FortranExtents::of(const std::string& name, size_t rank) const {
  if (const auto found = given_.find(name); found != given_.end())
    return found->second;
  const auto of_all = given_.find("*");
  if (of_all == given_.end())
    return std::nullopt;
  return of_all->second.size() == 1 ? std::vector<uint64_t>(rank, of_all->second.front()) : of_all->second;
}

std::optional<std::vector<uint64_t>> FortranExtents::of(const FortranEntity& array) const {
  std::vector<uint64_t> extents;
  if (given_.contains(array.name))
    extents = given_.at(array.name);
  const bool descriptor = array.is_deferred() || array.is_assumed_shape();
  if (!extents.empty() && descriptor && extents.size() != array.shape.size())
    throw std::invalid_argument(fmt::format("'{}' has {} dimension{}, the size {} has {}", array.name,
                                            array.shape.size(), array.shape.size() == 1 ? "" : "s",
                                            fmt::join(extents, "x"), extents.size()));
  if (!extents.empty())
    return extents;
  for (const FortranBounds& bounds : array.shape)
    if (const auto extent = bounds.extent())
      extents.push_back(uint64_t(*extent));
    else if (const auto known = known_.find(bounds.text()); known != known_.end())
      extents.push_back(known->second);
  return extents.size() == array.shape.size() ? extents : of(array.name, array.shape.size());
}

std::vector<uint64_t> FortranExtents::of_made(const FortranEntity& array, const std::string& name) const {
  FortranEntity called = array;
  called.name = name;
  if (const auto extents = of(called))
    return *extents;
  return std::vector<uint64_t>(array.shape.size(), longest_ > 0 ? longest_ : length_of_results);
}

std::string needs_size(const std::string& name, size_t rank) {
  return fmt::format("'{0}' is an array whose length is free, and needs a size: --size {0}=N{1}", name,
                     rank == 1   ? ""
                     : rank == 2 ? "xM"
                                 : "xMxK");
}

std::vector<int64_t> first_subscripts(const FortranEntity& array, size_t rank) {
  std::vector<int64_t> first(rank, 1);
  for (size_t i = 0; i < rank && rank == array.shape.size(); ++i)
    first[i] = array.shape[i].first().value_or(1);
  return first;
}

} // namespace faultline::frontend
