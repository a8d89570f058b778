// cvc5 (Barbosa et al.). No other file includes its header.
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
using constraint::WordOp;
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

cvc5::RoundingMode mode_of(numeric::Rounding rounding) {
  switch (rounding) {
  case numeric::Rounding::nearest_even:
    break;
  case numeric::Rounding::nearest_away:
    return cvc5::ROUND_NEAREST_TIES_TO_AWAY;
  case numeric::Rounding::up:
    return cvc5::ROUND_TOWARD_POSITIVE;
  case numeric::Rounding::down:
    return cvc5::ROUND_TOWARD_NEGATIVE;
  case numeric::Rounding::to_zero:
    return cvc5::ROUND_TOWARD_ZERO;
  }
  return cvc5::ROUND_NEAREST_TIES_TO_EVEN;
}

Kind kind_of(WordOp op) {
  switch (op) {
  case WordOp::none:
  case WordOp::extraction:
    break;
  case WordOp::complement:
    return Kind::BITVECTOR_NOT;
  case WordOp::conjunction:
    return Kind::BITVECTOR_AND;
  case WordOp::disjunction:
    return Kind::BITVECTOR_OR;
  case WordOp::exclusion:
    return Kind::BITVECTOR_XOR;
  case WordOp::sum:
    return Kind::BITVECTOR_ADD;
  case WordOp::difference:
    return Kind::BITVECTOR_SUB;
  case WordOp::product:
    return Kind::BITVECTOR_MULT;
  case WordOp::quotient:
    return Kind::BITVECTOR_UDIV;
  case WordOp::rest:
    return Kind::BITVECTOR_UREM;
  case WordOp::shift_left:
    return Kind::BITVECTOR_SHL;
  case WordOp::shift_right:
    return Kind::BITVECTOR_LSHR;
  case WordOp::shift_right_signed:
    return Kind::BITVECTOR_ASHR;
  case WordOp::concatenation:
    return Kind::BITVECTOR_CONCAT;
  }
  return Kind::BITVECTOR_EXTRACT;
}

class Cvc5 {
public:
  Cvc5(const System& system, double seconds) : system_(system) {
    solver_.setOption("produce-models", "true");
    solver_.setOption("fp-exp", "true"); // formats other than the machine's
    solver_.setOption("tlimit-per", std::to_string(uint64_t(std::ceil(seconds * 1000))));
    const bool has_words = std::ranges::any_of(system.nodes(), [](const Node& node) { return node.sort.is_word(); });
    solver_.setLogic(has_words ? "QF_BVFP" : "QF_FP");
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
    return sort.boolean     ? solver_.getBooleanSort()
           : sort.is_word() ? solver_.mkBitVectorSort(uint32_t(sort.width))
                            : solver_.mkFloatingPointSort(uint32_t(sort.format.exponent_bits),
                                                          uint32_t(sort.format.significand_bits));
  }

  cvc5::Term word(Bits bits, int width) {
    std::string digits;
    for (int i = width - 1; i >= 0; --i)
      digits += bits >> i & 1 ? '1' : '0';
    return solver_.mkBitVector(uint32_t(width), digits, 2);
  }

  cvc5::Term constant(Bits bits, const Sort& sort) {
    if (sort.boolean)
      return solver_.mkBoolean(bits != 0);
    if (sort.is_word())
      return word(bits, sort.width);
    const BinaryFormat format = sort.format;
    const uint32_t exponent = uint32_t(format.exponent_bits), significand = uint32_t(format.significand_bits);
    if (format.is_nan(bits))
      return solver_.mkFloatingPointNaN(exponent, significand);
    return solver_.mkFloatingPoint(exponent, significand, word(bits, format.width()));
  }

  cvc5::Term term(const Node& node) {
    std::vector<cvc5::Term> operands;
    for (int i = 0; i < constraint::operand_count(node); ++i)
      operands.push_back(terms_[node.operands[size_t(i)]]);
    switch (node.form) {
    case Form::variable:
      return solver_.mkConst(sort_of(node.sort));
    case Form::constant:
      return constant(node.value, node.sort);
    case Form::operation:
    case Form::rounded:
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
      return solver_.mkTerm(Kind::ITE, operands);
    case Form::float_of_pattern:
      return solver_.mkTerm(to_float(Kind::FLOATINGPOINT_TO_FP_FROM_IEEE_BV, node.sort.format), operands);
    case Form::float_of_integer:
      return float_of(operands[0], node.is_signed, node.rounding, node.sort.format);
    case Form::integer_of_float:
      return integer(node, operands[0]);
    case Form::word:
      if (node.word != WordOp::extraction)
        return solver_.mkTerm(kind_of(node.word), operands);
      return solver_.mkTerm(solver_.mkOp(Kind::BITVECTOR_EXTRACT,
                                         {uint32_t(node.value) + uint32_t(node.sort.width) - 1, uint32_t(node.value)}),
                            operands);
    case Form::word_less:
      break;
    }
    return solver_.mkTerm(node.is_signed ? Kind::BITVECTOR_SLT : Kind::BITVECTOR_ULT, operands);
  }

