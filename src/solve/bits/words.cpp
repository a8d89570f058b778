#include "solve/bits/words.h"

#include <algorithm>
#include <functional>

namespace faultline::solve {

namespace {

Word each(const Word& a, const Word& b, const std::function<Gate(Gate, Gate)>& join) {
  Word result(a.size());
  for (size_t i = 0; i < a.size(); ++i)
    result[i] = join(a[i], b[i]);
  return result;
}

// Long division, bit by bit. For a divisor of zero every subtraction succeeds: the quotient is all ones and the rest is
// the dividend, as SMT-LIB requires.
struct Division {
  Word quotient, rest;
};

Division divided(Gates& gates, const Word& a, const Word& b) {
  const int width = int(a.size());
  Division result{Word(a.size()), {}};
  Word rest; // less than b, or at most as wide as the bits taken from a
  for (int i = width - 1; i >= 0; --i) {
    rest = slice(joined({a[size_t(i)]}, rest), 0, std::min(width + 1, width - i));
    const Gate fits = !less(gates, rest, b);
    result.quotient[size_t(i)] = fits;
    rest = choose(gates, fits, subtract(gates, rest, b, int(rest.size())), rest);
  }
  result.rest = slice(rest, 0, width);
  return result;
}

Word moved(Gates& gates, WordOp op, const Word& a, const Word& count) {
  if (op == WordOp::shift_left)
    return shift_left(gates, a, count);
  // Xor with the sign before and after a logical shift: ~(~a >> n) shifts in ones.
  const Gate flip = op == WordOp::shift_right_signed ? a.back() : Gate(false);
  Word word = a;
  for (Gate& gate : word)
    gate = gates.differ(gate, flip);
  Gate lost;
  word = shift_right(gates, word, count, lost);
  for (Gate& gate : word)
    gate = gates.differ(gate, flip);
  return word;
}

Gate bit(const Word& word, size_t i) { return i < word.size() ? word[i] : Gate(false); }

} // namespace

Word negated(Gates& gates, const Word& a) { return subtract(gates, {}, a, int(a.size())); }

Gate less(Gates& gates, const Word& a, const Word& b, bool is_signed) {
  Word x = a, y = b;
  if (is_signed) {
    x.back() = !x.back();
    y.back() = !y.back();
  }
  return less(gates, x, y);
}

Word apply(Gates& gates, const Node& node, const Word& a, const Word& b) {
  const int width = node.sort.width;
  switch (node.word) {
  case WordOp::none:
    break;
  case WordOp::complement:
    return each(a, a, [](Gate gate, Gate) { return !gate; });
  case WordOp::conjunction:
    return each(a, b, [&](Gate x, Gate y) { return gates.both(x, y); });
  case WordOp::disjunction:
    return each(a, b, [&](Gate x, Gate y) { return gates.either(x, y); });
  case WordOp::exclusion:
    return each(a, b, [&](Gate x, Gate y) { return gates.differ(x, y); });
  case WordOp::sum:
    return slice(add(gates, a, b), 0, width);
  case WordOp::difference:
    return subtract(gates, a, b, width);
  case WordOp::product:
    return slice(multiply(gates, a, b), 0, width);
  case WordOp::quotient:
    return divided(gates, a, b).quotient;
  case WordOp::rest:
    return divided(gates, a, b).rest;
  case WordOp::shift_left:
  case WordOp::shift_right:
  case WordOp::shift_right_signed:
    return moved(gates, node.word, a, b);
  case WordOp::concatenation:
    return joined(b, a);
  case WordOp::extraction:
    return slice(a, int(node.value), width);
  }
  return {};
}

namespace {

// Adds row * 2^place to sum. Lower bits of the sum are final.
void add_row(Gates& gates, Word& sum, const Word& row, int place) {
  const int above = std::max(int(sum.size()) - place, int(row.size()));
  const Word top = add(gates, slice(sum, place, above), row);
  sum = joined(slice(sum, 0, place), top);
}

// Row i of a square: the bit itself at 2i, and twice its products with higher bits.
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

// Multiplies by a known factor in digits -1, 0 and 1 without nonzero neighbours: a third of the digits are nonzero
// instead of half. Least significant digit first: the bits above the current place are a signed number.
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

Word word_of(Uint128 value, int width) {
  Word word(static_cast<size_t>(width));
  for (int i = 0; i < width && i < 128; ++i)
    word[i] = Gate(bool(value >> i & 1));
  return word;
}

Word inputs(Gates& gates, int width) {
  Word word(static_cast<size_t>(width));
  for (Gate& gate : word)
    gate = gates.input();
  return word;
}

bool is_constant(const Word& word) {
  return std::all_of(word.begin(), word.end(), [](Gate gate) { return gate.constant(); });
}

Uint128 value_of(const Word& constant) {
  Uint128 value = 0;
  for (size_t i = 0; i < constant.size(); ++i)
    if (constant[i].is_true())
      value |= Uint128{1} << i;
  return value;
}

int bit_count(Uint128 value) {
  int count = 0;
  for (; value != 0; value >>= 1)
    ++count;
  return count;
}

Word slice(const Word& word, int low, int width) {
  Word part(static_cast<size_t>(width));
  for (int i = 0; i < width; ++i)
    part[i] = bit(word, size_t(low + i));
  return part;
}

Word joined(const Word& low, const Word& high) {
  Word word = low;
  word.insert(word.end(), high.begin(), high.end());
  return word;
}

Word shifted_left(const Word& word, int count) { return joined(Word(size_t(count)), word); }

Word add(Gates& gates, const Word& a, const Word& b, Gate carry) {
  const size_t width = std::max(a.size(), b.size());
  Word sum(width + 1);
  for (size_t i = 0; i < width; ++i) {
    sum[i] = gates.parity(bit(a, i), bit(b, i), carry);
    carry = gates.majority(bit(a, i), bit(b, i), carry);
  }
  sum[width] = carry;
  return sum;
}

Word subtract(Gates& gates, const Word& a, const Word& b, int width) {
  Word negated = slice(b, 0, width);
  for (Gate& gate : negated)
    gate = !gate;
  return slice(add(gates, slice(a, 0, width), negated, true), 0, width);
}

Word increment(Gates& gates, const Word& a, Gate carry) { return add(gates, a, {}, carry); }

// Returns the borrow of a - b.
Gate less(Gates& gates, const Word& a, const Word& b) {
  Gate borrow = false;
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    borrow = gates.majority(!bit(a, i), bit(b, i), borrow);
  return borrow;
}

Gate less_equal(Gates& gates, const Word& a, const Word& b) { return !less(gates, b, a); }

Gate equal(Gates& gates, const Word& a, const Word& b) {
  std::vector<Gate> bits;
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    bits.push_back(gates.equal(bit(a, i), bit(b, i)));
  return gates.all(std::move(bits));
}

Gate any(Gates& gates, const Word& a) { return gates.any(a); }

Word choose(Gates& gates, Gate condition, const Word& then, const Word& otherwise) {
  Word word(std::max(then.size(), otherwise.size()));
  for (size_t i = 0; i < word.size(); ++i)
    word[i] = gates.choose(condition, bit(then, i), bit(otherwise, i));
  return word;
}

Word masked(Gates& gates, const Word& a, Gate keep) {
  Word word = a;
  for (Gate& gate : word)
    gate = gates.both(gate, keep);
  return word;
}

Word shift_right(Gates& gates, const Word& a, const Word& count, Gate& sticky) {
  Word word = a;
  for (size_t stage = 0; stage < count.size(); ++stage) {
    // No shift can pass the stage that shifts out all bits.
    const size_t distance = stage < 30 ? std::min(size_t{1} << stage, word.size()) : word.size();
    const Gate lost = gates.any(Word(word.begin(), word.begin() + std::ptrdiff_t(distance)));
    sticky = gates.either(sticky, gates.both(count[stage], lost));
    word = choose(gates, count[stage], slice(word, int(distance), int(word.size())), word);
  }
  return word;
}

Word shift_left(Gates& gates, const Word& a, const Word& count) {
  Word word = a;
  for (size_t stage = 0; stage < count.size(); ++stage) {
    const size_t distance = stage < 30 ? std::min(size_t{1} << stage, word.size()) : word.size();
    word = choose(gates, count[stage], slice(shifted_left(word, int(distance)), 0, int(a.size())), word);
  }
  return word;
}

} // namespace faultline::solve
