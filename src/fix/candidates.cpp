#include "fix/candidates.h"

#include "fix/forms.h"
#include "fix/proof.h"
#include "fix/regimes.h"
#include "fix/samples.h"
#include "fix/saturate.h"
#include "fix/series.h"
#include "numeric/stable_sort.h"
#include "ops/enclosures.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace faultline::fix {

bool Condition::holds(const Point& point) const {
  return (magnitude ? std::fabs(point[variable]) : point[variable]) < border;
}

namespace {

const Term& branch_at(const std::vector<Branch>& branches, const Point& point) {
  for (const Branch& branch : branches)
    if (std::all_of(branch.when.begin(), branch.when.end(), [&](const Condition& c) { return c.holds(point); }))
      return branch.term;
  return branches.back().term;
}

class Search {
public:
  explicit Search(const Question& question) : question_(question) {}

  Answer run() {
    Answer answer;
    samples_ = draw_samples(question_, question_.seed);
    if (samples_.empty()) {
      answer.reason = "no legal input has an exact result that is a number";
      return answer;
    }
    answer.before = measure(
        samples_, [&](const Point& at) { return evaluate(question_.term, at, question_.format); }, question_.format);
    if (is_repaired(samples_, originals(),
                    [&](const Point& at) { return evaluate(question_.term, at, question_.format); },
                    question_.format)) {
      answer.reason = "no input with an avoidable error";
      return answer;
    }
    terms_ = {question_.term};
    for (int round = 0; round < rounds; ++round) {
      explore(round, answer);
      decide(answer);
      if (answer.fixed)
        break;
    }
    samples_from(draw_samples(question_, question_.seed + 15485863,
                              {.random = 200, .everyday = 250, .near = 100, .special = 40}));
    for (int round = 0; round < 5; ++round) {
      choose(answer);
      if (answer.candidates.empty() || !add_counterexamples(answer.candidates.front()))
        break;
    }
    for (size_t i = 0; i < std::min<size_t>(answer.candidates.size(), 3); ++i)
      prove(answer.candidates[i]);
    return answer;
  }

private:
  static constexpr int rounds = 5; // until a candidate has no avoidable error; a guess

  // A third of the points are inputs where the code is wrong, a third those where the best candidate is.
  std::vector<ExactPoint> graph_points(const Answer& answer, size_t count) const {
    std::vector<size_t> order[3];
    for (size_t i = 0; i < samples_.size(); ++i) {
      const auto is_wrong = [&](Value computed) {
        return avoidable_error(computed, samples_[i], question_.format) > bar_of(question_.format);
      };
      const bool still = !answer.candidates.empty() &&
                         is_wrong(evaluate(answer.candidates.front(), samples_[i].point, question_.format));
      const bool wrong = is_wrong(evaluate(question_.term, samples_[i].point, question_.format));
      order[still ? 0 : wrong ? 1 : 2].push_back(i);
    }
    std::vector<ExactPoint> points;
    size_t left = 3;
    for (const auto& list : order) {
      const size_t wanted = std::min(list.size(), (count - points.size()) / left--);
      for (size_t i = 0; i < wanted; ++i) {
        const Sample& sample = samples_[list[i * list.size() / wanted]];
        points.push_back({sample.point, std::max(sample.precision, 128L)});
      }
    }
    return points;
  }

  void explore(int round, const Answer& answer) {
    Graph graph(graph_points(answer, 72), size_t((2500 + 1500 * round) * question_.effort));
    const ClassId root = graph.add(question_.term);
    for (const Term& term : terms_)
      graph.merge(root, graph.add(term));
    std::map<uint64_t, ClassId> functions; // of series
    if (round == 0)
      series_ = all_series(question_.term, question_.format);
    if (round == 1)
      explore_parts(question_.term);
    for (const auto& [part, form] : parts_)
      graph.merge(graph.add(part), graph.add(form));
    for (const Series& series : series_)
      functions.emplace(series.function.hash(), graph.add(series.function));
    graph.rebuild();
    remember(saturate(graph, root, {}));
    FormSearch forms(graph, question_.format);
    for (const Series& series : series_) {
      if (series.is_short() && !(series.function == question_.term))
        continue;
      std::vector<char> covers;
      for (const ExactPoint& at : graph.points())
        covers.push_back(series.covers(at.point, question_.format));
      if (std::find(covers.begin(), covers.end(), 1) != covers.end())
        forms.add_approximation(functions.at(series.function.hash()), series.polynomial, std::move(covers));
    }
    forms.run(root);
    for (const Form& form : forms.forms_of(root))
      if (const Term term = tidied(form.term); std::find(terms_.begin(), terms_.end(), term) == terms_.end())
        terms_.push_back(term);
  }

