// SMT-LIB 2.6 as tokens (section 3.1 of the standard), and the errors of whoever reads them.
//
// The text is never copied: a token is a view of it, so the text must outlive the tokens. Where a token stands is one
// number, its place in the text; line and column are counted when an error needs them. That makes going back cheap, and
// a definition with parameters is read again at each use (constraint/smtlib/terms.h).
//
// Bytes that are no text are errors wherever they stand, except that comments, strings and quoted symbols may hold any
// UTF-8.
#pragma once

#include "frontend/reading/shown_text.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace faultline::constraint {

struct Token {
  enum class Kind : uint8_t {
    open,
    close,
    symbol,
    quoted,      // a |symbol|; the text is without the bars
    keyword,     // with its colon
    numeral,     // 12
    decimal,     // 1.5
    binary,      // #b01; the text is without #b
    hexadecimal, // #xff; the text is without #x
    string,      // with its quotes
    end
  };
  Kind kind = Kind::end;
  std::string_view text = {};
  size_t at = 0;

  bool is_name() const { return kind == Kind::symbol || kind == Kind::quoted; }
  // A word of the language, which a |quoted| symbol is not.
  bool is_word(std::string_view word) const { return kind == Kind::symbol && text == word; }
};

class Lexer {
public:
  // `file` is for messages.
  Lexer(std::string_view text, std::string file);

  Token next(); // throws frontend::UserError, as everything here
  Token peek();
  size_t at() const { return at_; }
  void seek(size_t at) { at_ = at; }

  // These say in words what was expected.
  void expect_open(const char* what);
  void expect_close(const char* what);
  Token expect_name(const char* what);
  // A numeral of at most nine digits.
  int expect_number(const char* what);

  // The rest of an expression whose parenthesis was just read, or one whole expression.
  void skip_to_close(size_t opened_at);
  void skip_expression();

  // FILE:LINE:COLUMN: what
  [[noreturn]] void fail(size_t at, const std::string& what, const std::string& hint) const;

private:
  void skip_blanks();
  Token quoted();
  Token string();
  Token number();
  Token literal();

  Token taken(Token::Kind kind, size_t begin, size_t end, size_t cut_left = 0, size_t cut_right = 0);

  std::string_view text_;
  std::string file_;
  size_t at_ = 0;
};

// A word that has a meaning of its own and names nothing, unless it is |quoted|.
bool is_reserved_word(std::string_view word);
// Can the name stand in a script without bars?
bool is_simple_symbol(std::string_view name);

// For messages: short, printable, in quotes; the end of the file has no text.
std::string shown(const Token& token);
using frontend::shown;

} // namespace faultline::constraint
