// cvc5 (Barbosa et al.): the one file that includes its header.
#include "solve/smt_terms.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cvc5/cvc5.h>

namespace faultline::solve {
namespace {

using constraint::Class;
using constraint::Form;
using constraint::Node;
using constraint::Sort;
using constraint::System;
using constraint::Term;
using cvc5::Kind;
using numeric::BinaryFormat;
using numeric::Bits;
using ops::Arithmetic;
using ops::Op;

Kind kind_of(Class tested) {
  switch (tested) {
  case Class::normal:
    return Kind::FLOATINGPOINT_IS_NORMAL;
  case Class::subnormal:
    return Kind::FLOATINGPOINT_IS_SUBNORMAL;
  case Class::zero:
    return Kind::FLOATINGPOINT_IS_ZERO;
  case Class::infinite:
    return Kind::FLOATINGPOINT_IS_INF;
  case Class::nan:
    return Kind::FLOATINGPOINT_IS_NAN;
  case Class::negative:
    return Kind::FLOATINGPOINT_IS_NEG;
  case Class::positive:
    break;
  }
  return Kind::FLOATINGPOINT_IS_POS;
}

cvc5::RoundingMode mode_of(ops::Rounding direction) {
  switch (direction) {
  case ops::Rounding::down:
    return cvc5::ROUND_TOWARD_NEGATIVE;
  case ops::Rounding::up:
    return cvc5::ROUND_TOWARD_POSITIVE;
  case ops::Rounding::toward_zero:
    return cvc5::ROUND_TOWARD_ZERO;
  case ops::Rounding::away:
    return cvc5::ROUND_NEAREST_TIES_TO_AWAY;
  case ops::Rounding::to_even:
  case ops::Rounding::none:
    break;
  }
  return cvc5::ROUND_NEAREST_TIES_TO_EVEN;
}

class Cvc5 {
public:
  Cvc5(const System& system, double seconds) : system_(system) {
    solver_.setOption("produce-models", "true");
    solver_.setOption("fp-exp", "true"); // formats other than the machine's
    solver_.setOption("tlimit-per", std::to_string(uint64_t(std::ceil(seconds * 1000))));
    solver_.setLogic("QF_FP");
    for (const Node& node : system.nodes())
      terms_.push_back(term(node));
  }

  Result solve() {
    for (const Term assertion : system_.assertions())
      solver_.assertFormula(terms_[assertion]);
    const cvc5::Result found = solver_.checkSat();
    if (found.isSat())
      return {.answer = Answer::sat, .model = model()};
    if (found.isUnsat())
      return {.answer = Answer::unsat};
    return {.reason = "out of time"};
  }

private:
  cvc5::Sort sort_of(const Sort& sort) {
    return sort.boolean ? solver_.getBooleanSort()
                        : solver_.mkFloatingPointSort(uint32_t(sort.format.exponent_bits),
                                                      uint32_t(sort.format.significand_bits));
  }

  cvc5::Term constant(Bits bits, BinaryFormat format) {
    const uint32_t exponent = uint32_t(format.exponent_bits), significand = uint32_t(format.significand_bits);
    if (format.is_nan(bits))
      return solver_.mkFloatingPointNaN(exponent, significand);
    std::string digits;
    for (int i = format.width() - 1; i >= 0; --i)
      digits += bits >> i & 1 ? '1' : '0';
    return solver_.mkFloatingPoint(exponent, significand, solver_.mkBitVector(uint32_t(format.width()), digits, 2));
  }

