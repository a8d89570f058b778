#include "exec/cell_memory.h"

#include <algorithm>
#include <cstring>

namespace faultline::exec {

using frontend::Cell;
using numeric::Format;

void write_cell(char* block, const Cell& cell, long double value) {
  char* where = block + cell.offset;
  auto put = [&](auto typed) { std::memcpy(where, &typed, cell.type.bytes()); };
  if (!cell.type.floating) {
    if (cell.type.is_signed)
      put(int64_t(value));
    else
      put(uint64_t(value));
    return;
  }
  numeric::with_type(cell.type.format, [&](auto type) { put(static_cast<typename decltype(type)::type>(value)); });
}

long double read_cell(const char* block, const Cell& cell) {
  const char* where = block + cell.offset;
  if (!cell.type.floating) {
    uint64_t bits = 0;
    std::memcpy(&bits, where, std::min<uint64_t>(8, cell.type.bytes()));
    if (cell.type.is_signed && cell.type.bits < 64)
      return (long double)(int64_t(bits << (64 - cell.type.bits)) >> (64 - cell.type.bits));
    return cell.type.is_signed ? (long double)int64_t(bits) : (long double)bits;
  }
  return numeric::with_type(cell.type.format, [&](auto type) {
    typename decltype(type)::type value;
    std::memcpy(static_cast<void*>(&value), where, cell.type.bytes());
    return (long double)value;
  });
}

void store_result(runtime::Value& result, Format format, long double value) {
  switch (numeric::carrier(format)) {
  case Format::binary32:
    result.bits = runtime::single_tag;
    result.f = float(value);
    break;
  case Format::binary64:
    result.d = double(value);
    break;
  default:
    result.x = value;
  }
}

} // namespace faultline::exec
