#include "exec/argument_block.h"

#include "exec/guard.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace faultline::exec {

using model::Cell;
using model::Parameter;
using model::Passing;
using model::Target;

namespace {

constexpr uint64_t page_bytes = 4096;
constexpr uint64_t block_guard = 1 << 20;    // at both ends
constexpr uint64_t between = 4 * page_bytes; // two arguments: 2,048 doubles. A guess; it costs only addresses
constexpr uint64_t alignment = 16;

uint64_t rounded_up(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

bool has_own_memory(const Parameter& parameter) {
  const bool points = parameter.passing == Passing::pointer || parameter.passing == Passing::descriptor ||
                      parameter.passing == Passing::slice;
  return points && parameter.alias_of.empty() && parameter.bytes > 0;
}

// A part of the block, in the order of the original offsets.
struct Part {
  uint64_t begin, bytes;
  bool is_own; // of a pointer parameter
  uint64_t moved_to = 0;
};

// What is not behind a pointer (values, the result) stays together, in parts between those of the pointers.
std::vector<Part> parts_of(const Target& target) {
  std::vector<Part> own, all;
  for (const Parameter& parameter : target.parameters)
    if (has_own_memory(parameter))
      own.push_back({parameter.offset, parameter.bytes, true});
  std::ranges::sort(own, {}, &Part::begin);
  uint64_t at = 0;
  for (const Part& part : own) {
    if (part.begin > at)
      all.push_back({at, part.begin - at, false});
    all.push_back(part);
    at = part.begin + part.bytes;
  }
  if (target.block_bytes > at)
    all.push_back({at, target.block_bytes - at, false});
  return all;
}

uint64_t moved(uint64_t offset, const std::vector<Part>& parts) {
  for (const Part& part : parts)
    if (offset >= part.begin && offset < part.begin + part.bytes)
      return part.moved_to + (offset - part.begin);
  return offset;
}

} // namespace

Target separated(Target target) {
  std::vector<Part> parts = parts_of(target);
  uint64_t values = 0; // the bytes of all parts that are not behind pointers
  for (Part& part : parts)
    if (!part.is_own) {
      part.moved_to = values + part.begin % alignment;
      values = rounded_up(part.moved_to + part.bytes, alignment);
    }
  uint64_t end = values; // at the end of a page
  for (Part& part : parts)
    if (part.is_own) {
      end += between + rounded_up(part.bytes, page_bytes);
      part.moved_to = end - part.bytes;
    }
  for (std::vector<Cell>* cells : {&target.inputs, &target.outputs})
    for (Cell& cell : *cells)
      cell.offset = moved(cell.offset, parts);
  target.return_offset = moved(target.return_offset, parts);
  for (Parameter& parameter : target.parameters) {
    parameter.offset = moved(parameter.offset, parts);
    if (parameter.stored_at)
      parameter.stored_at = moved(*parameter.stored_at, parts);
  }
  for (model::Setup& setup : target.setups)
    for (Parameter& argument : setup.parameters)
      argument.offset = moved(argument.offset, parts);
  target.block_bytes = end;
  return target;
}

ArgumentBlock::ArgumentBlock(const Target& target) {
  uint64_t values = target.block_bytes;
  for (const Parameter& parameter : target.parameters)
    if (has_own_memory(parameter))
      values = std::min(values, parameter.offset + parameter.bytes - rounded_up(parameter.bytes, page_bytes) - between);
  const uint64_t value_pages = rounded_up(values, page_bytes);
  mapped_ = block_guard + value_pages + (target.block_bytes - values) + block_guard;
  void* memory = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  mapping_ = static_cast<char*>(memory);
  data_ = mapping_ + block_guard + value_pages - values;
  if (values > 0)
    accessible_.push_back({data_ + values - value_pages, value_pages});
  for (const Parameter& parameter : target.parameters)
    if (has_own_memory(parameter)) {
      const uint64_t pages = rounded_up(parameter.bytes, page_bytes);
      accessible_.push_back({data_ + parameter.offset + parameter.bytes - pages, pages});
    }
  for (const Pages& pages : accessible_)
    mprotect(pages.begin, pages.bytes, PROT_READ | PROT_WRITE);
  set_argument_guard(mapping_, mapping_ + mapped_);
}

ArgumentBlock::~ArgumentBlock() {
  set_argument_guard(nullptr, nullptr);
  munmap(mapping_, mapped_);
}

void ArgumentBlock::clear() {
  for (const Pages& pages : accessible_)
    std::memset(pages.begin, 0, pages.bytes);
}

} // namespace faultline::exec
