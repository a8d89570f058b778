#include "oracle/meaning/parser.h"

#include "base/error.h"
#include "oracle/meaning/functions.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace faultline::oracle {

using Kind = Expression::Kind;

namespace {

// A token of an expression.
struct Token {
  enum class Kind { number, name, mark, end };
  Kind kind = Kind::end;
  std::string text;
  size_t column = 0; // from 0, in the expression
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Longest first.
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

// Names of struct fields contain dots: point.x
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

constexpr int deepest = 100;         // nested parentheses, calls and lets
constexpr size_t longest = 8 * 1024; // characters. Evaluation recurses as deep as half of them: x+x+x+...
constexpr size_t most_steps = 1u << 17;
constexpr std::array constants = {"pi", "e", "euler", "catalan", "j", "undefined"};

std::string joined(std::span<const std::string> names) {
  constexpr size_t most = 12;
  return fmt::format("{}{}", fmt::join(names.first(std::min(names.size(), most)), ", "),
                     names.size() > most ? ", ..." : "");
}

// Moves the parts, as an initialiser list cannot do: a chain of n operators would be copied n times.
template <class... Parts> Expression made_of(Kind kind, Parts... parts) {
  Expression whole{.kind = kind};
  whole.parts.reserve(sizeof...(parts));
  (whole.parts.push_back(std::move(parts)), ...);
  return whole;
}

// Throws WrongExpression. The last token is of kind end.
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
      throw WrongExpression{fmt::format("unexpected character '{}'", c), at, "docs/meaning.md has the grammar"};
    tokens.push_back({kind, std::string(text.substr(at, end - at)), at});
    at = end;
  }
  tokens.push_back({Token::Kind::end, "", text.size()});
  return tokens;
}

} // namespace

std::string with_caret(std::string_view text, size_t column) {
  constexpr size_t most = 200, before = 100; // characters to show
  if (text.size() > most) {
    const size_t begin = std::min(column - std::min(column, before), text.size() - most);
    text = text.substr(begin, most);
    column -= begin;
  }
  std::string line(text);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
  return fmt::format("{}\n{:>{}}", line, "^", column + 1);
}

// The conditions of if.

namespace {

// A recursive-descent parser: one method per rule of the grammar.
class Parser {
public:
  Parser(std::string_view text, std::span<const std::string> inputs) : tokens_(tokens_of(text)), inputs_(inputs) {}

  Expression whole() {
    Expression all = expression();
    if (next().kind != Token::Kind::end)
      fail(fmt::format("unexpected '{}'", next().text), "an operator may be missing before it");
    return all;
  }

private:
  const Token& next() const { return tokens_[at_]; }
  bool is(std::string_view mark) const { return next().kind != Token::Kind::number && next().text == mark; }

  // Consumes it if it is next.
  bool take(std::string_view mark) {
    if (!is(mark) || next().kind == Token::Kind::end)
      return false;
    ++at_;
    return true;
  }

  void expect(std::string_view mark) {
    if (!take(mark))
      fail(next().kind == Token::Kind::end ? fmt::format("expected '{}' at the end of the expression", mark)
                                           : fmt::format("expected '{}', found '{}'", mark, next().text),
           "docs/meaning.md has the grammar");
  }

  std::string new_name() {
    const Token token = next();
    if (token.kind != Token::Kind::name || token.text.find('.') != std::string::npos)
      fail("expected a new name", "let t = x + 1 in t * t, sum(k, 1, 10, x^k)");
    ++at_;
    return token.text;
  }

  [[noreturn]] void fail(std::string what, std::string cure) const {
    fail_at(next(), std::move(what), std::move(cure));
  }

  [[noreturn]] static void fail_at(const Token& token, std::string what, std::string cure) {
    throw WrongExpression{std::move(what), token.column, std::move(cure)};
  }

  // Limits the depth: every recursive rule creates one.
  class DepthGuard {
  public:
    explicit DepthGuard(Parser& parser);
    ~DepthGuard() { --parser_.depth_; }

