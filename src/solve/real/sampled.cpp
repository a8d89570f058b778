#include "solve/real/sampled.h"

#include "constraint/evaluate.h"
#include "numeric/binary.h"
#include "solve/real/float_choice.h"

#include <algorithm>

namespace faultline::solve {

using constraint::Bits;
using constraint::Form;
using constraint::Node;
using constraint::Term;
using numeric::Int128;
using ops::Op;

namespace {

constexpr int exponent_samples = 96, interval_samples = 24; // on each side of zero; in an interval of the frame
constexpr size_t most_changes = 48, most_intervals = 8;

BigFloat number(Bits bits, numeric::BinaryFormat format) {
  BigFloat result = real_number(0);
  numeric::set_bits(result.raw(), bits, format);
  return result;
}

} // namespace

Samples::Samples(const Levels& levels, size_t level, const std::vector<Bits>& values, const RealSet& frame,
                 Budget& budget)
    : levels_(levels), level_(level), format_(levels.system().sort(levels.variable_term(level)).format),
      values_(values), budget_(budget), cost_(20 * levels.terms(level).size() + 20) {
  take(frame);
}

void Samples::take(const RealSet& frame) {
  const Int128 largest = Int128(format_.largest());
  for (int i = 0; i <= exponent_samples; ++i) {
    const Int128 order = largest / exponent_samples * i;
    orders_.push_back(order);
    orders_.push_back(-1 - order);
  }
  for (int i = -20; i <= 20; ++i)
    orders_.push_back(format_.order(numeric::bits_of((long double)i / 2, format_)));
  for (const Node& node : levels_.system().nodes())
    if (node.form == Form::constant && node.sort == levels_.system().sort(levels_.variable_term(level_)) &&
        !format_.is_nan(node.value) && !format_.is_infinite(node.value) && orders_.size() < 4 * exponent_samples)
      orders_.push_back(format_.order(node.value));
  size_t intervals = 0;
  for (const RealInterval& interval : frame.intervals()) {
    if (++intervals > most_intervals)
      break;
    const FloatRange range = floats_within(interval, format_);
    for (int i = 0; i <= interval_samples && range.low <= range.high; ++i) {
      orders_.push_back(between(range, format_, double(i) / interval_samples));
      orders_.push_back(range.low + Int128(numeric::Uint128(range.high - range.low) / interval_samples * unsigned(i)));
    }
  }
  std::sort(orders_.begin(), orders_.end());
  orders_.erase(std::unique(orders_.begin(), orders_.end()), orders_.end());
  for (const Int128 order : orders_) {
    if (!budget_.spend(cost_))
      break;
    levels_.evaluate(level_, format_.at(order), values_);
    std::vector<Bits> row;
    for (const Term term : levels_.terms(level_))
      row.push_back(values_[term]);
    taken_.push_back(std::move(row));
  }
  orders_.resize(taken_.size());
}

// How the sides of a comparison lie; of other atoms, whether they are true.
int Samples::state(Term atom, const std::vector<Bits>& values) const {
  const Node& node = levels_.system().node(atom);
  if (node.form != Form::comparison)
    return values[atom] != 0;
  const numeric::BinaryFormat format = levels_.system().sort(node.operands[0]).format;
  const Bits a = values[node.operands[0]], b = values[node.operands[1]];
  if (format.is_nan(a) || format.is_nan(b))
    return unordered;
  return constraint::holds(Op::cmp_olt, format, a, b) ? -1 : constraint::holds(Op::cmp_ogt, format, a, b) ? 1 : 0;
}

int Samples::state_at(Term atom, Int128 order) {
  levels_.evaluate(level_, format_.at(order), values_);
  return state(atom, values_);
}

bool Samples::wanted(Term atom, int state) const {
  const Node& node = levels_.system().node(atom);
  if (node.form != Form::comparison)
    return state != 0;
  const Bits one = numeric::bits_of(1.0), nan = numeric::binary64.nan();
  const Bits left = state == unordered ? nan : numeric::bits_of(double(state + 1));
  return constraint::holds(node.op, numeric::binary64, left, one);
}

std::optional<RealSet> Samples::where(Term atom) {
  const auto& terms = levels_.terms(level_);
  RealSet result;
  const auto keep = [&](Int128 from, Int128 to, int state) {
    if (wanted(atom, state))
      result.append({number(format_.at(from), format_), number(format_.at(to), format_), true, true});
  };
  Int128 start = 0;
  int last = 0;
  size_t changes = 0;
  std::vector<Bits> row = values_;
  for (size_t i = 0; i < orders_.size(); ++i) {
    for (size_t k = 0; k < terms.size(); ++k)
      row[terms[k]] = taken_[i][k];
    const int now = state(atom, row);
    if (i == 0) {
      start = orders_[i];
      last = now;
    }
    // There may be several changes on the way: equal, below, above.
    for (Int128 low = i == 0 ? 0 : orders_[i - 1]; last != now && ++changes <= most_changes;) {
      Int128 high = orders_[i];
      int at_high = now;
      while (high - low > 1) {
        if (!budget_.spend(cost_))
          return std::nullopt;
        const Int128 middle = low + (high - low) / 2;
        const int there = state_at(atom, middle);
        (there == last ? low : high) = middle;
        if (there != last)
          at_high = there;
      }
      keep(start, low, last);
      // Equality is somewhere near, if nowhere on a sample.
      if (last + at_high == 0 && last != 0 && wanted(atom, 0))
        result.append({number(format_.at(low), format_), number(format_.at(high), format_), true, true});
      start = low = high;
      last = at_high;
    }
  }
  if (!orders_.empty())
    keep(start, orders_.back(), last);
  return budget_.over() ? std::nullopt : std::optional(result);
}

std::vector<Bits> Samples::hits() const {
  const auto& terms = levels_.terms(level_);
  std::vector<Bits> result, row = values_;
  for (size_t i = 0; i < orders_.size(); ++i) {
    for (size_t k = 0; k < terms.size(); ++k)
      row[terms[k]] = taken_[i][k];
    if (levels_.hold(level_, row))
      result.push_back(format_.at(orders_[i]));
  }
  return result;
}

} // namespace faultline::solve
