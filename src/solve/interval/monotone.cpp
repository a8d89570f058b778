#include "solve/interval/monotone.h"

#include "constraint/evaluate.h"
#include "constraint/rounded.h"
#include "ops/table.h"
#include "solve/interval/reach.h"

#include <cmath>

namespace faultline::solve {

using constraint::BinaryFormat;
using numeric::binary32;
using numeric::binary64;
using ops::Basic;
using ops::Op;

namespace {

template <class T>
Int128 native(Op op, T a, T b) {
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

} // namespace

Function::Function(Op op, BinaryFormat from, BinaryFormat to, bool twice, numeric::Rounding rounding)
    : op_(op), from_(from), to_(to), twice_(twice), rounding_(rounding),
      correct_(ops::has(op, ops::trait::approximate)), operands_(twice ? 1 : ops::arity(op)) {}

Int128 Function::basic(Op op, Int128 a, Int128 b) const {
  if (from_ == binary32)
    return native(op, numeric::from_ordered<float>(int32_t(a)), numeric::from_ordered<float>(int32_t(b)));
  if (from_ == binary64)
    return native(op, numeric::from_ordered<double>(int64_t(a)), numeric::from_ordered<double>(int64_t(b)));
  return order(constraint::apply(op, from_, from_.at(a), from_.at(b)));
}

Int128 Function::operator()(const std::array<Int128, 3>& at) const {
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

Int128 Function::guess(int which, std::array<Int128, 3> at, Int128 result) const {
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

namespace {

class Narrowing {
public:
  Narrowing(const Function& function, Piece& piece) : function_(function), piece_(piece) {}

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

  // The least or greatest result with operand `which` held at a value (none held if -1).
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
      std::array<Int128, 3> beside = at;
      beside[i] += piece_.up[i] == greatest ? -1 : 1;
      const Int128 other = function_(beside);
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
    // An end that gives no number whatever the others are.
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
  Piece& piece_;
};

} // namespace

bool narrow(const Function& function, Piece& piece) { return Narrowing(function, piece).run(); }

} // namespace faultline::solve
