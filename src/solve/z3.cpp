// Z3 (de Moura and Bjorner). No other file includes its header.
#include "solve/smt_terms.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <string_view>
#include <z3++.h>

namespace faultline::solve {
namespace {

// In the orders of the enumerations.
constexpr Z3_ast (*classes[])(Z3_context, Z3_ast) = {
    Z3_mk_fpa_is_normal, Z3_mk_fpa_is_subnormal, Z3_mk_fpa_is_zero,    Z3_mk_fpa_is_infinite,
    Z3_mk_fpa_is_nan,    Z3_mk_fpa_is_negative,  Z3_mk_fpa_is_positive};
static_assert(std::size(classes) == constraint::class_count);

constexpr Z3_ast (*modes[])(Z3_context) = {Z3_mk_fpa_rne, Z3_mk_fpa_rna, Z3_mk_fpa_rtp, Z3_mk_fpa_rtn, Z3_mk_fpa_rtz};
static_assert(std::size(modes) == numeric::rounding_count);

constexpr Z3_ast (*of_two_words[])(Z3_context, Z3_ast, Z3_ast) = {nullptr,      nullptr /* complement */,
                                                                  Z3_mk_bvand,  Z3_mk_bvor,
                                                                  Z3_mk_bvxor,  Z3_mk_bvadd,
                                                                  Z3_mk_bvsub,  Z3_mk_bvmul,
                                                                  Z3_mk_bvudiv, Z3_mk_bvurem,
                                                                  Z3_mk_bvshl,  Z3_mk_bvlshr,
                                                                  Z3_mk_bvashr, Z3_mk_concat,
                                                                  nullptr /* extraction */};
static_assert(std::size(of_two_words) == constraint::word_op_count);

class Z3 {
public:
  explicit Z3(const System& system) : system_(system) {
    for (const Node& node : system.nodes())
      terms_.push_back(term(node));
  }

  Result solve(double seconds) {
    z3::solver solver(context_, has_words() ? "QF_BVFP" : "QF_FP");
    z3::params params(context_);
    params.set("timeout", unsigned(std::ceil(seconds * 1000)));
    solver.set(params);
    for (const Term assertion : system_.assertions())
      solver.add(terms_[assertion]);
    switch (solver.check()) {
    case z3::sat:
      return {.answer = Answer::sat, .model = model(solver.get_model())};
    case z3::unsat:
      return {.answer = Answer::unsat};
    case z3::unknown:
      break;
    }
    return {.reason = solver.reason_unknown()};
  }

private:
  bool has_words() const {
    return std::ranges::any_of(system_.nodes(), [](const Node& node) { return node.sort.is_word(); });
  }
  z3::sort sort_of(const Sort& sort) {
    return sort.boolean ? context_.bool_sort()
           : sort.is_word()
               ? context_.bv_sort(unsigned(sort.width))
               : context_.fpa_sort(unsigned(sort.format.exponent_bits), unsigned(sort.format.significand_bits));
  }
  z3::expr made(Z3_ast ast) {
    context_.check_error();
    return {context_, ast};
  }

  z3::expr word(Bits bits, int width) {
    const auto field = std::make_unique<bool[]>(size_t(width));
    for (int i = 0; i < width; ++i)
      field[size_t(i)] = bits >> i & 1;
    return context_.bv_val(unsigned(width), field.get());
  }

  z3::expr constant(Bits bits, const Sort& sort) {
    if (sort.boolean)
      return context_.bool_val(bits != 0);
    if (sort.is_word())
      return word(bits, sort.width);
    return made(Z3_mk_fpa_to_fp_bv(context_, word(bits, sort.format.width()), sort_of(sort))).simplify();
  }

  z3::expr term(const Node& node) {
    const auto operand = [&](int i) { return terms_[node.operands[size_t(i)]]; };
    switch (node.form) {
    case Form::variable: {
      const std::string name = "v" + std::to_string(uint64_t(node.value));
      return context_.constant(name.c_str(), sort_of(node.sort));
    }
    case Form::constant:
      return constant(node.value, node.sort);
    case Form::operation:
    case Form::rounded:
      return operation(node);
    case Form::comparison:
      return made(node.op == Op::cmp_oeq   ? Z3_mk_fpa_eq(context_, operand(0), operand(1))
                  : node.op == Op::cmp_olt ? Z3_mk_fpa_lt(context_, operand(0), operand(1))
                                           : Z3_mk_fpa_leq(context_, operand(0), operand(1)));
    case Form::same:
      return made(Z3_mk_eq(context_, operand(0), operand(1)));
    case Form::classification:
      return made(classes[size_t(node.tested)](context_, operand(0)));
    case Form::conjunction:
      return operand(0) && operand(1);
    case Form::disjunction:
      return operand(0) || operand(1);
    case Form::negation:
      return !operand(0);
    case Form::choice:
      return z3::ite(operand(0), operand(1), operand(2));
    case Form::float_of_pattern:
      return made(Z3_mk_fpa_to_fp_bv(context_, operand(0), sort_of(node.sort)));
    case Form::float_of_integer:
      return made(node.is_signed
                      ? Z3_mk_fpa_to_fp_signed(context_, mode_of(node.rounding), operand(0), sort_of(node.sort))
                      : Z3_mk_fpa_to_fp_unsigned(context_, mode_of(node.rounding), operand(0), sort_of(node.sort)));
    case Form::integer_of_float:
      return integer(node, operand(0));
    case Form::word:
      return word_operation(node);
    case Form::word_less:
      break;
    }
    return made(node.is_signed ? Z3_mk_bvslt(context_, operand(0), operand(1))
                               : Z3_mk_bvult(context_, operand(0), operand(1)));
  }

