#include "solve/real/pieces.h"

#include "numeric/binary.h"
#include "ops/table.h"
#include "solve/real/polynomial.h"

#include <algorithm>
#include <cmath>

namespace faultline::solve {

namespace {

constexpr int most_degree = 60;
constexpr size_t most_height = 100'000; // bits

bool fits(const Polynomial& a) { return a.degree() <= most_degree && a.height() <= most_height; }

uint64_t size(const Polynomial& a) { return uint64_t(a.degree() + 2) * (1 + a.height() / 64); }

bool pay(const RationalFunction& a, const RationalFunction& b, Budget& budget) {
  const uint64_t left = size(a.numerator) + size(a.denominator), right = size(b.numerator) + size(b.denominator);
  return budget.spend(500 + 5 * left * right);
}

// Reduces to lowest terms; a constant gets the denominator 1.
MaybeRational reduced(Polynomial numerator, Polynomial denominator, Budget& budget) {
  if (denominator.is_zero() || !fits(numerator) || !fits(denominator))
    return std::nullopt;
  if (denominator.is_constant() || numerator.is_zero())
    return numerator.is_zero() ? RationalFunction{} : RationalFunction{numerator.divided_by(denominator)};
  if (!budget.spend(10 * size(numerator) * size(denominator)))
    return std::nullopt;
  const Polynomial common = Polynomial::common_divisor(numerator, denominator);
  if (common.degree() < 1)
    return RationalFunction{std::move(numerator), std::move(denominator)};
  numerator = numerator.divided_by(common);
  denominator = denominator.divided_by(common);
  if (denominator.is_constant())
    return RationalFunction{numerator.divided_by(denominator)};
  return RationalFunction{std::move(numerator), std::move(denominator)};
}

MaybeRational added(const RationalFunction& a, const RationalFunction& b, bool minus, Budget& budget) {
  if (!pay(a, b, budget))
    return std::nullopt;
  const auto joined = [minus](const Polynomial& x, const Polynomial& y) { return minus ? x - y : x + y; };
  if (a.denominator == b.denominator)
    return reduced(joined(a.numerator, b.numerator), a.denominator, budget);
  return reduced(joined(a.numerator * b.denominator, b.numerator * a.denominator), a.denominator * b.denominator,
                 budget);
}

// Returns where numerator/denominator is positive or, if `itself`, zero.
std::optional<RealSet> where_positive(const Polynomial& numerator, const Polynomial& denominator,
                                      const std::vector<BigFloat>& poles, bool itself, Budget& budget) {
  const auto zeros = real_roots(numerator, budget);
  if (!zeros)
    return std::nullopt;
  std::vector<BigFloat> ends(*zeros);
  ends.insert(ends.end(), poles.begin(), poles.end());
  std::sort(ends.begin(), ends.end());
  RealSet result;
  BigFloat low = real_number(0);
  mpfr_set_inf(low.raw(), -1);
  const bool nowhere_but_zero = numerator.is_zero();
  for (size_t i = 0; i <= ends.size(); ++i) {
    BigFloat high = real_number(0), middle(2 * real_precision);
    mpfr_set_inf(high.raw(), 1);
    if (i < ends.size())
      high = ends[i];
    if (low.is_inf() || high.is_inf()) {
      middle = low.is_inf() ? high : low;
      if (middle.is_inf())
        middle = real_number(0);
      else
        mpfr_add_si(middle.raw(), middle.raw(), low.is_inf() ? -1 : 1, MPFR_RNDN);
      if (middle == (low.is_inf() ? high : low)) // too large for a difference of one
        mpfr_mul_2si(middle.raw(), middle.raw(), (mpfr_sgn(middle.raw()) < 0) == low.is_inf() ? 1 : -1, MPFR_RNDN);
    } else {
      mpfr_add(middle.raw(), low.raw(), high.raw(), MPFR_RNDN);
      mpfr_div_2ui(middle.raw(), middle.raw(), 1, MPFR_RNDN);
    }
    if (!budget.spend(500 + 100 * uint64_t(numerator.degree() + denominator.degree() + 2)))
      return std::nullopt;
    const int sign = numerator.sign_at(middle) * denominator.sign_at(middle);
    if (sign > 0 || (nowhere_but_zero && itself))
      result.append({low, high});
    const bool pole = std::any_of(poles.begin(), poles.end(), [&](const BigFloat& end) { return end == high; });
    if (itself && high.is_finite() && !pole)
      result.append({high, high, true, true});
    low = high;
  }
  return result;
}

constexpr size_t most_pieces = 8;
constexpr int most_power = 40;

RealSet meet(const RealSet& a, const RealSet& b) { return a.is_everything() ? b : b.is_everything() ? a : a & b; }

Piece constant_piece(const BigFloat& value) {
  return {RealSet::everything(), nothing_unknown, RationalFunction::constant(value)};
}

RealSet at_least_zero() { return RealSet::above(real_number(0), true); }

Pieces one(std::optional<Piece> piece) { return piece ? Pieces({std::move(*piece)}) : std::nullopt; }

bool constant(const Piece& piece) { return piece.unknown == nothing_unknown; }

// Returns the value of a piece that is a constant small integer; otherwise none.
std::optional<int> small_integer(const Piece& piece) {
  if (!constant(piece))
    return std::nullopt;
  const double value = piece.value.value().to_double();
  return std::abs(value) <= 4096 && value == std::trunc(value) ? std::optional(int(value)) : std::nullopt;
}

} // namespace

BigFloat RationalFunction::value() const {
  BigFloat result = numerator.value();
  mpfr_div(result.raw(), result.raw(), denominator.value().raw(), MPFR_RNDN);
  return result;
}

MaybeRational sum(const RationalFunction& a, const RationalFunction& b, Budget& budget) {
  return added(a, b, false, budget);
}

MaybeRational difference(const RationalFunction& a, const RationalFunction& b, Budget& budget) {
  return added(a, b, true, budget);
}
MaybeRational product(const RationalFunction& a, const RationalFunction& b, Budget& budget) {
  if (!pay(a, b, budget))
    return std::nullopt;
  return reduced(a.numerator * b.numerator, a.denominator * b.denominator, budget);
}
MaybeRational quotient(const RationalFunction& a, const RationalFunction& b, Budget& budget) {
  if (!pay(a, b, budget))
    return std::nullopt;
  return reduced(a.numerator * b.denominator, a.denominator * b.numerator, budget);
}

MaybeRational power(const RationalFunction& a, int exponent, Budget& budget) {
  MaybeRational result = RationalFunction::constant(real_number(1));
  for (int i = 0; i < std::abs(exponent) && result; ++i)
    result = product(*result, a, budget);
  return result && exponent < 0 ? quotient(RationalFunction::constant(real_number(1)), *result, budget) : result;
}

std::optional<RealSet> poles(const RationalFunction& function, Budget& budget) {
  const auto roots = real_roots(function.denominator, budget);
  if (!roots)
    return std::nullopt;
  RealSet result;
  for (const BigFloat& root : *roots)
    result.append({root, root, true, true});
  return result;
}

std::optional<RealSet> where_in(const RationalFunction& function, const RealSet& target, Budget& budget) {
  if (function.is_constant())
    return target.contains(function.value()) ? RealSet::everything() : RealSet();
  if (function.is_identity() || target.empty())
    return target;
  const auto poles = real_roots(function.denominator, budget);
  if (!poles)
    return std::nullopt;
  const Polynomial &p = function.numerator, &q = function.denominator;
  RealSet result;
  for (const RealInterval& interval : target.intervals()) {
    std::optional<RealSet> part = where_positive(Polynomial::constant(real_number(1)), q * q, *poles, false, budget);
    if (part && interval.low.is_finite()) {
      const auto above = where_positive(p - Polynomial::constant(interval.low) * q, q, *poles, interval.low_in, budget);
      part = above ? std::optional(*part & *above) : std::nullopt;
    }
    if (part && interval.high.is_finite()) {
      const auto below =
          where_positive(Polynomial::constant(interval.high) * q - p, q, *poles, interval.high_in, budget);
      part = below ? std::optional(*part & *below) : std::nullopt;
    }
    if (!part)
      return std::nullopt;
    result = result | *part;
  }
  return result;
}

std::optional<Piece> combined(const Piece& a, const Piece& b, Combine combine, Budget& budget) {
  if (!constant(a) && !constant(b) && a.unknown != b.unknown)
    return std::nullopt;
  MaybeRational value = combine(a.value, b.value, budget);
  if (!value)
    return std::nullopt;
  const Unknown unknown = value->is_constant() ? nothing_unknown : std::max(a.unknown, b.unknown);
  return Piece{meet(a.where, b.where), unknown, std::move(*value)};
}

TermPieces::TermPieces(const Levels& levels, size_t level, const std::vector<Bits>& values, const RealSet& frame,
                       Condition condition, Budget& budget)
    : levels_(levels), level_(level), values_(values), frame_(frame), condition_(std::move(condition)),
      budget_(budget) {}

Pieces TermPieces::of(Term term) const {
  if (levels_.level_of(term) == level_ && level_ != 0) {
    const auto found = read_.find(term);
    return found == read_.end() ? std::nullopt : found->second;
  }
  BigFloat value = real_number(0);
  numeric::set_bits(value.raw(), values_[term], levels_.system().sort(term).format);
  return value.is_finite() ? one(constant_piece(value)) : std::nullopt;
}

void TermPieces::read(Term term) {
  const Node& node = levels_.system().node(term);
  if (node.form == Form::variable)
    read_[term] = one(Piece{RealSet::everything(), free_variable, RationalFunction::identity()});
  else if (node.form == Form::choice)
    read_[term] = choice(node);
  else
    read_[term] = read_operation(node);
}

Pieces TermPieces::read_operation(const Node& node) {
  const Pieces first = of(node.operands[0]), second = ops::arity(node.op) > 1 ? of(node.operands[1]) : first,
               third = ops::arity(node.op) > 2 ? of(node.operands[2]) : first;
  if (!first || !second || !third || budget_.over())
    return std::nullopt;
  std::vector<Piece> result;
  const auto add = [&](const Pieces& made) {
    if (!made)
      return false;
    for (const Piece& piece : *made)
      if (!piece.where.empty())
        result.push_back(piece);
    return result.size() <= most_pieces;
  };
  for (const Piece& a : *first) {
    const auto read = [&](const Piece& b) {
      return ops::is_arithmetic(node.op) ? arithmetic(node, a, b) : function(node, a, b);
    };
    if (ops::arity(node.op) == 1) {
      if (!add(read(a)))
        return std::nullopt;
      continue;
    }
    for (const Piece& b : *second) {
      if (node.op != Op::fma) {
        if (!add(read(b)))
          return std::nullopt;
        continue;
      }
      const auto multiplied = combined(a, b, product, budget_);
      for (const Piece& c : *third)
        if (!multiplied || !add(one(combined(*multiplied, c, sum, budget_))))
          return std::nullopt;
    }
  }
  return result;
}

// `b` is used by operations with two operands.
Pieces TermPieces::arithmetic(const Node& node, const Piece& a, const Piece& b) {
  switch (Arithmetic(node.op)) {
  case Arithmetic::fneg:
    return one(combined(constant_piece(real_number(0)), a, difference, budget_));
  case Arithmetic::fpext:
  case Arithmetic::fptrunc:
    return one(a);
  case Arithmetic::fabs:
    return magnitude(a);
  case Arithmetic::sqrt:
    return elementary({node.op}, node.operands[0], a);
  case Arithmetic::fadd:
    return one(combined(a, b, sum, budget_));
  case Arithmetic::fsub:
    return one(combined(a, b, difference, budget_));
  case Arithmetic::fmul:
    return one(combined(a, b, product, budget_));
  case Arithmetic::fdiv:
    return one(combined(a, b, quotient, budget_));
  case Arithmetic::fmin:
  case Arithmetic::fmax:
    return larger(a, b, node.op == Op::fmax);
  case Arithmetic::fdim: {
    const auto excess = combined(a, b, difference, budget_);
    return excess ? larger(*excess, constant_piece(real_number(0)), true) : std::nullopt;
  }
  case Arithmetic::copysign:
    return with_sign(a, b);
  case Arithmetic::fma: // three operands: see read_operation
  case Arithmetic::remainder:
  case Arithmetic::round_add:
  case Arithmetic::round_sub:
  case Arithmetic::round_fma:
    break;
  }
  return std::nullopt;
}

// Roundings and functions of libm. With two operands, only those that can be expressed by other functions.
Pieces TermPieces::function(const Node& node, const Piece& a, const Piece& b) {
  if (ops::arity(node.op) == 1)
    return elementary({node.op}, node.operands[0], a);
  if (node.op == Op::hypot) {
    const auto x = combined(a, a, product, budget_), y = combined(b, b, product, budget_);
    const auto squares = x && y ? combined(*x, *y, sum, budget_) : std::nullopt;
    return squares ? elementary({Op::sqrt}, node.operands[0], *squares) : std::nullopt;
  }
  if (node.op == Op::ldexp) {
    const auto exponent = small_integer(b);
    return exponent ? one(combined(a, constant_piece(power_of_two(*exponent)), product, budget_)) : std::nullopt;
  }
  return node.op == Op::pow || node.op == Op::powi ? raised(node, a, b) : std::nullopt;
}

Pieces TermPieces::with_sign(const Piece& a, const Piece& b) {
  Pieces sizes = constant(b) ? magnitude(a) : std::nullopt;
  if (sizes && b.value.value().is_negative()) // a constant -0 has lost its sign; the candidates are checked
    for (Piece& piece : *sizes)
      if (auto turned = combined(constant_piece(real_number(0)), piece, difference, budget_))
        piece = *turned;
  return sizes;
}

Pieces TermPieces::raised(const Node& node, const Piece& a, const Piece& b) {
  const RealSet where = meet(a.where, b.where);
  if (const auto exponent = small_integer(b); exponent && std::abs(*exponent) <= most_power) {
    MaybeRational value = power(a.value, *exponent, budget_);
    return value ? one(Piece{where, value->is_constant() ? nothing_unknown : a.unknown, std::move(*value)})
                 : std::nullopt;
  }
  if (constant(b) == constant(a))
    return std::nullopt;
  const bool base = constant(a);
  ElementaryFunction function{Op::pow, base ? a.value.value() : b.value.value(), base};
  Piece argument = base ? b : a;
  argument.where = where;
  return elementary(std::move(function), node.operands[base ? 1 : 0], argument);
}

Pieces TermPieces::elementary(ElementaryFunction function, Term argument, const Piece& a) {
  if (!invertible(function))
    return std::nullopt;
  if (constant(a)) {
    if (function.op == Op::pow)
      return std::nullopt;
    BigFloat value = a.value.value();
    ops::evaluate(function.op, value.raw(), value.raw(), nullptr, nullptr);
    const bool usable = value.is_finite() && (value.is_zero() || std::abs(mpfr_get_exp(value.raw())) < 20'000);
    return usable ? one(Piece{a.where, nothing_unknown, RationalFunction::constant(value)}) : std::nullopt;
  }
  const bool periodic = ops::is_periodic(function.op);
  const Unknown bound =
      unknowns_.bind(std::move(function), a.unknown, a.value, periodic ? hints(argument) : std::vector<double>());
  return one(Piece{a.where, bound, RationalFunction::identity()});
}

Pieces TermPieces::magnitude(const Piece& a) const {
  const auto positive = where(a, at_least_zero());
  const auto turned = combined(constant_piece(real_number(0)), a, difference, budget_);
  if (!positive || !turned)
    return std::nullopt;
  return std::vector<Piece>{{meet(a.where, *positive), a.unknown, a.value},
                            {meet(a.where, positive->complement()), turned->unknown, turned->value}};
}

Pieces TermPieces::larger(const Piece& a, const Piece& b, bool larger) const {
  const auto excess = combined(a, b, difference, budget_);
  const auto first = excess ? where(*excess, at_least_zero()) : std::nullopt;
  if (!first)
    return std::nullopt;
  const RealSet both = meet(a.where, b.where);
  const Piece &above = larger ? a : b, &below = larger ? b : a;
  return std::vector<Piece>{{meet(both, *first), above.unknown, above.value},
                            {meet(both, first->complement()), below.unknown, below.value}};
}

Pieces TermPieces::choice(const Node& node) const {
  const auto condition = condition_(node.operands[0]);
  const Pieces then = of(node.operands[1]), otherwise = of(node.operands[2]);
  if (!condition || (!then && !condition->empty()) || (!otherwise && !condition->is_everything()))
    return std::nullopt;
  std::vector<Piece> result;
  const auto add = [&](const Pieces& pieces, const RealSet& where) {
    if (pieces && !where.empty())
      for (Piece piece : *pieces) {
        piece.where = meet(piece.where, where);
        if (!piece.where.empty())
          result.push_back(std::move(piece));
      }
  };
  add(then, *condition);
  add(otherwise, condition->complement());
  return result.size() <= most_pieces ? Pieces(std::move(result)) : std::nullopt;
}

std::optional<RealSet> TermPieces::where(const Piece& piece, const RealSet& target) const {
  auto values = where_in(piece.value, target, budget_);
  if (!values || constant(piece))
    return values;
  return unknowns_.pulled_back(piece.unknown, std::move(*values), budget_);
}

std::optional<RealSet> TermPieces::poles(const Piece& piece) const {
  auto values = solve::poles(piece.value, budget_);
  if (!values || constant(piece) || values->empty())
    return values;
  return unknowns_.pulled_back(piece.unknown, std::move(*values), budget_);
}

// Returns the values of the argument at some points of the frame.
std::vector<double> TermPieces::hints(Term argument) const {
  constexpr int most = 48;
  const System& system = levels_.system();
  const Term variable = levels_.variable_term(level_);
  const BinaryFormat format = system.sort(variable).format;
  std::vector<double> result;
  std::vector<Bits> values = values_;
  const auto add = [&](Bits bits) {
    budget_.spend(20 * levels_.terms(level_).size());
    levels_.evaluate(level_, bits, values);
    const double there = numeric::double_of(values[argument], system.sort(argument).format);
    if (std::isfinite(there))
      result.push_back(there);
  };
  add(values_[variable]);
  if (frame_.empty())
    return result;
  const FloatRange range =
      floats_within({frame_.intervals().front().low, frame_.intervals().back().high, true, true}, format);
  for (int i = 0; i <= most && range.low <= range.high; ++i)
    add(format.at(between(range, format, double(i) / most)));
  return result;
}

} // namespace faultline::solve
