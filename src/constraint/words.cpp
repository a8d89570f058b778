#include "constraint/words.h"

namespace faultline::constraint {

Bits apply(WordOp op, int width, int first, int low, Bits a, Bits b) {
  const Bits mask = word_mask(width);
  switch (op) {
  case WordOp::none:
    break;
  case WordOp::complement:
    return ~a & mask;
  case WordOp::conjunction:
    return a & b;
  case WordOp::disjunction:
    return a | b;
  case WordOp::exclusion:
    return a ^ b;
  case WordOp::sum:
    return (a + b) & mask;
  case WordOp::difference:
    return (a - b) & mask;
  case WordOp::product:
    return (a * b) & mask;
  case WordOp::quotient:
    return b == 0 ? mask : a / b;
  case WordOp::rest:
    return b == 0 ? a : a % b;
  case WordOp::shift_left:
    return b >= Bits(width) ? 0 : (a << int(b)) & mask;
  case WordOp::shift_right:
    return b >= Bits(width) ? 0 : a >> int(b);
  case WordOp::shift_right_signed: {
    const bool negative = a >> (first - 1) != 0;
    const int count = b >= Bits(width) ? width : int(b);
    const Bits moved = count >= most_word_bits ? 0 : a >> count;
    return negative ? (moved | ~(count >= width ? 0 : word_mask(width - count))) & mask : moved;
  }
  case WordOp::concatenation:
    return (a << (width - first)) | b;
  case WordOp::extraction:
    return a >> low & mask;
  }
  return 0;
}

bool less(Bits a, Bits b, int width, bool is_signed) {
  const Bits flip = is_signed ? Bits{1} << (width - 1) : 0; // signed numbers in the order of unsigned ones
  return (a ^ flip) < (b ^ flip);
}

} // namespace faultline::constraint
