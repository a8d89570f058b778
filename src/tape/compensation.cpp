#include "tape/compensation.h"

#include "numeric/bigfloat.h"
#include "numeric/random.h"
#include "ops/purpose.h"
#include "ops/table.h"
#include "tape/accumulation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace faultline::tape {
namespace {

using ops::Op;

// A sum of products of records and constants, with whole coefficients. Dekker's product, the longest of the usual
// transformations, has 17 operations and never more than a dozen products.
class Polynomial {
public:
  explicit Polynomial(uint32_t operand) { terms_[{operand}] = 1; }

  bool is_zero() const { return terms_.empty(); }
  bool is_too_long() const { return terms_.size() > most_terms; }

  // The last record in it that can be written out: a sum, a product, a conversion, or a quotient or root of which a
  // multiple or a square is there; 0 if there is none.
  uint32_t last(const Tape& tape) const {
    uint32_t last = 0;
    for (const auto& [factors, coefficient] : terms_)
      for (const uint32_t factor : factors)
        if (!runtime::is_constant(factor) && factor > last &&
            (can_be_written_out(tape.site(factor).op) || counterpart(tape, factors, factor) != factors.end()))
          last = factor;
    return last;
  }

  void add_records(std::set<uint32_t>& records) const {
    for (const auto& [factors, coefficient] : terms_)
      for (const uint32_t factor : factors)
        if (!runtime::is_constant(factor))
          records.insert(factor);
  }

  // Puts what the record was computed from in its place.
  void write_out(const Tape& tape, uint32_t record) {
    const Terms before = std::exchange(terms_, {});
    for (const auto& [factors, coefficient] : before) {
      const auto place = std::ranges::find(factors, record);
      if (place == factors.end()) {
        add(factors, coefficient);
        continue;
      }
      Factors others = factors;
      others.erase(others.begin() + (place - factors.begin()));
      if (!can_be_written_out(tape.site(record).op)) {
        const auto other = counterpart(tape, factors, record);
        if (other == factors.end()) {
          add(factors, coefficient);
          continue;
        }
        others.erase(std::ranges::find(others, *other));
        add(with(others, {tape.operand(record, 0)}), coefficient); // (a / b) * b, sqrt(a) * sqrt(a)
        continue;
      }
      // A square is written out in two steps: its other factor comes next.
      const uint32_t a = tape.operand(record, 0), b = tape.operand(record, 1), c = tape.operand(record, 2);
      switch (ops::without_purpose(tape.site(record).op)) {
      case Op::fadd:
        add(with(others, {a}), coefficient);
        add(with(others, {b}), coefficient);
        break;
      case Op::fsub:
        add(with(others, {a}), coefficient);
        add(with(others, {b}), -coefficient);
        break;
      case Op::fneg:
        add(with(others, {a}), -coefficient);
        break;
      case Op::fmul:
        add(with(others, {a, b}), coefficient);
        break;
      case Op::fma:
        add(with(others, {a, b}), coefficient);
        add(with(others, {c}), coefficient);
        break;
      default: // a conversion
        add(with(others, {a}), coefficient);
        break;
      }
    }
  }

private:
  using Factors = std::vector<uint32_t>; // sorted
  using Terms = std::map<Factors, int>;
  static constexpr size_t most_terms = 32;

  static bool can_be_written_out(Op op) {
    switch (ops::without_purpose(op)) {
    case Op::fadd:
    case Op::fsub:
    case Op::fneg:
    case Op::fmul:
    case Op::fma:
    case Op::fptrunc:
    case Op::fpext:
      return true;
    default:
      return false;
    }
  }

  // The factor that makes a quotient's numerator, or a root's square, of the product of both.
  static Factors::const_iterator counterpart(const Tape& tape, const Factors& factors, uint32_t record) {
    const Op op = tape.site(record).op;
    if (op == Op::fdiv)
      return std::ranges::find(factors, tape.operand(record, 1));
    if (op == Op::sqrt && std::ranges::count(factors, record) > 1)
      return std::ranges::find(factors, record);
    return factors.end();
  }

  static Factors with(Factors factors, std::initializer_list<uint32_t> more) {
    factors.insert(factors.end(), more);
    std::ranges::sort(factors);
    return factors;
  }

  void add(const Factors& factors, int coefficient) {
    if (const auto [place, is_new] = terms_.try_emplace(factors, coefficient); !is_new) {
      place->second += coefficient;
      if (place->second == 0)
        terms_.erase(place);
    }
  }

  Terms terms_;
};

// The records as numbers modulo a prime, with random ones for what cannot be written out: what algebra makes zero is
// zero in these, too (Schwartz, Zippel). A polynomial costs some thousand times as much.
class Images {
public:
  explicit Images(const Tape& tape) : tape_(tape) { images_.reserve(tape.size()); }

  // Records in the order of their execution. May a polynomial of the record be zero?
  bool add(uint32_t record) {
    if (images_.empty())
      images_.push_back(symbol(0));
    images_.push_back(computed(record));
    return images_.back().denominator == 0 || images_.back().numerator == 0;
  }

private:
  // Of a denominator of 0 nothing is known.
  struct Image {
    uint64_t numerator, denominator;
  };
  static constexpr uint64_t prime = (uint64_t(1) << 61) - 1;
  static constexpr Image unknown{0, 0};

