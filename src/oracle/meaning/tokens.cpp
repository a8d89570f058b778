#include "oracle/meaning/tokens.h"

#include <array>
#include <fmt/format.h>

namespace faultline::oracle {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The longest first.
constexpr std::array<std::string_view, 23> marks = {"**", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "^",
                                                    "(",  ")",  "[",  "]",  ",",  "<",  ">",  "=", "!", "%", ";"};

size_t end_of_digits(std::string_view text, size_t at) {
  while (at < text.size() && is_digit(text[at]))
    ++at;
  return at;
}

size_t end_of_number(std::string_view text, size_t at) {
  at = end_of_digits(text, at);
  if (at < text.size() && text[at] == '.')
    at = end_of_digits(text, at + 1);
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    size_t exponent = at + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-'))
      ++exponent;
    if (exponent < text.size() && is_digit(text[exponent]))
      at = end_of_digits(text, exponent);
  }
  return at;
}

// Names have dots in them where they are those of a struct's fields: point.x
size_t end_of_name(std::string_view text, size_t at) {
  while (at < text.size() && (begins_name(text[at]) || is_digit(text[at]) ||
                              (text[at] == '.' && at + 1 < text.size() && begins_name(text[at + 1]))))
    ++at;
  return at;
}

std::string_view mark_at(std::string_view text) {
  for (const std::string_view mark : marks)
    if (text.starts_with(mark))
      return mark;
  return {};
}

} // namespace

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (is_space(c)) {
      ++at;
      continue;
    }
    size_t end = at;
    Token::Kind kind = Token::Kind::mark;
    if (is_digit(c) || (c == '.' && at + 1 < text.size() && is_digit(text[at + 1]))) {
      kind = Token::Kind::number;
      end = end_of_number(text, at);
    } else if (begins_name(c)) {
      kind = Token::Kind::name;
      end = end_of_name(text, at);
    } else {
      end = at + mark_at(text.substr(at)).size();
    }
    if (end == at)
      throw WrongExpression{fmt::format("'{}' has no meaning here", c), at, "docs/meaning.md has the grammar"};
    tokens.push_back({kind, std::string(text.substr(at, end - at)), at});
    at = end;
  }
  tokens.push_back({Token::Kind::end, "", text.size()});
  return tokens;
}

} // namespace faultline::oracle
