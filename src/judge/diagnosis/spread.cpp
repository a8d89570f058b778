#include "judge/diagnosis/spread.h"

#include "explain/conditioning.h"
#include "numeric/bigfloat.h"
#include "numeric/decimal.h"
#include "numeric/random.h"
#include "oracle/truncation.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace faultline::judge {

using numeric::Value;

namespace {

// Guesses. A run in high precision costs as much as one of the oracle's.
constexpr size_t most_alone = 8; // inputs and constants that move one by one, with two runs each
constexpr size_t most_pairs = 4; // of opposite directions for all together

// The digits of a decimal number before its exponent, without zeros at the beginning.
size_t digits_of(const std::string& decimal) {
  const std::string mantissa = decimal.substr(0, decimal.find('e'));
  const size_t first = mantissa.find_first_of("123456789");
  return first == std::string::npos ? 0
                                    : size_t(std::count_if(mantissa.begin() + long(first), mantissa.end(), [](char c) {
                                        return std::isdigit(static_cast<unsigned char>(c));
                                      }));
}

Value neighbour(Value value, numeric::Format format, int steps) {
  const search::Dimension any{"", true, format, 0, 0};
  return any.at(any.order(value) + steps);
}

class Spread {
public:
  Spread(exec::Session& session, const search::Space& space, const MeasuredRun& run)
      : session_(session), space_(space), run_(run), base_(run.output.reference) {
    for (size_t i = 0; i < run.input.size(); ++i)
      if (space.dimensions[i].floating && run.input[i] != 0)
        movers_.push_back({false, i});
    for (const runtime::Constant& constant : run.tape.table().constants)
      constants_.push_back(constant.value);
    for (const uint32_t constant : inexact_constants())
      movers_.push_back({true, constant});
  }

  std::optional<bool> explains_error(numeric::Rng rng) {
    if (run_.jumps)
      ulps_ = int(explain::few_roundings) / 2;
    if (movers_.empty())
      return false;
    const exec::LiftedLimit limit(session_, oracle::most_operations_near(run_.tape));
    if (!reaches_error(rng))
      return any_ ? std::optional(false) : std::nullopt;
    // A reference that is that of a meaning, or that keeps intended roundings, differs from all moved results.
    const std::optional<numeric::BigFloat> own = result_of(Directions(movers_.size()));
    if (!own)
      return std::nullopt;
    base_ = *own;
    return reaches_error(rng);
  }

  // Of inputs that move by an ulp of the largest one of their unit. False if they would not move further.
  bool explains_error_by_unit(numeric::Rng rng) {
    bool further = false;
    for (const std::vector<size_t>& unit : run_.of_one_unit) {
      const numeric::Format format = space_.dimensions[unit.front()].format;
      Value largest = 0, least = 0;
      for (const size_t i : unit) {
        const Value ulp = numeric::ulp(run_.input[i], format);
        largest = std::max(largest, ulp);
        least = i == unit.front() ? ulp : std::min(least, ulp);
      }
      further = further || least < largest;
      for (const size_t i : unit)
        steps_[i] = largest;
    }
    if (!further)
      return false;
    std::erase_if(movers_, [](const Mover& mover) { return !mover.constant; });
    for (size_t i = 0; i < run_.input.size(); ++i)
      if (space_.dimensions[i].floating && (run_.input[i] != 0 || steps_.contains(i)))
        movers_.push_back({false, i});
    const exec::LiftedLimit limit(session_, oracle::most_operations_near(run_.tape));
    return reaches_error(rng);
  }

  double change_by_constants(numeric::Rng rng) {
    std::erase_if(movers_, [](const Mover& mover) { return !mover.constant; });
    double largest = 0;
    for (size_t pair = 0; pair < most_pairs && !movers_.empty(); ++pair) {
      Directions directions;
      for (size_t i = 0; i < movers_.size(); ++i)
        directions.push_back(rng.coin() ? -1 : 1);
      for (int side = 0; side < 2; ++side) {
        if (const std::optional<numeric::BigFloat> there = result_of(directions))
          largest = std::max(largest, numeric::relative_error(there->to_long_double(), base_) / 2);
        for (int& direction : directions)
          direction = -direction;
      }
    }
    return largest;
  }

private:
  using Directions = std::vector<int>; // one per mover: -1, 0 or 1

  struct Mover {
    bool constant = false; // otherwise an input
    size_t index = 0;
  };

  std::set<uint32_t> inexact_constants() const {
    const tape::Tape& tape = run_.tape;
    std::set<uint32_t> found;
    for (uint32_t record = tape.inputs() + 1; record < tape.size(); ++record)
      for (int i = 0; i < ops::arity(tape.site(record).op); ++i)
        if (const uint32_t operand = tape.operand(record, i); runtime::is_constant(operand)) {
          const uint32_t number = operand & ~runtime::constant_flag;
          if (stands_for_real(constants_[number], tape.table().constants[number].format))
            found.insert(number);
        }
    return found;
  }

