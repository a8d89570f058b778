#include "fix/rules.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <stdexcept>

namespace faultline::fix {

using numeric::Ball;

namespace {

// Reads patterns: sums, products, signs, powers by * only, calls, letters, numbers.
class PatternReader {
public:
  PatternReader(std::string_view text, std::map<char, size_t>& letters) : text_(text), letters_(letters) {}

  Pattern sum() {
    Pattern left = product();
    for (;;)
      if (take('+'))
        left = binary(Op::fadd, std::move(left), product());
      else if (take('-'))
        left = binary(Op::fadd, std::move(left), negated(product()));
      else
        return left;
  }
  bool at_end() {
    skip();
    return at_ == text_.size();
  }
  std::string_view rest() {
    skip();
    return text_.substr(at_);
  }

private:
  static Pattern binary(Op op, Pattern a, Pattern b) {
    return {.kind = Pattern::Kind::operation, .op = op, .operands = {std::move(a), std::move(b)}};
  }
  static Pattern negated(Pattern a) {
    if (a.kind == Pattern::Kind::number) {
      a.number = -a.number;
      return a;
    }
    return {.kind = Pattern::Kind::operation, .op = Op::fneg, .operands = {std::move(a)}};
  }
  Pattern product() {
    Pattern left = factor();
    for (;;)
      if (take('*'))
        left = binary(Op::fmul, std::move(left), factor());
      else if (take('/'))
        left = quotient(std::move(left), factor());
      else
        return left;
  }
  static Pattern quotient(Pattern a, Pattern b) {
    if (a.kind != Pattern::Kind::number || b.kind != Pattern::Kind::number)
      return binary(Op::fdiv, std::move(a), std::move(b));
    a.number /= b.number;
    return a;
  }
  Pattern factor() {
    if (take('-'))
      return negated(factor());
    if (take('(')) {
      Pattern inner = sum();
      expect(')');
      return inner;
    }
    skip();
    if (at_ < text_.size() && std::isdigit(text_[at_]))
      return number();
    std::string name;
    while (at_ < text_.size() && (std::isalnum(text_[at_]) || text_[at_] == '_'))
      name += text_[at_++];
    if (name.size() == 1)
      return {.kind = Pattern::Kind::any, .letter = letters_.emplace(name[0], letters_.size()).first->second};
    if (name == "pi")
      return {.kind = Pattern::Kind::pi};
    return call(name);
  }
  Pattern number() {
    std::string digits;
    while (at_ < text_.size() && std::isdigit(text_[at_]))
      digits += text_[at_++];
    return {.kind = Pattern::Kind::number, .number = mpq_class(digits)};
  }
  Pattern call(const std::string& name) {
    Pattern made{.kind = Pattern::Kind::operation, .op = named(name)};
    expect('(');
    do
      made.operands.push_back(sum());
    while (take(','));
    expect(')');
    return made;
  }
  static Op named(const std::string& name) {
    for (int i = 0; i < ops::operation_count; ++i)
      if (ops::name(Op(i)) == name)
        return Op(i);
    throw std::invalid_argument("no operation " + name);
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ')
      ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ == text_.size() || text_[at_] != c || (c == '=' && false))
      return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c))
      throw std::invalid_argument("expected " + std::string(1, c) + " in " + std::string(text_));
  }

  std::string_view text_;
  std::map<char, size_t>& letters_;
  size_t at_ = 0;
};

Pattern read_pattern(std::string_view text, std::map<char, size_t>& letters) {
  PatternReader reader(text, letters);
  Pattern pattern = reader.sum();
  if (!reader.at_end())
    throw std::invalid_argument("unexpected text: " + std::string(reader.rest()));
  return pattern;
}

