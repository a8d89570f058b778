#include "constraint/smtlib/operators.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace faultline::constraint {

using ops::Op;

using Kind = Token::Kind;

namespace {

struct Special {
  std::string_view name;
  Bits (*bits)(BinaryFormat);
};
constexpr Special specials[] = {
    {"+oo", [](BinaryFormat format) { return format.infinity(); }},
    {"-oo", [](BinaryFormat format) { return format.sign() | format.infinity(); }},
    {"+zero", [](BinaryFormat) { return Bits{0}; }},
    {"-zero", [](BinaryFormat format) { return format.sign(); }},
    {"NaN", [](BinaryFormat format) { return format.nan(); }},
};

Value numbered(System& system, Lexer& lexer, const Token& name, size_t at) {
  const std::string_view digits = name.text.substr(2);
  const int width = lexer.expect_number("a number of bits");
  const std::optional<BitVector> vector = numbered_literal(digits, width);
  if (!vector || width == 0)
    lexer.fail(at, fmt::format("a malformed bit-vector literal: {} in {} bits", shown(digits), width),
               fmt::format("1 to {} bits, and a number that fits", BitVector::most_width));
  return system.word_constant(vector->bits, vector->width);
}

Value special_float(System& system, Lexer& lexer, const Token& name, size_t at) {
  const auto special = std::ranges::find(specials, name.text, &Special::name);
  if (special == std::end(specials))
    lexer.fail(at, fmt::format("unknown constant (_ {} ...)", shown(name)),
               "(_ +oo e s), (_ -oo e s), (_ +zero e s), (_ -zero e s), (_ NaN e s) and (_ bvN width) are known");
  const BinaryFormat format = read_format(lexer, at);
  return system.constant(special->bits(format), format);
}

} // namespace

bool is_named_constant(std::string_view name) {
  return name == "true" || name == "false" || find_mode(name).has_value();
}

std::optional<Value> named_constant(System& system, std::string_view name) {
  if (name == "true" || name == "false")
    return system.truth(name == "true");
  const std::optional<Rounding> mode = find_mode(name);
  return mode ? std::optional<Value>(mode_constant(system, *mode)) : std::nullopt;
}

Value indexed_constant(System& system, Lexer& lexer, size_t at) {
  const Token name = lexer.expect_name("the name of a constant");
  const bool is_numbered = name.text.starts_with("bv") && name.text.size() > 2 &&
                           name.text.find_first_not_of("0123456789", 2) == std::string_view::npos;
  const Value value = is_numbered ? numbered(system, lexer, name, at) : special_float(system, lexer, name, at);
  lexer.expect_close("a constant");
  return value;
}

std::optional<Value> literal(System& system, const Lexer& lexer, const Token& token) {
  if (token.kind == Kind::numeral || token.kind == Kind::decimal) {
    if (token.text.size() > most_digits)
      lexer.fail(token.at, "a number that is too long", fmt::format("{} digits at most", most_digits));
    return std::make_shared<const Rational>(rational(token.text));
  }
  if (token.kind != Kind::binary && token.kind != Kind::hexadecimal)
    return {};
  const std::optional<BitVector> vector =
      token.kind == Kind::binary ? binary_literal(token.text) : hexadecimal_literal(token.text);
  if (!vector)
    lexer.fail(token.at, "a bit-vector literal that is too wide",
               fmt::format("{} bits at most", BitVector::most_width));
  return system.word_constant(vector->bits, vector->width);
}

using Action = Operator::Action;

