// Questions in formats so small that every answer can be checked by trying all values.
#pragma once

#include "constraint/evaluate.h"
#include "numeric/random.h"
#include "solve/bits/bits_float.h"
#include "solve/solver.h"

#include <algorithm>
#include <string>

namespace faultline::solve {

using constraint::System;
using constraint::Term;
using numeric::BinaryFormat;
using numeric::Bits;
using numeric::Int128;
using ops::Op;

inline std::vector<Bits> values_of(const Known& known, BinaryFormat format) {
  std::vector<Bits> all;
  for (Int128 order = known.low; order <= known.high; ++order)
    all.push_back(format.at(order));
  if (known.nan)
    all.push_back(format.nan());
  return all;
}

inline bool within(const Known& known, Bits bits, BinaryFormat format) {
  return format.is_nan(bits) ? known.nan : known.low <= format.order(bits) && format.order(bits) <= known.high;
}

// Both zeros have a place between the bounds.
inline Term bounded(System& system, Term term, const Known& known) {
  const BinaryFormat format = system.sort(term).format;
  const Term nan = system.classify(constraint::Class::nan, term);
  if (known.low > known.high)
    return known.nan ? nan : system.truth(false);
  const Term low = system.constant(format.at(known.low), format), high = system.constant(format.at(known.high), format);
  const Term zero = system.classify(constraint::Class::zero, term), no = system.truth(false);
  const Term above =
      system.any({system.compare(Op::cmp_olt, low, term), system.same(low, term), known.low == -1 ? zero : no});
  const Term below =
      system.any({system.compare(Op::cmp_olt, term, high), system.same(term, high), known.high == 0 ? zero : no});
  return system.either(system.both(above, below), known.nan ? nan : no);
}

// z = op(x), op(x, y) or op(x, y, w), and all within bounds.
struct Trial {
  BinaryFormat format;
  Op op;
  Known x, y, w, z;
  BinaryFormat to = {0, 0}; // of z, where op converts
  numeric::Rounding rounding = numeric::Rounding::nearest_even;

  System system = {};
  std::vector<Known> known = {}; // of each term

  Trial(BinaryFormat format, Op op, Known x, Known y, Known w, Known z, BinaryFormat to,
        numeric::Rounding rounding = numeric::Rounding::nearest_even)
      : format(format), op(op), x(x), y(y), w(w), z(z), to(to), rounding(rounding) {
    const auto sort = constraint::float_sort(format);
    const Term a = system.variable("x", sort), b = system.variable("y", sort), c = system.variable("w", sort);
    const Term result = op == Op::fptrunc ? system.convert(a, to, rounding) : system.rounded(op, rounding, a, b, c);
    system.assert_true(bounded(system, a, x));
    system.assert_true(bounded(system, b, y));
    system.assert_true(bounded(system, c, w));
    system.assert_true(bounded(system, result, z));
    for (const constraint::Node& node : system.nodes()) {
      const BinaryFormat its = node.sort.format;
      known.push_back(node.sort.boolean ? Known{0, 1, false} : anything(its));
      if (!node.sort.boolean && node.form == constraint::Form::constant)
        known.back() = {its.order(node.value), its.order(node.value), false};
    }
    known[a] = x;
    known[b] = y;
    known[c] = w;
    known[result] = z;
  }

  Answer expected() const {
    const int arity = ops::arity(op);
    const std::vector<Bits> none{0};
    if (values_of(y, format).empty() || values_of(w, format).empty())
      return Answer::unsat;
    for (const Bits a : values_of(x, format))
      for (const Bits b : arity > 1 ? values_of(y, format) : none)
        for (const Bits c : arity > 2 ? values_of(w, format) : none)
          if (within(z, result(a, b, c), to))
            return Answer::sat;
    return Answer::unsat;
  }

  Bits result(Bits a, Bits b, Bits c) const {
    if (op == Op::fptrunc)
      return numeric::converted(a, format, to, rounding);
    if (rounding != numeric::Rounding::nearest_even)
      return constraint::apply_rounded(op, rounding, format, format, a, b, c);
    return constraint::apply(op, format, a, b, c);
  }

  std::string text() const {
    const auto box = [](const Known& known) {
      return " " + std::to_string(int(known.low)) + ".." + std::to_string(int(known.high)) + (known.nan ? " NaN" : "");
    };
    return std::string(ops::name(op)) + box(x) + box(y) + box(w) + " to" + box(z);
  }
};

// Does it round, in any direction that one likes?
inline bool rounds(Op op) { return ops::is_basic(op) || op == Op::fma || op == Op::fptrunc; }

inline Known random_box(numeric::Rng& rng, BinaryFormat format, uint64_t most) {
  const auto count = uint64_t(format.highest() - format.lowest() + 1);
  const Int128 low = format.lowest() + Int128(rng.below(count));
  return {low, std::min<Int128>(low + Int128(rng.below(most)), format.highest()), rng.below(4) == 0};
}

inline Trial random_trial(numeric::Rng& rng, BinaryFormat format, Op op,
                          numeric::Rounding rounding = numeric::Rounding::nearest_even) {
  const uint64_t size = uint64_t{1} << rng.below(ops::arity(op) > 2 ? 4 : 6);
  const BinaryFormat to = op == Op::fptrunc ? BinaryFormat{3, 3} : format;
  const Known x = random_box(rng, format, size), y = random_box(rng, format, size), w = random_box(rng, format, size);
  return {format, op, x, y, w, random_box(rng, to, uint64_t{1} << rng.below(5)), to, rounding};
}

} // namespace faultline::solve
