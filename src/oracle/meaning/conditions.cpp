// The conditions of if: the half of the grammar that compares.
#include "oracle/meaning/parsing.h"

#include <utility>

namespace faultline::oracle {

using Kind = Expression::Kind;

Expression Parser::choice() {
  Expression made{.kind = Kind::choose, .name = {}};
  made.parts.push_back(condition());
  expect(",");
  made.parts.push_back(expression());
  expect(",");
  made.parts.push_back(expression());
  expect(")");
  return made;
}

Expression Parser::condition() {
  const Deeper deeper(*this);
  Expression left = all_of();
  while (take("or") || take("||"))
    left = {.kind = Kind::either, .name = {}, .parts = {std::move(left), all_of()}};
  return left;
}

Expression Parser::all_of() {
  Expression left = negation();
  while (take("and") || take("&&"))
    left = {.kind = Kind::both, .name = {}, .parts = {std::move(left), negation()}};
  return left;
}

Expression Parser::negation() {
  const Deeper deeper(*this);
  if (take("not") || take("!"))
    return {.kind = Kind::opposite, .name = {}, .parts = {negation()}};
  if (!is("("))
    return comparison();
  // A parenthesis may hold a condition or begin a term: (x < 1) or (x + 1) < y.
  const size_t before = at_;
  try {
    return comparison();
  } catch (const WrongExpression&) {
    at_ = before;
  }
  expect("(");
  Expression inside = condition();
  expect(")");
  return inside;
}

Expression Parser::comparison() {
  Expression left = sum();
  const Token mark = next();
  if (take("<"))
    return {.kind = Kind::less, .name = {}, .parts = {std::move(left), sum()}};
  if (take("<="))
    return {.kind = Kind::less_equal, .name = {}, .parts = {std::move(left), sum()}};
  if (take("=="))
    return {.kind = Kind::equal, .name = {}, .parts = {std::move(left), sum()}};
  if (take("!="))
    return {.kind = Kind::unequal, .name = {}, .parts = {std::move(left), sum()}};
  if (take(">") || take(">=")) {
    Expression right = sum();
    return {.kind = mark.text == ">" ? Kind::less : Kind::less_equal,
            .name = {},
            .parts = {std::move(right), std::move(left)}};
  }
  fail("a comparison is expected here: < <= > >= == !=", "if(x < 1, x, 1/x)");
}

} // namespace faultline::oracle
