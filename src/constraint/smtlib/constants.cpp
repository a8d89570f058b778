#include "constraint/smtlib/constants.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::constraint {

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

} // namespace faultline::constraint
