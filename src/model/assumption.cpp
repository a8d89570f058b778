#include "model/assumption.h"

#include "base/error.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace faultline::model {

namespace {

constexpr size_t deepest = 64;        // nested brackets and operators: a guess, well above what people write
constexpr size_t longest_text = 4096; // characters: a guess

// Functions of numbers, functions of numbers and whole arrays, and predicates.
const std::vector<std::string> of_numbers = {"abs", "fabs", "sqrt",  "exp",  "log",  "sin",
                                             "cos", "tan",  "floor", "ceil", "hypot"};
const std::vector<std::string> of_arrays = {"sum", "norm", "min", "max", "length", "dot"};
const std::vector<std::string> predicates = {"finite",    "integer",    "sorted",  "increasing",
                                             "symmetric", "orthogonal", "rotation"};

bool is_listed(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string known_functions() {
  return fmt::format("functions are {}, {}; predicates are {}", fmt::join(of_numbers, ", "), fmt::join(of_arrays, ", "),
                     fmt::join(predicates, ", "));
}

using Term = AssumptionTerm;
using TermKind = Term::Kind;

class Parser {
public:
  explicit Parser(const std::string& text) : text_(text) {}

  Assumption parse() {
    Assumption assumption{text_, {}};
    if (text_.size() > longest_text)
      fail(longest_text, "the condition is too long", "split it into several");
    do
      add_relations(assumption);
    while (accept("&&") || accept_word("and") || accept(","));
    skip_blanks();
    if (at_ < text_.size())
      fail(at_, fmt::format("unexpected '{}'", text_[at_]), "join conditions with 'and'");
    return assumption;
  }

private:
  [[noreturn]] void fail(size_t column, const std::string& problem, const std::string& hint) const {
    fail_assumption(text_, column, problem, hint);
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
      ++at_;
  }
  bool accept(std::string_view token) {
    skip_blanks();
    if (!std::string_view(text_).substr(at_).starts_with(token))
      return false;
    at_ += token.size();
    return true;
  }
  static bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
  static bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
  char next(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool accept_word(std::string_view word) {
    skip_blanks();
    const bool follows = std::string_view(text_).substr(at_).starts_with(word);
    if (!follows || is_letter(next(word.size())) || is_digit(next(word.size())))
      return false;
    at_ += word.size();
    return true;
  }
  std::string word() {
    const size_t begin = at_;
    while (is_letter(next()) || is_digit(next()))
      ++at_;
    return text_.substr(begin, at_ - begin);
  }
  void expect(char c) {
    if (!accept(std::string_view(&c, 1)))
      fail(at_, fmt::format("expected '{}'", c), "check the brackets");
  }

  std::optional<Order> order() {
    for (const auto& [token, order] : {std::pair{"<=", Order::less_equal},
                                       {">=", Order::greater_equal},
                                       {"==", Order::equal},
                                       {"!=", Order::unequal},
                                       {"<", Order::less},
                                       {">", Order::greater},
                                       {"=", Order::equal}})
      if (accept(token))
        return order;
    return std::nullopt;
  }

  // a < b <= c is a < b and b <= c.
  void add_relations(Assumption& assumption) {
    Term left = sum();
    if (left.kind == TermKind::call && is_listed(predicates, left.function)) {
      assumption.relations.push_back({std::move(left), true});
      return;
    }
    bool any = false;
    while (const std::optional<Order> wanted = order()) {
      Term right = sum();
      assumption.relations.push_back({left, false, *wanted, right});
      left = std::move(right);
      any = true;
    }
    if (!any)
      fail(at_, "expected a comparison: <, <=, >, >=, == or !=", "write a condition, such as 'a < b'");
  }

  static Term binary(TermKind kind, size_t column, Term left, Term right) {
    Term term{.kind = kind, .column = column};
    term.operands.push_back(std::move(left));
    term.operands.push_back(std::move(right));
    return term;
  }

  // Every recursion passes here.
  Term sum() {
    if (++depth_ > deepest)
      fail(at_, "the condition is nested too deeply", "split it into several");
    Term left = product();
    for (;;) {
      skip_blanks();
      const size_t column = at_;
      if (accept("+"))
        left = binary(TermKind::add, column, std::move(left), product());
      else if (accept("-"))
        left = binary(TermKind::subtract, column, std::move(left), product());
      else
        break;
    }
    --depth_;
    return left;
  }

  Term product() {
    Term left = factor();
    for (;;) {
      skip_blanks();
      const size_t column = at_;
      if (std::string_view(text_).substr(at_).starts_with("**"))
        return left; // of a power, which factor() reads
      if (accept("*"))
        left = binary(TermKind::multiply, column, std::move(left), factor());
      else if (accept("/"))
        left = binary(TermKind::divide, column, std::move(left), factor());
      else
        return left;
    }
  }

  Term factor() {
    skip_blanks();
    const size_t column = at_;
    size_t signs = 0;
    while (accept("-"))
      ++signs;
    Term term = primary();
    if (accept("**") || accept("^")) {
      const size_t at = at_;
      const bool negative = accept("-");
      Term exponent = primary();
      if (negative)
        exponent = {.kind = TermKind::negate, .column = at, .operands = {exponent}};
      term = binary(TermKind::power, at, std::move(term), std::move(exponent));
    }
    if (signs % 2 == 0)
      return term;
    return {.kind = TermKind::negate, .column = column, .operands = {std::move(term)}};
  }

  Term primary() {
    skip_blanks();
    const size_t column = at_;
    if (accept("(")) {
      Term term = sum();
      expect(')');
      return term;
    }
    if (is_digit(next()) || (next() == '.' && is_digit(next(1))))
      return number();
    if (is_letter(next()))
      return name_or_call();
    fail(column, at_ < text_.size() ? fmt::format("unexpected '{}'", text_[at_]) : "the condition ends too early",
         "expected a number, an input or a function");
  }

  Term number() {
    const size_t column = at_;
    while (is_digit(next()) || next() == '.')
      ++at_;
    const bool exponent = next() == 'e' || next() == 'E' || next() == 'd' || next() == 'D';
    const size_t sign = next(1) == '-' || next(1) == '+';
    if (exponent && is_digit(next(1 + sign))) {
      at_ += 1 + sign;
      while (is_digit(next()))
        ++at_;
    }
    std::string digits = text_.substr(column, at_ - column);
    std::ranges::replace_if(
        digits, [](char c) { return c == 'd' || c == 'D'; }, 'e');
    const std::optional<numeric::Value> value = numeric::parse_long_double(digits);
    if (!value || !std::isfinite(*value))
      fail(column, fmt::format("'{}' is not a number", digits), "write a decimal number, such as 1e-3");
    return {.kind = TermKind::number, .column = column, .number = *value};
  }

  std::vector<Term> list(char close) {
    std::vector<Term> terms;
    do
      terms.push_back(sum());
    while (accept(","));
    expect(close);
    return terms;
  }

  Term name_or_call() {
    const size_t column = at_;
    std::string text = word();
    const bool is_function = is_listed(of_numbers, text) || is_listed(of_arrays, text) || is_listed(predicates, text);
    if (is_function && next() == '(') {
      ++at_;
      Term call{.kind = TermKind::call, .column = column, .function = std::move(text)};
      call.operands = list(')');
      return call;
    }
    Term input{.kind = TermKind::input, .column = column};
    input.name.push_back({std::move(text), {}});
    for (;;) {
      if (next() == '[' || next() == '(') {
        const bool round = next() == '(';
        ++at_;
        std::vector<Term> indices = list(round ? ')' : ']');
        Term::Part& part = input.name.back();
        part.round = round;
        std::ranges::move(indices, std::back_inserter(part.indices));
        continue;
      }
      std::string_view rest = std::string_view(text_).substr(at_);
      const size_t separator = rest.starts_with("->") ? 2 : rest.starts_with(".") || rest.starts_with("%") ? 1 : 0;
      if (separator == 0 || !is_letter(next(separator)))
        return input;
      std::string field = rest.starts_with("%") ? "%" : ".";
      at_ += separator;
      field += word();
      if (input.name.back().indices.empty())
        input.name.back().text += field;
      else
        input.name.push_back({std::move(field), {}});
    }
  }

  const std::string& text_;
  size_t at_ = 0, depth_ = 0;
};

} // namespace

bool holds(Order order, numeric::Value left, numeric::Value right) {
  switch (order) {
  case Order::less:
    return left < right;
  case Order::less_equal:
    return left <= right;
  case Order::greater:
    return left > right;
  case Order::greater_equal:
    return left >= right;
  case Order::equal:
    return left == right;
  case Order::unequal:
    return left != right;
  }
  return false;
}

bool takes_arrays(std::string_view function) {
  return is_listed(of_arrays, function) || is_listed(predicates, function);
}

void fail_assumption(const std::string& text, size_t column, const std::string& problem, const std::string& hint) {
  const std::string shown = base::shown(text);
  const bool whole = shown.size() == text.size() + 2; // with its quotes: neither shortened nor on several lines
  const std::string marker = whole ? fmt::format("\n  {}\n  {}^", text, std::string(column, ' ')) : "";
  throw base::UserError(base::status_usage,
                        fmt::format("--assume {}: column {}: {}{}", shown, column + 1, problem, marker),
                        hint.empty() ? known_functions() : hint);
}

Assumption assumption_from(const std::string& text) { return Parser(text).parse(); }

} // namespace faultline::model