  private:
    Parser& parser_;
  };

  Expression expression() {
    const DepthGuard guard(*this);
    if (!is("let"))
      return sum();
    take("let");
    Expression let{.kind = Kind::let, .name = new_name()};
    expect("=");
    let.parts.push_back(expression());
    expect("in");
    bound_.push_back(let.name);
    let.parts.push_back(expression());
    bound_.pop_back();
    return let;
  }

  // A chain of these operators, from left to right.
  Expression chain(Expression (Parser::*operand)(),
                   std::initializer_list<std::pair<std::string_view, Kind>> operators) {
    Expression left = (this->*operand)();
    for (;;) {
      const auto found = std::ranges::find_if(operators, [&](const auto& one) { return take(one.first); });
      if (found == operators.end())
        return left;
      left = made_of(found->second, std::move(left), (this->*operand)());
    }
  }

  Expression sum() { return chain(&Parser::product, {{"+", Kind::add}, {"-", Kind::subtract}}); }
  Expression product() { return chain(&Parser::signed_one, {{"*", Kind::multiply}, {"/", Kind::divide}}); }
  Expression all_of() { return chain(&Parser::negation, {{"and", Kind::both}, {"&&", Kind::both}}); }
  Expression condition() {
    const DepthGuard guard(*this);
    return chain(&Parser::all_of, {{"or", Kind::either}, {"||", Kind::either}});
  }

  Expression signed_one() {
    const DepthGuard guard(*this);
    if (take("-"))
      return made_of(Kind::negate, signed_one());
    if (take("+"))
      return signed_one();
    return power();
  }

  Expression power() {
    Expression base = primary();
    if (!take("^") && !take("**"))
      return base;
    return made_of(Kind::power, std::move(base), signed_one());
  }

  Expression primary() {
    const Token token = next();
    if (token.kind == Token::Kind::number) {
      ++at_;
      return {.kind = Kind::number, .name = token.text};
    }
    if (take("(")) {
      Expression inside = expression();
      expect(")");
      return inside;
    }
    if (token.kind != Token::Kind::name)
      fail(token.kind == Token::Kind::end ? "unexpected end of the expression"
                                          : fmt::format("expected a value, found '{}'", token.text),
           "docs/meaning.md has the grammar");
    ++at_;
    if (is("("))
      return call(token);
    return is("[") ? element(token) : named(token);
  }

  Expression named(const Token& name) {
    for (size_t i = bound_.size(); i-- > 0;)
      if (bound_[i] == name.text)
        return {.kind = Kind::variable, .name = name.text, .index = i};
    if (const auto input = std::ranges::find(inputs_, name.text); input != inputs_.end())
      return {.kind = Kind::input, .name = name.text, .index = size_t(input - inputs_.begin())};
    if (std::ranges::find(constants, name.text) != constants.end())
      return {.kind = Kind::constant, .name = name.text};
    if (find_function(name.text))
      fail_at(name, fmt::format("{} is a function and needs arguments", name.text),
              std::string(find_function(name.text)->usage));
    fail_at(name, fmt::format("there is no input {}", name.text), fmt::format("the inputs are: {}", joined(inputs_)));
  }

  Expression element(const Token& name) {
    const Token bracket = next();
    expect("[");
    Expression index = expression();
    expect("]");
    if (index.kind == Kind::number) {
      const std::string cell = fmt::format("{}[{}]", name.text, index.name);
      const auto input = std::ranges::find(inputs_, cell);
      if (input == inputs_.end())
        fail_at(name, fmt::format("there is no input {}", cell), fmt::format("the inputs are: {}", joined(inputs_)));
      return {.kind = Kind::input, .name = cell, .index = size_t(input - inputs_.begin())};
    }
    const bool array =
        std::ranges::any_of(inputs_, [&](const std::string& input) { return input.starts_with(name.text + "["); });
    if (!array)
      fail_at(bracket, fmt::format("{} is not an array of inputs", name.text),
              fmt::format("the inputs are: {}", joined(inputs_)));
    return {.kind = Kind::element, .name = name.text, .parts = {std::move(index)}};
  }

