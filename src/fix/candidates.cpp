#include "fix/candidates.h"

#include "fix/forms.h"
#include "fix/regimes.h"
#include "fix/samples.h"
#include "fix/saturate.h"
#include "fix/series.h"
#include "numeric/stable_sort.h"

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
    if (is_fixed(answer.before, question_.format)) {
      answer.reason = "no input with an avoidable error";
      return answer;
    }
    terms_ = {question_.term};
    for (int round = 0; round < 3; ++round) {
      explore(round, answer);
      decide(answer);
      if (answer.fixed)
        break;
    }
    return answer;
  }

private:
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
    Graph graph(graph_points(answer, 72), size_t(2500 * question_.effort));
    const ClassId root = graph.add(question_.term);
    for (const Term& term : terms_)
      graph.merge(root, graph.add(term));
    std::map<uint64_t, ClassId> functions; // of series
    if (round == 0)
      series_ = all_series(question_.term, question_.format);
    for (const Series& series : series_)
      functions.emplace(series.function.hash(), graph.add(series.function));
    graph.rebuild();
    saturate(graph, root, {});
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
      if (std::find(terms_.begin(), terms_.end(), form.term) == terms_.end())
        terms_.push_back(form.term);
  }

  void decide(Answer& answer) {
    for (int round = 0; round < 3; ++round) {
      std::vector<Value> original;
      for (const Sample& sample : samples_)
        original.push_back(evaluate(question_.term, sample.point, question_.format));
      std::vector<RatedForm> rated;
      for (const Term& term : terms_) {
        rated.push_back(rate(term, samples_, question_, original));
        keep_in_range(rated.back());
      }
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
  std::vector<Series> series_;
};

} // namespace

Answer search_candidates(const Question& question) { return Search(question).run(); }

Value evaluate(const Candidate& candidate, const Point& point, Format format) {
  return evaluate(branch_at(candidate.branches, point), point, format);
}

} // namespace faultline::fix
