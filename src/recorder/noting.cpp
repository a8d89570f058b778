#include "recorder/noting.h"

#include <cmath>
#include <cstring>
#include <iterator>
#include <sys/uio.h>
#include <unistd.h>

namespace faultline::recorder {
namespace {

// The kernel reads it: what is not there is an error, and no crash.
bool read_memory(uint64_t address, void* to, size_t bytes) {
  iovec local{to, bytes};
  iovec remote{reinterpret_cast<void*>(address), bytes};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == ssize_t(bytes);
}

size_t bytes_of(ValueType type) {
  switch (type) {
  case ValueType::int8:
  case ValueType::uint8:
    return 1;
  case ValueType::int16:
  case ValueType::uint16:
    return 2;
  case ValueType::binary32:
  case ValueType::int32:
  case ValueType::uint32:
    return 4;
  case ValueType::binary80:
    return 10;
  default:
    return 8;
  }
}

template <class T>
long double as(const void* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<long double>(value);
}

long double value_of(ValueType type, const void* bytes) {
  switch (type) {
  case ValueType::binary32:
    return as<float>(bytes);
  case ValueType::binary64:
    return as<double>(bytes);
  case ValueType::binary80:
    return as<long double>(bytes);
  case ValueType::int8:
    return as<int8_t>(bytes);
  case ValueType::int16:
    return as<int16_t>(bytes);
  case ValueType::int32:
    return as<int32_t>(bytes);
  case ValueType::int64:
    return as<int64_t>(bytes);
  case ValueType::uint8:
    return as<uint8_t>(bytes);
  case ValueType::uint16:
    return as<uint16_t>(bytes);
  case ValueType::uint32:
    return as<uint32_t>(bytes);
  case ValueType::uint64:
    return as<uint64_t>(bytes);
  }
  return 0;
}

constexpr int general_registers[] = {REG_RDI, REG_RSI, REG_RDX, REG_RCX, REG_R8, REG_R9};
constexpr size_t vector_registers = 8;

// The word or the vector where the calling convention has it.
bool read_place(const ucontext_t& context, const ArgumentPlace& place, void* to, size_t bytes) {
  switch (place.where) {
  case Where::vector_register:
    if (place.index >= vector_registers)
      return false;
    std::memcpy(to, &context.uc_mcontext.fpregs->_xmm[place.index], bytes);
    return true;
  case Where::general_register:
    if (place.index >= std::size(general_registers))
      return false;
    std::memcpy(to, &context.uc_mcontext.gregs[general_registers[place.index]], bytes);
    return true;
  case Where::stack: // above the return address
    return read_memory(uint64_t(context.uc_mcontext.gregs[REG_RSP]) + 8 + 8 * uint64_t(place.index), to, bytes);
  }
  return false;
}

void note(ArgumentSeen& seen, long double value) {
  ++seen.count;
  if (std::isnan(value)) {
    ++seen.nan;
    return;
  }
  if (std::signbit(value) && value != 0)
    ++seen.negative;
  if (std::isinf(value)) {
    ++seen.infinite;
    return;
  }
  const bool first = seen.count - seen.nan - seen.infinite == 1;
  if (first || value < seen.low)
    seen.low = value;
  if (first || value > seen.high)
    seen.high = value;
  if (value == 0) {
    ++seen.zero;
    return;
  }
  const long double magnitude = std::fabs(value);
  if (seen.least == 0 || magnitude < seen.least)
    seen.least = magnitude;
  if (magnitude > seen.most)
    seen.most = magnitude;
  const int binade = std::ilogb(magnitude);
  const int clamped = binade < least_binade ? least_binade : binade > most_binade ? most_binade : binade;
  ++seen.sketch[value < 0][clamped - least_binade];
}

} // namespace

bool read_arguments(const ucontext_t& context, const ArgumentPlace* places, uint32_t count, long double* values) {
  for (uint32_t i = 0; i < count; ++i) {
    const ArgumentPlace& place = places[i];
    const size_t bytes = bytes_of(place.type);
    alignas(16) char raw[16] = {};
    uint64_t pointer = 0;
    const bool read = place.behind ? read_place(context, place, &pointer, sizeof pointer) &&
                                         read_memory(pointer + place.displacement, raw, bytes)
                                   : read_place(context, place, raw, bytes);
    if (!read)
      return false;
    values[i] = value_of(place.type, raw);
  }
  return true;
}

void note(FunctionSeen& seen, const long double* values, uint32_t count, uint64_t random) {
  const uint64_t before = seen.noted++;
  ArgumentSeen* arguments = arguments_of(&seen);
  for (uint32_t i = 0; i < count; ++i)
    note(arguments[i], values[i]);
  const uint64_t slot = before < most_tuples ? before : random % (before + 1);
  if (slot < most_tuples)
    std::memcpy(tuples_of(&seen, count) + slot * count, values, count * sizeof(long double));
}

} // namespace faultline::recorder