// a >= 0, b != 0, mixed(a, b)
Domain read_condition(std::string_view text, std::map<char, size_t>& letters) {
  Domain domain;
  if (const size_t mixed = text.find("mixed("); mixed != std::string_view::npos) {
    const std::string_view inside = text.substr(mixed + 6, text.rfind(')') - mixed - 6);
    const size_t comma = inside.find(',');
    domain.what = {.kind = Pattern::Kind::operation, .op = Op::fmul};
    domain.what.operands = {read_pattern(inside.substr(0, comma), letters),
                            read_pattern(inside.substr(comma + 1), letters)};
    domain.relation = Domain::Relation::mixed;
    return domain;
  }
  using enum Domain::Relation;
  const std::pair<const char*, Domain::Relation> relations[] = {
      {">=", at_least}, {"<=", at_most}, {"!=", unequal}, {">", above}, {"<", below}};
  for (const auto& [sign, relation] : relations)
    if (const size_t at = text.find(sign); at != std::string_view::npos) {
      domain.what = read_pattern(text.substr(0, at), letters);
      domain.relation = relation;
      domain.number = read_pattern(text.substr(at + std::string_view(sign).size()), letters).number;
      return domain;
    }
  throw std::invalid_argument("no relation in " + std::string(text));
}

} // namespace

namespace {

Pattern minus(const Pattern& pattern) {
  if (pattern.kind == Pattern::Kind::operation && pattern.op == Op::fneg)
    return pattern.operands[0];
  Pattern negated{.kind = Pattern::Kind::operation, .op = Op::fneg, .operands = {pattern}};
  if (pattern.kind == Pattern::Kind::number) {
    negated = pattern;
    negated.number = -pattern.number;
  }
  return negated;
}

// The same rule for the negative of a sum: 1 - cos(a) and cos(a) - 1.
Rule negated(const Rule& rule) {
  Rule other = rule;
  other.name += " negated";
  for (Pattern& operand : other.left.operands)
    operand = minus(operand);
  other.right = minus(rule.right);
  return other;
}

bool is_sum(const Pattern& pattern) {
  return pattern.kind == Pattern::Kind::operation && pattern.op == Op::fadd;
}
bool has_sign(const Pattern& pattern) { // a + b is its own negative with other letters
  return std::any_of(pattern.operands.begin(), pattern.operands.end(),
                     [](const Pattern& p) { return p.kind != Pattern::Kind::any; });
}

} // namespace

std::vector<Rule> parse_rule(const RuleText& written) {
  std::string_view text = written.text;
  std::map<char, size_t> letters;
  Rule rule{.name = written.name, .expands = written.expands};
  std::string_view domain;
  if (const size_t at = text.find(" if "); at != std::string_view::npos) {
    domain = text.substr(at + 4);
    text = text.substr(0, at);
  }
  const size_t both = text.find(" = "), arrow = text.find(" => ");
  const size_t at = both != std::string_view::npos ? both : arrow;
  rule.left = read_pattern(text.substr(0, at), letters);
  rule.right = read_pattern(text.substr(at + (both != std::string_view::npos ? 3 : 4)), letters);
  while (!domain.empty()) {
    const size_t end = domain.find(" and ");
    rule.domain.push_back(read_condition(domain.substr(0, end), letters));
    domain = end == std::string_view::npos ? std::string_view() : domain.substr(end + 5);
  }
  rule.letters = letters.size();
  std::vector<Rule> rules = {rule};
  if (both != std::string_view::npos) {
    std::swap(rule.left, rule.right);
    rule.name += " reversed";
    rules.push_back(rule);
  }
  for (size_t i = rules.size(); i-- > 0;)
    if (is_sum(rules[i].left) && has_sign(rules[i].left))
      rules.push_back(negated(rules[i]));
  return rules;
}

bool match_node(const Graph& graph, const Pattern& pattern, const Node& node, Substitution& letters,
                const std::function<bool(const Substitution&)>& found) {
  if (node.kind != Term::Kind::operation || node.op != pattern.op)
    return true;
  const size_t arity = pattern.operands.size();
  const std::function<bool(size_t, bool)> from = [&](size_t which, bool swapped) -> bool {
    if (which == arity)
      return found(letters);
    const ClassId operand = node.operands[swapped ? arity - 1 - which : which];
    return match(graph, pattern.operands[which], operand, letters,
                 [&](const Substitution&) { return from(which + 1, swapped); });
  };
  return from(0, false) && (!commutes(pattern.op) || node.operands[0] == node.operands[1] || from(0, true));
}

