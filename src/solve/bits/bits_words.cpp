#include "solve/bits/bits_words.h"

#include "solve/bits/products.h"

#include <functional>

namespace faultline::solve {

using constraint::WordOp;

namespace {

Word each(const Word& a, const Word& b, const std::function<Gate(Gate, Gate)>& join) {
  Word result(a.size());
  for (size_t i = 0; i < a.size(); ++i)
    result[i] = join(a[i], b[i]);
  return result;
}

// Bit by bit, as on paper. By zero every subtraction succeeds: the quotient is all ones, and the rest the dividend, as
// SMT-LIB has it.
struct Division {
  Word quotient, rest;
};

Division divided(Gates& gates, const Word& a, const Word& b) {
  const int width = int(a.size());
  Division result{Word(a.size()), {}};
  Word rest; // below b, or of no more bits than were taken from a
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
  // The sign goes into a word of zeros and out again: ~(~a >> n) brings in ones.
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

Word apply(Gates& gates, const constraint::Node& node, const Word& a, const Word& b) {
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

} // namespace faultline::solve
