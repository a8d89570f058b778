#include "constraint/smtlib/values.h"

#include <fmt/format.h>

namespace faultline::constraint {

namespace {

constexpr const char* hint_sorts =
    "Bool, RoundingMode, (_ FloatingPoint e s), Float16, Float32, Float64, Float128 and (_ BitVec n) are supported";

struct NamedSort {
  const char* name;
  ScriptSort sort;
};
constexpr ScriptSort float_of(int exponent_bits, int significand_bits) {
  return {ScriptSort::Kind::term, float_sort({exponent_bits, significand_bits})};
}
constexpr NamedSort named_sorts[] = {
    {"Bool", {}},
    {"Float16", float_of(5, 11)},
    {"Float32", float_of(8, 24)},
    {"Float64", float_of(11, 53)},
    {"Float128", float_of(15, 113)},
    {"RoundingMode", {ScriptSort::Kind::rounding}},
    {"Real", {ScriptSort::Kind::real}},
    {"Int", {ScriptSort::Kind::real}},
};

} // namespace

ScriptSort sort_of(const System& system, const Value& value) {
  if (const Term* term = std::get_if<Term>(&value))
    return {ScriptSort::Kind::term, system.sort(*term)};
  return {std::holds_alternative<Mode>(value) ? ScriptSort::Kind::rounding : ScriptSort::Kind::real};
}

std::string text(const ScriptSort& sort) {
  if (sort.kind == ScriptSort::Kind::rounding)
    return "RoundingMode";
  if (sort.kind == ScriptSort::Kind::real)
    return "Real";
  if (sort.term.is_word())
    return fmt::format("(_ BitVec {})", sort.term.width);
  return sort.term.boolean ? "Bool"
                           : fmt::format("(_ FloatingPoint {} {})", sort.term.format.exponent_bits,
                                         sort.term.format.significand_bits);
}

void check_format(const Lexer& lexer, size_t at, int exponent_bits, int significand_bits) {
  using numeric::BinaryFormat;
  if (!BinaryFormat{exponent_bits, significand_bits}.valid())
    lexer.fail(at, fmt::format("unsupported sort (_ FloatingPoint {} {})", exponent_bits, significand_bits),
               fmt::format("exponents of {} to {} bits and significands of {} to {} bits are supported",
                           BinaryFormat::least_exponent_bits, BinaryFormat::most_exponent_bits,
                           BinaryFormat::least_significand_bits, BinaryFormat::most_significand_bits));
}

BinaryFormat read_format(Lexer& lexer, size_t at) {
  const int exponent_bits = lexer.expect_number("a number of exponent bits");
  const int significand_bits = lexer.expect_number("a number of significand bits");
  check_format(lexer, at, exponent_bits, significand_bits);
  return {exponent_bits, significand_bits};
}

namespace {

int read_width(Lexer& lexer, size_t at) {
  const int width = lexer.expect_number("a number of bits");
  if (width < 1 || width > most_word_bits)
    lexer.fail(at, fmt::format("unsupported sort (_ BitVec {})", width),
               fmt::format("1 to {} bits are supported", most_word_bits));
  return width;
}

ScriptSort read_indexed(Lexer& lexer, size_t at) {
  lexer.next();
  const Token family = lexer.expect_name("the name of a sort");
  ScriptSort sort;
  if (family.text == "FloatingPoint")
    sort.term = float_sort(read_format(lexer, at));
  else if (family.text == "BitVec")
    sort.term = word_sort(read_width(lexer, at));
  else
    lexer.fail(at, fmt::format("unsupported sort (_ {} ...)", shown(family)), hint_sorts);
  lexer.expect_close("a sort");
  return sort;
}

} // namespace

ScriptSort Sorts::read(Lexer& lexer) const {
  const Token token = lexer.next();
  if (token.kind == Token::Kind::open && lexer.peek().is_word("_"))
    return read_indexed(lexer, token.at);
  if (token.kind == Token::Kind::open)
    lexer.fail(token.at, fmt::format("unsupported sort ({} ...)", shown(lexer.next())), hint_sorts);
  if (!token.is_name())
    lexer.fail(token.at, fmt::format("expected a sort, found {}", shown(token)), hint_sorts);
  for (const NamedSort& known : named_sorts)
    if (token.text == known.name)
      return known.sort;
  if (const auto found = defined_.find(std::string(token.text)); found != defined_.end())
    return found->second;
  lexer.fail(token.at, fmt::format("unsupported sort {}", shown(token)), hint_sorts);
}

void Sorts::define(const Lexer& lexer, const Token& name, ScriptSort sort) {
  bool known = defined_.contains(std::string(name.text));
  for (const NamedSort& other : named_sorts)
    known |= name.text == other.name;
  if (known)
    lexer.fail(name.at, fmt::format("the sort {} is defined twice", shown(name)), "choose another name");
  defined_.emplace(name.text, sort);
  order_.emplace_back(name.text);
}

void Sorts::forget_to(size_t count) {
  for (; order_.size() > count; order_.pop_back())
    defined_.erase(order_.back());
}

void check_variable_sort(const Lexer& lexer, size_t at, const ScriptSort& sort) {
  if (sort.kind == ScriptSort::Kind::real)
    lexer.fail(at, "unsupported sort Real of a variable", hint_sorts);
}

} // namespace faultline::constraint
