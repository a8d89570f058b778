#include "report/bound_words.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

std::string three_digits(double value, bool up) {
  if (!(value < finding::useless_bound))
    return "none";
  std::string text = fmt::format("{:.2e}", value);
  for (double nudged = value;
       up ? std::strtod(text.c_str(), nullptr) < value : std::strtod(text.c_str(), nullptr) > value;
       text = fmt::format("{:.2e}", nudged))
    nudged *= up ? 1 + 0x1p-9 : 1 - 0x1p-9;
  return text;
}

std::string plain_number(double value) { return fmt::format("{}", value); }

std::string box_words(const std::vector<std::string>& names, const finding::BoxEnds& box) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < box.size() && i < names.size(); ++i)
    parts.push_back(box[i].first == box[i].second ? fmt::format("{} = {}", names[i], plain_number(box[i].first))
                                                  : fmt::format("{} in [{}, {}]", names[i], plain_number(box[i].first),
                                                                plain_number(box[i].second)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace faultline::report
