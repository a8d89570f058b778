#include "constraint/smtlib/unspecified.h"

#include <algorithm>
#include <string>

namespace faultline::constraint {

Term Unspecified::variable(const Sort& sort) {
  return system_.variable("unspecified " + std::to_string(count_++), sort);
}

Term Unspecified::zero_is_negative(bool maximum, BinaryFormat format, bool positive_first) {
  const auto [place, fresh] =
      zeros_.try_emplace({maximum, format.exponent_bits, format.significand_bits, positive_first}, 0);
  if (fresh)
    place->second = variable(boolean_sort);
  return place->second;
}

Term Unspecified::pattern_of_nan(BinaryFormat format) {
  const auto [place, fresh] = patterns_.try_emplace({format.exponent_bits, format.significand_bits}, 0);
  if (fresh) {
    place->second = variable(word_sort(format.width()));
    require(system_.classify(Class::nan, system_.float_of_pattern(place->second, format)));
  }
  return place->second;
}

Term Unspecified::word_of(Term operand, numeric::Rounding rounding, int width, bool is_signed) {
  const BinaryFormat format = system_.sort(operand).format;
  std::vector<Use>& uses = words_[{format.exponent_bits, format.significand_bits, rounding, width, is_signed}];
  const auto known = std::ranges::find(uses, operand, &Use::operand);
  if (known != uses.end())
    return known->word;
  const Term word = variable(word_sort(width));
  pairs_ += uses.size();
  if (pairs_ <= most_pairs)
    for (const Use& use : uses)
      require(system_.either(system_.negate(system_.same(use.operand, operand)), system_.same(use.word, word)));
  uses.push_back({operand, word});
  return word;
}

} // namespace faultline::constraint
