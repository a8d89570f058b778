#include "solve/newton/definitions.h"

#include "constraint/evaluate.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace faultline::solve {

namespace {

constexpr Term undefined = ~Term{0};

class Definitions {
public:
  explicit Definitions(const System& system) : system_(system), terms_(system.variables().size(), undefined) {}

  // An equation between two variables defines the second one, or the first if `other_way`.
  void read(bool machine_equality, bool other_way) {
    for (const Term assertion : system_.assertions())
      read_assertion(assertion, machine_equality, other_way);
    break_cycles();
  }

  bool empty() const {
    return truths_.empty() && std::all_of(terms_.begin(), terms_.end(), [](Term term) { return term == undefined; });
  }
  bool lossy() const {
    return std::any_of(machine_.begin(), machine_.end(),
                       [&](size_t variable) { return terms_[variable] != undefined; });
  }
  Term of(const Node& variable) const { return terms_[size_t(variable.value)]; }
  // The value of a Boolean that the assertions fix.
  std::optional<bool> truth(const Node& variable) const {
    const auto found = truths_.find(size_t(variable.value));
    return found == truths_.end() ? std::nullopt : std::optional(found->second);
  }

private:
  void read_assertion(Term assertion, bool machine_equality, bool other_way) {
    const Node& node = system_.node(assertion);
    if (node.form == Form::variable)
      return fix(node, true);
    if (node.form == Form::negation && system_.node(node.operands[0]).form == Form::variable)
      return fix(system_.node(node.operands[0]), false);
    const bool machine = node.form == Form::comparison && node.op == Op::cmp_oeq;
    if (node.form != Form::same && !(machine && machine_equality))
      return;
    const Term first = node.operands[other_way ? 0 : 1], second = node.operands[other_way ? 1 : 0];
    const Term defined = define(first, second) ? first : define(second, first) ? second : undefined;
    if (machine && defined != undefined)
      machine_.push_back(size_t(system_.node(defined).value));
  }

  void fix(const Node& variable, bool value) {
    if (of(variable) == undefined)
      truths_.try_emplace(size_t(variable.value), value);
  }

  bool define(Term variable, Term term) {
    const Node& node = system_.node(variable);
    if (node.form != Form::variable || of(node) != undefined || truth(node))
      return false;
    terms_[size_t(node.value)] = term;
    return true;
  }

  // Walks down terms and definitions. At a term that is still open, drops the definition opened last: it is on the
  // cycle, because terms alone have no cycles.
  void break_cycles() {
    for (const constraint::Variable& variable : system_.variables()) {
      std::vector<Open> path;
      enter(variable.term, path);
      while (!path.empty()) {
        const Node& node = system_.node(path.back().term);
        const bool defined = node.form == Form::variable && of(node) != undefined;
        const int next = path.back().next++;
        if (next >= (defined ? 1 : operand_count(node))) {
          states_[path.back().term] = done;
          path.pop_back();
        } else if (const Term below = defined ? of(node) : node.operands[next]; states_[below] == open) {
          drop_last(path);
        } else {
          enter(below, path);
        }
      }
    }
  }

  struct Open {
    Term term;
    int next;
  };

  void enter(Term term, std::vector<Open>& path) {
    if (states_[term] == done)
      return;
    states_[term] = open;
    path.push_back({term, 0});
  }

  void drop_last(std::vector<Open>& path) {
    for (;;) {
      const Term term = path.back().term;
      path.pop_back();
      states_[term] = unseen;
      const Node& node = system_.node(term);
      if (node.form == Form::variable && of(node) != undefined) {
        terms_[size_t(node.value)] = undefined;
        return;
      }
    }
  }

  enum State : uint8_t { unseen, open, done };

  const System& system_;
  std::vector<Term> terms_; // by variable
  std::unordered_map<size_t, bool> truths_;
  std::vector<size_t> machine_; // variables that a machine equality defines
  std::vector<State> states_ = std::vector<State>(system_.size(), unseen);
};

// Copies terms to another system with definitions in place of the variables.
class Substitution {
public:
  Substitution(const System& source, const Definitions& definitions, System& target)
      : source_(source), definitions_(definitions), target_(target), known_(source.size(), undefined) {}

  Term of(Term root) {
    std::vector<Term> open{root};
    while (!open.empty()) {
      const Term next = open.back();
      if (known_[next] != undefined || finish(next, open))
        open.pop_back();
    }
    return known_[root];
  }

private:
  // False if operands must be opened first.
  bool finish(Term term, std::vector<Term>& open) {
    const Node& node = source_.node(term);
    if (node.form == Form::variable)
      return finish_variable(term, node, open);
    std::array<Term, 3> operands{};
    bool ready = true;
    for (int i = 0; i < operand_count(node); ++i) {
      operands[i] = known_[node.operands[i]];
      if (operands[i] == undefined) {
        open.push_back(node.operands[i]);
        ready = false;
      }
    }
    if (ready)
      known_[term] = target_.rebuilt(node, operands);
    return ready;
  }

  bool finish_variable(Term term, const Node& node, std::vector<Term>& open) {
    const Term definition = definitions_.of(node);
    if (const auto truth = definitions_.truth(node)) {
      known_[term] = target_.truth(*truth);
    } else if (definition == undefined) {
      known_[term] = target_.variable(source_.variables()[size_t(node.value)].name, node.sort);
    } else if (known_[definition] == undefined) {
      open.push_back(definition);
      return false;
    } else {
      known_[term] = known_[definition];
    }
    return true;
  }

  const System& source_;
  const Definitions& definitions_;
  System& target_;
  std::vector<Term> known_;
};

Reduced rewritten(const System& source, const Definitions& definitions, const std::vector<Term>& meanings) {
  Reduced result;
  Substitution substitution(source, definitions, result.system);
  for (const Term meaning : meanings)
    result.meanings.push_back(substitution.of(meaning));
  for (const Term assertion : source.assertions())
    result.system.assert_true(substitution.of(assertion));
  return result;
}

} // namespace

Reduced without_definitions(const System& original, bool machine_equality) {
  constexpr int most_rounds = 8;
  std::vector<Term> variables;
  for (const constraint::Variable& variable : original.variables())
    variables.push_back(variable.term);
  Reduced result = rewritten(original, Definitions(original), variables);
  for (int round = 0; round < most_rounds; ++round) {
    Definitions definitions(result.system);
    definitions.read(machine_equality, round % 2 != 0);
    if (definitions.empty() && round > 0)
      break;
    Reduced next = rewritten(result.system, definitions, result.meanings);
    next.lossy = result.lossy || definitions.lossy();
    result = std::move(next);
  }
  return result;
}

Model Reduced::complete(const Model& model) const {
  std::vector<Bits> values;
  evaluate(system, model, values);
  Model result;
  for (const Term meaning : meanings)
    result.push_back(values[meaning]);
  return result;
}

Model restricted(const System& original, const Reduced& reduced, const Model& model) {
  Model result(reduced.system.variables().size(), 0);
  for (size_t i = 0; i < original.variables().size() && i < model.size(); ++i) {
    const Node& node = reduced.system.node(reduced.meanings[i]);
    if (node.form == Form::variable)
      result[size_t(node.value)] = model[i];
  }
  return result;
}

} // namespace faultline::solve
