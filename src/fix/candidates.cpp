#include "fix/candidates.h"

#include "fix/forms.h"
#include "fix/regimes.h"
#include "fix/samples.h"
#include "fix/saturate.h"
#include "fix/series.h"
#include "numeric/stable_sort.h"

#include <algorithm>
#include <cmath>

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
    if (is_fixed(answer.before, question_.format)) {
      answer.reason = "no input with an avoidable error";
      return answer;
    }
    terms_ = {question_.term};
    for (int round = 0; round < 2; ++round) {
      explore(round);
      decide(answer);
      if (answer.fixed)
        break;
    }
    return answer;
  }

private:
  // A few samples of each kind, most of those where the code is wrong.
  std::vector<ExactPoint> graph_points(size_t count) const {
    std::vector<size_t> order[2];
    for (size_t i = 0; i < samples_.size(); ++i) {
      const Value computed = evaluate(question_.term, samples_[i].point, question_.format);
      const bool wrong = avoidable_error(computed, samples_[i], question_.format) > bar_of(question_.format);
      order[wrong ? 0 : 1].push_back(i);
    }
    std::vector<ExactPoint> points;
    for (const auto& list : order) {
      const size_t wanted = std::min(list.size(), count - count / 3);
      for (size_t i = 0; i < wanted && points.size() < count; ++i) {
        const Sample& sample = samples_[list[i * list.size() / wanted]];
        points.push_back({sample.point, std::max(sample.precision, 128L)});
      }
    }
    return points;
  }

  void explore(int round) {
    Graph graph(graph_points(64), size_t(2500 * question_.effort));
    const ClassId root = graph.add(question_.term);
    for (const Term& term : terms_)
      graph.merge(root, graph.add(term));
    graph.rebuild();
    saturate(graph, root, {});
    FormSearch forms(graph, question_.format);
    add_series(graph, question_, forms);
    forms.run(root);
    for (const Form& form : forms.forms_of(root))
      if (std::find(terms_.begin(), terms_.end(), form.term) == terms_.end())
        terms_.push_back(form.term);
  }

  void decide(Answer& answer) {
    for (int round = 0; round < 3; ++round) {
      std::vector<Value> original;
      for (const Sample& sample : samples_)
        original.push_back(evaluate(question_.term, sample.point, question_.format));
      std::vector<RatedForm> rated;
      for (const Term& term : terms_)
        rated.push_back(rate(term, samples_, question_, original));
      std::vector<Candidate> found;
      for (const Choice& choice : choices(rated, samples_, question_))
        if (choice.branches.size() > 1 || !(choice.branches.front().term == question_.term))
          found.push_back(candidate_of(choice));
      numeric::sort_stably(found, [&](const Candidate& a, const Candidate& b) {
        const bool x = is_fixed(a.after, question_.format), y = is_fixed(b.after, question_.format);
        return x != y ? x : x && rank(a) < rank(b); // else by penalty, as they are
      });
      answer.candidates = found;
      answer.fixed = !found.empty() && is_fixed(found.front().after, question_.format);
      if (found.empty() || !add_counterexamples(found.front()))
        break;
    }
    if (answer.candidates.empty())
      answer.reason = "no form is better than the original";
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
    for (int i = 0; i < 150; ++i) {
      const auto point = sampler.near(centers[size_t(i) % centers.size()]);
      if (!point)
        continue;
      const auto sample = sample_at(question_, *point, SampleKind::near);
      if (!sample)
        continue;
      const double error =
          avoidable_error(evaluate(candidate, *point, question_.format), *sample, question_.format);
      if (error > bar_of(question_.format))
        found.push_back(*sample);
    }
    if (found.size() > 60)
      found.erase(found.begin() + 60, found.end());
    samples_.insert(samples_.end(), found.begin(), found.end());
    return !found.empty();
  }

  static double relative_error(Value computed, const Sample& sample) {
    if (!std::isfinite(computed))
      return 1e300;
    return sample.exact == 0 ? 0 : double(std::fabs((computed - sample.exact) / sample.exact));
  }

  const Question& question_;
  std::vector<Sample> samples_;
  std::vector<Term> terms_;
};

} // namespace

Answer search_candidates(const Question& question) { return Search(question).run(); }

Value evaluate(const Candidate& candidate, const Point& point, Format format) {
  return evaluate(branch_at(candidate.branches, point), point, format);
}

} // namespace faultline::fix