  static uint64_t product(uint64_t a, uint64_t b) { return uint64_t(static_cast<unsigned __int128>(a) * b % prime); }
  static Image sum(Image a, Image b) {
    return {(product(a.numerator, b.denominator) + product(b.numerator, a.denominator)) % prime,
            product(a.denominator, b.denominator)};
  }
  static Image negative(Image a) { return {(prime - a.numerator) % prime, a.denominator}; }
  static Image product(Image a, Image b) {
    return {product(a.numerator, b.numerator), product(a.denominator, b.denominator)};
  }
  static Image quotient(Image a, Image b) {
    return b.denominator == 0 ? unknown : product(a, Image{b.denominator, b.numerator});
  }
  static Image symbol(uint32_t operand) { return {numeric::Rng(operand).next() % prime, 1}; }

  Image image(uint32_t operand) const { return runtime::is_constant(operand) ? symbol(operand) : images_[operand]; }

  Image computed(uint32_t record) const {
    const auto operand = [&](int which) { return image(tape_.operand(record, which)); };
    switch (ops::without_purpose(tape_.site(record).op)) {
    case Op::fadd:
      return sum(operand(0), operand(1));
    case Op::fsub:
      return sum(operand(0), negative(operand(1)));
    case Op::fneg:
      return negative(operand(0));
    case Op::fmul:
      return product(operand(0), operand(1));
    case Op::fma:
      return sum(product(operand(0), operand(1)), operand(2));
    case Op::fptrunc:
    case Op::fpext:
      return operand(0);
    case Op::fdiv:
      return quotient(operand(0), operand(1));
    case Op::sqrt: // of which the prime field has half
      return unknown;
    default:
      return symbol(record);
    }
  }

  const Tape& tape_;
  std::vector<Image> images_;
};

// Algebra gives zero, the code something else. All records that came up on the way to the zero; none if it is not one.
std::set<uint32_t> behind_zero(const Tape& tape, uint32_t record) {
  constexpr int most_steps = 64;
  Polynomial polynomial(record);
  std::set<uint32_t> seen;
  for (int step = 0; step < most_steps && !polynomial.is_too_long(); ++step) {
    polynomial.add_records(seen);
    const uint32_t last = polynomial.last(tape);
    if (last == 0)
      return {};
    polynomial.write_out(tape, last);
    if (polynomial.is_zero())
      return seen;
  }
  return {};
}

// Was its result rounded?
bool is_rounded(const Tape& tape, uint32_t record) {
  const Site& site = tape.site(record);
  std::vector<numeric::BigFloat> operands;
  for (int i = 0; i < 3; ++i)
    operands.emplace_back(i < ops::arity(site.op) ? tape.exact(tape.operand(record, i)) : 0.0L, 64);
  numeric::BigFloat result(numeric::info(site.format).precision);
  mpfr_clear_inexflag();
  ops::evaluate(site.op, result.raw(), operands[0].raw(), operands[1].raw(), operands[2].raw());
  return mpfr_inexflag_p() != 0;
}

// Was it computed from one of these? What was not is where the terms begin: its rounding is not what they measure.
bool is_made_of(const Tape& tape, uint32_t record, const std::set<uint32_t>& others) {
  for (int i = 0; i < ops::arity(tape.site(record).op); ++i)
    if (others.contains(tape.operand(record, i)))
      return true;
  return false;
}

// Of which records can it be that they measure a rounding? What is left after most of the operands has cancelled, and
// what is made of that by a few additions.
class Remainders {
public:
  explicit Remainders(const Tape& tape) : tape_(tape), additions_(tape.size(), none) {}

  // Records in the order of their execution.
  bool add(uint32_t record) {
    const Op op = ops::without_purpose(tape_.site(record).op);
    if (!is_addition(op) && op != Op::fneg)
      return false;
    if (is_left_over(op, record))
      additions_[record] = 0;
    for (int i = 0; i < ops::arity(op); ++i)
      if (const uint32_t operand = tape_.operand(record, i); !runtime::is_constant(operand))
        if (const uint8_t after = additions_[operand]; after < most_additions)
          additions_[record] = std::min<uint8_t>(additions_[record], after + 1);
    return additions_[record] != none && tape_.value(record) != 0;
  }

private:
  static constexpr uint8_t none = 255, most_additions = 3; // Knuth's two-sum has two after the first remainder

  bool is_left_over(Op op, uint32_t record) const {
    constexpr double small = 0x1p-10; // of the operands: splitting a float in halves leaves 2^-12 of it
    const uint32_t operand = op == Op::fma ? tape_.operand(record, 2) : tape_.operand(record, 0);
    return op != Op::fneg && std::fabs(tape_.value(record)) <= small * std::fabs(tape_.value(operand));
  }

  const Tape& tape_;
  std::vector<uint8_t> additions_; // since the remainder that it is made of; or none
};

} // namespace

std::vector<uint32_t> measured_roundings(const Tape& tape) {
  constexpr int most_tried = 10'000; // a guess: some 0.2 s
  std::set<uint32_t> found;
  int tried = 0;
  Remainders remainders(tape);
  Images images(tape);
  for (uint32_t index = 1; index < tape.size() && tried < most_tried; ++index)
    if (const bool may_be_zero = images.add(index); remainders.add(index) && ++tried && may_be_zero)
      if (const std::set<uint32_t> behind = behind_zero(tape, index); !behind.empty())
        for (const uint32_t record : behind)
          if (record != index && is_made_of(tape, record, behind) && is_rounded(tape, record))
            found.insert(record);
  return {found.begin(), found.end()};
}

} // namespace faultline::tape