  // Returns the term if it is an integer that fits in the word, otherwise 0, so that Z3's result for others does not
  // matter.
  z3::expr integer(const Node& node, const z3::expr& a) {
    const unsigned width = unsigned(node.sort.width);
    const z3::expr zero_direction = made(Z3_mk_fpa_rtz(context_));
    const z3::expr found = made(node.is_signed ? Z3_mk_fpa_to_sbv(context_, zero_direction, a, width)
                                               : Z3_mk_fpa_to_ubv(context_, zero_direction, a, width));
    const z3::sort format = a.get_sort();
    const z3::expr back = made(node.is_signed ? Z3_mk_fpa_to_fp_signed(context_, zero_direction, found, format)
                                              : Z3_mk_fpa_to_fp_unsigned(context_, zero_direction, found, format));
    return z3::ite(made(Z3_mk_fpa_eq(context_, back, a)), found, word(0, node.sort.width));
  }

  z3::expr word_operation(const Node& node) {
    const z3::expr &a = terms_[node.operands[0]], &b = terms_[node.operands[1]];
    const auto low = unsigned(node.value);
    if (node.word == WordOp::complement)
      return made(Z3_mk_bvnot(context_, a));
    if (node.word == WordOp::extraction)
      return made(Z3_mk_extract(context_, low + unsigned(node.sort.width) - 1, low, a));
    return made(of_two_words[size_t(node.word)](context_, a, b));
  }

  z3::expr operation(const Node& node) {
    const z3::expr &a = terms_[node.operands[0]], &b = terms_[node.operands[1]], &c = terms_[node.operands[2]];
    const z3::expr mode = mode_of(ops::rounding_of(node.op).value_or(node.rounding));
    if (ops::rounding_of(node.op))
      return made(Z3_mk_fpa_round_to_integral(context_, mode, a));
    switch (Arithmetic(node.op)) {
    case Arithmetic::fadd:
      return made(Z3_mk_fpa_add(context_, mode, a, b));
    case Arithmetic::fsub:
      return made(Z3_mk_fpa_sub(context_, mode, a, b));
    case Arithmetic::fmul:
      return made(Z3_mk_fpa_mul(context_, mode, a, b));
    case Arithmetic::fdiv:
      return made(Z3_mk_fpa_div(context_, mode, a, b));
    case Arithmetic::fma:
      return made(Z3_mk_fpa_fma(context_, mode, a, b, c));
    case Arithmetic::sqrt:
      return made(Z3_mk_fpa_sqrt(context_, mode, a));
    case Arithmetic::remainder:
      return made(Z3_mk_fpa_rem(context_, a, b));
    case Arithmetic::fneg:
      return made(Z3_mk_fpa_neg(context_, a));
    case Arithmetic::fabs:
      return made(Z3_mk_fpa_abs(context_, a));
    case Arithmetic::fptrunc:
    case Arithmetic::fpext:
      return made(Z3_mk_fpa_to_fp_float(context_, mode, a, sort_of(node.sort)));
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
    return a;
  }

  z3::expr mode_of(numeric::Rounding rounding) { return made(modes[size_t(rounding)](context_)); }

  Model model(const z3::model& found) {
    const auto value = [&](Term variable) { return found.eval(terms_[variable], true); };
    return model_of(
        system_, [&](Term variable) { return value(variable).is_true(); },
        [&](Term variable) { return bits_of(value(variable), system_.sort(variable).format); },
        [&](Term variable) { return bits_of(value(variable)); });
  }

  // SMT-LIB leaves the bits of a NaN open; other numerals are decimal.
  Bits bits_of(const z3::expr& value, BinaryFormat format) {
    if (Z3_fpa_is_numeral_nan(context_, value))
      return format.nan();
    return bits_of(made(Z3_mk_fpa_to_ieee_bv(context_, value)).simplify());
  }

  Bits bits_of(const z3::expr& word) {
    Bits bits = 0;
    for (const char digit : std::string_view(Z3_get_numeral_string(context_, word)))
      bits = bits * 10 + Bits(digit - '0');
    context_.check_error();
    return bits;
  }

  const System& system_;
  z3::context context_;
  std::vector<z3::expr> terms_;
};

} // namespace

Result solve_z3(const Question& question) {
  const SmtTerms terms = smt_terms(question.system);
  const Result result = ask_in_child(question, terms, [&] {
    try {
      return Z3(terms.system).solve(question.seconds);
    } catch (const z3::exception& error) {
      return Result{.reason = error.msg()};
    }
  });
  // Z3 4.8 computes remainders wrongly if the operands are far apart.
  if (result.answer == Answer::unsat && terms.remainder)
    return {.reason = "Z3's remainder cannot be trusted"};
  // It also rounds fma of tiny formats wrongly.
  if (result.answer == Answer::unsat && terms.small_fma)
    return {.reason = "Z3's fma cannot be trusted in so small a format"};
  return result;
}

} // namespace faultline::solve