  Expression call(const Token& name) {
    expect("(");
    if (name.text == "if")
      return choice();
    if (name.text == "sum")
      return bound(Kind::sum);
    if (name.text == "prod")
      return bound(Kind::product);
    if (name.text == "integral")
      return bound(Kind::integral);
    const Function* function = find_function(name.text);
    if (!function) {
      const std::vector<std::string> close = base::nearest(name.text, function_names());
      fail_at(name, fmt::format("there is no function {}", name.text),
              close.empty() ? std::string("docs/meaning.md lists the functions")
                            : fmt::format("did you mean {}?", fmt::join(close, ", ")));
    }
    Expression made{.kind = Kind::call, .name = name.text, .function = function};
    while (!is(")")) {
      if (!made.parts.empty())
        expect(",");
      made.parts.push_back(expression());
    }
    expect(")");
    if (made.parts.size() < function->fewest || made.parts.size() > function->most)
      fail_at(name,
              fmt::format("{} has {} argument{} here", name.text, made.parts.size(), made.parts.size() == 1 ? "" : "s"),
              std::string(function->usage));
    return made;
  }

  // Parses the rest after the parenthesis: NAME, low, high, body)
  Expression bound(Kind kind) {
    Expression made{.kind = kind, .name = new_name()};
    expect(",");
    made.parts.push_back(expression());
    expect(",");
    made.parts.push_back(expression());
    expect(",");
    bound_.push_back(made.name);
    made.parts.push_back(expression());
    bound_.pop_back();
    expect(")");
    return made;
  }

  Expression choice() {
    Expression made{.kind = Kind::choose, .name = {}};
    made.parts.push_back(condition());
    expect(",");
    made.parts.push_back(expression());
    expect(",");
    made.parts.push_back(expression());
    expect(")");
    return made;
  }

  Expression negation() {
    const DepthGuard guard(*this);
    if (take("not") || take("!"))
      return made_of(Kind::opposite, negation());
    if (!is("("))
      return comparison();
    // A parenthesis may enclose a condition or begin a term: (x < 1) or (x + 1) < y.
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

  Expression comparison() {
    Expression left = sum();
    const Token mark = next();
    if (take("<"))
      return made_of(Kind::less, std::move(left), sum());
    if (take("<="))
      return made_of(Kind::less_equal, std::move(left), sum());
    if (take("=="))
      return made_of(Kind::equal, std::move(left), sum());
    if (take("!="))
      return made_of(Kind::unequal, std::move(left), sum());
    if (take(">") || take(">=")) {
      Expression right = sum();
      return made_of(mark.text == ">" ? Kind::less : Kind::less_equal, std::move(right), std::move(left));
    }
    fail("expected a comparison: < <= > >= == !=", "if(x < 1, x, 1/x)");
  }

  std::vector<Token> tokens_;
  std::span<const std::string> inputs_;
  std::vector<std::string> bound_; // names of let, sum and integral, outermost first
  size_t at_ = 0;
  int depth_ = 0;
  size_t steps_ = 0; // conditions may be parsed twice, their parts four times
};

} // namespace

Parser::DepthGuard::DepthGuard(Parser& parser) : parser_(parser) {
  if (++parser_.depth_ > deepest)
    parser_.fail("the expression is nested too deep", fmt::format("at most {} levels", deepest));
  if (++parser_.steps_ > most_steps)
    parser_.fail("the expression is too complicated", "split it with let");
}

Expression parse_meaning(std::string_view text, std::span<const std::string> inputs) {
  if (text.size() > longest)
    throw WrongExpression{"the expression is too long", longest, fmt::format("at most {} characters", longest)};
  return Parser(text, inputs).whole();
}

} // namespace faultline::oracle
