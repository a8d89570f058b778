#include "fix/regimes.h"

#include "fix/forms.h"
#include "numeric/decimal.h"
#include "numeric/stable_sort.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace faultline::fix {

namespace {
constexpr float avoidable_penalty = 8; // bits, for an avoidable error: a guess
} // namespace

int Choice::size() const {
  int sum = 0;
  for (const Branch& branch : branches)
    sum += branch.term.size();
  return sum;
}

float penalty_of(Value computed, const Sample& sample, Value original, Format format) {
  const double bar = bar_of(format), error = avoidable_error(computed, sample, format);
  const float bits = bits_between(computed, sample.exact, format);
  if (error > bar && std::fabs(sample.exact) < numeric::smallest_normal(format))
    return avoidable_penalty / 2; // digits are lost there in any case
  const bool worse = error > std::max(bar, 2 * avoidable_error(original, sample, format));
  if (error > bar && !sample.counts && !worse)
    return 0.02f * bits;
  return (error > bar ? avoidable_penalty + bits : 0.3f * std::min(bits, 10.0f)) + (worse ? 16 : 0);
}

RatedForm rate(const Term& term, const std::vector<Sample>& samples, const Question& question,
               const std::vector<Value>& original) {
  RatedForm rated{.term = term};
  for (size_t i = 0; i < samples.size(); ++i)
    rated.penalty.push_back(penalty_of(evaluate(term, samples[i].point, question.format), samples[i], original[i],
                                       question.format));
  return rated;
}

Value round_number(Value low, Value high) {
  if (low > high)
    std::swap(low, high);
  if (low <= 0 && high >= 0)
    return 0;
  if (high < 0)
    return -round_number(-high, -low);
  if (low <= 1 && high >= 1)
    return 1;
  if (!std::isfinite(high))
    return low;
  constexpr Value smallest = 1e-307L; // smaller borders are no round numbers of binary64
  if (low < smallest && high >= smallest)
    low = smallest;
  // One digit where possible, powers of ten first; then two digits, and so on.
  for (int digits = 0; digits < 18; ++digits) {
    const Value middle = std::sqrt(low) * std::sqrt(high);
    const int power = int(std::floor(std::log10(middle)));
    if (digits == 0) {
      for (const int p : {power, power + 1})
        if (const Value candidate = std::pow(Value(10), p); candidate >= low && candidate <= high)
          return Value(double(candidate));
      continue;
    }
    const Value candidate = numeric::rounded_decimal(middle, digits);
    if (candidate >= low && candidate <= high)
      return candidate;
  }
  return low;
}

namespace {

struct Key {
  size_t variable = 0;
  bool magnitude = false;
  Value of(const Point& point) const { return magnitude ? std::fabs(point[variable]) : point[variable]; }
};

class Partition {
public:
  Partition(const std::vector<RatedForm>& forms, const std::vector<Sample>& samples, Key key)
      : forms_(forms), samples_(samples), key_(key), order_(samples.size()) {
    std::iota(order_.begin(), order_.end(), size_t(0));
    numeric::sort_stably(order_,
                     [&](size_t a, size_t b) { return key.of(samples[a].point) < key.of(samples[b].point); });
  }

  std::optional<Choice> best(int parts) {
    const size_t n = order_.size(), m = forms_.size();
    // least[k][j]: of the first j samples in k + 1 segments; with the form of the last one and its first sample.
    std::vector<std::vector<Cell>> least(size_t(parts), std::vector<Cell>(n + 1));
    for (size_t f = 0; f < m; ++f) {
      double sum = cost_of(f);
      for (size_t j = 0; j <= n; ++j) {
        if (sum < least[0][j].penalty)
          least[0][j] = {sum, f, 0};
        if (j < n)
          sum += forms_[f].penalty[order_[j]];
      }
    }
    for (size_t k = 1; k < size_t(parts); ++k)
      for (size_t f = 0; f < m; ++f) {
        double running = std::numeric_limits<double>::infinity();
        size_t first = 0;
        for (size_t j = 1; j <= n; ++j) {
          if (separable(j - 1) && least[k - 1][j - 1].form != f) {
            const double fresh = least[k - 1][j - 1].penalty + cost_of(f);
            if (fresh < running) {
              running = fresh;
              first = j - 1;
            }
          }
          running += forms_[f].penalty[order_[j - 1]];
          if (running < least[k][j].penalty)
            least[k][j] = {running, f, first};
        }
      }
    if (!std::isfinite(least[size_t(parts) - 1][n].penalty))
      return std::nullopt;
    return assembled(least, parts);
  }

private:
  struct Cell {
    double penalty = std::numeric_limits<double>::infinity();
    size_t form = 0, first = 0;
  };
  double cost_of(size_t form) const {
    constexpr double bits_of_node = 0.1; // all samples together; a guess
    return bits_of_node * forms_[form].term.size();
  }
  bool separable(size_t j) const {
    return j > 0 && j < order_.size() && key_at(j - 1) < key_at(j);
  }
  Value key_at(size_t j) const { return key_.of(samples_[order_[j]].point); }

