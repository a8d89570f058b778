#include "explain/sketch.h"

#include "numeric/decimal.h"
#include "ops/table.h"
#include "tape/intended.h"

#include <algorithm>
#include <cmath>

namespace faultline::explain {

using numeric::Value;
using ops::Op;

namespace {

constexpr size_t longest_operand = 16;
constexpr int deepest_operand = 2;

std::string in_parentheses(const Expression& x, int loosest) {
  return x.level > loosest ? fmt::format("({})", x.text) : x.text;
}

// Joins formulas read from the tape: nested ones get parentheses.
std::string infix(std::string_view symbol, const std::string& x, const std::string& y) {
  auto atom = [](const std::string& text) { return text.find(' ') == std::string::npos ? text : "(" + text + ")"; };
  const bool product = symbol == "*" && x.find_first_of("+-/(") == std::string::npos;
  return fmt::format("{} {} {}", product ? x : atom(x), symbol, atom(y));
}

bool has_word(const std::string& text, const std::string& word) {
  auto is_part = [&](size_t at) { return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])); };
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if (!(at > 0 && is_part(at - 1)) && !is_part(at + word.size()))
      return true;
  return false;
}

} // namespace

Op Sketch::op(uint32_t operand) const { return runtime::is_constant(operand) ? Op::none : tape_.site(operand).op; }

Value Sketch::constant(uint32_t operand) const {
  const Value value = tape_.exact(operand & ~negated_flag);
  return operand & negated_flag ? -value : value;
}

Value Sketch::value(uint32_t operand) const {
  return runtime::is_constant(operand) ? constant(operand) : values_[operand];
}

bool Sketch::is(uint32_t operand, Value constant) const {
  return runtime::is_constant(operand) && this->constant(operand) == constant;
}

bool Sketch::same(uint32_t x, uint32_t y) const {
  return x == y || (runtime::is_constant(x) && runtime::is_constant(y) && constant(x) == constant(y));
}

std::vector<Term> Sketch::terms(uint32_t record) const {
  if (op(record) != Op::fadd && op(record) != Op::fsub)
    return {};
  std::vector<Term> terms = {{a(record), false}, {b(record), op(record) == Op::fsub}};
  for (Term& term : terms) {
    while (op(term.operand) == Op::fneg)
      term = {a(term.operand), !term.negative};
    if (runtime::is_constant(term.operand) && constant(term.operand) < 0)
      term = {term.operand ^ negated_flag, !term.negative};
  }
  return terms;
}

std::vector<uint32_t> Sketch::leaves(uint32_t root, Op op) const {
  constexpr size_t most = 1024;
  std::vector<uint32_t> open = {root}, found;
  while (!open.empty() && open.size() + found.size() <= most) {
    const uint32_t at = open.back();
    open.pop_back();
    if (this->op(at) != op) {
      found.push_back(at);
      continue;
    }
    open.push_back(b(at));
    open.push_back(a(at));
  }
  return open.empty() ? found : std::vector<uint32_t>();
}

std::optional<uint32_t> Sketch::squared(uint32_t product) const {
  return op(product) == Op::fmul && same(a(product), b(product)) ? std::optional(a(product)) : std::nullopt;
}

std::string Sketch::text(uint32_t operand, int depth) const {
  if (runtime::is_constant(operand))
    return number(constant(operand)).text;
  if (operand <= inputs_.size())
    return inputs_[operand - 1];
  const Op made_by = op(operand);
  const int arity = ops::arity(made_by);
  const std::string_view symbol = ops::symbol(made_by);
  if (depth == 0 || arity == 0 || arity > 2 || symbol.empty())
    return "";
  const std::string x = text(a(operand), depth - 1), y = arity == 2 ? text(b(operand), depth - 1) : "-";
  if (x.empty() || y.empty())
    return "";
  const bool is_function = std::isalpha(static_cast<unsigned char>(symbol.front())) != 0;
  if (arity == 2)
    return is_function ? fmt::format("{}({}, {})", symbol, x, y) : infix(symbol, x, y);
  return is_function ? fmt::format("{}({})", symbol, x) : "";
}

std::string Sketch::letter(uint32_t operand) {
  static constexpr const char* names[] = {"t", "u", "v", "w"};
  const auto found = letters_.find(operand);
  if (found != letters_.end())
    return found->second;
  const size_t used = letters_.size();
  return letters_[operand] = used < std::size(names) ? names[used] : fmt::format("t{}", used);
}

std::string Sketch::legend(const std::string& text) const {
  std::string legend;
  for (const auto& [operand, letter] : letters_) {
    if (!has_word(text, letter))
      continue;
    legend += (legend.empty() ? "" : ", ") + fmt::format("{} is ", letter);
    if (runtime::is_constant(operand) || ops::is_leaf(op(operand)))
      legend += number(value(operand)).text;
    else
      legend += fmt::format("the result of {}{}", ops::symbol(op(operand)),
                            tape_.site(operand).line > 0 ? fmt::format(" in line {}", tape_.site(operand).line) : "");
  }
  return legend;
}

Expression Sketch::read(uint32_t operand) {
  if (!written_)
    return {value(operand), {}, 0};
  std::string formula = text(operand, deepest_operand);
  if (formula.empty() || formula.size() > longest_operand)
    formula = letter(operand);
  const int level = formula.find(' ') == std::string::npos ? 0 : 2;
  return {value(operand), formula, level};
}

