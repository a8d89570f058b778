// The rules of the grammar, one method each (oracle/meaning/parser.h): for the files that implement them.
#pragma once

#include "oracle/meaning/expression.h"
#include "oracle/meaning/tokens.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::oracle {

class Parser {
public:
  Parser(std::string_view text, std::span<const std::string> inputs) : tokens_(tokens_of(text)), inputs_(inputs) {}

  Expression whole();

private:
  const Token& next() const { return tokens_[at_]; }
  bool is(std::string_view mark) const { return next().kind != Token::Kind::number && next().text == mark; }
  bool take(std::string_view mark); // if it is next
  void expect(std::string_view mark);
  std::string new_name();
  [[noreturn]] void fail(std::string what, std::string cure) const;
  [[noreturn]] static void fail_at(const Token& token, std::string what, std::string cure);

  // Guards the way down: every rule that may come back to itself goes through it.
  class Deeper {
  public:
    explicit Deeper(Parser& parser);
    ~Deeper() { --parser_.depth_; }

  private:
    Parser& parser_;
  };

  Expression expression();
  Expression sum();
  Expression product();
  Expression signed_one();
  Expression power();
  Expression primary();
  Expression named(const Token& name);
  Expression element(const Token& name);
  Expression call(const Token& name);
  Expression bound(Expression::Kind kind);
  Expression choice();
  Expression condition();
  Expression all_of();
  Expression negation();
  Expression comparison();

  std::vector<Token> tokens_;
  std::span<const std::string> inputs_;
  std::vector<std::string> bound_; // names of let, sum and integral, outermost first
  size_t at_ = 0;
  int depth_ = 0;
  size_t steps_ = 0; // conditions may be read twice, and what is in them four times
};

} // namespace faultline::oracle
