#include "constraint/system.h"

#include "constraint/evaluate.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace faultline::constraint {

using numeric::Rounding;
using ops::Op;

Bits apply(WordOp op, int width, int first, int low, Bits a, Bits b) {
  const Bits mask = word_mask(width);
  switch (op) {
  case WordOp::none:
    break;
  case WordOp::complement:
    return ~a & mask;
  case WordOp::conjunction:
    return a & b;
  case WordOp::disjunction:
    return a | b;
  case WordOp::exclusion:
    return a ^ b;
  case WordOp::sum:
    return (a + b) & mask;
  case WordOp::difference:
    return (a - b) & mask;
  case WordOp::product:
    return (a * b) & mask;
  case WordOp::quotient:
    return b == 0 ? mask : a / b;
  case WordOp::rest:
    return b == 0 ? a : a % b;
  case WordOp::shift_left:
    return b >= Bits(width) ? 0 : (a << int(b)) & mask;
  case WordOp::shift_right:
    return b >= Bits(width) ? 0 : a >> int(b);
  case WordOp::shift_right_signed: {
    const bool negative = a >> (first - 1) != 0;
    const int count = b >= Bits(width) ? width : int(b);
    const Bits moved = count >= most_word_bits ? 0 : a >> count;
    return negative ? (moved | ~(count >= width ? 0 : word_mask(width - count))) & mask : moved;
  }
  case WordOp::concatenation:
    return (a << (width - first)) | b;
  case WordOp::extraction:
    return a >> low & mask;
  }
  return 0;
}

bool less(Bits a, Bits b, int width, bool is_signed) {
  const Bits flip = is_signed ? Bits{1} << (width - 1) : 0; // maps signed to unsigned order
  return (a ^ flip) < (b ^ flip);
}

int operand_count(const Node& node) {
  switch (node.form) {
  case Form::variable:
  case Form::constant:
    return 0;
  case Form::operation:
  case Form::rounded:
    return ops::arity(node.op);
  case Form::word:
    return node.word == WordOp::complement || node.word == WordOp::extraction ? 1 : 2;
  case Form::classification:
  case Form::negation:
  case Form::float_of_pattern:
  case Form::float_of_integer:
  case Form::integer_of_float:
    return 1;
  case Form::comparison:
  case Form::word_less:
  case Form::same:
  case Form::conjunction:
  case Form::disjunction:
    return 2;
  case Form::choice:
    return 3;
  }
  return 0;
}

size_t System::Hash::operator()(const Node& node) const {
  uint64_t hash = uint64_t(node.form) << 32 | uint64_t(node.op) << 24 | uint64_t(node.tested) << 16 |
                  uint64_t(node.sort.boolean) << 15 | uint64_t(node.sort.format.width());
  hash ^= uint64_t(node.rounding) << 40 | uint64_t(node.word) << 44 | uint64_t(node.is_signed) << 50 |
          uint64_t(node.sort.width) << 52;
  const auto mix = [&hash](uint64_t word) { hash = (hash ^ word) * 0x9e3779b97f4a7c15 ^ hash >> 29; };
  for (const Term operand : node.operands)
    mix(operand);
  mix(uint64_t(node.value));
  mix(uint64_t(node.value >> 64));
  return hash;
}

// Folds a node over constants to its value.
Term System::add(const Node& node) {
  Node wanted = node;
  const int count = operand_count(node);
  if (count > 0 && std::all_of(node.operands.begin(), node.operands.begin() + count,
                               [&](Term operand) { return nodes_[operand].form == Form::constant; })) {
    std::array<Bits, 3> values{};
    for (int i = 0; i < count; ++i)
      values[i] = nodes_[node.operands[i]].value;
    wanted = {Form::constant, Op::none, {}, node.sort, {}, evaluate(node, sort(node.operands[0]), values)};
  }
  const auto [place, fresh] = known_.try_emplace(wanted, Term(nodes_.size()));
  if (fresh)
    nodes_.push_back(wanted);
  return place->second;
}

Term System::variable(std::string name, Sort sort) {
  Node node{Form::variable, Op::none, {}, sort, {}, variables_.size()};
  const Term term = add(node);
  variables_.push_back({std::move(name), term});
  return term;
}

Term System::constant(Bits bits, BinaryFormat format) {
  return add({Form::constant, Op::none, {}, float_sort(format), {}, format.is_nan(bits) ? format.nan() : bits});
}

