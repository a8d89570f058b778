// The terms of a system that words have a part in.
#include "constraint/system.h"
#include "constraint/words.h"

#include <cassert>

namespace faultline::constraint {

using numeric::Rounding;
using ops::Op;

Term System::word_constant(Bits bits, int width) {
  return add({Form::constant, Op::none, {}, word_sort(width), {}, bits & word_mask(width)});
}

Term System::float_of_pattern(Term word, BinaryFormat format) {
  assert(sort(word).width == format.width());
  return add({Form::float_of_pattern, Op::none, {}, float_sort(format), {word}, 0});
}

Term System::float_of_integer(Term word, bool is_signed, BinaryFormat format, Rounding rounding) {
  return add({Form::float_of_integer, Op::none, {}, float_sort(format), {word}, 0, rounding, WordOp::none, is_signed});
}

Term System::integer_of_float(Term a, int width, bool is_signed) {
  return add({Form::integer_of_float, Op::none, {}, word_sort(width), {a}, 0, {}, WordOp::none, is_signed});
}

Term System::word(WordOp op, Term a, Term b) {
  const bool alone = op == WordOp::complement;
  return add({Form::word, Op::none, {}, sort(a), {a, alone ? 0 : b}, 0, {}, op});
}

Term System::concatenate(Term high, Term low) {
  const Sort both = word_sort(sort(high).width + sort(low).width);
  return add({Form::word, Op::none, {}, both, {high, low}, 0, {}, WordOp::concatenation});
}

Term System::extract(Term a, int low, int width) {
  if (width == sort(a).width)
    return a;
  return add({Form::word, Op::none, {}, word_sort(width), {a}, Bits(low), {}, WordOp::extraction});
}

Term System::word_less(Term a, Term b, bool is_signed) {
  if (a == b)
    return truth(false);
  return add({Form::word_less, Op::none, {}, boolean_sort, {a, b}, 0, {}, WordOp::none, is_signed});
}

} // namespace faultline::constraint
