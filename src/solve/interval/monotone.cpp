#include "solve/interval/monotone.h"

#include "constraint/evaluate.h"
#include "ops/table.h"

#include <cmath>

namespace faultline::solve {

using numeric::binary32;
using numeric::binary64;
using ops::Basic;

namespace {

// Not an order number: the value of an operation without a result.
constexpr Int128 no_number = Int128(1) << 126;

// Bisection from a guess, for the end of the numbers that satisfy a condition.

// Returns the least value of the range that satisfies the condition, if all greater values do too; high + 1 if none
// does.
template <typename Condition> Int128 least(const Range& range, Int128 guess, Condition holds) {
  if (holds(range.low))
    return range.low;
  if (range.single() || !holds(range.high))
    return range.high + 1;
  Int128 without = range.low, with = range.high; // violates, satisfies the condition
  // Growing steps away from the guess: a good guess is off by a few floats.
  if (guess > without && guess < with) {
    Int128 step = 1;
    if (holds(guess)) {
      with = guess;
      while (with - step > without && holds(with - step)) {
        with -= step;
        step *= 4;
      }
      without = std::max(without, with - step);
    } else {
      without = guess;
      while (without + step < with && !holds(without + step)) {
        without += step;
        step *= 4;
      }
      with = std::min(with, without + step);
    }
  }
  while (with - without > 1) {
    const Int128 middle = without + (with - without) / 2;
    (holds(middle) ? with : without) = middle;
  }
  return with;
}

// Returns the greatest value that satisfies the condition, if all smaller values do too; low - 1 if none does.
template <typename Condition> Int128 greatest(const Range& range, Int128 guess, Condition holds) {
  const Range mirrored{-range.high, -range.low};
  return -least(mirrored, -guess, [&](Int128 value) { return holds(-value); });
}

template <class T> Int128 native(Op op, T a, T b) {
  T result = 0;
  switch (Basic(op)) {
  case Basic::fadd:
    result = a + b;
    break;
  case Basic::fsub:
    result = a - b;
    break;
  case Basic::fmul:
    result = a * b;
    break;
  case Basic::fdiv:
    result = a / b;
    break;
  case Basic::sqrt:
    result = std::sqrt(a);
    break;
  }
  return result != result ? no_number : Int128(numeric::ordered(result));
}

// An operation on order numbers.
class Function {
public:
  // `from` is the format of the operands, which differs for conversions.
  Function(Op op, BinaryFormat from, BinaryFormat to, bool twice = false,
           numeric::Rounding rounding = numeric::Rounding::nearest_even)
      : op_(op), from_(from), to_(to), twice_(twice), rounding_(rounding),
        correct_(ops::has(op, ops::trait::approximate)), operands_(twice ? 1 : ops::arity(op)) {}

  int operands() const { return operands_; }

  Int128 operator()(const std::array<Int128, 3>& at) const {
    if (rounding_ != numeric::Rounding::nearest_even)
      return order(constraint::apply_rounded(op_, rounding_, from_, to_, from_.at(at[0]),
                                             operands_ > 1 ? from_.at(at[1]) : from_.at(at[0]),
                                             operands_ > 2 ? from_.at(at[2]) : 0));
    if (ops::is_basic(op_) && op_ != Op::sqrt)
      return basic(op_, at[0], twice_ ? at[0] : at[1]);
    if (op_ == Op::fptrunc || op_ == Op::fpext)
      return order(numeric::converted(from_.at(at[0]), from_, to_));
    if (correct_)
      return order(constraint::apply_correctly(op_, to_, from_.at(at[0])));
    return order(constraint::apply(op_, to_, from_.at(at[0]), operands_ > 1 ? from_.at(at[1]) : 0,
                                   operands_ > 2 ? from_.at(at[2]) : 0));
  }

