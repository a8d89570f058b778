#include "certificate/check.h"

#include "ops/op.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>

namespace faultline::certificate {

using model::Certificate;
using model::CertifiedStep;
using model::ErrorMeasure;
using numeric::Format;

namespace {

std::string words_of(const CertifiedStep& step, size_t index) {
  return fmt::format("step {} ({})", index, ops::name(step.op));
}

bool is_within(Format narrow, Format wide) { return numeric::info(narrow).precision <= numeric::info(wide).precision; }

// True for a number of the format, or, if the certificate has too few digits for it, a number between two.
bool can_be(const model::CertifiedConstant& constant, Format format) {
  if (constant.low < constant.high)
    return numeric::is_widest(format);
  return std::isfinite(constant.low) && is_float(Real(constant.low), format);
}

bool can_be(int64_t whole, Format format) {
  Real number;
  arf_set_si(number.raw(), whole);
  return is_float(number, format);
}

} // namespace

Real largest(Format format) {
  const numeric::FormatInfo info = numeric::info(format);
  Real number = Real::power_of_two(info.precision);
  arf_sub_ui(number.raw(), number.raw(), 1, ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_mul_2exp_si(number.raw(), number.raw(), info.max_exponent - info.precision + 1);
  return number;
}

bool is_float(const Real& number, Format format) {
  if (!is_finite(number))
    return arf_is_inf(number.raw());
  Real magnitude;
  arf_abs(magnitude.raw(), number.raw());
  return magnitude <= largest(format) && ops::grain_of(number) >= ops::unit_exponent(magnitude, format);
}

Real float_above(const Real& number, Format format) {
  Real magnitude, next;
  arf_abs(magnitude.raw(), number.raw());
  int64_t unit = ops::unit_exponent(magnitude, format);
  // Towards 0, the floats below a power of two are nearer.
  if (number.sign() < 0 && is_power_of_two(magnitude))
    unit = std::max(unit - 1, ops::smallest_exponent(format));
  arf_add(next.raw(), number.raw(), Real::power_of_two(unit).raw(), ARF_PREC_EXACT, ARF_RND_DOWN);
  return next;
}

namespace {

class BoxCheck {
public:
  // The certificate must outlive this object and have no flaws. Ranges are rounded to this many bits.
  BoxCheck(const model::Certificate& certificate, const model::CertifiedPath& path, slong precision)
      : certificate_(certificate), path_(path), precision_(precision),
        slots_(certificate.inputs.size() + path.constants.size() + path.steps.size()), adjoints_(slots_.size()),
        errors_(certificate.outputs.size()) {
    for (const Format format : numeric::all_formats)
      largest_[size_t(format)] = largest(format);
    for (size_t i = 0; i < path.constants.size(); ++i) {
      Slot& slot = slots_[certificate.inputs.size() + i];
      slot.values = {path.constants[i].low, path.constants[i].high, precision};
      slot.is_constant = true;
      if (slot.values.single() && is_finite(slot.values.low))
        slot.grain = ops::grain_of(slot.values.low);
    }
  }

  // Empty if the box takes this path; then `errors` has bounds. Otherwise the reason why nothing follows.
  std::string evaluate(const Box& box) {
    place_inputs(box);
    if (const std::string why = forward(); !why.empty())
      return why;
    for (size_t output = 0; output < path_.outputs.size(); ++output)
      if (!backward(output))
        return fmt::format("a slope on the way to output {} may be infinite", output);
    return "";
  }

  const Errors& errors(size_t output) const { return errors_[output]; }
  // The memory it uses, in slots.
  size_t size() const { return slots_.size() + errors_.size(); }

private:
  struct Slot {
    Range values;
    Real error;
    ops::Grain grain = ops::no_grain;
    bool is_constant = false;
    bool is_exact = true; // the same in the run and in exact arithmetic
  };

  void place_inputs(const Box& box) {
    for (size_t i = 0; i < certificate_.inputs.size(); ++i) {
      const model::CertifiedInput& input = certificate_.inputs[i];
      Slot& slot = slots_[i];
      slot.error = input.rounded ? ops::half_unit_around(box[i], input.format) : Real(input.error);
      slot.grain = box[i].single() ? ops::grain_of(box[i].low) : ops::grain_of_floats(box[i], input.format);
      slot.values = widened({box[i].low, box[i].high, precision_}, slot.error);
      slot.is_exact = slot.error.sign() == 0;
    }
  }

  std::string forward() {
    for (size_t index = 0; index < path_.steps.size(); ++index) {
      const CertifiedStep& step = path_.steps[index];
      Slot& slot = slots_[first_step() + index];
      if (step.outcome) {
        if (const std::string why = decide(step); !why.empty())
          return fmt::format("{} {}", words_of(step, index), why);
        arf_set_si(slot.values.low.raw(), *step.outcome);
        slot.values.high = slot.values.low;
        slot.grain = ops::grain_of(slot.values.low);
        slot.is_constant = true;
        continue;
      }
      const ops::OperandRanges<Range> operands = operands_of(step);
      const bool same = ops::arity(step.op) > 1 && step.operands[0] == step.operands[1];
      const Range exact = ops::range_of(step.op, operands, same);
      const bool jumps = step.op == ops::Op::copysign && operands[1]->has(0) && !slots_[step.operands[1]].is_exact;
      if (!exact.known() || jumps)
        return fmt::format("{} may have no result", words_of(step, index));
      std::array<ops::RoundedOperand<Range>, 3> rounded;
      bool are_exact = true;
      for (size_t i = 0; i < size_t(ops::arity(step.op)); ++i) {
        const Slot& operand = slots_[step.operands[i]];
        are_exact = are_exact && operand.is_exact;
        rounded[i] = {&operand.values, operand.grain, operand.is_constant};
      }
      ops::Rounded<Range> result = ops::rounding_error<Range>(step.op, step.format, exact, rounded);
      if (!is_finite(result.error))
        return fmt::format("the error of {} is not known", words_of(step, index));
      slot.grain = result.grain;
      if (ops::rounding_of(step.op) && !are_exact) {
        // The operation jumps and has no slope: the possible difference between the run and exact arithmetic is its own
        // error.
        slot.values = exact;
        slot.error = (exact - exact).high;
        slot.is_exact = slot.error.sign() == 0;
      } else {
        slot.values = widened(exact, result.error);
        slot.error = std::move(result.error);
        slot.is_exact = are_exact && slot.error.sign() == 0;
      }
      if (!(slot.values.magnitude() <= largest_[size_t(step.format)]))
        return fmt::format("{} may overflow", words_of(step, index));
    }
    return "";
  }

  std::string decide(const CertifiedStep& step) const {
    if (!ops::is_to_int(step.op))
      return leads_elsewhere(step) ? "may take another path" : "";
    const Range integer = ops::range_of(step.op, operands_of(step), false);
    return integer.single() && arf_cmp_si(integer.low.raw(), *step.outcome) == 0 ? "" : "may give another integer";
  }

  // True if the other outcome follows for some possible order of the operands.
  bool leads_elsewhere(const CertifiedStep& step) const {
    const auto [a, b, unused] = operands_of(step);
    const auto elsewhere = [&](int order) {
      return ops::holds(step.op, ops::order_between(order, 0)) != (*step.outcome != 0);
    };
    if (step.operands[0] == step.operands[1])
      return elsewhere(0);
    const bool can_be_equal = a->low <= b->high && b->low <= a->high;
    return (a->low < b->high && elsewhere(-1)) || (b->low < a->high && elsewhere(1)) || (can_be_equal && elsewhere(0));
  }

  bool backward(size_t output) {
    for (Range& adjoint : adjoints_)
      adjoint = Range();
    const uint32_t last = path_.outputs[output];
    adjoints_[last] = Range::of(1);
    Real sum;
    for (uint32_t slot = last + 1; slot-- > first_step();) {
      const CertifiedStep& step = path_.steps[slot - first_step()];
      if (step.outcome || adjoints_[slot].is_zero())
        continue;
      if (slots_[slot].error.sign() > 0)
        sum = sum_up(sum, product_up(adjoints_[slot].magnitude(), slots_[slot].error, precision_), precision_);
      if (!pass_back(step, adjoints_[slot], slots_[slot].values))
        return false;
    }
    for (size_t i = 0; i < certificate_.inputs.size(); ++i)
      if (slots_[i].error.sign() > 0)
        sum = sum_up(sum, product_up(adjoints_[i].magnitude(), slots_[i].error, precision_), precision_);
    measure(output, std::move(sum));
    return true;
  }

  bool pass_back(const CertifiedStep& step, const Range& adjoint, const Range& result) {
    const auto operands = std::span(step.operands).first(size_t(ops::arity(step.op)));
    const auto is_settled = [&](uint32_t slot) { return slots_[slot].is_constant || slots_[slot].is_exact; };
    if (std::ranges::all_of(operands, is_settled))
      return true; // they are the same in exact arithmetic
    const std::array<Range, 3> slopes = ops::slopes_of(step.op, operands_of(step), result);
    for (size_t i = 0; i < operands.size(); ++i) {
      if (is_settled(operands[i]))
        continue;
      if (!slopes[i].known())
        return false;
      Range& sum = adjoints_[operands[i]];
      sum = sum + slopes[i] * adjoint;
    }
    return true;
  }

  void measure(size_t output, Real sum) {
    Errors& errors = errors_[output];
    if (sum.sign() == 0) { // also for results that are not numbers
      errors = {};
      return;
    }
    const Range& values = slots_[path_.outputs[output]].values;
    const Real least = std::max(values.mignitude(), Real(certificate_.floor));
    errors[size_t(ErrorMeasure::ulps)] =
        quotient_up(sum, ops::unit_at(values, certificate_.outputs[output].format), precision_);
    if (least.sign() > 0)
      errors[size_t(ErrorMeasure::relative)] = quotient_up(sum, least, precision_);
    else
      errors[size_t(ErrorMeasure::relative)] = Range::infinity();
    errors[size_t(ErrorMeasure::absolute)] = std::move(sum);
  }

  ops::OperandRanges<Range> operands_of(const CertifiedStep& step) const {
    return {&slots_[step.operands[0]].values, &slots_[step.operands[1]].values, &slots_[step.operands[2]].values};
  }

  uint32_t first_step() const { return uint32_t(certificate_.inputs.size() + path_.constants.size()); }

  const model::Certificate& certificate_;
  const model::CertifiedPath& path_;
  slong precision_;
  std::array<Real, numeric::all_formats.size()> largest_; // by format
  std::vector<Slot> slots_;
  std::vector<Range> adjoints_;
  std::vector<Errors> errors_;
};

} // namespace

// A thousand inputs, each cut down to single floats. The way is kept in memory.
constexpr size_t deepest = 100'000;

BoxWalk::BoxWalk(const model::Certificate& certificate) : certificate_(certificate), claims_(certificate.claims()) {
  for (const model::CertifiedInput& input : certificate.inputs)
    box_.emplace_back(Real(input.low), Real(input.high));
}

void BoxWalk::cut(const model::ProofNode& node) {
  const model::CertifiedInput& input = certificate_.inputs[node.which];
  Range& side = box_[node.which];
  const Real at(node.at);
  if (!is_float(at, input.format))
    throw BadCut(fmt::format("{} is cut at {}, which is not a {} number", input.name, node.at,
                             numeric::info(input.format).name));
  Real above = float_above(at, input.format);
  if (at < side.low || side.high < above)
    throw BadCut(fmt::format("{} is cut at {}, which does not divide its range", input.name, node.at));
  if (way_.size() >= deepest)
    throw BadCut(fmt::format("there are more than {} cuts on the way to a box", deepest));
  way_.push_back({node.which, side, std::move(above)});
  side.high = at;
}

// Moves from a finished box to the next one.
void BoxWalk::leave() {
  while (!way_.empty()) {
    Cut& last = way_.back();
    Range& side = box_[last.input];
    side = last.whole;
    if (!last.in_upper) {
      last.in_upper = true;
      side.low = last.upper;
      return;
    }
    way_.pop_back();
  }
}

bool BoxWalk::next(Leaf& leaf) {
  using Kind = model::ProofNode::Kind;
  if (node_ == certificate_.tree.size())
    return false;
  while (certificate_.tree[node_].kind == Kind::cut)
    cut(certificate_.tree[node_++]);
  leaf.node = certificate_.tree[node_++];
  leaf.number = number_++;
  leaf.box = box_;
  leaf.bounds = certificate_.bounds.data() + bound_;
  bound_ += leaf.node.kind == Kind::bounded ? claims_ : 0;
  leave();
  return true;
}

namespace {

// The first is a machine word and more than a double has, so it confirms what a search proved with doubles.
constexpr slong precisions[] = {64, 128, 256};
constexpr size_t boxes_at_once = 64; // per turn of a thread: some hundred microseconds
// Of the paths that a thread keeps, 200 bytes each. Every path has all inputs, so the total would grow with the square
// of the file's size.
constexpr size_t most_slots = 1'000'000;

model::BoxEnds ends_of(const Box& box) {
  model::BoxEnds ends;
  for (const Range& side : box)
    ends.emplace_back(arf_get_d(side.low.raw(), ARF_RND_NEAR), arf_get_d(side.high.raw(), ARF_RND_NEAR));
  return ends;
}

// The data of one thread: the values of a box, for each path and precision used.
class Examiner {
public:
  explicit Examiner(const Certificate& certificate) : certificate_(certificate) {}

  // Empty: the bounds of the box follow.
  std::string examine(const Leaf& leaf) {
    std::string why;
    for (size_t level = 0; level < std::size(precisions); ++level) {
      why = examine(leaf, level);
      if (why.empty()) {
        precision_ = std::max(precision_, long(precisions[level]));
        break;
      }
    }
    return why;
  }
  long precision() const { return precision_; }

private:
  std::string examine(const Leaf& leaf, size_t level) {
    BoxCheck& check = check_of(leaf.node.which, level);
    if (std::string why = check.evaluate(leaf.box); !why.empty())
      return why;
    const double* bound = leaf.bounds;
    for (size_t output = 0; output < certificate_.outputs.size(); ++output)
      for (const ErrorMeasure measure : model::all_measures) {
        const double claim = certificate_.outputs[output].claims[size_t(measure)];
        if (claim == model::no_claim)
          continue;
        const Real& error = check.errors(output)[size_t(measure)];
        if (!(arf_cmp_d(error.raw(), *bound) <= 0))
          return fmt::format("the {} error of {} may be {:.6g}, more than the bound of {:.6g}", model::text(measure),
                             certificate_.outputs[output].name, arf_get_d(error.raw(), ARF_RND_UP), *bound);
        if (!(*bound++ <= claim))
          return fmt::format("its bound of the {} error of {} is above the claim", model::text(measure),
                             certificate_.outputs[output].name);
      }
    return "";
  }

  BoxCheck& check_of(uint32_t path, size_t level) {
    if (const auto kept = checks_.find({path, level}); kept != checks_.end())
      return *kept->second;
    auto made = std::make_unique<BoxCheck>(certificate_, certificate_.paths[path], precisions[level]);
    if (slots_ + made->size() > most_slots) {
      checks_.clear();
      slots_ = 0;
    }
    slots_ += made->size();
    return *(checks_[{path, level}] = std::move(made));
  }

  const Certificate& certificate_;
  std::map<std::pair<uint32_t, size_t>, std::unique_ptr<BoxCheck>> checks_;
  size_t slots_ = 0; // in checks_
  long precision_ = 0;
};

class Checking {
public:
  explicit Checking(const Certificate& certificate) : certificate_(certificate), walk_(certificate) {}

  Checked run(int threads) {
    std::vector<std::jthread> others;
    for (int i = 1; i < threads; ++i)
      others.emplace_back([this] {
        examine_all();
        flint_cleanup(); // Arb's constants of this thread
      });
    examine_all();
    others.clear();
    result_.boxes = walk_.number();
    return std::move(result_);
  }

private:
  // The next boxes, in order; empty if all are taken, or an earlier one has failed.
  std::vector<Leaf> take() {
    const std::lock_guard lock(mutex_);
    std::vector<Leaf> leaves;
    try {
      for (Leaf leaf; !result_.refusal && leaves.size() < boxes_at_once && walk_.next(leaf);)
        if (leaf.node.kind == model::ProofNode::Kind::bounded)
          leaves.push_back(std::move(leaf));
        else
          ++result_.open;
    } catch (const BadCut& bad) {
      refuse(walk_.number(), walk_.box(), bad.what());
    }
    return leaves;
  }

  void examine_all() {
    Examiner examiner(certificate_);
    for (std::vector<Leaf> leaves = take(); !leaves.empty(); leaves = take())
      for (const Leaf& leaf : leaves)
        if (const std::string why = examiner.examine(leaf); !why.empty()) {
          const std::lock_guard lock(mutex_);
          refuse(leaf.number, leaf.box, why);
          break;
        }
    const std::lock_guard lock(mutex_);
    result_.precision = std::max(result_.precision, examiner.precision());
  }

  // All boxes before a failing one were handed out before it, so the first of the failing ones is the first of all.
  void refuse(uint64_t number, const Box& box, const std::string& why) {
    if (!result_.refusal || number < *result_.refusal->box)
      result_.refusal = Refusal{why, number, ends_of(box)};
  }

  const Certificate& certificate_;
  std::mutex mutex_;
  BoxWalk walk_;
  Checked result_;
};

// Empty if the operands of each operation are numbers it can have in a run; otherwise the first flaw.
std::string flaw_of(const model::Certificate& certificate, const model::CertifiedPath& path) {
  const size_t inputs = certificate.inputs.size(), first = inputs + path.constants.size();
  for (size_t index = 0; index < path.steps.size(); ++index) {
    const CertifiedStep& step = path.steps[index];
    for (int i = 0; i < ops::arity(step.op); ++i) {
      const uint32_t slot = step.operands[size_t(i)];
      if (slot >= inputs && slot < first && std::isnan(path.constants[slot - inputs].low))
        return fmt::format("operand {} of {} is not a number", i, words_of(step, index));
      if (ops::is_decision(step.op) || (ops::has_integer_operand(step.op) && i == 1))
        continue;
      bool fits = true;
      if (slot < inputs)
        fits = is_within(certificate.inputs[slot].format, step.format);
      else if (slot < first)
        fits = can_be(path.constants[slot - inputs], step.format);
      else if (const CertifiedStep& source = path.steps[slot - first]; source.outcome)
        fits = can_be(*source.outcome, step.format);
      else
        fits = is_within(source.format, step.format);
      if (!fits && step.op != ops::Op::fptrunc)
        return fmt::format("operand {} of {} is not a number of {}", i, words_of(step, index),
                           numeric::info(step.format).name);
    }
  }
  return "";
}

} // namespace

Checked check(const Certificate& certificate, int threads) {
  if (certificate.claims() == 0 && certificate.complete()) // otherwise it declares that it proves nothing
    return {.refusal = Refusal{"it claims nothing"}};
  for (size_t path = 0; path < certificate.paths.size(); ++path)
    if (const std::string flaw = flaw_of(certificate, certificate.paths[path]); !flaw.empty())
      return {.refusal = Refusal{fmt::format("path {}: {}", path, flaw)}};
  return Checking(certificate).run(threads);
}

std::vector<std::vector<numeric::Value>> inputs_of_paths(const Certificate& certificate) {
  std::vector<std::vector<numeric::Value>> inputs(certificate.paths.size());
  BoxWalk walk(certificate);
  for (Leaf leaf; walk.next(leaf);)
    if (leaf.node.kind == model::ProofNode::Kind::bounded && inputs[leaf.node.which].empty())
      for (const Range& side : leaf.box)
        inputs[leaf.node.which].push_back(
            arf_get_d(side.high.raw(), ARF_RND_NEAR)); // the lower end of an x87 side may not be a double
  return inputs;
}

} // namespace faultline::certificate
