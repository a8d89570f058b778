#include "solve/real/reading.h"

#include "constraint/evaluate.h"
#include "numeric/binary.h"
#include "ops/op.h"

#include <algorithm>

namespace faultline::solve {

using numeric::Int128;

namespace {

constexpr int exponent_samples = 96, interval_samples = 24; // on each side of zero; in an interval of the frame
constexpr size_t most_changes = 48, most_read_intervals = 8;

BigFloat number(Bits bits, BinaryFormat format) {
  BigFloat result = real_number(0);
  numeric::set_bits(result.raw(), bits, format);
  return result;
}

using Set = std::optional<RealSet>;

Set meet_known(const Set& a, const Set& b) { return a && b ? Set(*a & *b) : std::nullopt; }
Set join(const Set& a, const Set& b) { return a && b ? Set(*a | *b) : std::nullopt; }
Set other(const Set& a) { return a ? Set(a->complement()) : std::nullopt; }

BigFloat negative(BigFloat value) {
  mpfr_neg(value.raw(), value.raw(), MPFR_RNDN);
  return value;
}

// Returns the numbers between -size and size, inclusive.
RealSet within(const BigFloat& size) { return RealSet::between({negative(size), size, true, true}); }

// The bound of numbers that round to zero.
BigFloat half_of_the_least(BinaryFormat format) {
  return power_of_two(format.min_exponent() - format.fraction_bits() - 1);
}
BigFloat least_normal(BinaryFormat format) { return power_of_two(format.min_exponent()); }
// The bound of numbers that round to infinity.
BigFloat overflow(BinaryFormat format) {
  BigFloat result = power_of_two(format.max_exponent() + 1);
  mpfr_sub(result.raw(), result.raw(), power_of_two(format.max_exponent() - format.significand_bits).raw(), MPFR_RNDN);
  return result;
}

// Returns c plus or minus about half an ulp.
RealSet around(const BigFloat& c, BinaryFormat format) {
  BigFloat room = c;
  mpfr_abs(room.raw(), room.raw(), MPFR_RNDN);
  mpfr_div_2ui(room.raw(), room.raw(), ulong(format.significand_bits + 1), MPFR_RNDN);
  if (room < half_of_the_least(format))
    room = half_of_the_least(format);
  RealInterval interval{c, c, true, true};
  mpfr_sub(interval.low.raw(), c.raw(), room.raw(), MPFR_RNDN);
  mpfr_add(interval.high.raw(), c.raw(), room.raw(), MPFR_RNDN);
  return RealSet::between(std::move(interval));
}

// Returns the values with this relation to c, for an ordered comparison other than equality.
RealSet values_in_order(Op op, const BigFloat& c) {
  return op == Op::cmp_ogt || op == Op::cmp_oge ? RealSet::above(c, op == Op::cmp_oge)
                                                : RealSet::below(c, op == Op::cmp_ole);
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
    orders_.push_back(format_.order(numeric::bits_of(numeric::Value(i) / 2, format_)));
  for (const Node& node : levels_.system().nodes())
    if (node.form == Form::constant && node.sort == levels_.system().sort(levels_.variable_term(level_)) &&
        !format_.is_nan(node.value) && !format_.is_infinite(node.value) && orders_.size() < 4 * exponent_samples)
      orders_.push_back(format_.order(node.value));
  size_t intervals = 0;
  for (const RealInterval& interval : frame.intervals()) {
    if (++intervals > most_read_intervals)
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

// Returns the order of the sides of a comparison; for other atoms, whether they are true.
int Samples::state(Term atom, const std::vector<Bits>& values) const {
  const Node& node = levels_.system().node(atom);
  if (node.form != Form::comparison)
    return values[atom] != 0;
  const BinaryFormat format = levels_.system().sort(node.operands[0]).format;
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
    // Several changes are possible: equal, below, above.
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
      // Equality holds between two samples even if at none of them.
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

Reading::Reading(const Levels& levels, size_t level, const std::vector<Bits>& values, RealSet frame, Budget& budget)
    : levels_(levels), level_(level), values_(values), frame_(std::move(frame)), budget_(budget),
      pieces_(
          levels, level, values, frame_, [this](Term term) { return set_of(term); }, budget) {}

std::optional<RealSet> Reading::solutions() {
  const bool all = read_all();
  const auto narrow = [&] {
    for (const Term assertion : levels_.assertions(level_))
      if (const Set set = set_of(assertion))
        frame_ = frame_ & *set;
  };
  narrow();
  if (!all && !frame_.empty() && !budget_.over()) {
    samples_.emplace(levels_, level_, values_, frame_, budget_);
    read_all();
    narrow();
    hits_ = samples_->hits();
  }
  if (budget_.over())
    return std::nullopt;
  return frame_;
}

// True if every assertion has a set.
bool Reading::read_all() {
  for (const Term term : levels_.terms(level_)) {
    if (budget_.over())
      return false;
    if (!levels_.system().sort(term).boolean) {
      if (!samples_)
        pieces_.read(term);
    } else if (const auto known = sets_.find(term); known == sets_.end() || !known->second) {
      sets_[term] = read(term);
    }
  }
  const auto& assertions = levels_.assertions(level_);
  return std::all_of(assertions.begin(), assertions.end(), [&](Term term) { return bool(set_of(term)); });
}

Set Reading::set_of(Term boolean) const {
  if (levels_.level_of(boolean) != level_)
    return values_[boolean] != 0 ? RealSet::everything() : RealSet();
  const auto found = sets_.find(boolean);
  return found == sets_.end() ? std::nullopt : found->second;
}

Set Reading::read(Term boolean) {
  const Node& node = levels_.system().node(boolean);
  const auto operand = [&](size_t i) { return set_of(node.operands[i]); };
  switch (node.form) {
  case Form::conjunction:
    return meet_known(operand(0), operand(1));
  case Form::disjunction:
    return join(operand(0), operand(1));
  case Form::negation:
    return other(operand(0));
  case Form::choice:
    return join(meet_known(operand(0), operand(1)), meet_known(other(operand(0)), operand(2)));
  case Form::same:
    if (levels_.system().sort(node.operands[0]).boolean)
      return join(meet_known(operand(0), operand(1)), meet_known(other(operand(0)), other(operand(1))));
    break;
  default:
    break;
  }
  Set result = read_atom(node);
  return result || !samples_ ? result : samples_->where(boolean);
}

Set Reading::read_atom(const Node& node) const {
  switch (node.form) {
  case Form::comparison:
    return compare(node.op, node.operands[0], node.operands[1]);
  case Form::same:
    return compare(Op::cmp_oeq, node.operands[0], node.operands[1]);
  case Form::classification:
    return classify(node.tested, node.operands[0]);
  default:
    return std::nullopt;
  }
}

Set Reading::compare(Op op, Term a, Term b) const {
  if (ops::is_unordered(op)) // the complement of the ordered opposite
    return other(compare(ops::opposite(op), a, b));
  if (op == Op::cmp_one)
    return join(compare(Op::cmp_olt, a, b), compare(Op::cmp_ogt, a, b));
  const Pieces left = pieces_.of(a), right = pieces_.of(b);
  if (!left || !right)
    return std::nullopt;
  if (op == Op::cmp_ord)
    return meet_known(defined(*left), defined(*right));
  Set result = RealSet();
  for (const Piece& x : *left)
    for (const Piece& y : *right) {
      const RealSet where = x.where & y.where;
      if (!where.empty())
        result = join(result, meet_known(where, compare_pieces(op, x, y, levels_.system().sort(a).format)));
    }
  return result;
}

Set Reading::compare_pieces(Op op, const Piece& a, const Piece& b, BinaryFormat format) const {
  if (a.unknown == nothing_unknown && b.unknown != nothing_unknown)
    return compare_pieces(ops::swapped(op), b, a, format);
  if (op == Op::cmp_oeq)
    return equal_pieces(a, b, format);
  if (b.unknown == nothing_unknown)
    return pieces_.where(a, values_in_order(op, b.value.value()));
  const auto excess = combined(a, b, difference, budget_);
  return excess ? pieces_.where(*excess, values_in_order(op, real_number(0))) : std::nullopt;
}

Set Reading::equal_pieces(const Piece& a, const Piece& b, BinaryFormat format) const {
  if (b.unknown == nothing_unknown)
    return pieces_.where(a, around(b.value.value(), format));
  const auto excess = combined(a, b, difference, budget_), ratio = combined(a, b, quotient, budget_);
  const Set equal = excess ? pieces_.where(*excess, within(half_of_the_least(format))) : std::nullopt;
  return ratio ? join(equal, pieces_.where(*ratio, around(real_number(1), format))) : equal;
}

Set Reading::classify(Class tested, Term a) const {
  const Pieces pieces = pieces_.of(a);
  if (!pieces)
    return std::nullopt;
  const BinaryFormat format = levels_.system().sort(a).format;
  const RealSet finite = within(overflow(format)) & RealSet::point(overflow(format)).complement() &
                         RealSet::point(negative(overflow(format))).complement();
  const RealSet small = RealSet::between({negative(least_normal(format)), least_normal(format)});
  const RealSet nearly_zero = within(half_of_the_least(format));
  switch (tested) {
  case Class::normal:
    return in(*pieces, finite & small.complement());
  case Class::subnormal:
    return in(*pieces, small & nearly_zero.complement());
  case Class::zero:
    return in(*pieces, nearly_zero);
  case Class::negative:
    return in(*pieces, RealSet::below(real_number(0), true));
  case Class::positive:
    return in(*pieces, RealSet::above(real_number(0), true));
  case Class::infinite:
    return meet_known(defined(*pieces), other(in(*pieces, finite)));
  case Class::nan:
    return other(defined(*pieces));
  }
  return std::nullopt;
}

Set Reading::in(const std::vector<Piece>& pieces, const RealSet& target) const {
  Set result = RealSet();
  for (const Piece& piece : pieces)
    result = join(result, meet_known(piece.where, pieces_.where(piece, target)));
  return result;
}

// Returns the points with a value or a pole.
Set Reading::defined(const std::vector<Piece>& pieces) const {
  Set result = in(pieces, RealSet::everything());
  for (const Piece& piece : pieces)
    result = join(result, meet_known(piece.where, pieces_.poles(piece)));
  return result;
}

} // namespace faultline::solve
