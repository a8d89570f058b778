// Rules: identities of real numbers, as data. Each has a name, two patterns, and a domain. A rule is proved apart from
// its use: tests/unit/fix/rules_test.cpp compares both sides by balls at random points of the domain.
//
// The text of a rule is "left => right", or "left = right" for both directions, with letters for any terms, and after
// "if" its domain: conditions on letters that must hold where the rule is used.
#pragma once

#include "fix/graph.h"

#include <string>
#include <string_view>
#include <vector>

namespace faultline::fix {

struct Pattern {
  enum class Kind : uint8_t { any, number, pi, operation };
  Kind kind = Kind::any;
  size_t letter = 0; // of `any`
  mpq_class number = {};
  Op op = Op::none;
  std::vector<Pattern> operands = {};
};

struct Domain {
  enum class Relation : uint8_t { at_least, above, at_most, below, unequal, mixed };
  Pattern what; // the term that is compared, or the two of mixed(a, b)
  Relation relation = Relation::above;
  mpq_class number = {};
};

struct Rule {
  std::string name = {};
  Pattern left = {}, right = {};
  std::vector<Domain> domain = {};
  size_t letters = 0;
  // Makes terms larger or more numerous: applied to terms near the original only.
  bool expands = false;
};

// How a rule of the list is written.
struct RuleText {
  const char* name;
  const char* text;
  bool expands = false;
};

const std::vector<Rule>& all_rules();
// A rule from its text. Throws std::invalid_argument.
std::vector<Rule> parse_rule(const RuleText& text);

using Substitution = std::vector<std::optional<ClassId>>;

// Calls `found` for each way in which the pattern matches the class, until it returns false.
bool match(const Graph& graph, const Pattern& pattern, ClassId id, Substitution& letters,
           const std::function<bool(const Substitution&)>& found);
bool match_node(const Graph& graph, const Pattern& pattern, const Node& node, Substitution& letters,
                const std::function<bool(const Substitution&)>& found);
ClassId instantiate(Graph& graph, const Pattern& pattern, const Substitution& letters, int generation);

// The pattern with terms for its letters.
Term term_of(const Pattern& pattern, const std::vector<Term>& letters);

// True if the domain's conditions hold at all points of the graph.
bool holds(Graph& graph, const Domain& domain, const Substitution& letters);

// The value of a pattern, with balls for its letters.
numeric::Ball value_of(const Pattern& pattern, const std::vector<numeric::Ball>& letters, long precision);

} // namespace faultline::fix
