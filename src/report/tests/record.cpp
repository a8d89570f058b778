#include "report/tests/record.h"

#include <algorithm>

namespace faultline::report {

using frontend::Cell;
using frontend::Parameter;
using frontend::Target;

namespace {

uint64_t rounded_up(uint64_t offset, uint64_t alignment) { return (offset + alignment - 1) / alignment * alignment; }

// Where something else begins behind the struct, or the block ends.
uint64_t next_place(const Target& target, const Parameter& parameter, const std::vector<Cell>& fields) {
  uint64_t next = target.block_bytes;
  const auto consider = [&](uint64_t offset) {
    if (offset > fields.back().offset)
      next = std::min(next, offset);
  };
  for (const Parameter& other : target.parameters)
    consider(other.offset);
  for (const std::vector<Cell>* cells : {&target.inputs, &target.outputs})
    for (const Cell& cell : *cells)
      consider(cell.offset);
  consider(target.return_offset);
  return next;
}

} // namespace

std::vector<Cell> fields_of(const Target& target, const Parameter& parameter) {
  std::vector<Cell> fields;
  for (const std::vector<Cell>* cells : {&target.inputs, &target.outputs})
    for (const Cell& cell : *cells)
      if ((cell.name.starts_with(parameter.name + ".") || cell.name.starts_with(parameter.name + "[0].")) &&
          std::ranges::find(fields, cell.offset, &Cell::offset) == fields.end())
        fields.push_back(cell);
  std::ranges::sort(fields, {}, &Cell::offset);
  return fields;
}

std::string field_name(const Cell& field, const Parameter& parameter) {
  return field.name.substr(parameter.name.size() + 1);
}

bool is_certain(const Target& target, const Parameter& parameter, const std::vector<Cell>& fields) {
  uint64_t end = parameter.offset, alignment = 1;
  for (const Cell& field : fields) {
    if (field_name(field, parameter).find_first_of(".[") != std::string::npos)
      return false;
    const uint64_t bytes = field.type.bytes();
    if (field.offset != rounded_up(end, bytes))
      return false;
    end = field.offset + bytes;
    alignment = std::max(alignment, bytes);
  }
  return rounded_up(end, alignment) == next_place(target, parameter, fields);
}

} // namespace faultline::report