  // Returns an estimate of operand `which` for the result `result`; no_number if unknown.
  Int128 guess(int which, std::array<Int128, 3> at, Int128 result) const {
    if (twice_ || operands_ == 3)
      return no_number;
    const Int128 other = at[1 - which];
    if (op_ == Op::fptrunc || op_ == Op::fpext)
      return from_.order(numeric::converted(to_.at(result), to_, from_));
    if (!ops::is_basic(op_))
      return no_number;
    switch (Basic(op_)) {
    case Basic::fadd:
      return basic(Op::fsub, result, other);
    case Basic::fsub:
      return which == 0 ? basic(Op::fadd, result, other) : basic(Op::fsub, other, result);
    case Basic::fmul:
      return basic(Op::fdiv, result, other);
    case Basic::fdiv:
      return which == 0 ? basic(Op::fmul, result, other) : basic(Op::fdiv, other, result);
    case Basic::sqrt:
      return basic(Op::fmul, result, result);
    }
    return no_number;
  }

private:
  Int128 order(Bits bits) const { return to_.is_nan(bits) ? no_number : to_.order(bits); }

  Int128 basic(Op op, Int128 a, Int128 b) const {
    if (from_ == binary32)
      return native(op, numeric::from_ordered<float>(int32_t(a)), numeric::from_ordered<float>(int32_t(b)));
    if (from_ == binary64)
      return native(op, numeric::from_ordered<double>(int64_t(a)), numeric::from_ordered<double>(int64_t(b)));
    return order(constraint::apply(op, from_, from_.at(a), from_.at(b)));
  }

  Op op_;
  BinaryFormat from_, to_;
  bool twice_; // both operands are the same term: a function of one operand
  numeric::Rounding rounding_;
  bool correct_; // a function of libm: taken as correctly rounded, by MPFR
  int operands_;
};

// A box on which the function increases (true) or decreases (false) in each operand, and the results of interest.
struct MonotonePiece {
  std::array<Range, 3> operands;
  std::array<bool, 3> up = {true, true, true};
  Range result;
};

class Narrowing {
public:
  Narrowing(const Function& function, MonotonePiece& piece) : function_(function), piece_(piece) {}

  bool run() {
    for (int i = 0; i < function_.operands(); ++i)
      if (piece_.operands[i].empty())
        return false;
    if (!forward())
      return false;
    for (int i = 0; i < function_.operands(); ++i)
      if (!backward(i))
        return false;
    return forward();
  }

private:
  bool forward() {
    const Int128 least = corner(-1, 0, false), greatest = corner(-1, 0, true);
    if (least == no_number || greatest == no_number)
      return false;
    piece_.result = meet(piece_.result, {least, greatest});
    return !piece_.result.empty();
  }

  // Returns the least or greatest result with operand `which` fixed at a value (none if -1).
  Int128 corner(int which, Int128 held, bool greatest) const {
    std::array<Int128, 3> at{};
    for (int i = 0; i < function_.operands(); ++i)
      at[i] = i == which ? held : end(i, greatest);
    const Int128 value = function_(at);
    if (value != no_number)
      return value;
    Int128 best = no_number;
    for (int i = 0; i < function_.operands(); ++i) {
      if (i == which || piece_.operands[i].single())
        continue;
      std::array<Int128, 3> neighbour = at;
      neighbour[i] += piece_.up[i] == greatest ? -1 : 1;
      const Int128 other = function_(neighbour);
      if (other != no_number && (best == no_number || (greatest ? other > best : other < best)))
        best = other;
    }
    return best;
  }

  Int128 end(int operand, bool greatest) const {
    const Range& range = piece_.operands[operand];
    return piece_.up[operand] == greatest ? range.high : range.low;
  }

  bool backward(int which) {
    Range& range = piece_.operands[which];
    // An end that gives no number for any other operands.
    if (corner(which, range.low, true) == no_number)
      ++range.low;
    if (range.empty())
      return false;
    if (corner(which, range.high, true) == no_number)
      --range.high;
    if (range.empty())
      return false;
    const auto reaches = [&](Int128 value) { return corner(which, value, true) >= piece_.result.low; };
    const auto stays = [&](Int128 value) { return corner(which, value, false) <= piece_.result.high; };
    const bool up = piece_.up[which];
    const Int128 for_low = guess(which, true, piece_.result.low), for_high = guess(which, false, piece_.result.high);
    range.low = up ? least(range, for_low, reaches) : least(range, for_high, stays);
    if (range.empty())
      return false;
    range.high = up ? greatest(range, for_high, stays) : greatest(range, for_low, reaches);
    return !range.empty();
  }

