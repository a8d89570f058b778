#include "solve/interval/labelling.h"

#include <cmath>

namespace faultline::solve {

using constraint::Form;
using constraint::Model;
using constraint::Node;
using constraint::System;
using constraint::Term;

namespace {

// Of a domain's numbers, which are at least two: a value from low to high - 1, where the lower part ends.
Int128 cut(numeric::BinaryFormat format, const Range& numbers, bool real) {
  const Int128 middle = numbers.low + (numbers.high - numbers.low) / 2;
  if (!real)
    return middle;
  // The infinities are not half-way to anything.
  const Int128 low = std::max(numbers.low, format.lowest() + 1), high = std::min(numbers.high, format.highest() - 1);
  const long double from = numeric::long_double_of(format.at(low), format);
  const long double to = numeric::long_double_of(format.at(high), format);
  const Int128 at = format.order(numeric::bits_of(from / 2 + to / 2, format));
  return at < numbers.low || at >= numbers.high ? middle : at;
}

// About how many times a domain can be halved.
double width(const Range& numbers) { return numbers.empty() ? 0 : std::log2(double(numbers.high - numbers.low) + 1); }

bool inside(const Domain& domain, const constraint::Sort& sort, constraint::Bits value) {
  if (sort.format.is_nan(value))
    return domain.nan;
  return domain.numbers.has(sort.format.order(value));
}

} // namespace

Labelling::Labelling(const Propagation& propagation, const std::vector<Model>& near, uint64_t seed)
    : cuts_(propagation.system().size()), near_(near), rng_(seed) {
  const System& system = propagation.system();
  for (const constraint::Variable& variable : system.variables())
    if (propagation.relevant(variable.term))
      (system.sort(variable.term).boolean ? booleans_ : variables_).push_back(variable.term);
  for (Term term = 0; term < system.size(); ++term) {
    if (!propagation.relevant(term))
      continue;
    const Node& node = system.node(term);
    if (node.form == Form::disjunction || node.form == Form::conjunction || node.form == Form::choice)
      for (int i = 0; i < (node.form == Form::choice ? 1 : 2); ++i)
        booleans_.push_back(node.operands[i]);
  }
}

std::optional<Term> Labelling::undecided(const Propagation& propagation) const {
  for (const Term term : booleans_)
    if (!propagation.domain(term).single())
      return term;
  return std::nullopt;
}

std::optional<Term> Labelling::widest(const Propagation& propagation) const {
  std::optional<Term> best;
  double most = 0;
  for (const Term term : variables_) {
    const Domain& domain = propagation.domain(term);
    if (domain.single())
      continue;
    const double size = width(domain.numbers) + (domain.nan ? 64 : 0);
    if (!best || size > most) {
      best = term;
      most = size;
    }
  }
  return best;
}

// In order space. A search for small magnitudes settles the sign first.
Split Labelling::in_halves(Term term, const Range& numbers, Manner manner) {
  const bool signs = manner == Manner::small_first && numbers.low < 0 && numbers.high >= 0;
  const Int128 at = signs ? -1 : numbers.low + (numbers.high - numbers.low) / 2;
  Split split{term, {{numbers.low, at}, false}, {{at + 1, numbers.high}, false}};
  const bool second = signs || manner == Manner::either_side ? rng_.coin() : numbers.high < 0;
  if (second)
    std::swap(split.first, split.second);
  return split;
}

std::optional<Split> Labelling::next(const Propagation& propagation, const Model& favoured, Manner manner) {
  if (const auto term = undecided(propagation))
    return Split{*term, true_domain, false_domain};
  const auto term = widest(propagation);
  if (!term)
    return std::nullopt;
  const constraint::Sort& sort = propagation.system().sort(*term);
  const Domain& domain = propagation.domain(*term);
  if (domain.nan)
    return Split{*term, {domain.numbers, false}, {{}, true}};
  if (manner != Manner::as_a_rule)
    return in_halves(*term, domain.numbers, manner);
  const Int128 at = cut(sort.format, domain.numbers, cuts_[*term]++ % 3 != 2);
  Split split{*term, {{domain.numbers.low, at}, false}, {{at + 1, domain.numbers.high}, false}};
  const constraint::Bits value = favoured[size_t(propagation.system().node(*term).value)];
  if (inside(split.second, sort, value))
    std::swap(split.first, split.second);
  return split;
}

Model Labelling::candidate(const Propagation& propagation, uint64_t turn) const {
  const System& system = propagation.system();
  Model model(system.variables().size());
  for (size_t i = 0; i < model.size(); ++i) {
    const Term term = system.variables()[i].term;
    const constraint::Sort& sort = system.sort(term);
    const Domain& domain = propagation.domain(term);
    const Range& numbers = domain.numbers;
    if (numbers.empty() || numbers.single()) {
      model[i] = value_of(sort, domain);
      continue;
    }
    if (sort.boolean) {
      model[i] = turn & 1;
      continue;
    }
    if (!near_.empty() && turn % 4 == 3) {
      const constraint::Bits value = near_[turn / 4 % near_.size()][i];
      if (inside(domain, sort, value)) {
        model[i] = value;
        continue;
      }
    }
    // Ends first: they are where a path condition is met just so.
    const Int128 at = turn % 4 == 0   ? cut(sort.format, numbers, true)
                      : turn % 4 == 1 ? numbers.low
                      : turn % 4 == 2 ? numbers.high
                                      : cut(sort.format, numbers, false);
    model[i] = sort.format.at(at);
  }
  return model;
}

} // namespace faultline::solve