  cvc5::Op to_float(Kind kind, BinaryFormat format) {
    return solver_.mkOp(kind, {uint32_t(format.exponent_bits), uint32_t(format.significand_bits)});
  }

  cvc5::Term float_of(const cvc5::Term& integer, bool is_signed, numeric::Rounding rounding, BinaryFormat format) {
    const Kind kind = is_signed ? Kind::FLOATINGPOINT_TO_FP_FROM_SBV : Kind::FLOATINGPOINT_TO_FP_FROM_UBV;
    return solver_.mkTerm(to_float(kind, format), {solver_.mkRoundingMode(mode_of(rounding)), integer});
  }

  // Returns the term if it is an integer that fits in the word, otherwise 0, so that cvc5's result for others does not
  // matter.
  cvc5::Term integer(const Node& node, const cvc5::Term& a) {
    const Kind kind = node.is_signed ? Kind::FLOATINGPOINT_TO_SBV : Kind::FLOATINGPOINT_TO_UBV;
    const cvc5::Term found = solver_.mkTerm(solver_.mkOp(kind, {uint32_t(node.sort.width)}),
                                            {solver_.mkRoundingMode(cvc5::ROUND_TOWARD_ZERO), a});
    const BinaryFormat format = system_.sort(node.operands[0]).format;
    const cvc5::Term back = float_of(found, node.is_signed, numeric::Rounding::to_zero, format);
    return solver_.mkTerm(Kind::ITE,
                          {solver_.mkTerm(Kind::FLOATINGPOINT_EQ, {back, a}), found, word(0, node.sort.width)});
  }

  cvc5::Term operation(const Node& node, const std::vector<cvc5::Term>& operands) {
    const auto rounded = [&](Kind kind, cvc5::RoundingMode mode) {
      std::vector<cvc5::Term> all{solver_.mkRoundingMode(mode)};
      all.insert(all.end(), operands.begin(), operands.end());
      return solver_.mkTerm(kind, all);
    };
    const cvc5::RoundingMode mode = mode_of(rounding_of(node));
    if (ops::rounding_of(node.op) != ops::Rounding::none)
      return rounded(Kind::FLOATINGPOINT_RTI, mode);
    switch (Arithmetic(node.op)) {
    case Arithmetic::fadd:
      return rounded(Kind::FLOATINGPOINT_ADD, mode);
    case Arithmetic::fsub:
      return rounded(Kind::FLOATINGPOINT_SUB, mode);
    case Arithmetic::fmul:
      return rounded(Kind::FLOATINGPOINT_MULT, mode);
    case Arithmetic::fdiv:
      return rounded(Kind::FLOATINGPOINT_DIV, mode);
    case Arithmetic::fma:
      return rounded(Kind::FLOATINGPOINT_FMA, mode);
    case Arithmetic::sqrt:
      return rounded(Kind::FLOATINGPOINT_SQRT, mode);
    case Arithmetic::remainder:
      return solver_.mkTerm(Kind::FLOATINGPOINT_REM, operands);
    case Arithmetic::fneg:
      return solver_.mkTerm(Kind::FLOATINGPOINT_NEG, operands);
    case Arithmetic::fabs:
      return solver_.mkTerm(Kind::FLOATINGPOINT_ABS, operands);
    case Arithmetic::fptrunc:
    case Arithmetic::fpext:
      return solver_.mkTerm(to_float(Kind::FLOATINGPOINT_TO_FP_FROM_FP, node.sort.format),
                            {solver_.mkRoundingMode(mode), operands[0]});
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
        [&](Term variable) { return bits_of(std::get<2>(value(variable).getFloatingPointValue())); },
        [&](Term variable) { return bits_of(value(variable)); });
  }

  static Bits bits_of(const cvc5::Term& word) {
    Bits bits = 0;
    for (const char digit : word.getBitVectorValue(2))
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
