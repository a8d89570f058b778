#include "prove/box_bound.h"

#include "numeric/bigfloat.h"
#include "ops/op.h"
#include "ops/table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace faultline::prove {

namespace {

using numeric::next_above;
using numeric::next_below;
using numeric::Value;
using runtime::Site;
using tape::Tape;

// A number that may not fit a double, as x87's.
model::CertifiedConstant around(Value value) {
  const auto near = double(value);
  if (std::isnan(value))
    return {std::nan(""), std::nan("")};
  return {Value(near) > value ? next_below(near) : near, Value(near) < value ? next_above(near) : near};
}

class Reader {
public:
  Reader(const Tape& tape, const std::vector<numeric::Format>& formats) : tape_(tape), slots_(tape.size(), unknown) {
    read_.code.input_formats = formats;
  }

  StraightRead run(const std::vector<WantedOutput>& outputs) {
    mark_needed(outputs);
    number_constants(outputs);
    for (uint32_t index = 1; index < tape_.size(); ++index)
      if (needed_[index])
        add(index);
    for (const WantedOutput& output : outputs) {
      read_.code.outputs.push_back(output_slot(output));
      read_.code.output_formats.push_back(output.format);
    }
    return std::move(read_);
  }

private:
  static constexpr uint32_t unknown = std::numeric_limits<uint32_t>::max();

  uint32_t output_slot(const WantedOutput& output) {
    const exec::OutputValue& value = tape_.outputs()[output.index];
    if (value.record != 0)
      return slots_[value.record];
    if (!output.constant)
      complain("the operations that make the result are not visible", 0);
    return constant_outputs_.at(output.index);
  }

  bool is_input(uint32_t record) const { return record <= tape_.inputs(); }

  void need(uint32_t operand) {
    if (operand != 0 && !runtime::is_constant(operand))
      needed_[operand] = 1;
  }

  // Marks decisions, the steps that outputs depend on, and their operands.
  void mark_needed(const std::vector<WantedOutput>& outputs) {
    needed_.assign(tape_.size(), 0);
    for (const WantedOutput& output : outputs)
      need(tape_.outputs()[output.index].record);
    for (uint32_t index = tape_.size(); index-- > 1;) {
      const ops::Op op = tape_.site(index).op;
      needed_[index] = needed_[index] || ops::is_decision(op);
      if (needed_[index] && op != ops::Op::decide)
        for (int i = 0; i < ops::arity(op); ++i)
          need(tape_.operand(index, i));
    }
  }

  // Called before the steps are numbered: their slots follow those of the constants.
  void number_constants(const std::vector<WantedOutput>& outputs) {
    for (uint32_t index = 1; index < tape_.size(); ++index) {
      const Site& site = tape_.site(index);
      if (!needed_[index])
        continue;
      if (is_input(index))
        slots_[index] = index - 1;
      else if (site.op == ops::Op::leaf)
        slots_[index] = leaf(index, site);
      else if (site.op != ops::Op::decide)
        for (int i = 0; i < ops::arity(site.op); ++i)
          if (runtime::is_constant(tape_.operand(index, i)))
            constant(tape_.operand(index, i));
    }
    for (const WantedOutput& output : outputs)
      if (const exec::OutputValue& value = tape_.outputs()[output.index]; value.record == 0)
        constant_outputs_[output.index] = number(value.value);
  }

  uint32_t leaf(uint32_t index, const Site& site) {
    if (site.foreign)
      complain(fmt::format("{} is called, which is not part of the code", tape_.table().foreign[site.foreign - 1]),
               tape_.record(index).site);
    else if (!site.determined && site.parameter < 0)
      complain("a number is made of bits, or read from memory that is not tracked", tape_.record(index).site);
    return number(tape_.exact(index));
  }

  uint32_t number(Value value) {
    read_.code.constants.push_back(around(value));
    return read_.code.first_step() - 1;
  }

  uint32_t constant(uint32_t operand) {
    const auto [known, is_new] = constants_.emplace(operand, 0);
    if (is_new)
      known->second = number(tape_.exact(operand));
    return known->second;
  }

  uint32_t slot(uint32_t operand) const {
    return runtime::is_constant(operand) ? constants_.at(operand) : slots_[operand];
  }