  cvc5::Term term(const Node& node) {
    std::vector<cvc5::Term> operands;
    for (int i = 0; i < constraint::operand_count(node); ++i)
      operands.push_back(terms_[node.operands[size_t(i)]]);
    switch (node.form) {
    case Form::variable:
      return solver_.mkConst(sort_of(node.sort));
    case Form::constant:
      return node.sort.boolean ? solver_.mkBoolean(node.value != 0) : constant(node.value, node.sort.format);
    case Form::operation:
      return operation(node, operands);
    case Form::comparison:
      return solver_.mkTerm(node.op == Op::cmp_oeq   ? Kind::FLOATINGPOINT_EQ
                            : node.op == Op::cmp_olt ? Kind::FLOATINGPOINT_LT
                                                     : Kind::FLOATINGPOINT_LEQ,
                            operands);
    case Form::same:
      return solver_.mkTerm(Kind::EQUAL, operands);
    case Form::classification:
      return solver_.mkTerm(kind_of(node.tested), operands);
    case Form::conjunction:
      return solver_.mkTerm(Kind::AND, operands);
    case Form::disjunction:
      return solver_.mkTerm(Kind::OR, operands);
    case Form::negation:
      return solver_.mkTerm(Kind::NOT, operands);
    case Form::choice:
      break;
    }
    return solver_.mkTerm(Kind::ITE, operands);
  }

  cvc5::Term operation(const Node& node, const std::vector<cvc5::Term>& operands) {
    const auto rounded = [&](Kind kind, cvc5::RoundingMode mode) {
      std::vector<cvc5::Term> all{solver_.mkRoundingMode(mode)};
      all.insert(all.end(), operands.begin(), operands.end());
      return solver_.mkTerm(kind, all);
    };
    const cvc5::RoundingMode nearest = cvc5::ROUND_NEAREST_TIES_TO_EVEN;
    if (const ops::Rounding direction = ops::rounding_of(node.op); direction != ops::Rounding::none)
      return rounded(Kind::FLOATINGPOINT_RTI, mode_of(direction));
    switch (Arithmetic(node.op)) {
    case Arithmetic::fadd:
      return rounded(Kind::FLOATINGPOINT_ADD, nearest);
    case Arithmetic::fsub:
      return rounded(Kind::FLOATINGPOINT_SUB, nearest);
    case Arithmetic::fmul:
      return rounded(Kind::FLOATINGPOINT_MULT, nearest);
    case Arithmetic::fdiv:
      return rounded(Kind::FLOATINGPOINT_DIV, nearest);
    case Arithmetic::fma:
      return rounded(Kind::FLOATINGPOINT_FMA, nearest);
    case Arithmetic::sqrt:
      return rounded(Kind::FLOATINGPOINT_SQRT, nearest);
    case Arithmetic::remainder:
      return solver_.mkTerm(Kind::FLOATINGPOINT_REM, operands);
    case Arithmetic::fneg:
      return solver_.mkTerm(Kind::FLOATINGPOINT_NEG, operands);
    case Arithmetic::fabs:
      return solver_.mkTerm(Kind::FLOATINGPOINT_ABS, operands);
    case Arithmetic::fptrunc:
    case Arithmetic::fpext: {
      const cvc5::Op conversion =
          solver_.mkOp(Kind::FLOATINGPOINT_TO_FP_FROM_FP,
                       {uint32_t(node.sort.format.exponent_bits), uint32_t(node.sort.format.significand_bits)});
      return solver_.mkTerm(conversion, {solver_.mkRoundingMode(nearest), operands[0]});
    }
    case Arithmetic::fmin:
    case Arithmetic::fmax:
    case Arithmetic::fdim:
    case Arithmetic::copysign:
    case Arithmetic::round_add:
    case Arithmetic::round_sub:
    case Arithmetic::round_fma:
      break;
    }
    assert(false && "smt_terms writes these by means of the others");
    return operands[0];
  }

  constraint::Model model() {
    const auto value = [&](Term variable) { return solver_.getValue(terms_[variable]); };
    return model_of(
        system_, [&](Term variable) { return value(variable).getBooleanValue(); },
        [&](Term variable) { return bits_of(value(variable)); });
  }

  static Bits bits_of(const cvc5::Term& value) {
    Bits bits = 0;
    for (const char digit : std::get<2>(value.getFloatingPointValue()).getBitVectorValue(2))
      bits = bits << 1 | Bits(digit == '1');
    return bits;
  }

  const System& system_;
  cvc5::Solver solver_;
  std::vector<cvc5::Term> terms_;
};

} // namespace

Result solve_cvc5(const Question& question) {
  const SmtTerms terms = smt_terms(question.system);
  return ask_in_child(question, terms, [&] { return Cvc5(terms.system, question.seconds).solve(); });
}

} // namespace faultline::solve
