#include "bound/straight_code.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace faultline::bound {
namespace {

using numeric::next_above;
using numeric::next_below;
using runtime::Site;
using tape::Tape;

// A number that a double may not hold: x87's.
finding::CertifiedConstant around(long double value) {
  const auto near = double(value);
  if (std::isnan(value))
    return {std::nan(""), std::nan("")};
  return {(long double)near > value ? next_below(near) : near, (long double)near < value ? next_above(near) : near};
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
      complain("the result is not made by operations that are seen", 0);
    return constant_outputs_.at(output.index);
  }

  bool is_input(uint32_t record) const { return record <= tape_.inputs(); }

  void need(uint32_t operand) {
    if (operand != 0 && !runtime::is_constant(operand))
      needed_[operand] = 1;
  }

  // Decisions, what the outputs are made of, and what these depend on.
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

  // Before the steps, whose slots come behind them.
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
      complain("a number is made of bits, or read from memory that nobody follows", tape_.record(index).site);
    return number(tape_.exact(index));
  }

  uint32_t number(long double value) {
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
    finding::CertifiedStep step{.op = site.op, .format = site.format};
    for (size_t i = 0; i < size_t(ops::arity(site.op)); ++i) {
      const uint32_t operand = tape_.operand(index, int(i));
      if (operand == 0) {
        complain("an operand comes from where nobody follows it", tape_.record(index).site);
        return;
      }
      step.operands[i] = slot(operand);
      if (step.operands[i] == unknown)
        return; // what it depends on is missing, and has been complained of
    }
    if (ops::is_decision(site.op))
      step.outcome = int64_t(tape_.record(index).result.bits);
    slots_[index] = read_.code.slots();
    read_.code.steps.push_back(step);
    read_.code.sites.push_back(tape_.record(index).site);
  }

  // Of integers: held if they are what decisions before it make, or inputs, which are held here.
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
        return complain("a condition hangs on bits of a float, or on memory that nobody follows",
                        tape_.record(index).site);
    }
    if (!any)
      complain("a condition hangs on what is not on the tape", tape_.record(index).site);
  }

  void complain(std::string reason, uint32_t site) { read_.obstacles.push_back({std::move(reason), site}); }

  const Tape& tape_;
  StraightRead read_;
  std::vector<char> needed_;
  std::vector<uint32_t> slots_; // of each record
  std::map<uint32_t, uint32_t> constants_;
  std::map<size_t, uint32_t> constant_outputs_;
};

} // namespace

StraightRead read_straight(const Tape& tape, const std::vector<numeric::Format>& input_formats,
                           const std::vector<WantedOutput>& outputs) {
  return Reader(tape, input_formats).run(outputs);
}

} // namespace faultline::bound