bool match(const Graph& graph, const Pattern& pattern, ClassId id, Substitution& letters,
           const std::function<bool(const Substitution&)>& found) {
  id = graph.find(id);
  switch (pattern.kind) {
  case Pattern::Kind::any: {
    std::optional<ClassId>& letter = letters[pattern.letter];
    if (letter)
      return graph.find(*letter) != id || found(letters);
    letter = id;
    const bool more = found(letters);
    letters[pattern.letter].reset();
    return more;
  }
  case Pattern::Kind::number: {
    const mpq_class* number = graph.number(id);
    return number == nullptr || *number != pattern.number || found(letters);
  }
  case Pattern::Kind::pi:
    for (const NodeId node : graph.nodes_of(id))
      if (graph.node(node).kind == Term::Kind::pi)
        return found(letters);
    return true;
  case Pattern::Kind::operation:
    break;
  }
  const size_t nodes = graph.nodes_of(id).size();
  for (size_t i = 0; i < nodes; ++i)
    if (!match_node(graph, pattern, graph.node(graph.nodes_of(id)[i]), letters, found))
      return false;
  return true;
}

ClassId instantiate(Graph& graph, const Pattern& pattern, const Substitution& letters, int generation) {
  switch (pattern.kind) {
  case Pattern::Kind::any:
    return graph.find(*letters[pattern.letter]);
  case Pattern::Kind::number:
    return graph.add_number(pattern.number);
  case Pattern::Kind::pi:
    return graph.add(Term::pi());
  case Pattern::Kind::operation:
    break;
  }
  std::vector<ClassId> operands;
  for (const Pattern& operand : pattern.operands)
    operands.push_back(instantiate(graph, operand, letters, generation));
  return graph.add(pattern.op, operands, generation);
}

Term term_of(const Pattern& pattern, const std::vector<Term>& letters) {
  switch (pattern.kind) {
  case Pattern::Kind::any:
    return letters[pattern.letter];
  case Pattern::Kind::number:
    return Term::number(pattern.number);
  case Pattern::Kind::pi:
    return Term::pi();
  case Pattern::Kind::operation:
    break;
  }
  std::vector<Term> operands;
  for (const Pattern& operand : pattern.operands)
    operands.push_back(term_of(operand, letters));
  return Term::apply(pattern.op, operands);
}

Ball value_of(const Pattern& pattern, const std::vector<Ball>& letters, long precision) {
  switch (pattern.kind) {
  case Pattern::Kind::any:
    return letters[pattern.letter];
  case Pattern::Kind::number:
    return enclosure(Term::number(pattern.number), {}, precision);
  case Pattern::Kind::pi:
    return enclosure(Term::pi(), {}, precision);
  case Pattern::Kind::operation:
    break;
  }
  std::vector<Ball> values;
  std::vector<const Ball*> operands;
  values.reserve(pattern.operands.size());
  for (const Pattern& operand : pattern.operands)
    operands.push_back(&values.emplace_back(value_of(operand, letters, precision)));
  return enclosure(pattern.op, operands, precision);
}

namespace {

bool satisfies(const Ball& value, Domain::Relation relation) {
  switch (relation) {
  case Domain::Relation::at_least:
    return arb_is_nonnegative(value.raw());
  case Domain::Relation::above:
    return arb_is_positive(value.raw());
  case Domain::Relation::at_most:
    return arb_is_nonpositive(value.raw());
  case Domain::Relation::below:
    return arb_is_negative(value.raw());
  case Domain::Relation::unequal:
    return arb_is_nonzero(value.raw());
  case Domain::Relation::mixed:
    return true;
  }
  return false;
}

} // namespace

bool holds(Graph& graph, const Domain& domain, const Substitution& letters) {
  const size_t count = graph.points().size();
  bool mixed = false;
  for (size_t i = 0; i < count; ++i) {
    std::vector<Ball> values(letters.size());
    bool finite = true;
    for (size_t k = 0; k < letters.size(); ++k)
      if (letters[k]) {
        values[k] = graph.values(*letters[k])[i];
        finite &= values[k].is_finite();
      }
    if (!finite)
      continue;
    Ball value = value_of(domain.what, values, graph.points()[i].precision);
    if (domain.relation == Domain::Relation::mixed) {
      mixed |= arb_is_negative(value.raw());
      continue;
    }
    if (domain.number != 0) {
      const Ball number = enclosure(Term::number(domain.number), {}, graph.points()[i].precision);
      arb_sub(value.raw(), value.raw(), number.raw(), graph.points()[i].precision);
    }
    if (!satisfies(value, domain.relation))
      return false;
  }
  return mixed || domain.relation != Domain::Relation::mixed;
}

} // namespace faultline::fix
