// cvc5 (Barbosa et al.). No other file includes its header.
#include "solve/smt_terms.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cvc5/cvc5.h>

namespace faultline::solve {
namespace {

using cvc5::Kind;

// In the orders of the enumerations.
constexpr Kind classes[] = {Kind::FLOATINGPOINT_IS_NORMAL, Kind::FLOATINGPOINT_IS_SUBNORMAL,
                            Kind::FLOATINGPOINT_IS_ZERO,   Kind::FLOATINGPOINT_IS_INF,
                            Kind::FLOATINGPOINT_IS_NAN,    Kind::FLOATINGPOINT_IS_NEG,
                            Kind::FLOATINGPOINT_IS_POS};
static_assert(std::size(classes) == constraint::class_count);

constexpr cvc5::RoundingMode modes[] = {cvc5::ROUND_NEAREST_TIES_TO_EVEN, cvc5::ROUND_NEAREST_TIES_TO_AWAY,
                                        cvc5::ROUND_TOWARD_POSITIVE, cvc5::ROUND_TOWARD_NEGATIVE,
                                        cvc5::ROUND_TOWARD_ZERO};
static_assert(std::size(modes) == numeric::rounding_count);
cvc5::RoundingMode mode_of(numeric::Rounding rounding) { return modes[size_t(rounding)]; }

constexpr Kind word_kinds[] = {
    Kind::NULL_TERM,     Kind::BITVECTOR_NOT,  Kind::BITVECTOR_AND,  Kind::BITVECTOR_OR,     Kind::BITVECTOR_XOR,
    Kind::BITVECTOR_ADD, Kind::BITVECTOR_SUB,  Kind::BITVECTOR_MULT, Kind::BITVECTOR_UDIV,   Kind::BITVECTOR_UREM,
    Kind::BITVECTOR_SHL, Kind::BITVECTOR_LSHR, Kind::BITVECTOR_ASHR, Kind::BITVECTOR_CONCAT, Kind::BITVECTOR_EXTRACT};
static_assert(std::size(word_kinds) == constraint::word_op_count);

struct Operation {
  Op op;
  Kind kind;
  bool is_rounded = true;
};
constexpr Operation operations[] = {{Op::fadd, Kind::FLOATINGPOINT_ADD},
                                    {Op::fsub, Kind::FLOATINGPOINT_SUB},
                                    {Op::fmul, Kind::FLOATINGPOINT_MULT},
                                    {Op::fdiv, Kind::FLOATINGPOINT_DIV},
                                    {Op::fma, Kind::FLOATINGPOINT_FMA},
                                    {Op::sqrt, Kind::FLOATINGPOINT_SQRT},
                                    {Op::remainder, Kind::FLOATINGPOINT_REM, false},
                                    {Op::fneg, Kind::FLOATINGPOINT_NEG, false},
                                    {Op::fabs, Kind::FLOATINGPOINT_ABS, false}};

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
      return solver_.mkTerm(classes[size_t(node.tested)], operands);
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
        return solver_.mkTerm(word_kinds[size_t(node.word)], operands);
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
    const cvc5::RoundingMode mode = mode_of(ops::rounding_of(node.op).value_or(node.rounding));
    if (ops::rounding_of(node.op))
      return rounded(Kind::FLOATINGPOINT_RTI, mode);
    if (node.op == Op::fptrunc || node.op == Op::fpext)
      return solver_.mkTerm(to_float(Kind::FLOATINGPOINT_TO_FP_FROM_FP, node.sort.format),
                            {solver_.mkRoundingMode(mode), operands[0]});
    const auto found = std::ranges::find(operations, node.op, &Operation::op);
    assert(found != std::end(operations) && "smt_terms writes all others by means of these");
    return found->is_rounded ? rounded(found->kind, mode) : solver_.mkTerm(found->kind, operands);
  }

  Model model() {
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
