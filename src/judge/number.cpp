#include "judge/number.h"

#include "numeric/decimal.h"

#include <fmt/format.h>

namespace faultline::judge {

using finding::NamedNumber;
using finding::Number;

Number number_of(long double value, const frontend::Type& type) {
  if (!type.floating) {
    std::string text = type.is_signed ? fmt::format("{}", int64_t(value)) : fmt::format("{}", uint64_t(value));
    return {text, text};
  }
  return {numeric::shortest_decimal(value, type.format), numeric::hex_float(value)};
}

Number number_of(const numeric::BigFloat& value, const frontend::Type& type) {
  numeric::BigFloat nearest = value;
  nearest.round_to(type.format);
  return {value.to_string(numeric::info(type.format).reference_digits), numeric::hex_float(nearest.to_long_double())};
}

std::vector<NamedNumber> named_input(const frontend::Target& target, const exec::Input& input) {
  std::vector<NamedNumber> named;
  for (size_t i = 0; i < input.size() && i < target.inputs.size(); ++i)
    named.push_back({target.inputs[i].name, number_of(input[i], target.inputs[i].type)});
  return named;
}

} // namespace faultline::judge
