#include "program/descriptor.h"

namespace faultline::program {
namespace {

using numeric::Format;

constexpr uint64_t version = 20180515;

// Returns the CFI_type_ code. flang gives a logical of one byte the code of _Bool, and larger ones those of
// int_leastN_t.
uint64_t type_code(const model::Type& type) {
  if (type.floating)
    return uint64_t(27) + uint64_t(type.format) - uint64_t(Format::binary32);
  const uint64_t wider = type.bits <= 8 ? 0 : type.bits <= 16 ? 1 : type.bits <= 32 ? 2 : 3;
  if (type.is_signed)
    return 7 + wider;
  return wider == 0 ? 39 : 12 + wider;
}

} // namespace

std::vector<uint64_t> descriptor_words(const model::Parameter& array) {
  const uint64_t rank = array.extents.size();
  std::vector<uint64_t> words{0, array.type.bytes(), version | rank << 32 | type_code(array.type) << 40};
  uint64_t stride = array.type.bytes();
  for (const uint64_t extent : array.extents) {
    words.insert(words.end(), {1, extent, stride});
    stride *= extent;
  }
  return words;
}

} // namespace faultline::program