  Choice assembled(const std::vector<std::vector<Cell>>& least, int parts) const {
    Choice choice;
    size_t j = order_.size();
    choice.penalty = least[size_t(parts) - 1][j].penalty;
    for (int k = parts - 1; k >= 0; --k) {
      const Cell& cell = least[size_t(k)][j];
      Branch branch{.term = forms_[cell.form].term};
      if (k < parts - 1)
        branch.when.push_back({key_.variable, key_.magnitude, border(cell.form, least[size_t(k) + 1][last_].form, j)});
      choice.branches.insert(choice.branches.begin(), branch);
      last_ = j;
      j = cell.first;
    }
    return choice;
  }

  // A round number between the samples j - 1 and j; farther away where both forms are as good.
  Value border(size_t below, size_t above, size_t j) const {
    size_t low = j - 1, high = j;
    constexpr float slack = 1.5f; // far below an avoidable error
    while (low > 0 && forms_[above].penalty[order_[low]] <= forms_[below].penalty[order_[low]] + slack)
      --low;
    while (high + 1 < order_.size() &&
           forms_[below].penalty[order_[high]] <= forms_[above].penalty[order_[high]] + slack)
      ++high;
    const Value from = key_at(low), to = key_at(high);
    if (from < 0 && to > 0)
      return 0;
    // Stay away from the ends: samples do not show where exactly a form becomes bad.
    const Value tight_from = key_at(j - 1), tight_to = key_at(j);
    if (from > 0 && to > 16 * from)
      return round_number(std::max(from * 2, Value(0)), to / 2);
    const Value wide = round_number(from, to);
    return wide > from && wide <= to ? wide : round_number(std::nextafter(tight_from, tight_to), tight_to);
  }

  const std::vector<RatedForm>& forms_;
  const std::vector<Sample>& samples_;
  Key key_;
  std::vector<size_t> order_;
  mutable size_t last_ = 0;
};

// The best forms alone, and the shortest of those without an avoidable error.
std::vector<Choice> single_forms(const std::vector<RatedForm>& forms) {
  constexpr size_t most = 5;
  std::vector<Choice> all, right;
  for (const RatedForm& form : forms) {
    const Choice choice{{{{}, form.term}}, std::accumulate(form.penalty.begin(), form.penalty.end(), 0.0)};
    all.push_back(choice);
    if (std::all_of(form.penalty.begin(), form.penalty.end(), [](float p) { return p < avoidable_penalty / 2; }))
      right.push_back(choice);
  }
  numeric::sort_stably(all, {}, &Choice::penalty);
  numeric::sort_stably(right, {}, &Choice::size);
  all.resize(std::min(all.size(), most));
  right.resize(std::min(right.size(), most));
  for (const Choice& choice : right)
    if (std::none_of(all.begin(), all.end(), [&](const Choice& other) {
          return other.branches.front().term == choice.branches.front().term;
        }))
      all.push_back(choice);
  return all;
}

} // namespace

std::vector<Choice> choices(const std::vector<RatedForm>& forms, const std::vector<Sample>& samples,
                            const Question& question) {
  std::vector<Choice> all = single_forms(forms);
  const double alone = all.empty() ? 0 : all.front().penalty;
  for (const size_t variable : variables_of(question.term))
    for (const bool magnitude : {true, false}) {
      if (magnitude && question.variables[variable].low >= 0)
        continue;
      Partition partition(forms, samples, {variable, magnitude});
      for (const int parts : {2, 3}) {
        constexpr double worth = 6; // bits at all samples together, for a branch; a guess
        const auto choice = partition.best(parts);
        if (choice && choice->penalty + worth * (parts - 1) < alone)
          all.push_back(*choice);
      }
    }
  constexpr double worth = 6;
  numeric::sort_stably(all, [](const Choice& a, const Choice& b) {
    return a.penalty + worth * double(a.branches.size()) < b.penalty + worth * double(b.branches.size());
  });
  return all;
}

} // namespace faultline::fix