  // Good forms of parts that lose digits themselves: a graph of their own has more room.
  void explore_parts(const Term& term) {
    for (const Term& part : term.operands()) {
      constexpr int least_size = 4;
      if (part.kind() != Term::Kind::operation || part.size() < least_size)
        continue;
      explore_parts(part);
      if (std::any_of(parts_.begin(), parts_.end(), [&](const auto& known) { return known.first == part; }))
        continue;
      std::vector<ExactPoint> right, wrong;
      for (const Sample& sample : samples_) {
        const auto value = exact(part, sample.point, 70, sample.precision);
        if (!value)
          continue;
        const float bits = bits_between(evaluate(part, sample.point, question_.format),
                                        numeric::rounded(value->raw(), question_.format), question_.format);
        constexpr float few = 4;
        (bits > few ? wrong : right).push_back({sample.point, sample.precision});
      }
      if (wrong.empty())
        continue;
      constexpr size_t count = 36;
      std::vector<ExactPoint> points;
      for (const auto& list : {wrong, right})
        for (size_t i = 0; i < std::min(list.size(), count); ++i)
          points.push_back(list[i * list.size() / std::min(list.size(), count)]);
      Graph graph(points, size_t(1500 * question_.effort));
      const ClassId root = graph.add(part);
      remember(saturate(graph, root, {}));
      FormSearch forms(graph, question_.format, {.kept_last = 4});
      forms.run(root);
      for (const Form& form : forms.forms_of(root))
        if (!(form.term == part))
          parts_.emplace_back(part, form.term);
    }
  }

  void remember(const std::vector<Equation>& equations) {
    equations_.insert(equations_.end(), equations.begin(), equations.end());
  }

  void prove(Candidate& candidate) const;

  void samples_from(const std::vector<Sample>& fresh) {
    samples_.insert(samples_.end(), fresh.begin(), fresh.end());
  }

  // Chooses among the candidates of all rounds by all samples, also those that none of them has seen.
  void choose(Answer& answer) {
    const std::vector<Value> original = originals();
    struct Judged {
      Candidate candidate;
      bool fixed;
      double penalty;
    };
    std::vector<Judged> judged;
    for (Candidate& candidate : pool_) {
      double penalty = 0;
      for (size_t i = 0; i < samples_.size(); ++i)
        penalty += penalty_of(evaluate(candidate, samples_[i].point, question_.format), samples_[i], original[i],
                              question_.format);
      candidate.after = measure(
          samples_, [&](const Point& at) { return evaluate(candidate, at, question_.format); }, question_.format);
      candidate.repairs = repairs(candidate, original);
      judged.push_back({candidate, candidate.repairs, penalty});
    }
    numeric::sort_stably(judged, [](const Judged& a, const Judged& b) {
      if (a.fixed != b.fixed)
        return a.fixed;
      return a.fixed ? rank(a.candidate) < rank(b.candidate)
                     : a.penalty + rank(a.candidate) / 4 < b.penalty + rank(b.candidate) / 4;
    });
    answer.candidates.clear();
    constexpr size_t most = 8;
    for (const Judged& one : judged)
      if (answer.candidates.size() < most && std::none_of(answer.candidates.begin(), answer.candidates.end(),
                                                          [&](const Candidate& other) { return same(other, one.candidate); }))
        answer.candidates.push_back(one.candidate);
    answer.fixed = !answer.candidates.empty() && answer.candidates.front().repairs;
  }
  std::vector<Value> originals() const {
    std::vector<Value> values;
    for (const Sample& sample : samples_)
      values.push_back(evaluate(question_.term, sample.point, question_.format));
    return values;
  }
  bool repairs(const Candidate& candidate, const std::vector<Value>& original) const {
    return is_repaired(
        samples_, original, [&](const Point& at) { return evaluate(candidate, at, question_.format); },
        question_.format);
  }
  static bool same(const Candidate& a, const Candidate& b) {
    if (a.branches.size() != b.branches.size())
      return false;
    for (size_t i = 0; i < a.branches.size(); ++i)
      if (!(a.branches[i].term == b.branches[i].term) ||
          (!a.branches[i].when.empty() && a.branches[i].when[0].border != b.branches[i].when[0].border))
        return false;
    return true;
  }