  std::optional<numeric::BigFloat> result_of(const Directions& directions) {
    exec::Input input = run_.input;
    std::vector<Value> constants;
    for (size_t i = 0; i < movers_.size(); ++i) {
      const auto [is_constant, index] = movers_[i];
      if (directions[i] == 0)
        continue;
      if (!is_constant) {
        const search::Dimension& dimension = space_.dimensions[index];
        const auto step = steps_.find(index);
        input[index] = step == steps_.end() ? neighbour(input[index], dimension.format, directions[i] * ulps_)
                                            : dimension.nearest(input[index] + directions[i] * ulps_ * step->second);
        continue;
      }
      if (constants.empty())
        constants = constants_;
      constants[index] = neighbour(constants[index], run_.tape.table().constants[index].format, directions[i] * ulps_);
    }
    const exec::LiftedRun run = session_.lift(input, run_.precision, exec::LiftedFor::search, {.constants = constants});
    if (run.outcome != exec::Outcome::returned)
      return std::nullopt;
    const numeric::BigFloat& result = run.outputs[oracle::among_floats(session_.target(), run_.output.output)];
    return result.is_nan() ? std::nullopt : std::optional(result);
  }

  // The change by half an ulp, in units of the error, from the change by one. Where the result jumps, from a change
  // that reaches as far as the few roundings that are allowed elsewhere: they take an angle as far across its wrap.
  double moved(const Directions& directions) {
    const std::optional<numeric::BigFloat> there = result_of(directions);
    if (!there)
      return 0;
    any_ = true;
    numeric::BigFloat error(run_.precision), change(run_.precision);
    mpfr_set_ld(error.raw(), run_.output.computed, MPFR_RNDN);
    mpfr_sub(error.raw(), error.raw(), run_.output.reference.raw(), MPFR_RNDN);
    mpfr_sub(change.raw(), there->raw(), base_.raw(), MPFR_RNDN);
    mpfr_div(change.raw(), change.raw(), error.raw(), MPFR_RNDN);
    const double ratio = std::fabs(change.to_double()) / (2 * ulps_);
    return std::isnan(ratio) ? 0 : ratio;
  }

  // A jump is about as large as the error that it causes.
  bool is_enough(double spread) const { return explain::few_roundings * spread >= (run_.jumps ? 0.9 : 1); }

  bool reaches_error(numeric::Rng rng) { return together(rng) || alone(); }

  // All corners for up to three movers, else some.
  bool together(numeric::Rng& rng) {
    const bool all = movers_.size() <= 3;
    const size_t pairs = all ? size_t(1) << (movers_.size() - 1) : most_pairs;
    for (size_t pair = 0; pair < pairs; ++pair) {
      Directions directions(movers_.size(), 1);
      for (size_t i = 1; i < movers_.size(); ++i)
        directions[i] = (all ? (pair >> (i - 1) & 1) != 0 : rng.coin()) ? -1 : 1;
      for (int side = 0; side < 2; ++side) {
        if (is_enough(moved(directions)))
          return true;
        for (int& direction : directions)
          direction = -direction;
      }
    }
    return false;
  }

  bool alone() {
    if (movers_.size() == 1 || movers_.size() > most_alone)
      return false;
    double sum = 0;
    for (size_t i = 0; i < movers_.size(); ++i) {
      double worse = 0;
      for (const int direction : {-1, 1}) {
        Directions directions(movers_.size());
        directions[i] = direction;
        worse = std::max(worse, moved(directions));
      }
      sum += worse;
      if (is_enough(sum))
        return true;
    }
    return false;
  }

  exec::Session& session_;
  const search::Space& space_;
  const MeasuredRun& run_;
  numeric::BigFloat base_;
  std::vector<Mover> movers_;
  std::vector<Value> constants_;
  std::map<size_t, Value> steps_; // of inputs that do not move by an ulp of their own
  int ulps_ = 1;                  // that inputs and constants move by
  bool any_ = false;              // moved runs with a result
};

} // namespace

bool ends_in_zeros(Value value, numeric::Format format, int bits) {
  return value == 0 || std::fmod(std::fabs(value), std::ldexp(numeric::ulp(value, format), bits)) == 0;
}

bool is_rounded(Value value, numeric::Format format) {
  constexpr int last_bits = 8;
  return std::isfinite(value) && !ends_in_zeros(value, format, last_bits);
}

bool stands_for_real(Value value, numeric::Format format) {
  const auto sure_digits = size_t((numeric::info(format).precision - 1) * 30103 / 100000); // DBL_DIG
  return is_rounded(value, format) && digits_of(numeric::shortest_decimal(value, format)) > sure_digits;
}

std::optional<bool> is_within_spread(exec::Session& session, const search::Space& space, const MeasuredRun& run,
                                     uint64_t seed) {
  const std::optional<bool> within = Spread(session, space, run).explains_error(numeric::Rng(seed).fork("spread"));
  if (within != false || run.of_one_unit.empty())
    return within;
  return Spread(session, space, run).explains_error_by_unit(numeric::Rng(seed).fork("units"));
}

double change_by_constants(exec::Session& session, const search::Space& space, const MeasuredRun& run, uint64_t seed) {
  return Spread(session, space, run).change_by_constants(numeric::Rng(seed).fork("constants"));
}

} // namespace faultline::judge