  void add(uint32_t index) {
    const Site& site = tape_.site(index);
    if (is_input(index) || site.op == ops::Op::leaf)
      return;
    if (site.op == ops::Op::decide)
      return check_condition(index, site);
    model::CertifiedStep step{.op = site.op, .format = site.format};
    for (size_t i = 0; i < size_t(ops::arity(site.op)); ++i) {
      const uint32_t operand = tape_.operand(index, int(i));
      if (operand == 0) {
        complain("the origin of an operand is not known", tape_.record(index).site);
        return;
      }
      step.operands[i] = slot(operand);
      if (step.operands[i] == unknown)
        return; // an operand is missing, which has been reported
    }
    if (ops::is_decision(site.op))
      step.outcome = int64_t(tape_.record(index).result.bits);
    slots_[index] = read_.code.slots();
    read_.code.steps.push_back(step);
    read_.code.sites.push_back(tape_.record(index).site);
  }

  // Integer conditions hold if they depend only on earlier decisions or on inputs, which are held here.
  void check_condition(uint32_t index, const Site& site) {
    if (site.determined)
      return;
    bool any = false;
    for (int i = 0; i < 2; ++i) {
      const uint32_t operand = tape_.operand(index, i);
      if (operand == 0 || runtime::is_constant(operand))
        continue;
      any = true;
      const Site& source = tape_.site(operand);
      if (source.op != ops::Op::leaf || (!source.determined && source.parameter < 0))
        return complain("a condition depends on bits of a float, or on memory that is not tracked",
                        tape_.record(index).site);
    }
    if (!any)
      complain("a condition depends on values that are not on the tape", tape_.record(index).site);
  }

  void complain(std::string reason, uint32_t site) { read_.obstacles.push_back({std::move(reason), site}); }

  const Tape& tape_;
  StraightRead read_;
  std::vector<char> needed_;
  std::vector<uint32_t> slots_; // by record
  std::map<uint32_t, uint32_t> constants_;
  std::map<size_t, uint32_t> constant_outputs_;
};

using model::CertifiedStep;
using numeric::product_up;
using numeric::quotient_up;
using numeric::sum_up;
using numeric::Value;

constexpr double infinity = std::numeric_limits<double>::infinity();

double largest_double(numeric::Format format) {
  return numeric::is_widest(format) ? std::numeric_limits<double>::max() : double(numeric::largest(format));
}

// -1, 0 or 1 if the order of the numbers is the same throughout; 2 otherwise.
int order_of(const Interval& a, const Interval& b) {
  if (a.high < b.low)
    return -1;
  if (a.low > b.high)
    return 1;
  return a.single() && b.single() ? 0 : 2;
}

} // namespace

StraightRead read_straight(const Tape& tape, const std::vector<numeric::Format>& input_formats,
                           const std::vector<WantedOutput>& outputs) {
  return Reader(tape, input_formats).run(outputs);
}

double value_of(const OutputBound& bound, Measure measure) {
  switch (measure) {
  case Measure::absolute:
    return bound.absolute;
  case Measure::relative:
    return bound.relative;
  case Measure::ulps:
    return bound.ulps;
  }
  return infinity;
}

OutputBound better(const OutputBound& a, const OutputBound& b) {
  return {std::min(a.absolute, b.absolute), std::min(a.relative, b.relative), std::min(a.ulps, b.ulps),
          meet(a.exact, b.exact)};
}

BoxBound::BoxBound(const StraightCode& code, std::span<const InputError> input_errors, double floor, bool checkable)
    : code_(code), input_errors_(input_errors), floor_(floor), values_(code.slots()), adjoints_(code.slots()),
      errors_(code.slots()), grains_(code.slots()), exact_(code.slots(), 1), choices_(code.slots(), -1.0),
      checkable_(checkable), forms_(code.slots(), code.inputs()), uses_forms_(!checkable),
      outputs_(code.outputs.size()), weights_(code.inputs()) {
  for (size_t i = 0; i < code.constants.size(); ++i) {
    const Interval constant{code.constants[i].low, code.constants[i].high};
    values_[code.inputs() + i] = constant;
    grains_[code.inputs() + i] = constant.single() ? ops::grain_of(constant.low) : ops::no_grain;
    forms_.place_range(uint32_t(code.inputs() + i), constant);
  }
  if (!checkable)
    fix_constants();
}

namespace {

bool is_remainder(ops::Op op) { return op == ops::Op::fmod || op == ops::Op::modf; }

// The distance of a correctly rounded result from the exact one. x87's rounding adds 2^-64 of it.
double error_at(const CertifiedStep& step, Value result, const Value (&operands)[3]) {
  const Value exact = ops::evaluate(step.op, numeric::Format::extended80, operands[0], operands[1], operands[2]);
  const Value error = std::fabs(result - exact) + std::fabs(exact) * 0x1p-62L;
  return sum_up(double(error * (1 + 0x1p-50L)), std::numeric_limits<double>::min());
}

} // namespace