  void decide(Answer& answer) {
    for (int round = 0; round < 3; ++round) {
      const std::vector<Value> original = originals();
      std::vector<RatedForm> rated;
      for (const Term& term : terms_) {
        rated.push_back(rate(term, samples_, question_, original));
        keep_in_range(rated.back());
      }
      std::vector<Candidate> found;
      for (const Choice& choice : choices(rated, samples_, question_))
        if (choice.branches.size() > 1 || !(choice.branches.front().term == question_.term))
          found.push_back(candidate_of(choice));
      for (Candidate& candidate : found)
        candidate.repairs = repairs(candidate, original);
      numeric::sort_stably(found, [&](const Candidate& a, const Candidate& b) {
        const bool x = a.repairs, y = b.repairs;
        return x != y ? x : x && rank(a) < rank(b); // else by penalty, as they are
      });
      answer.candidates = found;
      pool_.insert(pool_.end(), found.begin(), found.begin() + std::ptrdiff_t(std::min<size_t>(found.size(), 8)));
      answer.fixed = !found.empty() && found.front().repairs;
      if (found.empty() || !add_counterexamples(found.front()))
        break;
    }
    if (answer.candidates.empty())
      answer.reason = "no form is better than the original";
  }

  // A series counts as wrong beyond its radius, even where it is still good enough.
  void keep_in_range(RatedForm& form) const {
    for (const Series& series : series_)
      if (uses(form.term, series))
        for (size_t i = 0; i < samples_.size(); ++i)
          if (!series.covers(samples_[i].point, question_.format))
            form.penalty[i] = std::max(form.penalty[i], most_bits);
  }

  static double rank(const Candidate& candidate) {
    constexpr double size_of_branch = 8; // a line more; a guess
    return candidate.size + size_of_branch * double(candidate.branches.size());
  }

  Candidate candidate_of(const Choice& choice) const {
    Candidate candidate{.branches = choice.branches, .size = choice.size()};
    const double before = cost(question_.term);
    double most = 0;
    for (const Branch& branch : choice.branches)
      most = std::max(most, cost(branch.term));
    candidate.cost = most / before;
    candidate.after = measure(
        samples_, [&](const Point& at) { return evaluate(candidate, at, question_.format); }, question_.format);
    return candidate;
  }

  // Looks near the borders and the worst samples for inputs where the candidate is worse than it seems.
  bool add_counterexamples(const Candidate& candidate) {
    Sampler sampler(question_, question_.seed + 7919 + samples_.size());
    std::vector<Point> centers;
    std::vector<std::pair<double, size_t>> order;
    for (size_t i = 0; i < samples_.size(); ++i)
      order.emplace_back(
          -relative_error(evaluate(candidate, samples_[i].point, question_.format), samples_[i]), i);
    numeric::sort_stably(order);
    for (size_t i = 0; i < std::min<size_t>(order.size(), 20); ++i)
      centers.push_back(samples_[order[i].second].point);
    for (const Branch& branch : candidate.branches)
      for (const Condition& condition : branch.when)
        for (size_t i = 0; i < 20; ++i) {
          Point point = samples_[sampler.rng().below(samples_.size())].point;
          Value& x = point[condition.variable];
          x = condition.magnitude && x < 0 ? -condition.border : condition.border;
          x = numeric::nearest(x, question_.variables[condition.variable].format);
          centers.push_back(point);
        }
    std::vector<Sample> found;
    const auto look = [&](int tries, size_t most, auto draw) {
      const size_t before = found.size();
      size_t checked = 0;
      for (int i = 0; i < tries && checked < most_checked && found.size() - before < most; ++i) {
        const std::optional<Point> point = draw(i);
        if (!point)
          break;
        if (!is_suspicious(candidate, *point, i))
          continue;
        ++checked;
        const auto sample = sample_at(question_, *point, SampleKind::near);
        if (sample && !is_repaired({*sample}, {evaluate(question_.term, *point, question_.format)},
                                   [&](const Point& at) { return evaluate(candidate, at, question_.format); },
                                   question_.format))
          found.push_back(*sample);
      }
    };
    look(1500, 25, [&](int i) {
      const auto point = sampler.near(centers[size_t(i) % centers.size()]);
      return point ? point : sampler.everyday();
    });
    look(1500, 25, [&](int) { return sampler.everyday(); });
    look(500, 15, [&](int) { return sampler.random(); });
    look(300, 10, [&](int) { return sampler.special(); });
    samples_.insert(samples_.end(), found.begin(), found.end());
    return !found.empty();
  }

  // The exact value is expensive. The same code in a wider format differs where digits or the range are short; a few
  // other points are checked, too.
  bool is_suspicious(const Candidate& candidate, const Point& point, int count) const {
    constexpr int unseen = 24; // one of these is checked in any case
    if (count % unseen == 0 || numeric::is_widest(question_.format))
      return true;
    const Value narrow = evaluate(candidate, point, question_.format),
                wide = evaluate(candidate, point, Format::extended80);
    const Value expected = numeric::nearest(wide, question_.format);
    if (narrow == expected || (std::isnan(narrow) && std::isnan(expected)))
      return std::isnan(narrow);
    return !(std::fabs(narrow - wide) <= std::fabs(wide) * Value(bar_of(question_.format)));
  }

