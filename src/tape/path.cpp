#include "tape/path.h"

#include "ops/op.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

namespace faultline::tape {

namespace {

constexpr int most_quarters = 8; // of pi

// Returns the number of the family that the constant is the nearest float to, with the constant's sign.
std::optional<numeric::BigFloat> intended_number(numeric::Value constant, numeric::Format format, long precision) {
  const numeric::Value magnitude = std::fabs(constant);
  if (!(magnitude > 0.5L && magnitude < 8)) // all of them lie between
    return std::nullopt;
  numeric::BigFloat number(precision);
  auto is_it = [&] {
    numeric::BigFloat nearest = number;
    nearest.round_to(format);
    if (mpfr_cmp_ld(nearest.raw(), magnitude) != 0)
      return false;
    mpfr_setsign(number.raw(), number.raw(), std::signbit(constant), MPFR_RNDN);
    return true;
  };
  for (int quarters = 1; quarters <= most_quarters; ++quarters) {
    mpfr_const_pi(number.raw(), MPFR_RNDN);
    mpfr_mul_si(number.raw(), number.raw(), quarters, MPFR_RNDN);
    mpfr_div_2ui(number.raw(), number.raw(), 2, MPFR_RNDN);
    if (is_it())
      return number;
  }
  mpfr_set_ui(number.raw(), 1, MPFR_RNDN);
  mpfr_exp(number.raw(), number.raw(), MPFR_RNDN);
  if (is_it())
    return number;
  mpfr_const_log2(number.raw(), MPFR_RNDN);
  if (is_it())
    return number;
  mpfr_sqrt_ui(number.raw(), 2, MPFR_RNDN);
  return is_it() ? std::optional(number) : std::nullopt;
}

Branch branch_at(const Tape& tape, uint32_t index) {
  const Record& record = tape.record(index);
  return {index, record.site, int64_t(record.result.bits)};
}

} // namespace

std::vector<uint32_t> ties_with_constants(const Tape& tape) {
  constexpr long enough = 128; // bits to determine the nearest float
  std::vector<uint32_t> found;
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const Site& site = tape.site(index);
    if (!ops::is_comparison(site.op) || ops::arity(site.op) < 2)
      continue;
    const uint32_t a = tape.operand(index, 0), b = tape.operand(index, 1);
    if (runtime::is_constant(a) != runtime::is_constant(b) && tape.exact(a) == tape.exact(b) &&
        intended_number(tape.exact(a), site.format, enough))
      found.push_back(index);
  }
  return found;
}

bool equals_intended_number(const Tape& tape, uint32_t comparison, mpfr_srcptr exact) {
  const long precision = mpfr_get_prec(exact);
  const std::optional<numeric::BigFloat> number =
      intended_number(tape.exact(tape.operand(comparison, 0)), tape.site(comparison).format, precision);
  if (!number)
    return false;
  numeric::BigFloat difference(precision);
  mpfr_sub(difference.raw(), exact, number->raw(), MPFR_RNDN);
  // The values before it were rounded to this precision too, so three quarters of the bits must agree.
  return difference.is_zero() || mpfr_get_exp(difference.raw()) < mpfr_get_exp(number->raw()) - precision / 4 * 3;
}

namespace {

using ops::Op;

bool is_step(const Site& site) {
  return ops::rounds_to_integer(site.op) || ops::is_to_int(site.op) || ops::rounds_on_purpose(site.op);
}

bool is_record(uint32_t operand) { return operand != 0 && !runtime::is_constant(operand); }

// Collects the rounded value and the values it was scaled and shifted from: x / c + 0.5, x / c, x.
void add_sources(const Tape& tape, uint32_t operand, int depth, std::set<uint32_t>& sources) {
  if (!is_record(operand) || depth == 0)
    return;
  sources.insert(operand);
  const Site& site = tape.site(operand);
  if (ops::is_arithmetic(site.op) || ops::rounds_to_integer(site.op))
    for (int i = 0; i < ops::arity(site.op); ++i)
      add_sources(tape, tape.operand(operand, i), depth - 1, sources);
}

// Traces values that equal one step's integer, or multiples of it, back to the step.
class Followers {
public:
  Followers(const Tape& tape, uint32_t last) : tape_(tape), step_of_(last, 0) {}

  uint32_t step_of(uint32_t operand) const {
    return is_record(operand) && operand < step_of_.size() ? step_of_[operand] : 0;
  }

  void follow(uint32_t index) {
    const Site& site = tape_.site(index);
    if (is_step(site)) {
      step_of_[index] = index;
      if (ops::is_to_int(site.op))
        integers_[tape_.exact(index)] = index;
      return;
    }
    if (ops::is_leaf(site.op)) { // an integer made from a float may return as a float
      if (const auto integer = integers_.find(tape_.exact(index)); integer != integers_.end())
        step_of_[index] = integer->second;
      return;
    }
    switch (site.op) {
    case Op::fneg:
    case Op::fmul:
    case Op::fsub: // the large constant is subtracted again
    case Op::fadd:
    case Op::fpext:
    case Op::fptrunc:
      for (int i = 0; i < ops::arity(site.op); ++i)
        step_of_[index] = std::max(step_of_[index], step_of(tape_.operand(index, i)));
      break;
    default:
      break;
    }
  }

private:
  const Tape& tape_;
  std::vector<uint32_t> step_of_;
  std::map<numeric::Value, uint32_t> integers_;
};

} // namespace

std::vector<uint32_t> reduction_steps(const Tape& tape) {
  constexpr int depth = 4; // operations between the reduced and the rounded value
  std::map<uint32_t, std::set<uint32_t>> sources;
  std::set<uint32_t> found;
  Followers followers(tape, tape.size());
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const Site& site = tape.site(index);
    if (is_step(site))
      for (int i = 0; i < ops::arity(site.op); ++i)
        add_sources(tape, tape.operand(index, i), depth, sources[index]);
    // x - k * c, or fma(-k, c, x): one operand comes from the step, another is what the step came from.
    if (site.op == Op::fsub || site.op == Op::fadd || site.op == Op::fma)
      for (int i = 0; i < ops::arity(site.op); ++i)
        if (const uint32_t step = followers.step_of(tape.operand(index, i)))
          for (int k = 0; k < ops::arity(site.op); ++k)
            if (k != i && sources[step].contains(tape.operand(index, k))) {
              found.insert(step);
              std::ranges::copy_if(sources[step], std::inserter(found, found.end()),
                                   [&](uint32_t source) { return is_step(tape.site(source)); }); // (int)floor(...)
            }
    followers.follow(index);
  }
  return {found.begin(), found.end()};
}

std::vector<Branch> path(const Tape& tape) {
  std::vector<Branch> branches;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (ops::is_decision(tape.site(index).op))
      branches.push_back(branch_at(tape, index));
  return branches;
}

uint64_t path_hash(const Tape& tape) {
  uint64_t hash = 0;
  for (const Branch& branch : path(tape))
    hash = runtime::extend_path(hash, {branch.site, branch.outcome});
  return hash;
}

std::optional<Divergence> divergence(const Tape& tape, std::span<const runtime::Decision> lifted) {
  size_t next = 0;
  for (uint32_t index = 1; index < tape.size() && next < lifted.size(); ++index) {
    if (const ops::Op op = tape.site(index).op; !ops::is_decision(op) || op == ops::Op::decide)
      continue;
    const Branch branch = branch_at(tape, index);
    const runtime::Decision& other = lifted[next++];
    if (other.site != branch.site || other.outcome != branch.outcome)
      return Divergence{branch, other.outcome};
  }
  return std::nullopt;
}

} // namespace faultline::tape