// The results of operations on constants do not depend on the box.
void BoxBound::fix_constants() {
  std::vector<std::optional<Value>> known(code_.slots());
  for (size_t i = 0; i < code_.constants.size(); ++i)
    if (code_.constants[i].low == code_.constants[i].high)
      known[code_.inputs() + i] = code_.constants[i].low;
  for (size_t i = 0; i < code_.steps.size(); ++i) {
    const CertifiedStep& step = code_.steps[i];
    fixed_.push_back(-1);
    Value operands[3] = {};
    bool is_known = ops::is_basic(step.op) && step.format <= numeric::Format::binary64;
    for (size_t k = 0; k < size_t(ops::arity(step.op)); ++k) {
      is_known = is_known && known[step.operands[k]];
      operands[k] = known[step.operands[k]].value_or(0);
    }
    const Value result =
        is_known ? ops::evaluate(step.op, step.format, operands[0], operands[1], operands[2]) : Value(0);
    if (!is_known || !std::isfinite(result))
      continue;
    known[code_.first_step() + i] = result;
    fixed_.back() = error_at(step, result, operands);
  }
}

double BoxBound::own_error(const CertifiedStep& step, double error) const {
  const double fixed = checkable_ ? -1 : fixed_[size_t(&step - code_.steps.data())];
  return fixed >= 0 ? std::min(error, fixed) : error;
}

void BoxBound::read_operands(const CertifiedStep& step) {
  for (size_t i = 0; i < size_t(ops::arity(step.op)); ++i) {
    const uint32_t slot = step.operands[i];
    operands_[i] = &values_[slot];
    rounded_[i] = {&values_[slot], grains_[slot], slot >= code_.inputs() && slot < code_.first_step()};
  }
}

Verdict BoxBound::decide(const CertifiedStep& step) {
  if (ops::is_to_int(step.op)) {
    const Interval integer = ops::range_of(step.op, operands_, false);
    if (!integer.single())
      return Verdict::undecided;
    return integer.low == double(*step.outcome) ? Verdict::bounded : Verdict::elsewhere;
  }
  if (!operands_[0]->known() || !operands_[1]->known())
    return Verdict::undefined;
  const bool same = step.operands[0] == step.operands[1];
  const int order = same ? 0 : order_of(*operands_[0], *operands_[1]);
  const auto holds = [&](int which) { return ops::holds(step.op, ops::order_between(which, 0)); };
  if (order != 2)
    return holds(order) == (*step.outcome != 0) ? Verdict::bounded : Verdict::elsewhere;
  // All orders that are still possible may lead the same way.
  bool all = true, none = true;
  for (const int which : {-1, 0, 1}) {
    const bool possible = which < 0   ? operands_[0]->low < operands_[1]->high
                          : which > 0 ? operands_[0]->high > operands_[1]->low
                                      : true;
    all = all && (!possible || holds(which) == (*step.outcome != 0));
    none = none && (!possible || holds(which) != (*step.outcome != 0));
  }
  return all ? Verdict::bounded : none ? Verdict::elsewhere : Verdict::undecided;
}

bool BoxBound::has_error(const CertifiedStep& step) const {
  return std::any_of(step.operands.begin(), step.operands.begin() + ops::arity(step.op),
                     [&](uint32_t slot) { return !exact_[slot]; });
}

OpenDecision BoxBound::open_decision(const CertifiedStep& step) const {
  OpenDecision open{uint32_t(&step - code_.steps.data()), 0, 1, !has_error(step)};
  if (!ops::is_to_int(step.op))
    return open;
  constexpr double most = 0x1p62; // beyond that there are too many integers, or none
  const Interval integers = ops::range_of(step.op, operands_, false);
  if (!(integers.magnitude() < most))
    return {open.step, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), open.exact};
  open.low = int64_t(integers.low);
  open.high = int64_t(integers.high);
  return open;
}

void BoxBound::place_inputs(const Box& box) {
  for (size_t i = 0; i < code_.inputs(); ++i) {
    const double error =
        input_errors_[i].rounded ? ops::half_unit_around(box[i], code_.input_formats[i]) : input_errors_[i].absolute;
    errors_[i] = error;
    values_[i] = widened(box[i], error);
    grains_[i] = box[i].single() ? ops::grain_of(box[i].low) : ops::grain_of_floats(box[i], code_.input_formats[i]);
    exact_[i] = error == 0;
    if (uses_forms_)
      forms_.place_input(i, box[i], error);
  }
}

