#include "constraint/smtlib/lexer.h"

#include "frontend/error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace faultline::constraint {

using Kind = Token::Kind;

namespace {

enum : uint8_t { blank = 1, digit = 2, in_symbol = 4, hex_digit = 8, control = 16 };

constexpr std::array<uint8_t, 256> classes_of_bytes() {
  std::array<uint8_t, 256> classes{};
  for (int c = 0; c < 32; ++c)
    classes[c] = control;
  classes[127] = control;
  for (const unsigned char c : {' ', '\t', '\n', '\r'})
    classes[c] = blank;
  for (int c = '0'; c <= '9'; ++c)
    classes[c] = digit | in_symbol | hex_digit;
  for (int c = 'a'; c <= 'z'; ++c)
    classes[c] = classes[c - 'a' + 'A'] = in_symbol | (c <= 'f' ? hex_digit : 0);
  for (const unsigned char c : std::string_view("~!@$%^&*_-+=<>.?/"))
    classes[c] = in_symbol;
  return classes;
}

bool is(char c, int wanted) {
  static constexpr std::array<uint8_t, 256> classes = classes_of_bytes();
  return (classes[static_cast<unsigned char>(c)] & wanted) != 0;
}

constexpr std::string_view reserved_words[] = {"_",   "!",      "as",      "let",         "exists",  "forall", "match",
                                               "par", "BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING"};

constexpr const char* hint_text = "is it an SMT-LIB 2.6 script?";
constexpr const char* hint_balance = "count the parentheses";

} // namespace

Lexer::Lexer(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  if (text_.starts_with("\xef\xbb\xbf")) // the byte order mark that some editors write
    at_ = 3;
}

Token Lexer::taken(Kind kind, size_t begin, size_t end, size_t cut_left, size_t cut_right) {
  at_ = end;
  return {kind, text_.substr(begin + cut_left, end - begin - cut_left - cut_right), begin};
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    if (is(text_[at_], blank))
      ++at_;
    else if (text_[at_] == ';')
      at_ = std::min(text_.find('\n', at_), text_.size());
    else
      return;
  }
}

Token Lexer::next() {
  skip_blanks();
  if (at_ == text_.size())
    return {Kind::end, {}, at_};
  const char c = text_[at_];
  if (c == '(' || c == ')')
    return taken(c == '(' ? Kind::open : Kind::close, at_, at_ + 1);
  if (is(c, digit))
    return number();
  if (is(c, in_symbol) || c == ':') {
    size_t end = at_ + 1;
    while (end < text_.size() && is(text_[end], in_symbol))
      ++end;
    if (c == ':' && end == at_ + 1)
      fail(at_, "a ':' with no keyword behind it", hint_text);
    return taken(c == ':' ? Kind::keyword : Kind::symbol, at_, end);
  }
  if (c == '|')
    return quoted();
  if (c == '"')
    return string();
  if (c == '#')
    return literal();
  const bool text = static_cast<unsigned char>(c) < 0x80 && !is(c, control);
  fail(at_,
       text ? fmt::format("unexpected character '{}'", c)
            : fmt::format("unexpected byte 0x{:02x}", static_cast<unsigned char>(c)),
       hint_text);
}

Token Lexer::quoted() {
  const size_t end = text_.find('|', at_ + 1);
  if (end == std::string_view::npos)
    fail(at_, "a |symbol| that is never closed", "close it with |");
  for (size_t i = at_ + 1; i < end; ++i)
    if (text_[i] == '\\' || is(text_[i], control))
      fail(i, fmt::format("byte 0x{:02x} inside a |symbol|", text_[i]),
           "SMT-LIB allows neither \\ nor control characters");
  return taken(Kind::quoted, at_, end + 1, 1, 1);
}

Token Lexer::string() {
  size_t end = at_;
  do { // "" inside stands for one quote: the string ends and goes on
    end = text_.find('"', end + 1);
    if (end == std::string_view::npos)
      fail(at_, "a string that is never closed", "close it with \"");
    ++end;
  } while (end < text_.size() && text_[end] == '"');
  for (size_t i = at_; i < end; ++i)
    if (is(text_[i], control))
      fail(i, fmt::format("byte 0x{:02x} inside a string", text_[i]), hint_text);
  return taken(Kind::string, at_, end);
}

