#include "solve/bits/products.h"

#include <algorithm>

namespace faultline::solve {
namespace {

// sum + row * 2^place: the bits of the sum below are final.
void add_row(Gates& gates, Word& sum, const Word& row, int place) {
  const int above = std::max(int(sum.size()) - place, int(row.size()));
  const Word top = add(gates, slice(sum, place, above), row);
  sum = joined(slice(sum, 0, place), top);
}

// Row i of a square: the bit itself at 2i, twice its products with the higher ones.
Word square(Gates& gates, const Word& a) {
  Word sum;
  for (size_t i = 0; i < a.size(); ++i) {
    Word row{a[i], Gate(false)};
    for (size_t j = i + 1; j < a.size(); ++j)
      row.push_back(gates.both(a[i], a[j]));
    add_row(gates, sum, row, 2 * int(i));
  }
  return slice(sum, 0, 2 * int(a.size()));
}

Word leading_one(Gates& gates, int width) { return joined(inputs(gates, width - 1), {Gate(true)}); }

Uint128 root_of(Uint128 value) {
  Uint128 root = 0;
  for (int i = 63; i >= 0; --i)
    if (const Uint128 larger = root | Uint128{1} << i; larger * larger <= value)
      root = larger;
  return root;
}

// A factor known beforehand, as digits -1, 0 and 1 of which no two neighbours are nonzero: a third of them instead of
// half. Least significant first: what lies above the place is a signed number.
Word multiply_by(Gates& gates, const Word& a, Uint128 factor, int factor_width) {
  const int width = int(a.size()) + 2;
  Word low, high(static_cast<size_t>(width));
  for (int i = 0; i <= factor_width; ++i, factor >>= 1) {
    if ((factor & 3) == 3) {
      high = subtract(gates, high, a, width);
      factor += 1;
    } else if (factor & 1) {
      high = slice(add(gates, high, a), 0, width);
    }
    low.push_back(high.front());
    const Gate sign = high.back();
    high.erase(high.begin());
    high.push_back(sign);
  }
  return slice(joined(low, high), 0, int(a.size()) + factor_width);
}

} // namespace

Word multiply(Gates& gates, const Word& a, const Word& b) {
  if (a == b)
    return square(gates, a);
  for (const auto& [constant, other] : {std::tie(a, b), std::tie(b, a)})
    if (is_constant(constant) && constant.size() <= 126)
      return multiply_by(gates, other, value_of(constant), int(constant.size()));
  Word sum;
  for (size_t i = 0; i < b.size(); ++i)
    add_row(gates, sum, masked(gates, a, b[i]), int(i));
  return slice(sum, 0, int(a.size() + b.size()));
}

Word divide(Gates& gates, const Word& a, const Word& b, int width, Gate& inexact) {
  if (is_constant(a) && is_constant(b) && a.size() <= 128) {
    inexact = value_of(a) % value_of(b) != 0;
    return word_of(value_of(a) / value_of(b), width);
  }
  const Word quotient = leading_one(gates, width), rest = inputs(gates, int(b.size()));
  gates.require(less(gates, rest, b));
  gates.require(equal(gates, add(gates, multiply(gates, quotient, b), rest), a));
  inexact = any(gates, rest);
  return quotient;
}

Word square_root(Gates& gates, const Word& a, Gate& inexact) {
  const int width = int(a.size()) / 2;
  if (is_constant(a) && a.size() <= 126) {
    const Uint128 root = root_of(value_of(a));
    inexact = root * root != value_of(a);
    return word_of(root, width);
  }
  const Word root = leading_one(gates, width), rest = inputs(gates, width + 1);
  gates.require(less_equal(gates, rest, shifted_left(root, 1)));
  gates.require(equal(gates, add(gates, multiply(gates, root, root), rest), a));
  inexact = any(gates, rest);
  return root;
}

} // namespace faultline::solve
