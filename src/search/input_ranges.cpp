#include "search/input_ranges.h"

namespace faultline::search {

std::vector<constraint::InputRange> input_ranges(const Space& space, const frontend::Target& target) {
  std::vector<constraint::InputRange> ranges;
  for (size_t i = 0; i < space.dimensions.size(); ++i) {
    const Dimension& dimension = space.dimensions[i];
    ranges.push_back({dimension.name, dimension.floating,
                      dimension.floating ? target.inputs[i].type.format : numeric::Format::binary64, dimension.format,
                      dimension.low, dimension.high});
  }
  return ranges;
}

} // namespace faultline::search
