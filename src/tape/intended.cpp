#include "tape/intended.h"

#include "numeric/bigfloat.h"
#include "numeric/random.h"
#include "ops/op.h"
#include "ops/table.h"
#include "tape/turns.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace faultline::tape {

namespace {

using ops::Op;

// A sum of products of records and constants, with integer coefficients. Dekker's product, the longest of the usual
// transformations, has 17 operations and never more than a dozen products.
class Polynomial {
public:
  explicit Polynomial(uint32_t operand) { terms_[{operand}] = 1; }

  bool is_zero() const { return terms_.empty(); }
  bool is_too_long() const { return terms_.size() > most_terms; }

  // Returns the last record in it that can be expanded: a sum, a product, a conversion, or a quotient or root that
  // occurs in a multiple or a square; 0 if there is none.
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

  // Replaces the record by the operation that computed it.
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
      // A square is expanded in two steps: its other factor comes next.
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

  // Finds the factor whose product with a quotient is its numerator, or with a root its square.
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

// The records as numbers modulo a prime, with random numbers for records that cannot be expanded. What is zero in
// algebra is zero in these too (Schwartz, Zippel). A polynomial costs some thousand times as much.
class Images {
public:
  explicit Images(const Tape& tape) : tape_(tape) { images_.reserve(tape.size()); }

  // Adds records in the order of execution. True if the record's polynomial may be zero.
  bool add(uint32_t record) {
    if (images_.empty())
      images_.push_back(symbol(0));
    images_.push_back(computed(record));
    return images_.back().denominator == 0 || images_.back().numerator == 0;
  }

private:
  // A denominator of 0 means unknown.
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
    case Op::sqrt: // only half of the prime field has one
      return unknown;
    default:
      return symbol(record);
    }
  }

  const Tape& tape_;
  std::vector<Image> images_;
};

// Finds the records on the way to a value that is zero in algebra but not in the code; none if it is no such value.
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

// True if its result was rounded.
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

// True if it was computed from one of these. The terms begin at other records, whose rounding they do not measure.
bool is_made_of(const Tape& tape, uint32_t record, const std::set<uint32_t>& others) {
  for (int i = 0; i < ops::arity(tape.site(record).op); ++i)
    if (others.contains(tape.operand(record, i)))
      return true;
  return false;
}

// Selects records that may measure a rounding: those left over after most of the operands has cancelled, and the
// results of a few additions to these.
class Remainders {
public:
  explicit Remainders(const Tape& tape) : tape_(tape), additions_(tape.size(), none) {}