  Int128 guess(int which, bool greatest, Int128 result) const {
    std::array<Int128, 3> at{};
    for (int i = 0; i < function_.operands(); ++i)
      at[i] = end(i, greatest);
    return function_.guess(which, at, result);
  }

  const Function& function_;
  MonotonePiece& piece_;
};

// Narrows all ranges of the piece. False if it has no solution.
bool narrow(const Function& function, MonotonePiece& piece) { return Narrowing(function, piece).run(); }

constexpr Int128 plus_zero = 0, minus_zero = -1;

// The machine's functions are not correctly rounded and may not be monotone. So a projection uses the correctly rounded
// function, which is monotone, and permits some floats of difference: glibc's manual lists at most a few ulps for these
// in round-to-nearest on x86-64. A proof of infeasibility with such a function depends on that list.
constexpr int slack = 8;

class Projection {
public:
  Projection(Op op, BinaryFormat from, BinaryFormat to, bool twice, numeric::Rounding rounding, Scope& scope)
      : op_(op), from_(from), to_(to), twice_(twice), rounding_(rounding), count_(twice ? 1 : ops::arity(op)),
        scope_(scope) {}

  void run() {
    if (fixed())
      return;
    if (op_ == Op::fneg || op_ == Op::fabs)
      return sign_operation();
    if (op_ == Op::fmin || op_ == Op::fmax)
      return selection();
    if (!understood())
      return;
    bool operand_nan = false;
    for (int i = 0; i < count_; ++i)
      operand_nan |= scope_.operands[i].nan;
    scope_.result.nan &= operand_nan || may_lose_number();
    if (!scope_.result.nan)
      for (int i = 0; i < count_; ++i)
        scope_.operands[i].nan = false;
    numbers();
  }

private:
  // For known operands: computes the machine's own result, functions of libm included.
  bool fixed() {
    std::array<Bits, 3> at{};
    const Sort sort = constraint::float_sort(from_);
    for (int i = 0; i < count_; ++i) {
      if (scope_.operands[i].empty() || !scope_.operands[i].single())
        return false;
      at[i] = value_of(sort, scope_.operands[i]);
    }
    if (twice_)
      at[1] = at[0];
    const Bits value = rounding_ != numeric::Rounding::nearest_even
                           ? constraint::apply_rounded(op_, rounding_, from_, to_, at[0], at[1], at[2])
                       : op_ == Op::fptrunc || op_ == Op::fpext ? numeric::converted(at[0], from_, to_)
                                                                : constraint::apply(op_, to_, at[0], at[1], at[2]);
    scope_.result = meet(scope_.result, only(constraint::float_sort(to_), value));
    return true;
  }

  const Range& range(int operand) const { return scope_.operands[twice_ ? 0 : operand].numbers; }
  bool infinite(int operand, bool positive) const {
    const Range& numbers = range(operand);
    return positive ? !numbers.empty() && numbers.high == from_.highest()
                    : !numbers.empty() && numbers.low == from_.lowest();
  }
  bool infinite(int operand) const { return infinite(operand, true) || infinite(operand, false); }
  bool zero(int operand) const { return range(operand).has(plus_zero) || range(operand).has(minus_zero); }

  // True if projections of this operation are known. For others even NaN may be lost: pow(1, NaN) is 1.
  bool understood() const {
    if (!ops::is_arithmetic(op_))
      return ops::rounds_to_integer(op_) || monotone();
    switch (Arithmetic(op_)) {
    case Arithmetic::fadd:
    case Arithmetic::fsub:
    case Arithmetic::fmul:
    case Arithmetic::fdiv:
    case Arithmetic::fma:
    case Arithmetic::sqrt:
    case Arithmetic::fptrunc:
    case Arithmetic::fpext:
    case Arithmetic::fneg:
    case Arithmetic::fabs:
    case Arithmetic::fmin:
    case Arithmetic::fmax:
      return true;
    case Arithmetic::remainder:
    case Arithmetic::fdim:
    case Arithmetic::copysign:
    case Arithmetic::round_add:
    case Arithmetic::round_sub:
    case Arithmetic::round_fma:
      break;
    }
    return false;
  }
  const ops::Monotone& monotone() const { return ops::entry(op_).monotone; }

