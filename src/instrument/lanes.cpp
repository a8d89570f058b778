#include "instrument/lanes.h"

#include "instrument/operations.h"

#include <llvm/IR/DerivedTypes.h>

namespace faultline::instrument {
namespace {

void collect(llvm::Type* type, uint64_t offset, llvm::SmallVectorImpl<unsigned>& path, const llvm::DataLayout& layout,
             Lanes& lanes) {
  if (lanes.size() > most_lanes)
    return;
  if (auto format = format_of(type)) {
    lanes.push_back({*format, offset, {path.begin(), path.end()}, -1});
  } else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    if (auto format = format_of(vector->getElementType())) {
      uint64_t stride = layout.getTypeStoreSize(vector->getElementType());
      for (unsigned i = 0; i < vector->getNumElements() && lanes.size() <= most_lanes; ++i)
        lanes.push_back({*format, offset + i * stride, {path.begin(), path.end()}, int(i)});
    }
  } else if (auto* structure = llvm::dyn_cast<llvm::StructType>(type); structure && !structure->isOpaque()) {
    const llvm::StructLayout* fields = layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      path.push_back(i);
      collect(structure->getElementType(i), offset + fields->getElementOffset(i), path, layout, lanes);
      path.pop_back();
    }
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    uint64_t stride = layout.getTypeAllocSize(array->getElementType());
    for (unsigned i = 0; i < array->getNumElements() && lanes.size() <= most_lanes; ++i) {
      path.push_back(i);
      collect(array->getElementType(), offset + i * stride, path, layout, lanes);
      path.pop_back();
      if (lanes.empty())
        break; // elements without floats: all are alike
    }
  }
}

unsigned count(llvm::Type* type) {
  if (format_of(type))
    return 1;
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return format_of(vector->getElementType()) ? vector->getNumElements() : 0;
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    uint64_t all = uint64_t(count(array->getElementType())) * array->getNumElements();
    return unsigned(std::min<uint64_t>(all, most_lanes + 1));
  }
  unsigned all = 0;
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type))
    for (llvm::Type* element : structure->elements())
      all = std::min(all + count(element), most_lanes + 1);
  return all;
}

} // namespace

Lanes lanes_of(llvm::Type* type, const llvm::DataLayout& layout) {
  Lanes lanes;
  if (lane_count(type) == 0)
    return lanes;
  llvm::SmallVector<unsigned, 4> path;
  collect(type, 0, path, layout, lanes);
  return lanes;
}

unsigned lane_count(llvm::Type* type) {
  unsigned all = count(type);
  return all > most_lanes ? 0 : all;
}

unsigned lanes_before(llvm::Type* aggregate, llvm::ArrayRef<unsigned> indices) {
  unsigned before = 0;
  for (unsigned index : indices) {
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(aggregate)) {
      for (unsigned i = 0; i < index; ++i)
        before += count(structure->getElementType(i));
      aggregate = structure->getElementType(index);
    } else {
      llvm::Type* element = llvm::cast<llvm::ArrayType>(aggregate)->getElementType();
      before += index * count(element);
      aggregate = element;
    }
  }
  return before;
}

} // namespace faultline::instrument