Expression Sketch::number(Value value) const {
  if (!written_)
    return {value, {}, 0};
  const std::string text = numeric::shortest_decimal(value, format_);
  return {value, text, value < 0 ? 2 : 0};
}

Expression Sketch::call(Op op, const Expression& x) const {
  return {evaluate(op, x.value), words("{}({})", ops::symbol(op), x.text), 0};
}
Expression Sketch::call(Op op, const Expression& x, const Expression& y) const {
  return {evaluate(op, x.value, y.value), words("{}({}, {})", ops::symbol(op), x.text, y.text), 0};
}
Expression Sketch::fma(const Expression& x, const Expression& y, const Expression& z) const {
  return {evaluate(Op::fma, x.value, y.value, z.value), words("fma({}, {}, {})", x.text, y.text, z.text), 0};
}
Expression Sketch::add(const Expression& x, const Expression& y) const {
  return {evaluate(Op::fadd, x.value, y.value), words("{} + {}", x.text, in_parentheses(y, 1)), 2};
}
Expression Sketch::sub(const Expression& x, const Expression& y) const {
  return {evaluate(Op::fsub, x.value, y.value), words("{} - {}", x.text, in_parentheses(y, 1)), 2};
}
Expression Sketch::mul(const Expression& x, const Expression& y) const {
  return {evaluate(Op::fmul, x.value, y.value), words("{} * {}", in_parentheses(x, 1), in_parentheses(y, 0)), 1};
}
Expression Sketch::div(const Expression& x, const Expression& y) const {
  return {evaluate(Op::fdiv, x.value, y.value), words("{} / {}", in_parentheses(x, 1), in_parentheses(y, 0)), 1};
}
Expression Sketch::negative(const Expression& x) const {
  if (x.inner >= 0) // --x is x
    return {-x.value, x.text.empty() ? x.text : x.text.substr(1), x.inner};
  return {-x.value, words("-{}", in_parentheses(x, 1)), 2, x.level > 1 ? 0 : x.level};
}

bool Sketch::is_square_of(uint32_t product, uint32_t root) const {
  auto unsigned_ = [&](uint32_t operand) { return op(operand) == Op::fneg ? a(operand) : operand; };
  if (op(product) == Op::fmul)
    return same(a(product), b(product)) && same(unsigned_(a(product)), unsigned_(root));
  return runtime::is_constant(product) && runtime::is_constant(root) && constant(product) == value(root) * value(root);
}

std::optional<Expression> Sketch::without_square(uint32_t sum, uint32_t q) {
  if (op(sum) == Op::fma && same(a(sum), b(sum)) && same(a(sum), q))
    return read(c(sum));
  const std::vector<Term> of_sum = terms(sum);
  for (size_t i = 0; i < of_sum.size(); ++i)
    if (!of_sum[i].negative && is_square_of(of_sum[i].operand, q))
      return term(of_sum[1 - i]);
  return std::nullopt;
}

// The sign of a constant does not matter here, and the tape has no negated constants.
bool Sketch::is_shift(uint32_t operand) const {
  return tape::is_shift(tape_, runtime::is_constant(operand) ? operand & ~negated_flag : operand, format_);
}

bool Sketch::is_computed(uint32_t operand) const { return !runtime::is_constant(operand) && op(operand) != Op::leaf; }

bool Sketch::is_correction(std::initializer_list<uint32_t> operands) const {
  for (const uint32_t sum : operands)
    for (const Term& term : terms(sum))
      for (const uint32_t other : operands)
        if (!runtime::is_constant(other) && same(term.operand, other))
          return true;
  return false;
}

bool Sketch::is_taken_from(uint32_t difference, uint32_t operand) const {
  constexpr uint32_t soon = 256; // records until the split is used
  for (uint32_t record = difference + 1; record < std::min(tape_.size(), difference + soon); ++record)
    if (const std::vector<Term> of_record = terms(record);
        of_record.size() == 2 && of_record[0].negative != of_record[1].negative &&
        ((same(of_record[0].operand, operand) && of_record[1].operand == difference) ||
         (same(of_record[1].operand, operand) && of_record[0].operand == difference)))
      return true;
  return false;
}

Expression Sketch::difference(uint32_t x, uint32_t y) {
  if (same(x, y))
    return number(0);
  const std::vector<Term> of_x = terms(x), of_y = terms(y);
  for (size_t i = 0; i < of_x.size(); ++i)
    if (!of_x[i].negative && same(of_x[i].operand, y))
      return term(of_x[1 - i]);
  for (size_t i = 0; i < of_y.size(); ++i)
    if (!of_y[i].negative && same(of_y[i].operand, x))
      return term({of_y[1 - i].operand, !of_y[1 - i].negative});
  for (size_t i = 0; i < of_x.size(); ++i)
    for (size_t j = 0; j < of_y.size(); ++j)
      if (of_x[i].negative == of_y[j].negative && same(of_x[i].operand, of_y[j].operand)) {
        const Term rest = of_y[1 - j];
        return add(term(of_x[1 - i]), term({rest.operand, !rest.negative}));
      }
  return sub(read(x), read(y));
}

} // namespace faultline::explain