Term System::truth(bool value) { return add({Form::constant, Op::none, {}, boolean_sort, {}, value}); }

Term System::constant_of(const Sort& sort, Bits value) {
  return sort.boolean     ? truth(value != 0)
         : sort.width > 0 ? word_constant(value, sort.width)
                          : constant(value, sort.format);
}

Term System::operation(Op op, Term a, Term b, Term c) {
  assert(!ops::is_comparison(op) && !sort(a).boolean);
  Node node{Form::operation, op, {}, sort(a), {a, b, c}, 0};
  for (int i = ops::arity(op); i < 3; ++i)
    node.operands[i] = 0;
  return add(node);
}

Term System::convert(Term a, BinaryFormat to, Rounding rounding) {
  const BinaryFormat from = sort(a).format;
  if (from == to)
    return a;
  const bool exact = from.exponent_bits <= to.exponent_bits && from.significand_bits <= to.significand_bits;
  if (exact || rounding == Rounding::nearest_even)
    return add({Form::operation, Op::fptrunc, {}, float_sort(to), {a}, 0});
  return add({Form::rounded, Op::fptrunc, {}, float_sort(to), {a}, 0, rounding});
}

Term System::rounded(Op op, Rounding rounding, Term a, Term b, Term c) {
  if (rounding == Rounding::nearest_even)
    return operation(op, a, b, c);
  Node node{Form::rounded, op, {}, sort(a), {a, b, c}, 0, rounding};
  for (int i = ops::arity(op); i < 3; ++i)
    node.operands[i] = 0;
  return add(node);
}

Term System::compare(Op op, Term a, Term b) {
  assert(ops::is_comparison(op) && sort(a) == sort(b) && !sort(a).boolean);
  if (a == b) { // equal unless NaN
    const BinaryFormat format = sort(a).format;
    const bool of_equals = holds(op, format, 0, 0), of_nans = holds(op, format, format.nan(), format.nan());
    const Term nan = classify(Class::nan, a);
    return of_equals == of_nans ? truth(of_equals) : of_nans ? nan : negate(nan);
  }
  return add({Form::comparison, op, {}, boolean_sort, {a, b}, 0});
}

Term System::same(Term a, Term b) {
  assert(sort(a) == sort(b));
  if (a == b)
    return truth(true);
  return add({Form::same, Op::none, {}, boolean_sort, {std::min(a, b), std::max(a, b)}, 0});
}

Term System::classify(Class tested, Term a) {
  return add({Form::classification, Op::none, tested, boolean_sort, {a}, 0});
}

Term System::both(Term a, Term b) {
  for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)})
    if (nodes_[one].form == Form::constant)
      return nodes_[one].value ? other : one;
  if (a == b)
    return a;
  return add({Form::conjunction, Op::none, {}, boolean_sort, {std::min(a, b), std::max(a, b)}, 0});
}

Term System::either(Term a, Term b) {
  for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)})
    if (nodes_[one].form == Form::constant)
      return nodes_[one].value ? one : other;
  if (a == b)
    return a;
  return add({Form::disjunction, Op::none, {}, boolean_sort, {std::min(a, b), std::max(a, b)}, 0});
}

Term System::negate(Term a) {
  if (nodes_[a].form == Form::negation)
    return nodes_[a].operands[0];
  return add({Form::negation, Op::none, {}, boolean_sort, {a}, 0});
}

Term System::choose(Term condition, Term then, Term otherwise) {
  if (nodes_[condition].form == Form::constant)
    return nodes_[condition].value ? then : otherwise;
  if (then == otherwise)
    return then;
  return add({Form::choice, Op::none, {}, sort(then), {condition, then, otherwise}, 0});
}

Term System::rebuilt(const Node& node, const std::array<Term, 3>& operands) {
  const auto& [a, b, c] = operands;
  switch (node.form) {
  case Form::variable:
    assert(false && "a variable has no operands to exchange");
    return 0;
  case Form::constant:
    return constant_of(node.sort, node.value);
  case Form::operation:
    return node.op == Op::fptrunc || node.op == Op::fpext ? convert(a, node.sort.format) : operation(node.op, a, b, c);
  case Form::rounded:
    return node.op == Op::fptrunc ? convert(a, node.sort.format, node.rounding)
                                  : rounded(node.op, node.rounding, a, b, c);
  case Form::comparison:
    return compare(node.op, a, b);
  case Form::same:
    return same(a, b);
  case Form::classification:
    return classify(node.tested, a);
  case Form::conjunction:
    return both(a, b);
  case Form::disjunction:
    return either(a, b);
  case Form::negation:
    return negate(a);
  case Form::choice:
    return choose(a, b, c);
  case Form::float_of_pattern:
  case Form::float_of_integer:
  case Form::integer_of_float:
  case Form::word:
  case Form::word_less:
    break;
  }
  Node other = node;
  other.operands = {a, operand_count(node) > 1 ? b : 0, 0};
  return add(other);
}