  // True if numbers may give NaN.
  bool may_lose_number() const {
    if (ops::is_basic(op_))
      switch (Basic(op_)) {
      case Basic::fadd:
        return !twice_ && ((infinite(0, true) && infinite(1, false)) || (infinite(0, false) && infinite(1, true)));
      case Basic::fsub:
        return (infinite(0, true) && infinite(1, true)) || (infinite(0, false) && infinite(1, false));
      case Basic::fmul:
        return !twice_ && ((zero(0) && infinite(1)) || (infinite(0) && zero(1)));
      case Basic::fdiv:
        return (zero(0) && zero(1)) || (infinite(0) && infinite(1));
      case Basic::sqrt:
        return range(0).low < minus_zero;
      }
    if (op_ == Op::fma)
      return infinite(0) || infinite(1) || infinite(2);
    return monotone() && meet(range(0), defined()) != range(0); // not by conversions and roundings
  }

  // Projects the numbers of the domains.
  void numbers() {
    std::array<MonotonePiece, 8> pieces;
    const int count = split(pieces);
    if (count < 0)
      return; // no projection is known for this operation
    const Function function(op_, from_, to_, twice_, rounding_);
    const int allowed = ops::has(op_, ops::trait::approximate) ? slack : 0;
    Range result;
    std::array<Range, 3> operands;
    for (int i = 0; i < count; ++i) {
      MonotonePiece& piece = pieces[i];
      piece.result = {scope_.result.numbers.low - allowed, scope_.result.numbers.high + allowed};
      if (scope_.result.nan) // the numbers of the result do not restrict the operands
        piece.result = {to_.lowest() - allowed, to_.highest() + allowed};
      if (!narrow(function, piece))
        continue;
      result = join(result, {piece.result.low - allowed, piece.result.high + allowed});
      for (int k = 0; k < count_; ++k)
        operands[k] = join(operands[k], piece.operands[k]);
    }
    scope_.result.numbers = meet(scope_.result.numbers, result);
    if (scope_.result.nan)
      return;
    for (int k = 0; k < count_; ++k)
      scope_.operands[k].numbers = meet(scope_.operands[k].numbers, operands[k]);
  }

  Range negative(int operand) const { return meet(range(operand), {from_.lowest(), minus_zero}); }
  Range positive(int operand) const { return meet(range(operand), {plus_zero, from_.highest()}); }

  // Splits into boxes on which the operation is monotone. Returns their number, or -1 if none are known.
  int split(std::array<MonotonePiece, 8>& pieces) const {
    if (op_ == Op::fma)
      return by_signs(pieces);
    if (ops::is_basic(op_))
      switch (Basic(op_)) {
      case Basic::fmul:
      case Basic::fdiv:
        return by_signs(pieces);
      case Basic::fsub:
        if (twice_)
          return differences_of_one(pieces);
        pieces[0].up = {true, false, true};
        [[fallthrough]];
      case Basic::fadd:
        pieces[0].operands = {range(0), range(1)};
        return 1;
      case Basic::sqrt:
        break; // like all monotone functions
      }
    pieces[0].operands[0] = monotone() ? meet(range(0), defined()) : range(0);
    pieces[0].up[0] = !monotone() || monotone().up();
    return 1;
  }

  // The range in which a function of libm gives numbers.
  Range defined() const {
    return {from_.order(numeric::bits_of(monotone().low, from_)),
            from_.order(numeric::bits_of(monotone().high, from_))};
  }