Token Lexer::number() {
  const auto after_digits = [&](size_t i) {
    while (i < text_.size() && is(text_[i], digit))
      ++i;
    return i;
  };
  size_t end = after_digits(at_);
  Kind kind = Kind::numeral;
  if (end + 1 < text_.size() && text_[end] == '.' && is(text_[end + 1], digit)) {
    end = after_digits(end + 1);
    kind = Kind::decimal;
  }
  if (end < text_.size() && is(text_[end], in_symbol))
    fail(at_, "a malformed number", "numbers are written 12 or 1.5, with no exponent");
  return taken(kind, at_, end);
}

Token Lexer::literal() {
  const char base = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
  size_t end = at_ + 2;
  if (base == 'b')
    while (end < text_.size() && (text_[end] == '0' || text_[end] == '1'))
      ++end;
  else if (base == 'x')
    while (end < text_.size() && is(text_[end], hex_digit))
      ++end;
  if (end == at_ + 2 || (end < text_.size() && is(text_[end], in_symbol)))
    fail(at_, "a malformed bit-vector literal", "#b0101 or #x7f");
  return taken(base == 'b' ? Kind::binary : Kind::hexadecimal, at_, end, 2);
}

Token Lexer::peek() {
  const size_t at = at_;
  const Token token = next();
  at_ = at;
  return token;
}

void Lexer::expect_open(const char* what) {
  if (const Token token = next(); token.kind != Kind::open)
    fail(token.at, fmt::format("expected '(' before {}, found {}", what, shown(token)), hint_balance);
}

void Lexer::expect_close(const char* what) {
  if (const Token token = next(); token.kind != Kind::close)
    fail(token.at, fmt::format("expected ')' after {}, found {}", what, shown(token)), hint_balance);
}

Token Lexer::expect_name(const char* what) {
  const Token token = next();
  if (!token.is_name())
    fail(token.at, fmt::format("expected {}, found {}", what, shown(token)), hint_text);
  return token;
}

int Lexer::expect_number(const char* what) {
  const Token token = next();
  int number = 0;
  if (token.kind != Kind::numeral)
    fail(token.at, fmt::format("expected {}, found {}", what, shown(token)), hint_text);
  if (token.text.size() > 9)
    fail(token.at, fmt::format("{} is too large: {}", what, shown(token)), "less than a thousand million");
  std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
  return number;
}

void Lexer::skip_to_close(size_t opened_at) {
  for (size_t depth = 1; depth > 0;) {
    const Token token = next();
    if (token.kind == Kind::end)
      fail(opened_at, "a '(' that is never closed", hint_balance);
    depth += token.kind == Kind::open ? 1 : token.kind == Kind::close ? -1 : 0;
  }
}

void Lexer::skip_expression() {
  const Token token = next();
  if (token.kind == Kind::open)
    skip_to_close(token.at);
  else if (token.kind == Kind::close || token.kind == Kind::end)
    fail(token.at, fmt::format("expected an expression, found {}", shown(token)), hint_balance);
}

void Lexer::fail(size_t at, const std::string& what, const std::string& hint) const {
  const std::string_view before = text_.substr(0, at);
  const size_t line = 1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t column = at - (before.rfind('\n') + 1) + 1; // npos + 1 is 0
  throw frontend::UserError(frontend::status_usage, fmt::format("{}:{}:{}: {}", file_, line, column, what), hint);
}

bool is_reserved_word(std::string_view word) {
  return std::ranges::find(reserved_words, word) != std::end(reserved_words);
}

bool is_simple_symbol(std::string_view name) {
  return !name.empty() && !is(name[0], digit) && !is_reserved_word(name) &&
         std::ranges::all_of(name, [](char c) { return is(c, in_symbol); });
}

std::string shown(const Token& token) { return token.kind == Kind::end ? "the end of the file" : shown(token.text); }

} // namespace faultline::constraint