namespace {

constexpr size_t any = Operator::any_number;

constexpr Operator operators[] = {
    {"not", Action::negation, 1, 1},
    {"and", Action::conjunction, 1, any},
    {"or", Action::disjunction, 1, any},
    {"xor", Action::exclusion, 2, any},
    {"=>", Action::implication, 2, any},
    {"=", Action::equality, 2, any},
    {"distinct", Action::distinctness, 2, any},
    {"ite", Action::choice, 3, 3},

    {"fp.abs", Action::operation, 1, 1, Op::fabs},
    {"fp.neg", Action::operation, 1, 1, Op::fneg},
    {"fp.add", Action::operation, 3, 3, Op::fadd},
    {"fp.sub", Action::operation, 3, 3, Op::fsub},
    {"fp.mul", Action::operation, 3, 3, Op::fmul},
    {"fp.div", Action::operation, 3, 3, Op::fdiv},
    {"fp.fma", Action::operation, 4, 4, Op::fma},
    {"fp.sqrt", Action::operation, 2, 2, Op::sqrt},
    {"fp.rem", Action::operation, 2, 2, Op::remainder},
    {"fp.min", Action::selection, 2, 2, Op::fmin},
    {"fp.max", Action::selection, 2, 2, Op::fmax},
    {"fp.roundToIntegral", Action::rounding, 2, 2},

    {"fp.leq", Action::comparison, 2, any, Op::cmp_ole},
    {"fp.lt", Action::comparison, 2, any, Op::cmp_olt},
    {"fp.geq", Action::comparison, 2, any, Op::cmp_oge},
    {"fp.gt", Action::comparison, 2, any, Op::cmp_ogt},
    {"fp.eq", Action::comparison, 2, any, Op::cmp_oeq},

    {"fp.isNormal", Action::classification, 1, 1, Op::none, Class::normal},
    {"fp.isSubnormal", Action::classification, 1, 1, Op::none, Class::subnormal},
    {"fp.isZero", Action::classification, 1, 1, Op::none, Class::zero},
    {"fp.isInfinite", Action::classification, 1, 1, Op::none, Class::infinite},
    {"fp.isNaN", Action::classification, 1, 1, Op::none, Class::nan},
    {"fp.isNegative", Action::classification, 1, 1, Op::none, Class::negative},
    {"fp.isPositive", Action::classification, 1, 1, Op::none, Class::positive},

    {"fp", Action::assembly, 3, 3},
    {"to_fp", Action::conversion, 1, 2, Op::none, {}, 2},
    {"to_fp_unsigned", Action::unsigned_conversion, 2, 2, Op::none, {}, 2},
    {"fp.to_ubv", Action::to_word, 2, 2, Op::none, {}, 1},
    {"fp.to_sbv", Action::to_word, 2, 2, Op::none, {}, 1, WordOp::none, true},
    {"fp.to_ieee_bv", Action::to_pattern, 1, 1}, // an extension of Z3
    {"fp.to_real", Action::to_real, 1, 1},

    {"-", Action::minus, 1, any},
    {"+", Action::addition, 2, any},
    {"*", Action::multiplication, 2, any},
    {"/", Action::division, 2, any},
    {"<", Action::real_comparison, 2, any},
    {">", Action::real_comparison, 2, any, Op::none, {}, 0, WordOp::none, false, true},
    {"<=", Action::real_comparison, 2, any, Op::none, {}, 0, WordOp::none, false, true, true},
    {">=", Action::real_comparison, 2, any, Op::none, {}, 0, WordOp::none, false, false, true},

    {"bvnot", Action::word, 1, 1, Op::none, {}, 0, WordOp::complement},
    {"bvand", Action::word, 2, any, Op::none, {}, 0, WordOp::conjunction},
    {"bvor", Action::word, 2, any, Op::none, {}, 0, WordOp::disjunction},
    {"bvxor", Action::word, 2, any, Op::none, {}, 0, WordOp::exclusion},
    {"bvadd", Action::word, 2, any, Op::none, {}, 0, WordOp::sum},
    {"bvsub", Action::word, 2, any, Op::none, {}, 0, WordOp::difference},
    {"bvmul", Action::word, 2, any, Op::none, {}, 0, WordOp::product},
    {"bvudiv", Action::word, 2, 2, Op::none, {}, 0, WordOp::quotient},
    {"bvurem", Action::word, 2, 2, Op::none, {}, 0, WordOp::rest},
    {"bvshl", Action::word, 2, 2, Op::none, {}, 0, WordOp::shift_left},
    {"bvlshr", Action::word, 2, 2, Op::none, {}, 0, WordOp::shift_right},
    {"bvashr", Action::word, 2, 2, Op::none, {}, 0, WordOp::shift_right_signed},
    {"bvnand", Action::word_inverse, 2, 2, Op::none, {}, 0, WordOp::conjunction},
    {"bvnor", Action::word_inverse, 2, 2, Op::none, {}, 0, WordOp::disjunction},
    {"bvxnor", Action::word_inverse, 2, 2, Op::none, {}, 0, WordOp::exclusion},
    {"bvneg", Action::word_negation, 1, 1},
    {"bvult", Action::word_comparison, 2, 2},
    {"bvugt", Action::word_comparison, 2, 2, Op::none, {}, 0, WordOp::none, false, true},
    {"bvule", Action::word_comparison, 2, 2, Op::none, {}, 0, WordOp::none, false, true, true},
    {"bvuge", Action::word_comparison, 2, 2, Op::none, {}, 0, WordOp::none, false, false, true},
    {"bvslt", Action::word_comparison, 2, 2, Op::none, {}, 0, WordOp::none, true},
    {"bvsgt", Action::word_comparison, 2, 2, Op::none, {}, 0, WordOp::none, true, true},
    {"bvsle", Action::word_comparison, 2, 2, Op::none, {}, 0, WordOp::none, true, true, true},
    {"bvsge", Action::word_comparison, 2, 2, Op::none, {}, 0, WordOp::none, true, false, true},
    {"bvcomp", Action::word_equality, 2, 2},
    {"bvsdiv", Action::signed_division, 2, 2, Op::none, {}, 0, WordOp::quotient},
    {"bvsrem", Action::signed_division, 2, 2, Op::none, {}, 0, WordOp::rest},
    {"bvsmod", Action::signed_division, 2, 2, Op::none, {}, 0, WordOp::rest, true}, // has the divisor's sign
    {"concat", Action::concatenation, 2, any},
    {"extract", Action::extraction, 1, 1, Op::none, {}, 2},
    {"zero_extend", Action::extension, 1, 1, Op::none, {}, 1},
    {"sign_extend", Action::extension, 1, 1, Op::none, {}, 1, WordOp::none, true},
    {"rotate_left", Action::rotation, 1, 1, Op::none, {}, 1},
    {"rotate_right", Action::rotation, 1, 1, Op::none, {}, 1, WordOp::none, true},
    {"repeat", Action::repetition, 1, 1, Op::none, {}, 1},

    {"to_real"},
    {"to_int"},
    {"select"},
    {"store"},
};

} // namespace

const Operator* find_operator(std::string_view name) {
  static const std::unordered_map<std::string_view, const Operator*> by_name = [] {
    std::unordered_map<std::string_view, const Operator*> all;
    for (const Operator& function : operators)
      all.emplace(function.name, &function);
    return all;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

} // namespace faultline::constraint