  // Adds records in the order of execution.
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
  std::vector<uint8_t> additions_; // since its remainder; or none
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

namespace {

using numeric::Format;
using numeric::Value;

// Powers of two to which numbers are rounded. Table-driven functions have steps of about 2^-7. Beyond these bounds a
// constant of this form may have another purpose: (x + 1.5) - 1.5 and (x + 2^30) - 2^30 may be mistakes.
struct Steps {
  int smallest, largest;
};
constexpr Steps of_three_halves{-32, 32}, of_one{-12, 32}, any_step{-20000, 20000};

// True if its sign comes from another value, copysign(C, x), so that both summands have the same sign.
bool has_given_sign(const Tape& tape, uint32_t operand) {
  return !runtime::is_constant(operand) && tape.site(operand).op == Op::copysign;
}

// True for a constant that rounds the other summand: 1.5 * 2^k or 2^k, whose unit in the last place is the step.
bool rounds(const Tape& tape, uint32_t operand, Format format) {
  constexpr uint64_t below_first_bit = (uint64_t(1) << 51) - 1; // quick test: a double's fraction is 0 or 0.5
  if ((std::bit_cast<uint64_t>(tape.value(operand)) & below_first_bit) != 0)
    return false;
  const Value constant = tape.exact(operand);
  if (!std::isfinite(constant) || constant == 0)
    return false;
  int exponent = 0;
  const Value fraction = std::frexp(std::fabs(constant), &exponent) * 2; // in [1, 2)
  const int unit = exponent - 1 - (numeric::info(format).precision - 1); // log2 of the constant's ulp
  const Steps& steps = has_given_sign(tape, operand) ? any_step : fraction == 1 ? of_one : of_three_halves;
  return (fraction == 1 || fraction == 1.5L) && unit >= steps.smallest && unit <= steps.largest;
}

bool is_fixed_within(const Tape& tape, uint32_t operand, int depth) {
  if (runtime::is_constant(operand))
    return true;
  if (operand == 0 || operand <= tape.inputs() || depth == 0)
    return false;
  const Site& site = tape.site(operand);
  if (ops::is_leaf(site.op))
    return site.foreign == 0 && site.parameter < 0;
  if (site.op == Op::copysign)
    return is_fixed_within(tape, tape.operand(operand, 0), depth - 1);
  if (!ops::is_arithmetic(site.op))
    return false;
  for (int i = 0; i < ops::arity(site.op); ++i)
    if (!is_fixed_within(tape, tape.operand(operand, i), depth - 1))
      return false;
  return true;
}

// Returns the shift that an addition adds, with its sign; 0 if none.
Value shift_of(const Tape& tape, uint32_t record) {
  const Site& site = tape.site(record);
  auto fitting = [&](int which, Value sign) {
    const uint32_t operand = tape.operand(record, which);
    return is_shift(tape, operand, site.format) ? sign * tape.exact(operand) : 0;
  };
  switch (ops::without_purpose(site.op)) {
  case Op::fadd:
    if (const Value shift = fitting(1, 1); shift != 0)
      return shift;
    return fitting(0, 1);
  case Op::fsub:
    return fitting(1, -1);
  case Op::fma:
    return fitting(2, 1);
  default:
    return 0;
  }
}

// True if the record adds the largest number below one half, so that exactly the halves round up to the next integer.
bool adds_almost_half(const Tape& tape, uint32_t record) {
  const Site& site = tape.site(record);
  const Value almost = 0.5L - std::ldexp(0.25L, 1 - numeric::info(site.format).precision);
  for (int i = 0; i < 2; ++i)
    if (const uint32_t operand = tape.operand(record, i);
        std::fabs(tape.value(operand)) < 0.5 && std::fabs(tape.exact(operand)) == almost && is_fixed(tape, operand))
      return true;
  return false;
}

// True if this record subtracts the shift from the sum again.
bool undoes(const Tape& tape, uint32_t record, uint32_t sum, Value shift) {
  const Op op = ops::without_purpose(tape.site(record).op);
  const uint32_t a = tape.operand(record, 0), b = tape.operand(record, 1);
  const Value other = tape.exact(a == sum ? b : a);
  return (op == Op::fadd && other == -shift) || (op == Op::fsub && other == shift);
}

} // namespace

bool is_fixed(const Tape& tape, uint32_t operand) {
  constexpr int depth = 4;
  return is_fixed_within(tape, operand, depth);
}

bool is_shift(const Tape& tape, uint32_t operand, Format format) {
  return rounds(tape, operand, format) && is_fixed(tape, operand);
}

std::vector<uint32_t> intended_roundings(const Tape& tape, uint32_t most_records) {
  const uint32_t end = std::min(tape.size(), most_records);
  std::map<uint32_t, Value> sums; // with the shift added, by record; 0 for almost a half
  std::set<uint32_t> sites;
  for (uint32_t index = 1; index < end; ++index) {
    const Op op = ops::without_purpose(tape.site(index).op);
    if (ops::rounding_of(op) && !sums.empty())
      if (const auto sum = sums.find(tape.operand(index, 0)); sum != sums.end() && sum->second == 0)
        sites.insert(tape.record(sum->first).site);
    if (!is_addition(op))
      continue;
    for (int i = 0; i < 2 && op != Op::fma && !sums.empty(); ++i)
      if (const auto sum = sums.find(tape.operand(index, i)); sum != sums.end())
        if (sum->second != 0 && undoes(tape, index, sum->first, sum->second))
          sites.insert(tape.record(sum->first).site);
    if (const Value shift = shift_of(tape, index); shift != 0)
      sums.emplace(index, shift);
    else if (op != Op::fma && adds_almost_half(tape, index))
      sums.emplace(index, 0);
  }
  for (uint32_t index = 1; index < end && !sites.empty(); ++index)
    if (!sums.contains(index))
      sites.erase(tape.record(index).site);
  return {sites.begin(), sites.end()};
}

void note_intended_roundings(exec::Session& session, const Tape& tape, uint32_t most_records) {
  for (const uint32_t site : intended_roundings(tape, most_records))
    session.round_on_purpose(site);
}

} // namespace faultline::tape