namespace {

template <typename Join> Term joined(std::vector<Term> terms, Term empty, Join join) {
  if (terms.empty())
    return empty;
  while (terms.size() > 1) {
    std::vector<Term> half;
    for (size_t i = 0; i + 1 < terms.size(); i += 2)
      half.push_back(join(terms[i], terms[i + 1]));
    if (terms.size() % 2 != 0)
      half.push_back(terms.back());
    terms = std::move(half);
  }
  return terms.front();
}

} // namespace

Term System::all(std::vector<Term> terms) {
  return joined(std::move(terms), truth(true), [this](Term a, Term b) { return both(a, b); });
}

Term System::any(std::vector<Term> terms) {
  return joined(std::move(terms), truth(false), [this](Term a, Term b) { return either(a, b); });
}

void System::assert_true(Term term) {
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term next = open.back();
    open.pop_back();
    const Node& node = nodes_[next];
    if (!asserted_.insert(next).second)
      continue; // conjunctions share parts: as a tree they may exceed any memory
    if (node.form == Form::conjunction) {
      open.push_back(node.operands[1]);
      open.push_back(node.operands[0]);
    } else if (!(node.form == Form::constant && node.value != 0)) {
      assertions_.push_back(next);
    }
  }
}

void System::retract_all() {
  assertions_.clear();
  asserted_.clear();
}

// Operands come first, so one pass from the last term to the first suffices.
std::vector<bool> reached(const System& system) {
  std::vector<bool> marked(system.size());
  for (const Term assertion : system.assertions())
    marked[assertion] = true;
  for (Term term = Term(system.size()); term-- > 0;) {
    const Node& node = system.node(term);
    for (int i = 0; marked[term] && i < operand_count(node); ++i)
      marked[node.operands[size_t(i)]] = true;
  }
  return marked;
}

bool reaches_words(const System& system) {
  const std::vector<bool> marked = reached(system);
  for (Term term = 0; term < system.size(); ++term)
    if (marked[term] && system.sort(term).is_word())
      return true;
  return false;
}

// Terms of words.

Term System::word_constant(Bits bits, int width) {
  return add({Form::constant, Op::none, {}, word_sort(width), {}, bits & word_mask(width)});
}

Term System::float_of_pattern(Term word, BinaryFormat format) {
  assert(sort(word).width == format.width());
  return add({Form::float_of_pattern, Op::none, {}, float_sort(format), {word}, 0});
}

Term System::float_of_integer(Term word, bool is_signed, BinaryFormat format, Rounding rounding) {
  return add({Form::float_of_integer, Op::none, {}, float_sort(format), {word}, 0, rounding, WordOp::none, is_signed});
}

Term System::integer_of_float(Term a, int width, bool is_signed) {
  return add({Form::integer_of_float, Op::none, {}, word_sort(width), {a}, 0, {}, WordOp::none, is_signed});
}

Term System::word(WordOp op, Term a, Term b) {
  const bool alone = op == WordOp::complement;
  return add({Form::word, Op::none, {}, sort(a), {a, alone ? 0 : b}, 0, {}, op});
}

Term System::concatenate(Term high, Term low) {
  const Sort both = word_sort(sort(high).width + sort(low).width);
  return add({Form::word, Op::none, {}, both, {high, low}, 0, {}, WordOp::concatenation});
}

Term System::extract(Term a, int low, int width) {
  if (width == sort(a).width)
    return a;
  return add({Form::word, Op::none, {}, word_sort(width), {a}, Bits(low), {}, WordOp::extraction});
}

Term System::word_less(Term a, Term b, bool is_signed) {
  if (a == b)
    return truth(false);
  return add({Form::word_less, Op::none, {}, boolean_sort, {a, b}, 0, {}, WordOp::none, is_signed});
}

} // namespace faultline::constraint
