// Systems and models drawn at random: every form of term, several formats, values from all corners of a format.
#pragma once

#include "constraint/system.h"
#include "numeric/random.h"

namespace faultline::solve {

class RandomSystem {
public:
  RandomSystem(uint64_t seed, std::vector<numeric::BinaryFormat> formats) : rng_(seed), formats_(std::move(formats)) {
    for (size_t i = 0; i < formats_.size(); ++i) {
      floats_.emplace_back();
      for (int k = 0; k < 2; ++k)
        floats_[i].push_back(
            system.variable("x" + std::to_string(i) + std::to_string(k), constraint::float_sort(formats_[i])));
      floats_[i].push_back(system.constant(value(formats_[i]), formats_[i]));
    }
    booleans_.push_back(system.variable("b", constraint::boolean_sort));
    booleans_.push_back(system.truth(rng_.coin()));
  }

  void grow(int terms) {
    for (int i = 0; i < terms; ++i)
      rng_.below(3) == 0 ? add_boolean() : add_float();
    add_boolean();
  }

  constraint::Term some_boolean() { return any(booleans_); }

  numeric::Bits value(numeric::BinaryFormat format) {
    const numeric::Bits random = (numeric::Bits(rng_.next()) << 64 | rng_.next()) & (format.sign() * 2 - 1);
    const numeric::Bits special[] = {0,
                                     1,
                                     format.smallest_normal(),
                                     format.largest(),
                                     format.infinity(),
                                     format.nan(),
                                     numeric::bits_of(1.0L, format),
                                     numeric::bits_of(3.0L, format)};
    if (rng_.below(3) == 0)
      return special[rng_.below(std::size(special))] ^ (rng_.coin() ? format.sign() : 0);
    if (rng_.coin()) // numbers of one size, which meet
      return numeric::bits_of((long double)rng_.uniform(-4, 4), format);
    return random;
  }

  constraint::Model model() {
    constraint::Model result;
    for (const constraint::Variable& variable : system.variables()) {
      const constraint::Sort& sort = system.sort(variable.term);
      result.push_back(sort.boolean ? numeric::Bits(rng_.coin()) : value(sort.format));
    }
    return result;
  }

  numeric::Rng& rng() { return rng_; }

  constraint::System system;

private:
  constraint::Term any(const std::vector<constraint::Term>& terms) { return terms[rng_.below(terms.size())]; }

  void add_float() {
    using ops::Op;
    constexpr Op operations[] = {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::sqrt,  Op::fneg, Op::fabs,    Op::fma,
                                 Op::fadd, Op::fmul, Op::fmin, Op::fmax, Op::floor, Op::rint, Op::copysign};
    const size_t place = rng_.below(formats_.size());
    auto& terms = floats_[place];
    if (const auto kind = rng_.below(8); kind == 0)
      terms.push_back(system.choose(any(booleans_), any(terms), any(terms)));
    else if (kind == 1)
      terms.push_back(system.convert(any(floats_[rng_.below(formats_.size())]), formats_[place]));
    else
      terms.push_back(
          system.operation(operations[rng_.below(std::size(operations))], any(terms), any(terms), any(terms)));
  }

  void add_boolean() {
    using constraint::Class;
    using ops::Op;
    const auto& terms = floats_[rng_.below(formats_.size())];
    const constraint::Term a = any(booleans_), b = any(booleans_), x = any(terms), y = any(terms);
    const auto added = [&] {
      switch (rng_.below(10)) {
      case 0:
        return system.both(a, b);
      case 1:
        return system.either(a, b);
      case 2:
        return system.negate(a);
      case 3:
        return system.choose(a, b, any(booleans_));
      case 4:
        return system.same(a, b);
      case 5:
        return system.same(x, y);
      case 6:
        return system.classify(Class(rng_.below(7)), x);
      default:
        return system.compare(Op(uint64_t(Op::cmp_oeq) + rng_.below(14)), x, y);
      }
    };
    booleans_.push_back(added());
  }

  numeric::Rng rng_;
  std::vector<numeric::BinaryFormat> formats_;
  std::vector<std::vector<constraint::Term>> floats_;
  std::vector<constraint::Term> booleans_;
};

} // namespace faultline::solve
