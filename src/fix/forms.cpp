#include "fix/forms.h"

#include <algorithm>
#include <cmath>

namespace faultline::fix {

double ulps_between(Value computed, Value exact, Format format) {
  if (computed == exact || (std::isnan(computed) && std::isnan(exact)))
    return 0;
  if (!std::isfinite(computed) || !std::isfinite(exact))
    return std::numeric_limits<double>::infinity();
  int exponent = 0;
  std::frexp(exact, &exponent);
  const numeric::FormatInfo& info = numeric::info(format);
  exponent = std::max(exponent - info.precision, info.min_exponent - info.precision + 1);
  return double(std::fabs(std::ldexp(computed - exact, -exponent)));
}

float bits_between(Value computed, Value exact, Format format) {
  if (computed == exact || (std::isnan(computed) && std::isnan(exact)))
    return 0;
  if (std::isnan(computed) || std::isnan(exact))
    return most_bits;
  const auto between = [&](auto type) {
    using Float = typename decltype(type)::type;
    return std::log2(1 + float(numeric::ulps_between(Float(computed), Float(exact))));
  };
  return std::min(most_bits, format == Format::binary64 ? between(std::type_identity<double>{})
                                                        : numeric::with_type(format, between));
}

FormSearch::FormSearch(const Graph& graph, Format format, FormLimits limits)
    : graph_(graph), format_(format), limits_(limits) {
  for (const ExactPoint& at : graph.points())
    points_.push_back(at.point);
  const std::vector<ClassId> all = graph.classes();
  const size_t count = all.empty() ? 0 : all.back() + 1;
  forms_.resize(count);
  exact_.resize(count);
}

const FormSearch::Exact& FormSearch::exact_of(ClassId id) {
  if (!exact_[id]) {
    Exact exact;
    constexpr long enough = 70; // bits: those of the widest format, and some
    for (const numeric::Ball& ball : graph_.values(id))
      exact.rounded.push_back(ball.is_finite() && (ball.is_zero() || ball.accurate_bits() >= enough)
                                  ? numeric::rounded(ball.middle().raw(), format_)
                                  : std::numeric_limits<Value>::quiet_NaN());
    exact_[id] = std::move(exact);
  }
  return *exact_[id];
}

namespace {

constexpr double bits_of_node = 0.4; // at all points together: a guess

// A rounding more or less counts little beside a shorter form.
float weighed(float bits) {
  constexpr float few = 2, weight = 0.3f;
  return bits < few ? weight * bits : bits - few * (1 - weight);
}

} // namespace

double FormSearch::Draft::score() const {
  return total + bits_of_node * size;
}

void FormSearch::judge(Draft& draft, const Exact& exact) const {
  draft.bits.resize(draft.values.size());
  draft.total = 0;
  for (size_t i = 0; i < draft.values.size(); ++i) {
    const bool known = !std::isnan(exact.rounded[i]);
    draft.bits[i] = known ? weighed(bits_between(draft.values[i], exact.rounded[i], format_)) : 0;
    draft.total += draft.bits[i];
  }
}

std::vector<FormSearch::Draft> FormSearch::drafts_of(ClassId id) {
  std::vector<Draft> drafts;
  const auto add_term = [&](const Term& term) {
    Draft draft{.term = term, .size = term.size()};
    for (const Point& point : points_)
      draft.values.push_back(evaluate(term, point, format_));
    drafts.push_back(std::move(draft));
  };
  if (const mpq_class* number = graph_.number(id)) {
    add_term(Term::number(*number));
    return drafts;
  }
  for (const NodeId node_id : graph_.nodes_of(id)) {
    const Node& node = graph_.node(node_id);
    if (node.kind != Term::Kind::operation) {
      add_term(graph_.leaf(node));
      continue;
    }
    const int arity = node.arity();
    const std::vector<Form>* choices[3] = {};
    bool ready = true;
    for (int k = 0; k < arity; ++k) {
      choices[k] = &forms_[graph_.find(node.operands[k])];
      ready &= !choices[k]->empty();
    }
    if (!ready)
      continue;
    size_t at[3] = {};
    const bool square = arity == 2 && graph_.find(node.operands[0]) == graph_.find(node.operands[1]);
    for (bool more = true; more;) {
      Draft draft{.op = node.op};
      for (int k = 0; k < arity; ++k) {
        draft.operands[k] = &(*choices[k])[at[k]];
        draft.size += draft.operands[k]->term.size();
      }
      if (draft.size <= limits_.largest && !(square && at[0] != at[1])) {
        draft.values.resize(points_.size());
        for (size_t i = 0; i < points_.size(); ++i)
          draft.values[i] = native(node.op, format_, draft.operands[0]->values[i],
                                     arity > 1 ? draft.operands[1]->values[i] : 0,
                                     arity > 2 ? draft.operands[2]->values[i] : 0);
        drafts.push_back(std::move(draft));
      }
      more = false;
      for (int k = 0; k < arity && !more; ++k)
        more = ++at[k] < choices[k]->size() || (at[k] = 0, false);
    }
  }
  if (const auto given = approximations_.find(id); given != approximations_.end())
    for (const auto& [term, covers] : given->second) {
      add_term(term);
      for (size_t i = 0; i < points_.size(); ++i)
        if (!covers[i])
          drafts.back().values[i] = std::numeric_limits<Value>::quiet_NaN();
    }
  return drafts;
}

namespace {

// x + -y is written x - y.
Term written(Op op, const Term& a, const Term& b) {
  if (op == Op::fadd) {
    const auto negative = [](const Term& t) { return t.is(Op::fneg) || (t.is_number() && t.value() < 0); };
    const auto positive = [](const Term& t) { return t.is_number() ? Term::number(-t.value()) : t.operand(0); };
    if (negative(b))
      return a - positive(b);
    if (negative(a))
      return b - positive(a);
  }
  return Term::apply(op, a, b);
}

} // namespace

bool FormSearch::update(ClassId id, size_t kept) {
  std::vector<Draft> drafts = drafts_of(id);
  if (drafts.empty())
    return false;
  const Exact& exact = exact_of(id);
  for (Draft& draft : drafts)
    judge(draft, exact);
  std::vector<float> best(points_.size(), std::numeric_limits<float>::infinity());
  std::vector<size_t> chosen;
  const auto choose = [&](size_t which) {
    chosen.push_back(which);
    for (size_t i = 0; i < best.size(); ++i)
      best[i] = std::min(best[i], drafts[which].bits[i]);
  };
  const auto least = [&](auto key) {
    size_t found = 0;
    for (size_t i = 1; i < drafts.size(); ++i)
      if (key(drafts[i]) < key(drafts[found]))
        found = i;
    return found;
  };
  choose(least([](const Draft& d) { return d.score(); }));
  while (chosen.size() + 1 < kept) {
    constexpr double worth = 3; // bits at all points together: a guess
    size_t found = 0;
    double most = 0;
    for (size_t k = 0; k < drafts.size(); ++k) {
      double gain = -bits_of_node / 8 * drafts[k].size;
      for (size_t i = 0; i < best.size(); ++i)
        gain += std::max(0.0f, best[i] - drafts[k].bits[i]);
      if (gain > most) {
        most = gain;
        found = k;
      }
    }
    if (most < worth)
      break;
    choose(found);
  }
  if (const size_t shortest = least([](const Draft& d) { return d.size * 1e6 + d.total; });
      std::find(chosen.begin(), chosen.end(), shortest) == chosen.end())
    chosen.push_back(shortest);

  std::vector<Form> made;
  for (const size_t which : chosen) {
    Draft& draft = drafts[which];
    Term term = draft.term ? *draft.term
                : ops::arity(draft.op) == 1
                    ? Term::apply(draft.op, draft.operands[0]->term)
                : ops::arity(draft.op) == 2
                    ? written(draft.op, draft.operands[0]->term, draft.operands[1]->term)
                    : Term::apply(draft.op, {draft.operands[0]->term, draft.operands[1]->term, draft.operands[2]->term});
    made.push_back({std::move(term), std::move(draft.values), std::move(draft.bits), draft.total});
  }
  std::vector<Form>& old = forms_[id];
  double before = 0, after = 0; // never give up a better form: rounds end
  const auto covered = [&](const std::vector<Form>& forms) {
    double sum = 0;
    for (size_t i = 0; i < points_.size(); ++i) {
      float least_bits = most_bits;
      for (const Form& form : forms)
        least_bits = std::min(least_bits, form.bits[i]);
      sum += least_bits;
    }
    return sum;
  };
  before = covered(old), after = covered(made);
  const bool better = old.empty() || after < before - 1 ||
                      (after <= before && made.front().total + bits_of_node * made.front().term.size() <
                                              old.front().total + bits_of_node * old.front().term.size() - 1e-9);
  if (better)
    old = std::move(made);
  return better;
}

void FormSearch::run(ClassId wanted) {
  wanted = graph_.find(wanted);
  const std::vector<ClassId> all = graph_.classes();
  std::vector<char> dirty(forms_.size(), 1), next;
  for (int round = 0; round < limits_.rounds; ++round) {
    next.assign(forms_.size(), 0);
    bool changed = false;
    for (const ClassId id : all) {
      bool stale = round == 0;
      for (const NodeId node : graph_.nodes_of(id))
        for (int k = 0; k < graph_.node(node).arity() && !stale; ++k)
          stale = dirty[graph_.find(graph_.node(node).operands[k])];
      if (stale && update(id, limits_.kept))
        next[id] = dirty[id] = 1, changed = true; // later classes see it in this round
    }
    dirty = next;
    if (!changed)
      break;
  }
  forms_[wanted].clear();
  update(wanted, limits_.kept_last);
}

} // namespace faultline::fix
