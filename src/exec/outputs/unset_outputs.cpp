#include "exec/outputs/unset_outputs.h"

#include "exec/cell_memory.h"

#include <algorithm>
#include <cmath>

namespace faultline::exec {

using frontend::Cell;

UnsetOutputs::UnsetOutputs(const frontend::Target& target) {
  std::ranges::copy_if(target.outputs, std::back_inserter(cells_), [&](const Cell& cell) {
    return cell.type.floating && std::ranges::find(target.inputs, cell.offset, &Cell::offset) == target.inputs.end();
  });
}

void UnsetOutputs::mark(char* block, runtime::Lifter& lifter) {
  marks_.clear();
  for (const Cell& cell : cells_) {
    const uint32_t leaf = lifter.leaf(-0.0L, cell.type.format);
    write_cell(block, cell, -0.0L);
    lifter.memory().set(reinterpret_cast<uint64_t>(block + cell.offset), leaf);
    marks_[cell.offset] = leaf;
  }
}

bool UnsetOutputs::is_mark(const Cell& cell, uint32_t shadow, const runtime::Lifter& lifter) const {
  const auto mark = marks_.find(cell.offset);
  return mark != marks_.end() && mark->second == shadow &&
         lifter.origin(shadow) == runtime::Origin::leaf; // the number may have been given to another value
}

bool UnsetOutputs::is_unset(const Cell& cell, uint32_t shadow, long double native,
                            const runtime::Lifter& lifter) const {
  return native == 0 && std::signbit(native) && is_mark(cell, shadow, lifter);
}

} // namespace faultline::exec
