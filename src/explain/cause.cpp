#include "explain/cause.h"

#include "numeric/format.h"
#include "ops/table.h"
#include "tape/adjoint.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

namespace faultline::explain {

using numeric::BigFloat;
using numeric::Value;
using ops::Op;

namespace {

// The operands of one record, recorded and exact.
class Operands {
public:
  Operands(const tape::Tape& tape, uint32_t index, const tape::Replay& exact, long precision)
      : op_(tape.site(index).op), precision_(precision) {
    for (int i = 0; i < ops::arity(op_); ++i) {
      const uint32_t operand = tape.operand(index, i);
      recorded_[size_t(i)] = BigFloat(tape.exact(operand), precision);
      exact_[size_t(i)] = runtime::is_constant(operand) ? recorded_[size_t(i)] : exact.values[operand];
    }
  }

  // Evaluates the operation on a mixture: bit i of `which` selects the recorded value of operand i.
  BigFloat at(unsigned which) const {
    BigFloat result(precision_);
    auto operand = [&](size_t i) { return which >> i & 1 ? recorded_[i].raw() : exact_[i].raw(); };
    ops::evaluate(op_, result.raw(), operand(0), operand(1), operand(2));
    return result;
  }

  BigFloat error(size_t i) const { return difference(recorded_[i], exact_[i]); }
  // Returns the error of operand i times the mean of another operand.
  BigFloat times_mean(size_t i, size_t other) const {
    BigFloat part = error(i), mean(precision_);
    mpfr_add(mean.raw(), recorded_[other].raw(), exact_[other].raw(), MPFR_RNDN);
    mpfr_mul(part.raw(), part.raw(), mean.raw(), MPFR_RNDN);
    mpfr_div_2ui(part.raw(), part.raw(), 1, MPFR_RNDN);
    return part;
  }
  BigFloat mean_of(const BigFloat& a, const BigFloat& b) const {
    BigFloat mean(precision_);
    mpfr_add(mean.raw(), a.raw(), b.raw(), MPFR_RNDN);
    mpfr_div_2ui(mean.raw(), mean.raw(), 1, MPFR_RNDN);
    return mean;
  }
  BigFloat difference(const BigFloat& a, const BigFloat& b) const {
    BigFloat result(precision_);
    mpfr_sub(result.raw(), a.raw(), b.raw(), MPFR_RNDN);
    return result;
  }

private:
  Op op_;
  long precision_;
  std::array<BigFloat, 3> recorded_, exact_;
};

BigFloat negative(BigFloat value) {
  mpfr_neg(value.raw(), value.raw(), MPFR_RNDN);
  return value;
}

// Splits sums and products by their own rules, which lose no digits. Splits other operations, which have at most two
// operands, by mixtures of recorded and exact operands.
void split(Op op, const Operands& operands, std::array<BigFloat, 3>& parts) {
  if (op == Op::fadd || op == Op::fsub) {
    parts[0] = operands.error(0);
    parts[1] = op == Op::fadd ? operands.error(1) : negative(operands.error(1));
    return;
  }
  if (op == Op::fmul || op == Op::fma) {
    parts[0] = operands.times_mean(0, 1);
    parts[1] = operands.times_mean(1, 0);
    if (op == Op::fma)
      parts[2] = operands.error(2);
    return;
  }
  if (ops::arity(op) == 1) {
    parts[0] = operands.difference(operands.at(1), operands.at(0));
    return;
  }
  const BigFloat none = operands.at(0), first = operands.at(1), second = operands.at(2), both = operands.at(3);
  parts[0] = operands.mean_of(operands.difference(first, none), operands.difference(both, second));
  parts[1] = operands.mean_of(operands.difference(second, none), operands.difference(both, first));
}

// Returns the portion of the passing error that belongs to this part of the operation's error.
BigFloat portion(const BigFloat& passing, const BigFloat& part, const BigFloat& whole) {
  BigFloat result(passing.precision());
  mpfr_div(result.raw(), part.raw(), whole.raw(), MPFR_RNDN);
  mpfr_mul(result.raw(), result.raw(), passing.raw(), MPFR_RNDN);
  return result;
}

void add(std::map<uint32_t, BigFloat>& passing, uint32_t record, const BigFloat& portion) {
  const auto [entry, is_new] = passing.try_emplace(record, portion);
  if (!is_new)
    mpfr_add(entry->second.raw(), entry->second.raw(), portion.raw(), MPFR_RNDN);
}

// Assigns the whole error to the end of the error path.
std::vector<Value> to_the_origin(const tape::Tape& tape, uint32_t output, const tape::Replay& exact) {
  std::vector<Value> own(tape.size());
  if (const std::vector<Link> links = chain(tape, output, exact); !links.empty())
    own[links.back().record] = 1;
  return own;
}

} // namespace

BigFloat error_of(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  BigFloat error(exact.values[index].precision());
  mpfr_set_ld(error.raw(), tape.exact(index), MPFR_RNDN);
  mpfr_sub(error.raw(), error.raw(), exact.values[index].raw(), MPFR_RNDN);
  return error;
}

Parts parts_of(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  const Op op = tape.site(index).op;
  Parts parts;
  parts.error = error_of(tape, index, exact);
  const long precision = parts.error.precision();
  for (BigFloat& part : parts.operands)
    part = BigFloat(0.0L, precision);
  parts.own = parts.error;
  if (ops::arity(op) == 0 || ops::is_decision(op))
    return parts;
  split(op, Operands(tape, index, exact, precision), parts.operands);
  for (const BigFloat& part : parts.operands)
    mpfr_sub(parts.own.raw(), parts.own.raw(), part.raw(), MPFR_RNDN);
  return parts;
}

std::vector<Value> own_shares(const tape::Tape& tape, uint32_t output, const tape::Replay& exact) {
  std::vector<Value> own(tape.size());
  if (output == 0 || output >= tape.size() || error_of(tape, output, exact).is_zero())
    return own;
  std::map<uint32_t, BigFloat> passing; // operands come before their operation: process the last first
  passing.try_emplace(output, 1.0L, exact.values[output].precision());
  while (!passing.empty()) {
    const auto [index, through] = std::move(*passing.rbegin());
    passing.erase(std::prev(passing.end()));
    const Parts parts = parts_of(tape, index, exact);
    if (through.is_zero() || parts.error.is_zero())
      continue;
    const BigFloat share = portion(through, parts.own, parts.error);
    own[index] = share.to_long_double();
    bool finite = std::isfinite(share.to_double());
    for (int i = 0; i < ops::arity(tape.site(index).op); ++i)
      if (const uint32_t operand = tape.operand(index, i); operand != 0 && !runtime::is_constant(operand)) {
        const BigFloat part = portion(through, parts.operands[size_t(i)], parts.error);
        finite = finite && std::isfinite(part.to_double());
        add(passing, operand, part);
      }
    if (!finite)
      return to_the_origin(tape, output, exact);
  }
  return own;
}

namespace {

constexpr double outstanding = 3; // bits by which the error grows
constexpr double gradual = 2;     // at most, in one execution

// The place of an operation in the source: the sites of an unrolled loop are one place.
using Place = std::tuple<std::string_view, int, int, ops::Op>;

Place place_of(const tape::Tape& tape, uint32_t record) {
  const tape::Site& site = tape.site(record);
  return {site.file, site.line, site.column, site.op};
}

struct Totals {
  double growth = 0;
  size_t executions = 0;
  const Link* worst = nullptr;
};

Blame blame(const tape::Tape& tape, const Totals& totals) {
  const uint32_t record = totals.worst->record;
  return {record,
          tape::condition(tape, record),
          totals.worst->share,
          std::exp2(std::min(totals.worst->growth, 1000.0)),
          false,
          totals.executions};
}

// Finds the place whose own roundings make most of the error.
Blame accumulation(const tape::Tape& tape, uint32_t output, const tape::Replay& exact) {
  const std::vector<Value> own = own_shares(tape, output, exact);
  struct Sum {
    Value share = 0, largest = 0;
    uint32_t record = 0;
    size_t executions = 0;
  };
  std::map<Place, Sum> sums;
  for (uint32_t index = 1; index <= output; ++index) {
    if (own[index] == 0)
      continue;
    Sum& sum = sums[place_of(tape, index)];
    sum.share += own[index];
    ++sum.executions;
    if (std::fabs(own[index]) > sum.largest) {
      sum.largest = std::fabs(own[index]);
      sum.record = index;
    }
  }
  const Sum* most = nullptr;
  for (const auto& [place, sum] : sums)
    if (!most || std::fabs(sum.share) > std::fabs(most->share))
      most = &sum;
  if (!most)
    return {};
  return {most->record,    tape::condition(tape, most->record), std::min(1.0, double(std::fabs(most->share))), 1, true,
          most->executions};
}

} // namespace

bool same_place(const tape::Tape& tape, uint32_t a, uint32_t b) {
  const tape::Site &one = tape.site(a), &other = tape.site(b);
  return one.line == other.line && one.column == other.column && one.file == other.file;
}

std::vector<double> relative_errors(const tape::Tape& tape, const tape::Replay& exact) {
  std::vector<double> errors(tape.size());
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (ops::arity(tape.site(index).op) > 0 && !ops::is_comparison(tape.site(index).op))
      errors[index] = numeric::relative_error(tape.exact(index), exact.values[index]);
  return errors;
}

Blame find_cause(const tape::Tape& tape, const std::vector<Link>& path, const tape::Replay& exact) {
  if (path.empty())
    return {};
  std::map<Place, Totals> places;
  const Totals* worst = nullptr;
  for (const Link& link : path) {
    Totals& totals = places[place_of(tape, link.record)];
    totals.growth += link.growth;
    ++totals.executions;
    if (!totals.worst || link.growth > totals.worst->growth)
      totals.worst = &link;
  }
  for (const auto& [place, totals] : places)
    if (!worst || totals.growth > worst->growth)
      worst = &totals;
  const uint32_t output = path.front().record;
  if (worst->growth < outstanding)
    return accumulation(tape, output, exact);
  // Gradual growth: the error path shows only some of the roundings that add up.
  if (worst->executions > 1 && worst->worst->growth < gradual) {
    const Blame all = accumulation(tape, output, exact);
    if (all.record != 0 && all.share >= 0.5 && place_of(tape, all.record) == place_of(tape, worst->worst->record))
      return all;
  }
  return blame(tape, *worst);
}

Blame find_cause(const tape::Tape& tape, uint32_t output, const tape::Replay& exact) {
  return find_cause(tape, chain(tape, output, exact), exact);
}

namespace {

double relative(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  const double error = numeric::relative_error(tape.exact(index), exact.values[index]);
  return std::isnan(error) && std::isnan(tape.exact(index)) ? INFINITY : error;
}

// True for an infinity or NaN where the exact value is finite.
bool is_infinite(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  return !std::isfinite(tape.exact(index)) && exact.values[index].is_finite();
}

// Returns the lost fraction of the value.
double loss(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  if (is_infinite(tape, index, exact))
    return 2; // worse than a total loss
  const numeric::BigFloat& value = exact.values[index];
  const numeric::BigFloat recorded(tape.exact(index), 64);
  numeric::BigFloat error = error_of(tape, index, exact);
  const bool larger = mpfr_cmpabs(recorded.raw(), value.raw()) > 0;
  mpfr_div(error.raw(), error.raw(), larger ? recorded.raw() : value.raw(), MPFR_RNDN);
  const double part = std::fabs(error.to_double());
  return std::isnan(part) ? 0 : part;
}

double half_ulp(const tape::Tape& tape, uint32_t index) {
  return std::ldexp(1.0, -numeric::info(tape.site(index).format).precision);
}

// The operand on the error path, 0 if the path ends here, and its part of the error.
struct NextLink {
  uint32_t record = 0;
  double part = 1;
};

bool is_pole(const tape::Tape& tape, uint32_t index) {
  const int arity = ops::arity(tape.site(index).op);
  std::array<numeric::BigFloat, 3> operands;
  for (int i = 0; i < arity; ++i)
    operands[size_t(i)] = numeric::BigFloat(tape.exact(tape.operand(index, i)), 64);
  numeric::BigFloat result(64);
  ops::evaluate(tape.site(index).op, result.raw(), operands[0].raw(), operands[1].raw(), operands[2].raw());
  return !result.is_finite();
}

uint32_t most_wrong_operand(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  uint32_t wrong = 0;
  double largest = 0;
  for (int i = 0; i < ops::arity(tape.site(index).op); ++i)
    if (const uint32_t operand = tape.operand(index, i); !runtime::is_constant(operand))
      if (const double error = relative(tape, operand, exact); error > largest) {
        largest = error;
        wrong = operand;
      }
  return wrong;
}

std::optional<NextLink> infinite_operand(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  for (int i = 0; i < ops::arity(tape.site(index).op); ++i)
    if (const uint32_t operand = tape.operand(index, i);
        !runtime::is_constant(operand) && is_infinite(tape, operand, exact))
      return NextLink{operand, 1};
  if (!is_infinite(tape, index, exact))
    return std::nullopt;
  // The operation is the origin if only the range is too small for the result; otherwise its operand leads to a pole.
  return NextLink{is_pole(tape, index) ? most_wrong_operand(tape, index, exact) : 0, 1};
}

NextLink next_link(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  if (const auto infinite = infinite_operand(tape, index, exact))
    return *infinite;
  Parts parts = parts_of(tape, index, exact);
  NextLink next;
  numeric::BigFloat* largest = nullptr;
  for (int i = 0; i < ops::arity(tape.site(index).op); ++i) {
    const uint32_t operand = tape.operand(index, i);
    numeric::BigFloat& part = parts.operands[size_t(i)];
    if (runtime::is_constant(operand) || part.is_nan())
      continue;
    for (int j = 0; j < i; ++j) // the same operand twice: x * x
      if (tape.operand(index, j) == operand)
        mpfr_add(part.raw(), part.raw(), parts.operands[size_t(j)].raw(), MPFR_RNDN);
    if (!part.is_zero() && (!largest || mpfr_cmpabs(part.raw(), largest->raw()) >= 0)) {
      largest = &part;
      next.record = operand;
    }
  }
  if (!largest || (parts.own.is_finite() && mpfr_cmpabs(parts.own.raw(), largest->raw()) >= 0))
    return {};
  mpfr_div(largest->raw(), largest->raw(), parts.error.raw(), MPFR_RNDN);
  next.part = largest->is_finite() ? std::fabs(largest->to_double()) : 1;
  return next;
}

} // namespace

std::vector<Link> chain(const tape::Tape& tape, uint32_t output, const tape::Replay& exact) {
  std::vector<Link> links;
  double share = 1;
  for (uint32_t record = output; record != 0 && record < tape.size();) {
    const double error = relative(tape, record, exact);
    if (!(error > 0))
      break;
    const NextLink next = next_link(tape, record, exact);
    // At a pole the operand is at fault: nothing is lost here.
    const bool given = next.record != 0 && is_infinite(tape, record, exact);
    const double before = std::max(half_ulp(tape, record), next.record ? loss(tape, next.record, exact) : 0);
    const double growth = given ? 0 : std::log2(loss(tape, record, exact) / before);
    links.push_back({record, error, growth, share});
    share = std::min(1.0, share * next.part);
    record = next.record;
  }
  return links;
}

namespace {

bool only_scales(ops::Op op) {
  switch (op) {
  case ops::Op::fmul:
  case ops::Op::fdiv:
  case ops::Op::fneg:
  case ops::Op::fabs:
  case ops::Op::sqrt:
  case ops::Op::fpext:
  case ops::Op::fptrunc:
    return true;
  default:
    return false;
  }
}

} // namespace

std::vector<uint32_t> roots_of(const tape::Tape& tape, uint32_t record) {
  constexpr size_t most = 16; // a guess: an expression on a line has fewer
  std::set<uint32_t> seen, roots;
  std::vector<uint32_t> left = {record};
  while (!left.empty() && seen.size() < most * most && roots.size() < most) {
    const uint32_t next = left.back();
    left.pop_back();
    for (int i = 0; i < ops::arity(tape.site(next).op); ++i) {
      const uint32_t operand = tape.operand(next, i);
      if (runtime::is_constant(operand) || operand <= tape.inputs() || ops::is_leaf(tape.site(operand).op) ||
          !seen.insert(operand).second)
        continue;
      if (only_scales(tape.site(operand).op))
        left.push_back(operand);
      else
        roots.insert(operand);
    }
  }
  return {roots.begin(), roots.end()};
}

} // namespace faultline::explain
