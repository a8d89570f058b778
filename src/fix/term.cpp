#include "fix/term.h"

#include "ops/enclosures.h"
#include "ops/table.h"

#include <flint/fmpq.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace faultline::fix {

using numeric::Ball;
using numeric::BigFloat;

struct Term::Node {
  Kind kind = Kind::number;
  Op op = Op::none;
  mpq_class value = {};
  std::string name = {};
  size_t index = 0;
  std::vector<Term> operands = {};
  uint64_t hash = 0;
  int size = 1;
  double as_double = 0; // of a number or pi, rounded
  Value as_value = 0;
};

namespace {

uint64_t mixed(uint64_t seed, uint64_t value) {
  uint64_t z = seed * 0x9e3779b97f4a7c15 + value + 0x632be59bd9b4e019; // SplitMix64's finalizer
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

uint64_t hash_of(const mpz_class& number) {
  uint64_t hash = uint64_t(sgn(number) + 1);
  for (size_t i = 0; i < mpz_size(number.get_mpz_t()); ++i)
    hash = mixed(hash, mpz_getlimbn(number.get_mpz_t(), mp_size_t(i)));
  return hash;
}

} // namespace

Term Term::number(const mpq_class& value) {
  Node node{.kind = Kind::number, .value = value};
  node.value.canonicalize();
  node.hash = mixed(1, mixed(hash_of(node.value.get_num()), hash_of(node.value.get_den())));
  BigFloat big(256);
  mpfr_set_q(big.raw(), node.value.get_mpq_t(), MPFR_RNDN);
  node.as_double = double(numeric::rounded(big.raw(), Format::binary64));
  node.as_value = numeric::rounded(big.raw(), Format::extended80);
  return Term(std::make_shared<const Node>(std::move(node)));
}

Term Term::number_of(Value value) {
  BigFloat big(value, 64);
  mpq_class exact;
  mpfr_get_q(exact.get_mpq_t(), big.raw());
  return number(exact);
}

Term Term::pi() {
  static const Term constant(std::make_shared<const Node>(Node{.kind = Kind::pi,
                                                               .hash = mixed(2, 0),
                                                               .as_double = std::numbers::pi,
                                                               .as_value = std::numbers::pi_v<Value>}));
  return constant;
}

Term Term::variable(std::string name, size_t index) {
  return Term(std::make_shared<const Node>(
      Node{.kind = Kind::variable, .name = std::move(name), .index = index, .hash = mixed(3, index)}));
}

Term Term::apply(Op op, std::vector<Term> operands) {
  Node node{.kind = Kind::operation, .op = op, .operands = std::move(operands), .hash = mixed(4, uint64_t(op))};
  for (const Term& operand : node.operands) {
    node.hash = mixed(node.hash, operand.hash());
    node.size += operand.size();
  }
  return Term(std::make_shared<const Node>(std::move(node)));
}

Term Term::doubled(Term operand) {
  Node node{.kind = Kind::doubled, .hash = mixed(5, operand.hash()), .size = operand.size() + 1};
  node.operands.push_back(std::move(operand));
  return Term(std::make_shared<const Node>(std::move(node)));
}

Term::Kind Term::kind() const { return node_->kind; }
Op Term::op() const { return node_->op; }
const mpq_class& Term::value() const { return node_->value; }
const std::string& Term::name() const { return node_->name; }
size_t Term::index() const { return node_->index; }
const std::vector<Term>& Term::operands() const { return node_->operands; }
uint64_t Term::hash() const { return node_->hash; }
int Term::size() const { return node_->size; }

Value Term::rounded(Format format) const {
  if (format == Format::binary64)
    return node_->as_double;
  if (format == Format::extended80)
    return node_->as_value;
  BigFloat big(256);
  if (kind() == Kind::pi)
    mpfr_const_pi(big.raw(), MPFR_RNDN);
  else
    mpfr_set_q(big.raw(), value().get_mpq_t(), MPFR_RNDN);
  return numeric::rounded(big.raw(), format);
}

bool Term::operator==(const Term& other) const {
  if (node_ == other.node_)
    return true;
  const Node &a = *node_, &b = *other.node_;
  return a.hash == b.hash && a.kind == b.kind && a.op == b.op && a.index == b.index && a.value == b.value &&
         a.operands == b.operands;
}

bool Term::operator<(const Term& other) const {
  return size() != other.size() ? size() < other.size() : hash() < other.hash();
}

Term substituted(const Term& term, const Term& what, const Term& with) {
  if (term == what)
    return with;
  if (term.operands().empty())
    return term;
  std::vector<Term> operands;
  for (const Term& operand : term.operands())
    operands.push_back(substituted(operand, what, with));
  if (operands == term.operands())
    return term;
  return term.kind() == Term::Kind::doubled ? Term::doubled(operands.front()) : Term::apply(term.op(), operands);
}

namespace {

Term without_sign(const Term& term) { return term.is_number() ? Term::number(-term.value()) : term.operand(0); }
bool has_sign(const Term& term) { return term.is(Op::fneg) || (term.is_number() && term.value() < 0); }

Term tidied_operation(Op op, const std::vector<Term>& parts) {
  const Term &a = parts.front(), &b = parts.back();
  switch (op) {
  case Op::fneg:
    if (has_sign(a) || a.is_number())
      return without_sign(a);
    if (a.is(Op::fsub))
      return a.operand(1) - a.operand(0);
    if ((a.is(Op::fmul) || a.is(Op::fdiv)) && a.operand(0).is_number())
      return Term::apply(a.op(), Term::number(-a.operand(0).value()), a.operand(1));
    break;
  case Op::fadd:
    if (a.is_number(0))
      return b;
    if (b.is_number(0))
      return a;
    if (has_sign(b))
      return a - without_sign(b);
    if (has_sign(a))
      return b - without_sign(a);
    break;
  case Op::fsub:
    if (b.is_number(0))
      return a;
    if (has_sign(b))
      return a + without_sign(b);
    break;
  case Op::fmul:
  case Op::fdiv:
    if (b.is_number(1))
      return a;
    if (op == Op::fmul && a.is_number(1))
      return b;
    if (a.is(Op::fneg) && has_sign(b))
      return tidied_operation(op, {a.operand(0), without_sign(b)});
    if (a.is(Op::fneg))
      return tidied_operation(Op::fneg, {tidied_operation(op, {a.operand(0), b})});
    if (b.is(Op::fneg))
      return tidied_operation(Op::fneg, {tidied_operation(op, {a, b.operand(0)})});
    if (op == Op::fmul && b.is_number())
      return b * a; // 2 * x
    break;
  default:
    break;
  }
  return Term::apply(op, parts);
}

} // namespace

Term tidied(const Term& term) {
  if (term.operands().empty())
    return term;
  std::vector<Term> parts;
  for (const Term& operand : term.operands())
    parts.push_back(tidied(operand));
  return term.kind() == Term::Kind::doubled ? Term::doubled(parts.front()) : tidied_operation(term.op(), parts);
}

std::set<size_t> variables_of(const Term& term) {
  if (term.is_variable())
    return {term.index()};
  std::set<size_t> all;
  for (const Term& operand : term.operands())
    all.merge(variables_of(operand));
  return all;
}

namespace {

// Estimates, in units of an addition: latencies of x86-64 and glibc, rounded.
double own_cost(const Term& term) {
  if (term.kind() == Term::Kind::doubled)
    return 0; // its operations cost more instead
  if (term.kind() != Term::Kind::operation)
    return 0;
  switch (term.op()) {
  case Op::fneg:
  case Op::fabs:
    return 0.2;
  case Op::fadd:
  case Op::fsub:
  case Op::fmul:
  case Op::fma:
  case Op::fmin:
  case Op::fmax:
  case Op::copysign:
    return 1;
  case Op::fdiv:
  case Op::sqrt:
    return 4;
  case Op::hypot:
  case Op::cbrt:
    return 8;
  case Op::pow:
  case Op::sinh:
  case Op::cosh:
  case Op::tanh:
  case Op::tan:
  case Op::asinh:
  case Op::acosh:
  case Op::atanh:
    return 20;
  default:
    return 12;
  }
}

double cost_of(const Term& term, bool doubled, std::map<std::pair<uint64_t, bool>, double>& seen) {
  if (!seen.emplace(std::pair(term.hash(), doubled), 0).second)
    return 0;
  const bool inside = doubled || term.kind() == Term::Kind::doubled;
  constexpr double doubled_factor = 8; // review: arithmetic in double-double costs some eleven times the original
  double sum = own_cost(term) * (inside && ops::is_basic(term.op()) ? doubled_factor : 1);
  for (const Term& operand : term.operands())
    sum += cost_of(operand, inside, seen);
  return sum;
}

} // namespace

double cost(const Term& term) {
  std::map<std::pair<uint64_t, bool>, double> seen;
  return 1 + cost_of(term, false, seen);
}

namespace {

// A number as a sum of two floats, by error-free transformations (Dekker 1971; Hida, Li and Bailey 2001).
template <class T> struct Pair {
  T high = 0, low = 0;
};
template <class T> Pair<T> two_sum(T a, T b) {
  const T s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
template <class T> Pair<T> quick_sum(T a, T b) {
  const T s = a + b;
  return std::isfinite(s) ? Pair<T>{s, b - (s - a)} : Pair<T>{s, 0};
}
template <class T> Pair<T> sum(Pair<T> a, Pair<T> b) {
  Pair<T> s = two_sum(a.high, b.high), t = two_sum(a.low, b.low);
  if (!std::isfinite(s.high))
    return {s.high, 0};
  s = quick_sum(s.high, s.low + t.high);
  return quick_sum(s.high, s.low + t.low);
}
template <class T> Pair<T> product(Pair<T> a, Pair<T> b) {
  const T p = a.high * b.high;
  if (!std::isfinite(p))
    return {p, 0};
  return quick_sum(p, std::fma(a.high, b.high, -p) + (a.high * b.low + a.low * b.high));
}
template <class T> Pair<T> quotient(Pair<T> a, Pair<T> b) {
  const T q = a.high / b.high;
  if (!std::isfinite(q) || !std::isfinite(b.high) || q == 0)
    return {q, 0};
  const Pair<T> negated{-q, 0};
  const Pair<T> rest = sum(a, product(negated, b));
  const T q2 = rest.high / b.high;
  const Pair<T> rest2 = sum(rest, product(Pair<T>{-q2, 0}, b));
  return sum(quick_sum(q, q2), Pair<T>{rest2.high / b.high, 0});
}
template <class T> Pair<T> root(Pair<T> a) {
  const T r = std::sqrt(a.high);
  if (!std::isfinite(r) || r == 0)
    return {r, 0};
  const Pair<T> rest = sum(a, product(Pair<T>{-r, 0}, Pair<T>{r, 0}));
  return quick_sum(r, rest.high / (2 * r));
}

template <class T> Pair<T> pair_of(const mpq_class& value) {
  const Format format = numeric::format_of_type<T>();
  BigFloat big(256), low(256);
  mpfr_set_q(big.raw(), value.get_mpq_t(), MPFR_RNDN);
  const Value high = numeric::rounded(big.raw(), format);
  mpfr_set_ld(low.raw(), high, MPFR_RNDN);
  mpfr_sub(low.raw(), big.raw(), low.raw(), MPFR_RNDN);
  return {T(high), T(numeric::rounded(low.raw(), format))};
}

template <class T> Pair<T> pair_of_pi() {
  BigFloat pi(256), low(256);
  mpfr_const_pi(pi.raw(), MPFR_RNDN);
  const Format format = numeric::format_of_type<T>();
  const Value high = numeric::rounded(pi.raw(), format);
  mpfr_set_ld(low.raw(), high, MPFR_RNDN);
  mpfr_sub(low.raw(), pi.raw(), low.raw(), MPFR_RNDN);
  return {T(high), T(numeric::rounded(low.raw(), format))};
}

template <class T> Pair<T> doubled_value(const Term& term, const Point& point) {
  const Format format = numeric::format_of_type<T>();
  switch (term.kind()) {
  case Term::Kind::number:
    return pair_of<T>(term.value());
  case Term::Kind::pi:
    return pair_of_pi<T>();
  case Term::Kind::variable:
    return {T(point[term.index()]), 0};
  case Term::Kind::doubled:
    return doubled_value<T>(term.operand(0), point);
  case Term::Kind::operation:
    break;
  }
  const auto part = [&](size_t which) { return doubled_value<T>(term.operand(which), point); };
  switch (term.op()) {
  case Op::fadd:
    return sum(part(0), part(1));
  case Op::fsub: {
    const Pair<T> b = part(1);
    return sum(part(0), Pair<T>{-b.high, -b.low});
  }
  case Op::fmul:
    return product(part(0), part(1));
  case Op::fdiv:
    return quotient(part(0), part(1));
  case Op::sqrt:
    return root(part(0));
  case Op::fneg: {
    const Pair<T> a = part(0);
    return {-a.high, -a.low};
  }
  case Op::fabs: {
    const Pair<T> a = part(0);
    return a.high < 0 ? Pair<T>{-a.high, -a.low} : a;
  }
  default:
    return {T(evaluate(term, point, format)), 0};
  }
}

} // namespace

Value native(Op op, Format format, Value a, Value b, Value c) {
  if (format == Format::binary64)
    return ops::entry(op).native.binary64(double(a), double(b), double(c));
  return ops::evaluate(op, format, a, b, c);
}

Value evaluate(const Term& term, const Point& point, Format format) {
  switch (term.kind()) {
  case Term::Kind::number:
  case Term::Kind::pi:
    return term.rounded(format);
  case Term::Kind::variable:
    return point[term.index()];
  case Term::Kind::doubled:
    switch (format) {
    case Format::binary64: {
      const Pair<double> pair = doubled_value<double>(term.operand(0), point);
      return pair.high + pair.low;
    }
    case Format::extended80: {
      const Pair<Value> pair = doubled_value<Value>(term.operand(0), point);
      return pair.high + pair.low;
    }
    default: // a narrow format has a wider one
      return numeric::nearest(evaluate(term.operand(0), point, Format::binary64), format);
    }
  case Term::Kind::operation:
    break;
  }
  Value values[3] = {};
  for (size_t i = 0; i < term.operands().size(); ++i)
    values[i] = evaluate(term.operand(i), point, format);
  return native(term.op(), format, values[0], values[1], values[2]);
}

namespace {

using BallOp = void (*)(arb_t result, const arb_t a, const arb_t b, const arb_t c, slong precision);

void truncate(arb_t r, const arb_t a, slong p) {
  arb_is_negative(a) ? arb_ceil(r, a, p) : arb_floor(r, a, p);
}

void round_to_even(arb_t r, const arb_t a, slong p) {
  arb_t half, doubled;
  arb_init(half), arb_init(doubled);
  arb_mul_2exp_si(doubled, a, 1);
  const bool tie = arb_is_int(doubled) && !arb_is_int(a);
  arb_set_d(half, 0.5);
  arb_add(half, a, half, p);
  arb_floor(r, half, p);
  if (tie && !arb_is_int_2exp_si(r, 1))
    arb_sub_ui(r, r, 1, p);
  arb_clear(half), arb_clear(doubled);
}

BallOp own_ball(Op op) {
  switch (op) {
  case Op::fadd:
    return [](arb_t r, const arb_t a, const arb_t b, const arb_t, slong p) { arb_add(r, a, b, p); };
  case Op::fsub:
    return [](arb_t r, const arb_t a, const arb_t b, const arb_t, slong p) { arb_sub(r, a, b, p); };
  case Op::fmul:
    return [](arb_t r, const arb_t a, const arb_t b, const arb_t, slong p) { arb_mul(r, a, b, p); };
  case Op::fdiv:
    return [](arb_t r, const arb_t a, const arb_t b, const arb_t, slong p) { arb_div(r, a, b, p); };
  case Op::sqrt:
    return [](arb_t r, const arb_t a, const arb_t, const arb_t, slong p) { arb_sqrt(r, a, p); };
  case Op::fma:
    return [](arb_t r, const arb_t a, const arb_t b, const arb_t c, slong p) {
      arb_t t;
      arb_init(t);
      arb_mul(t, a, b, p);
      arb_add(r, t, c, p);
      arb_clear(t);
    };
  case Op::fneg:
    return [](arb_t r, const arb_t a, const arb_t, const arb_t, slong) { arb_neg(r, a); };
  case Op::fabs:
    return [](arb_t r, const arb_t a, const arb_t, const arb_t, slong) { arb_abs(r, a); };
  case Op::fmin:
    return [](arb_t r, const arb_t a, const arb_t b, const arb_t, slong p) { arb_min(r, a, b, p); };
  case Op::fmax:
    return [](arb_t r, const arb_t a, const arb_t b, const arb_t, slong p) { arb_max(r, a, b, p); };
  case Op::hypot:
    return [](arb_t r, const arb_t a, const arb_t b, const arb_t, slong p) { arb_hypot(r, a, b, p); };
  case Op::copysign:
    return [](arb_t r, const arb_t a, const arb_t b, const arb_t, slong) {
      arb_abs(r, a);
      if (arb_is_negative(b))
        arb_neg(r, r);
      else if (!arb_is_nonnegative(b))
        arb_indeterminate(r);
    };
  case Op::floor:
    return [](arb_t r, const arb_t a, const arb_t, const arb_t, slong p) { arb_floor(r, a, p); };
  case Op::ceil:
    return [](arb_t r, const arb_t a, const arb_t, const arb_t, slong p) { arb_ceil(r, a, p); };
  case Op::trunc:
    return [](arb_t r, const arb_t a, const arb_t, const arb_t, slong p) { truncate(r, a, p); };
  case Op::rint:
  case Op::roundeven:
    return [](arb_t r, const arb_t a, const arb_t, const arb_t, slong p) { round_to_even(r, a, p); };
  case Op::fmod:
    return [](arb_t r, const arb_t a, const arb_t b, const arb_t, slong p) {
      arb_t t;
      arb_init(t);
      arb_div(t, a, b, p);
      truncate(t, t, p);
      arb_mul(t, t, b, p);
      arb_sub(r, a, t, p);
      arb_clear(t);
    };
  case Op::cbrt: // of negative numbers, too
    return [](arb_t r, const arb_t a, const arb_t, const arb_t, slong p) {
      if (arb_is_negative(a)) {
        arb_neg(r, a);
        arb_root_ui(r, r, 3, p);
        arb_neg(r, r);
      } else
        arb_root_ui(r, a, 3, p);
    };
  default:
    return nullptr;
  }
}

} // namespace

bool has_enclosure(Op op) { return own_ball(op) != nullptr || ops::ball_of(op) != nullptr; }

Ball enclosure(Op op, std::span<const Ball* const> operands, long precision) {
  Ball result;
  static const Ball zero;
  const auto raw = [&](size_t which) { return (which < operands.size() ? operands[which] : &zero)->raw(); };
  if (const BallOp own = own_ball(op))
    own(result.raw(), raw(0), raw(1), raw(2), precision);
  else if (const auto function = ops::ball_of(op))
    function(result.raw(), raw(0), raw(1), precision);
  else
    arb_indeterminate(result.raw());
  return result;
}

Ball enclosure(const Term& term, const Point& point, long precision) {
  Ball result;
  switch (term.kind()) {
  case Term::Kind::number: {
    fmpq_t value;
    fmpq_init(value);
    fmpq_set_mpq(value, term.value().get_mpq_t());
    arb_set_fmpq(result.raw(), value, precision);
    fmpq_clear(value);
    return result;
  }
  case Term::Kind::pi:
    arb_const_pi(result.raw(), precision);
    return result;
  case Term::Kind::variable:
    return Ball(point[term.index()]);
  case Term::Kind::doubled:
    return enclosure(term.operand(0), point, precision);
  case Term::Kind::operation:
    break;
  }
  std::vector<Ball> values;
  std::vector<const Ball*> operands;
  values.reserve(term.operands().size());
  for (const Term& operand : term.operands())
    operands.push_back(&values.emplace_back(enclosure(operand, point, precision)));
  return enclosure(term.op(), operands, precision);
}

std::optional<BigFloat> exact(const Term& term, const Point& point, long bits, long most, long* used) {
  for (long precision = 128; precision <= most; precision *= 2) {
    const Ball ball = enclosure(term, point, precision);
    if (ball.is_finite() && (ball.is_zero() || ball.accurate_bits() >= bits)) {
      if (used != nullptr)
        *used = precision;
      return ball.middle();
    }
  }
  return std::nullopt;
}

std::string text(const Term& term) {
  switch (term.kind()) {
  case Term::Kind::number:
    return term.value().get_str();
  case Term::Kind::pi:
    return "pi";
  case Term::Kind::variable:
    return term.name();
  default:
    break;
  }
  std::string name(term.kind() == Term::Kind::doubled ? "doubled" : ops::name(term.op()));
  const std::pair<const char*, const char*> short_names[] = {
      {"fadd", "+"}, {"fsub", "-"}, {"fmul", "*"}, {"fdiv", "/"}, {"fneg", "-"}};
  for (const auto& [op, sign] : short_names)
    if (name == op)
      name = sign;
  std::string list = "(" + name;
  for (const Term& operand : term.operands())
    list += " " + text(operand);
  return list + ")";
}

} // namespace faultline::fix
