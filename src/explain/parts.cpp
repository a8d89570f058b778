#include "explain/parts.h"

#include "ops/table.h"

namespace faultline::explain {

using numeric::BigFloat;
using ops::Op;

namespace {

// The operands of one record, recorded and exact.
class Operands {
public:
  Operands(const tape::Tape& tape, uint32_t index, const tape::Replay& exact, long precision)
      : op_(tape.site(index).op), precision_(precision) {
    for (int i = 0; i < ops::arity(op_); ++i) {
      const uint32_t operand = tape.operand(index, i);
      recorded_[size_t(i)] = BigFloat(tape.exact(operand), precision);
      exact_[size_t(i)] = runtime::is_constant(operand) ? recorded_[size_t(i)] : exact.values[operand];
    }
  }

  // The operation on a mixture: bit i of `which` takes the recorded value of operand i.
  BigFloat at(unsigned which) const {
    BigFloat result(precision_);
    auto operand = [&](size_t i) { return which >> i & 1 ? recorded_[i].raw() : exact_[i].raw(); };
    ops::evaluate(op_, result.raw(), operand(0), operand(1), operand(2));
    return result;
  }

  BigFloat error(size_t i) const { return difference(recorded_[i], exact_[i]); }
  // The error of operand i, weighted by the mean of another one.
  BigFloat times_mean(size_t i, size_t other) const {
    BigFloat part = error(i), mean(precision_);
    mpfr_add(mean.raw(), recorded_[other].raw(), exact_[other].raw(), MPFR_RNDN);
    mpfr_mul(part.raw(), part.raw(), mean.raw(), MPFR_RNDN);
    mpfr_div_2ui(part.raw(), part.raw(), 1, MPFR_RNDN);
    return part;
  }
  BigFloat mean_of(const BigFloat& a, const BigFloat& b) const {
    BigFloat mean(precision_);
    mpfr_add(mean.raw(), a.raw(), b.raw(), MPFR_RNDN);
    mpfr_div_2ui(mean.raw(), mean.raw(), 1, MPFR_RNDN);
    return mean;
  }
  BigFloat difference(const BigFloat& a, const BigFloat& b) const {
    BigFloat result(precision_);
    mpfr_sub(result.raw(), a.raw(), b.raw(), MPFR_RNDN);
    return result;
  }

private:
  Op op_;
  long precision_;
  std::array<BigFloat, 3> recorded_, exact_;
};

BigFloat negative(BigFloat value) {
  mpfr_neg(value.raw(), value.raw(), MPFR_RNDN);
  return value;
}

// Sums and products by their own rules, which lose no digits. All others by trying mixtures of recorded and exact
// operands, of which they have two at most.
void split(Op op, const Operands& operands, std::array<BigFloat, 3>& parts) {
  if (op == Op::fadd || op == Op::fsub) {
    parts[0] = operands.error(0);
    parts[1] = op == Op::fadd ? operands.error(1) : negative(operands.error(1));
    return;
  }
  if (op == Op::fmul || op == Op::fma) {
    parts[0] = operands.times_mean(0, 1);
    parts[1] = operands.times_mean(1, 0);
    if (op == Op::fma)
      parts[2] = operands.error(2);
    return;
  }
  if (ops::arity(op) == 1) {
    parts[0] = operands.difference(operands.at(1), operands.at(0));
    return;
  }
  const BigFloat none = operands.at(0), first = operands.at(1), second = operands.at(2), both = operands.at(3);
  parts[0] = operands.mean_of(operands.difference(first, none), operands.difference(both, second));
  parts[1] = operands.mean_of(operands.difference(second, none), operands.difference(both, first));
}

} // namespace

BigFloat error_of(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  BigFloat error(exact.values[index].precision());
  mpfr_set_ld(error.raw(), tape.exact(index), MPFR_RNDN);
  mpfr_sub(error.raw(), error.raw(), exact.values[index].raw(), MPFR_RNDN);
  return error;
}

Parts parts_of(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  const Op op = tape.site(index).op;
  Parts parts;
  parts.error = error_of(tape, index, exact);
  const long precision = parts.error.precision();
  for (BigFloat& part : parts.operands)
    part = BigFloat(0.0L, precision);
  parts.own = parts.error;
  if (ops::arity(op) == 0 || ops::is_decision(op))
    return parts;
  split(op, Operands(tape, index, exact, precision), parts.operands);
  for (const BigFloat& part : parts.operands)
    mpfr_sub(parts.own.raw(), parts.own.raw(), part.raw(), MPFR_RNDN);
  return parts;
}

} // namespace faultline::explain