  int by_signs(std::array<MonotonePiece, 8>& pieces) const {
    if (op_ == Op::fma && may_lose_number())
      return -1;
    if (twice_ && op_ == Op::fdiv)
      return -1;
    int count = 0;
    for (const bool a_positive : {false, true}) {
      for (const bool b_positive : {false, true}) {
        if (twice_ && a_positive != b_positive)
          continue;
        MonotonePiece& piece = pieces[count++];
        piece.operands = {a_positive ? positive(0) : negative(0), b_positive ? positive(1) : negative(1)};
        // x * x also decreases where x is negative.
        piece.up = {b_positive, op_ == Op::fdiv ? !a_positive : a_positive, true};
        if (op_ == Op::fma)
          piece.operands[2] = range(2);
      }
    }
    return count;
  }

  // x - x is the same zero for every finite x.
  int differences_of_one(std::array<MonotonePiece, 8>& pieces) const {
    pieces[0].operands[0] = meet(range(0), {from_.lowest() + 1, from_.highest() - 1});
    return 1;
  }

  static Range mirrored(const Range& range) { return range.empty() ? range : Range{-1 - range.high, -1 - range.low}; }

  void sign_operation() {
    Domain &result = scope_.result, &operand = scope_.operands[0];
    result.nan = operand.nan = result.nan && operand.nan;
    if (op_ == Op::fneg) {
      result.numbers = meet(result.numbers, mirrored(operand.numbers));
      operand.numbers = mirrored(result.numbers);
      return;
    }
    const Range below = mirrored(negative(0)), above = positive(0);
    const Range from_below = meet(result.numbers, below), from_above = meet(result.numbers, above);
    result.numbers = join(from_below, from_above);
    operand.numbers = join(mirrored(from_below), from_above);
  }

  // A NaN loses against a number. For zeros of different sign either may be chosen.
  void selection() {
    Domain &result = scope_.result, &a = scope_.operands[0], &b = scope_.operands[twice_ ? 0 : 1];
    result.nan &= a.nan && b.nan;
    Range numbers;
    if (!a.numbers.empty() && !b.numbers.empty())
      numbers = op_ == Op::fmin
                    ? Range{std::min(a.numbers.low, b.numbers.low), std::min(a.numbers.high, b.numbers.high)}
                    : Range{std::max(a.numbers.low, b.numbers.low), std::max(a.numbers.high, b.numbers.high)};
    if (a.nan)
      numbers = join(numbers, b.numbers);
    if (b.nan)
      numbers = join(numbers, a.numbers);
    if (numbers.low == plus_zero)
      numbers.low = minus_zero;
    if (numbers.high == minus_zero)
      numbers.high = plus_zero;
    result.numbers = meet(result.numbers, numbers);
    if (result.nan || result.numbers.empty())
      return;
    // An operand that is a number cannot be beyond the result.
    for (Domain* operand : {&a, &b}) {
      if (op_ == Op::fmin)
        operand->numbers.low = std::max(operand->numbers.low, std::min(result.numbers.low, minus_zero_if_zero()));
      else
        operand->numbers.high = std::min(operand->numbers.high, std::max(result.numbers.high, plus_zero_if_zero()));
    }
  }
  Int128 minus_zero_if_zero() const {
    return scope_.result.numbers.low == plus_zero ? minus_zero : scope_.result.numbers.low;
  }
  Int128 plus_zero_if_zero() const {
    return scope_.result.numbers.high == minus_zero ? plus_zero : scope_.result.numbers.high;
  }

  Op op_;
  BinaryFormat from_, to_;
  bool twice_;
  numeric::Rounding rounding_;
  int count_;
  Scope& scope_;
};

} // namespace

void project_operation(Op op, BinaryFormat from, BinaryFormat to, bool twice, Scope& scope,
                       numeric::Rounding rounding) {
  Projection(op, from, to, twice, rounding, scope).run();
}

void project(const System& system, Term term, Scope& scope) {
  const Node& node = system.node(term);
  if (node.form != Form::operation && node.form != Form::rounded)
    return project_relation(node, system.sort(node.operands[0]), scope);
  const bool twice = ops::arity(node.op) == 2 && node.operands[0] == node.operands[1];
  project_operation(node.op, system.sort(node.operands[0]).format, node.sort.format, twice, scope, node.rounding);
  if (twice)
    scope.operands[1] = scope.operands[0];
}

} // namespace faultline::solve
