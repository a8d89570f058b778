#include "finding/extents.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::finding {

std::string extents_text(const std::vector<FoundExtent>& arrays) {
  std::string text;
  for (const FoundExtent& array : arrays) {
    const bool one = array.extents == std::vector<uint64_t>{1};
    text += fmt::format("{}{}: {} element{}{}{}{}", text.empty() ? "" : ", ", array.parameter,
                        fmt::join(array.extents, " x "), one ? "" : "s",
                        array.formula.empty() ? "" : fmt::format(" ({})", array.formula),
                        array.endless ? ", and runs went beyond any size" : "",
                        array.before ? ", and a run went before the first" : "");
  }
  return text;
}

} // namespace faultline::finding