// The floats near exact results. Correct rounding keeps signs.
Interval BoxBound::results_of(const CertifiedStep& step, const Interval& exact, double error) const {
  Interval results = widened(exact, error);
  if (checkable_ || !(ops::is_basic(step.op) || step.op == ops::Op::fma || step.op == ops::Op::fptrunc))
    return results;
  if (exact.low >= 0)
    results.low = std::max(results.low, 0.0);
  if (exact.high <= 0)
    results.high = std::min(results.high, 0.0);
  return results;
}

// Bounds the error of an open choice, of a jump, or of the root of a number that may be 0, as a whole.
void BoxBound::bound_choice(const CertifiedStep& step, uint32_t slot) {
  constexpr double near_zero = 0x1p-40; // of the largest operand: a guess
  choices_[slot] = -1;
  const auto [first, second, third] = step.operands;
  const bool is_choice = step.op == ops::Op::fmin || step.op == ops::Op::fmax;
  if (is_choice && !exact_[first] && !exact_[second] && first != second &&
      order_of(values_[first], values_[second]) == 2)
    choices_[slot] = std::max(error_of(first), error_of(second));
  else if (is_remainder(step.op) && !exact_[first] && !ops::slopes_of(step.op, operands_, values_[slot])[0].known())
    choices_[slot] = sum_up(values_[slot].high, -values_[slot].low); // it jumps
  else if (step.op == ops::Op::sqrt && !exact_[first] && values_[first].low <= near_zero * values_[first].high)
    choices_[slot] = sum_up(numeric::root(Interval::of(error_of(first))).high, errors_[slot]);
  has_choices_ |= choices_[slot] >= 0;
}

Verdict BoxBound::forward(const Box& box, std::vector<OpenDecision>* open) {
  place_inputs(box);
  has_choices_ = false;
  undefined_ = ops::Op::none;
  uint32_t slot = code_.first_step();
  for (const CertifiedStep& step : code_.steps) {
    read_operands(step);
    if (step.outcome) {
      const Verdict verdict = decide(step);
      if (verdict == Verdict::undecided && open)
        open->push_back(open_decision(step));
      else if (verdict != Verdict::bounded)
        return verdict;
      values_[slot] = Interval::of(double(*step.outcome));
      if (uses_forms_)
        forms_.place_range(slot, values_[slot]);
      ++slot;
      continue;
    }
    const bool same = ops::arity(step.op) > 1 && step.operands[0] == step.operands[1];
    Interval exact = ops::range_of(step.op, operands_, same);
    // The sign of a 0 without an error is the same in exact arithmetic; the sign of another number near 0 may differ.
    const bool jumps = step.op == ops::Op::copysign && operands_[1]->has(0) && !exact_[step.operands[1]];
    if (!exact.known() || jumps) {
      undefined_ = step.op;
      return Verdict::undefined;
    }
    if (uses_forms_)
      if (const Interval by_form = forms_.place_result(slot, step, operands_, exact); by_form.known())
        exact = meet(exact, by_form);
    ops::Rounded<Interval> rounded =
        ops::rounding_error<Interval>(step.op, step.format, exact, {rounded_, size_t(ops::arity(step.op))});
    rounded.error = own_error(step, rounded.error);
    grains_[slot] = rounded.grain;
    if (ops::rounding_of(step.op)) {
      // The operation jumps and has no slope: the possible difference between the run and exact arithmetic is its own
      // error.
      errors_[slot] = has_error(step) ? sum_up(exact.high, -exact.low) : 0;
      exact_[slot] = errors_[slot] == 0;
      values_[slot] = exact;
    } else {
      errors_[slot] = rounded.error;
      exact_[slot] = rounded.error == 0 && !has_error(step);
      values_[slot] = results_of(step, exact, rounded.error);
    }
    undefined_ = step.op;
    if (!(values_[slot].magnitude() <= largest_double(step.format)))
      return Verdict::undefined;
    if (uses_forms_)
      forms_.round(slot, rounded.error, values_[slot]);
    if (!checkable_)
      bound_choice(step, slot);
    ++slot;
  }
  return Verdict::bounded;
}

