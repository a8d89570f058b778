#include "report/bound_words.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

std::string three_digits(double value, bool up) {
  if (!(value < finding::useless_bound))
    return "none";
  const std::string nearest = fmt::format("{:.2e}", value); // 1.23e-45
  const double back = std::strtod(nearest.c_str(), nullptr);
  if (up ? back >= value : back <= value)
    return nearest;
  int digits = 100 * (nearest[0] - '0') + 10 * (nearest[2] - '0') + (nearest[3] - '0') + (up ? 1 : -1);
  int exponent = std::atoi(nearest.c_str() + nearest.find('e') + 1);
  if (digits == 1000 || digits == 99) { // 9.99 and 1.00 have a neighbour with another exponent
    digits = up ? 100 : 999;
    exponent += up ? 1 : -1;
  }
  return fmt::format("{}.{:02}e{}{:02}", digits / 100, digits % 100, exponent < 0 ? '-' : '+', std::abs(exponent));
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