  static constexpr size_t most_checked = 100; // a guess

  static double relative_error(Value computed, const Sample& sample) {
    if (!std::isfinite(computed))
      return 1e300;
    return sample.exact == 0 ? 0 : double(std::fabs((computed - sample.exact) / sample.exact));
  }

  const Question& question_;
  std::vector<Sample> samples_;
  std::vector<Term> terms_;
  std::vector<Series> series_;
  std::vector<Candidate> pool_;     // of all rounds
  std::vector<Equation> equations_; // of all graphs
  std::vector<std::pair<Term, Term>> parts_; // parts of the question with other forms
};

// All values of a term over ranges of the variables; not known where there may be none.
numeric::Interval range_of(const Term& term, const std::vector<numeric::Interval>& box) {
  using numeric::Interval;
  switch (term.kind()) {
  case Term::Kind::number:
  case Term::Kind::pi: {
    const auto value = double(term.rounded(Format::binary64));
    return {std::nextafter(value, -INFINITY), std::nextafter(value, INFINITY)};
  }
  case Term::Kind::variable:
    return box[term.index()];
  case Term::Kind::doubled:
    return range_of(term.operand(0), box);
  case Term::Kind::operation:
    break;
  }
  std::vector<Interval> values;
  ops::OperandRanges<Interval> operands = {};
  values.reserve(term.operands().size());
  for (size_t i = 0; i < term.operands().size(); ++i)
    operands[i] = &values.emplace_back(range_of(term.operand(i), box));
  const bool same = values.size() == 2 && term.operand(0) == term.operand(1);
  if (!ops::has_formulas(term.op()) ||
      std::any_of(values.begin(), values.end(), [](const Interval& v) { return !v.known(); }))
    return Interval::nothing_known();
  return ops::range_of(term.op(), operands, same);
}

// True if the rule's conditions hold for all inputs of the branch.
bool holds_on(const Equation& equation, const std::vector<numeric::Interval>& box) {
  for (const Domain& domain : equation.rule->domain) {
    if (domain.relation == Domain::Relation::mixed)
      continue; // says where the rule is useful
    const numeric::Interval range = range_of(term_of(domain.what, equation.letters), box);
    const double number = domain.number.get_d();
    using enum Domain::Relation;
    const bool holds = range.known() && (domain.relation == at_least  ? range.low >= number
                                         : domain.relation == above   ? range.low > number
                                         : domain.relation == at_most ? range.high <= number
                                         : domain.relation == below   ? range.high < number
                                                                      : range.low > number || range.high < number);
    if (!holds)
      return false;
  }
  return true;
}

void Search::prove(Candidate& candidate) const {
  std::vector<numeric::Interval> box;
  for (const Variable& variable : question_.variables)
    box.push_back({double(std::max<Value>(variable.low, -numeric::largest(Format::binary64))),
                   double(std::min<Value>(variable.high, numeric::largest(Format::binary64)))});
  bool all = true;
  for (const Branch& branch : candidate.branches) {
    std::vector<Step> steps;
    if (branch.term == question_.term) {
      candidate.evidence.equality.push_back({{.kind = Step::Kind::kept}});
      candidate.evidence.equations.emplace_back();
      continue;
    }
    std::vector<Equation> known = equations_;
    std::vector<const Series*> assumed;
    for (const Series& series : series_)
      if (uses(branch.term, series)) {
        known.insert(known.begin(), {series.function, series.polynomial, nullptr, {}, true});
        steps.push_back({Step::Kind::series, "at " + series.center.get_str(), series.remainder});
        // The remainder is relative: of a part it says little about the whole.
        all &= series.proved && series.function == question_.term;
      }
    const auto proof = proof_of(question_.term, branch.term, known);
    all &= proof.has_value();
    if (!proof)
      steps.push_back({.kind = Step::Kind::numeric});
    else
      for (const Equation& equation : *proof)
        if (!equation.assumed) {
          steps.push_back({equation.rule != nullptr ? Step::Kind::rule : Step::Kind::algebra,
                           equation.rule != nullptr ? equation.rule->name : ""});
          all &= equation.rule == nullptr || holds_on(equation, box);
        }
    candidate.evidence.equality.push_back(steps);
    candidate.evidence.equations.push_back(proof.value_or(std::vector<Equation>()));
  }
  candidate.evidence.equality_proved = all;
}

} // namespace

Answer search_candidates(const Question& question) { return Search(question).run(); }

Value evaluate(const Candidate& candidate, const Point& point, Format format) {
  return evaluate(branch_at(candidate.branches, point), point, format);
}

} // namespace faultline::fix