// Sums the errors that a value depends on, each times its largest derivative. Infinity if one of these is unknown.
double BoxBound::sweep(uint32_t last, bool by_choices) {
  std::fill(adjoints_.begin(), adjoints_.end(), Interval{});
  adjoints_[last] = Interval::of(1);
  double sum = 0;
  for (uint32_t slot = last + 1; slot-- > code_.first_step();) {
    const Interval adjoint = adjoints_[slot];
    if (adjoint.low == 0 && adjoint.high == 0)
      continue;
    if (by_choices && choices_[slot] >= 0) {
      sum = sum_up(sum, product_up(adjoint.magnitude(), choices_[slot]));
      continue;
    }
    if (errors_[slot] != 0)
      sum = sum_up(sum, product_up(adjoint.magnitude(), errors_[slot]));
    const CertifiedStep& step = code_.steps[slot - code_.first_step()];
    read_operands(step);
    const std::array<Interval, 3> partials = ops::slopes_of(step.op, operands_, values_[slot]);
    for (size_t i = 0; i < size_t(ops::arity(step.op)); ++i) {
      const uint32_t operand = step.operands[i];
      if (operand >= code_.inputs() && operand < code_.first_step())
        continue;
      adjoints_[operand] = adjoints_[operand] + adjoint * partials[i];
      // The slope of an operand without error may be infinite: the root of an input that can be 0.
      if (!adjoints_[operand].known() && !exact_[operand]) {
        std::fill_n(adjoints_.begin(), code_.inputs(), Interval::nothing_known());
        return infinity;
      }
    }
  }
  for (size_t i = 0; i < code_.inputs(); ++i)
    if (errors_[i] != 0)
      sum = sum_up(sum, product_up(adjoints_[i].magnitude(), errors_[i]));
  return sum;
}

double BoxBound::error_of(uint32_t slot) {
  const bool is_constant = slot >= code_.inputs() && slot < code_.first_step();
  if (is_constant || exact_[slot])
    return 0;
  const double by_choices = has_choices_ ? sweep(slot, true) : infinity;
  return std::min(by_choices, sweep(slot, false));
}

bool BoxBound::backward(size_t output) {
  const uint32_t last = code_.outputs[output];
  const double by_choices = has_choices_ ? sweep(last, true) : infinity;
  const double sum = std::min(by_choices, sweep(last, false)); // the last one leaves the derivatives by inputs
  const Interval& value = values_[last];
  const double least = std::max(value.mignitude(), floor_);
  outputs_[output] = {sum,
                      sum == 0     ? 0
                      : least == 0 ? infinity
                                   : quotient_up(sum, least),
                      quotient_up(sum, ops::unit_at(value, code_.output_formats[output])), value};
  return std::isfinite(sum);
}

Verdict BoxBound::bound_outputs(const Box& box) {
  std::fill(weights_.begin(), weights_.end(), 0.0);
  for (size_t output = 0; output < code_.outputs.size(); ++output) {
    if (!backward(output))
      return Verdict::undefined;
    for (size_t i = 0; i < code_.inputs(); ++i)
      if (const double width = box[i].high - box[i].low; width > 0)
        weights_[i] = std::max(weights_[i], adjoints_[i].known() ? adjoints_[i].magnitude() * width : infinity);
  }
  return Verdict::bounded;
}

// Keeps linear forms if they make a bound better by this much in one of the first boxes: a guess.
void BoxBound::judge_linear_forms(const Box& box) {
  constexpr double gain = 0.98;
  constexpr int boxes = 16;
  if (!uses_forms_ || judged_ >= boxes)
    return;
  const std::vector<OutputBound> with = outputs_;
  uses_forms_ = false;
  const bool is_bounded = forward(box, nullptr) == Verdict::bounded && bound_outputs(box) == Verdict::bounded;
  for (size_t i = 0; i < with.size() && !uses_forms_; ++i)
    uses_forms_ = !is_bounded || with[i].absolute < gain * outputs_[i].absolute;
  judged_ = uses_forms_ ? boxes : judged_ + 1;
  uses_forms_ = uses_forms_ || judged_ < boxes;
  outputs_ = with;
}

Verdict BoxBound::evaluate(const Box& box) {
  Verdict verdict = forward(box, nullptr);
  if (verdict == Verdict::bounded)
    verdict = bound_outputs(box);
  if (verdict == Verdict::bounded)
    judge_linear_forms(box);
  return verdict;
}

Verdict BoxBound::evaluate(const Box& box, std::vector<OpenDecision>& open) {
  open.clear();
  const Verdict verdict = forward(box, &open);
  return verdict == Verdict::bounded ? bound_outputs(box) : verdict;
}

} // namespace faultline::prove
