// The words of an expression.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace faultline::oracle {

struct Token {
  enum class Kind { number, name, mark, end };
  Kind kind = Kind::end;
  std::string text;
  size_t column = 0; // from 0, in the expression
};

// An expression that is wrong: what, and where in it.
struct WrongExpression {
  std::string what;
  size_t column = 0;
  std::string cure; // what to try
};

// Throws WrongExpression. The last one is of kind end.
std::vector<Token> tokens_of(std::string_view text);

} // namespace faultline::oracle
