#include "solve/newton/box.h"

#include "constraint/evaluate.h"
#include "ops/order.h"

#include <algorithm>
#include <cmath>

namespace faultline::solve {

using constraint::Bits;
using constraint::Class;
using constraint::Form;
using constraint::Node;
using constraint::System;
using constraint::Term;
using numeric::BinaryFormat;
using numeric::Int128;
using numeric::Uint128;
using ops::Op;

Bits Range::nearest(double value) const {
  if (std::isnan(value))
    return nan ? format.nan() : format.at(low);
  const Bits bits = numeric::bits_of((long double)value, format);
  return nearest(format.order(bits));
}

namespace {

class Reading {
public:
  explicit Reading(const System& system) : system_(system) {
    for (const constraint::Variable& variable : system.variables()) {
      const constraint::Sort& sort = system.sort(variable.term);
      box_.push_back(sort.boolean ? Range{{}, true, 0, 1, false}
                                  : Range{sort.format, false, sort.format.lowest(), sort.format.highest(), true});
    }
  }

  Box read() {
    for (const Term assertion : system_.assertions()) {
      const Node& node = system_.node(assertion);
      if (node.form == Form::negation)
        read_atom(system_.node(node.operands[0]), false);
      else
        read_atom(node, true);
    }
    return std::move(box_);
  }

private:
  void read_atom(const Node& node, bool wanted) {
    if (node.form == Form::classification)
      return read_class(node.tested, node.operands[0], wanted);
    if (node.form != Form::comparison && node.form != Form::same)
      return;
    const auto [a, b, unused] = node.operands;
    for (const auto& [variable, constant, swapped] : {std::tuple(a, b, false), std::tuple(b, a, true)}) {
      if (system_.node(constant).form != Form::constant || system_.sort(constant).boolean)
        continue;
      if (node.form == Form::same)
        read_same(variable, constant, wanted);
      else
        read_comparison(wanted ? node.op : ops::opposite(node.op), variable, constant, swapped);
    }
  }

  void read_class(Class tested, Term term, bool wanted) {
    const BinaryFormat format = system_.sort(term).format;
    if (tested == Class::nan && !wanted)
      forbid_nan(term);
    if (tested == Class::infinite && !wanted) {
      at_least(term, format.order(format.largest() | format.sign()));
      at_most(term, format.order(format.largest()));
    }
    if (!wanted)
      return;
    if (tested != Class::nan)
      forbid_nan(term);
    const Bits largest = tested == Class::normal      ? format.largest()
                         : tested == Class::subnormal ? format.smallest_normal() - 1
                         : tested == Class::zero      ? 0
                                                      : format.infinity();
    if (tested != Class::positive)
      at_least(term, format.order(largest | format.sign()));
    else
      at_least(term, 0);
    at_most(term, tested == Class::negative ? -1 : format.order(largest));
  }

  void read_same(Term term, Term constant, bool wanted) {
    const BinaryFormat format = system_.sort(constant).format;
    const Bits value = system_.node(constant).value;
    if (!wanted || format.is_nan(value))
      return;
    forbid_nan(term);
    at_least(term, format.order(value));
    at_most(term, format.order(value));
  }

  void read_comparison(Op op, Term term, Term constant, bool swapped) {
    const BinaryFormat format = system_.sort(constant).format;
    const Bits value = system_.node(constant).value;
    const auto holds_for = [&](int order) {
      return constraint::holds(op, numeric::binary64, numeric::bits_of(double(swapped ? -order : order)), 0);
    };
    if (format.is_nan(value))
      return;
    if (!constraint::holds(op, format, format.nan(), value))
      forbid_nan(term);
    // Both zeros are the constant, if one is.
    const Int128 low = format.is_zero(value) ? -1 : format.order(value), high = format.is_zero(value) ? 0 : low;
    if (!holds_for(1))
      at_most(term, holds_for(0) ? high : low - 1);
    if (!holds_for(-1))
      at_least(term, holds_for(0) ? low : high + 1);
  }

  // The variable below negations and conversions, or null.
  const Node* variable_under(Term term, std::vector<const Node*>& steps) const {
    const Node* node = &system_.node(term);
    while (node->form == Form::operation &&
           (node->op == Op::fneg || node->op == Op::fptrunc || node->op == Op::fpext)) {
      steps.push_back(node);
      node = &system_.node(node->operands[0]);
    }
    return node->form == Form::variable && !node->sort.boolean ? node : nullptr;
  }

  void forbid_nan(Term term) {
    std::vector<const Node*> steps;
    if (const Node* variable = variable_under(term, steps))
      box_[size_t(variable->value)].nan = false;
  }
  void at_most(Term term, Int128 bound) { limit(term, bound, true); }
  void at_least(Term term, Int128 bound) { limit(term, bound, false); }

  void limit(Term term, Int128 bound, bool from_above) {
    std::vector<const Node*> steps;
    const Node* variable = variable_under(term, steps);
    if (!variable)
      return;
    Range& range = box_[size_t(variable->value)];
    const auto inside = [&](Int128 number) {
      const Int128 image = image_of(range.format.at(number), range.format, steps);
      return from_above ? image <= bound : image >= bound;
    };
    const bool falls =
        std::count_if(steps.begin(), steps.end(), [](const Node* step) { return step->op == Op::fneg; }) % 2;
    const bool cut_top = from_above != falls;
    // The last number inside, from the safe end.
    Int128 safe = cut_top ? range.format.lowest() : range.format.highest();
    Int128 other = cut_top ? range.format.highest() : range.format.lowest();
    if (inside(other))
      return;
    if (!inside(safe)) {
      range.low = 1, range.high = 0; // empty
      return;
    }
    const auto distance = [&] { return cut_top ? Uint128(other) - Uint128(safe) : Uint128(safe) - Uint128(other); };
    while (distance() > 1) {
      const Int128 middle = Int128(Uint128(cut_top ? safe : other) + distance() / 2);
      (inside(middle) ? safe : other) = middle;
    }
    if (cut_top)
      range.high = std::min(range.high, safe);
    else
      range.low = std::max(range.low, safe);
  }

  static Int128 image_of(Bits bits, BinaryFormat format, const std::vector<const Node*>& steps) {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      bits = constraint::evaluate(**step, constraint::float_sort(format), {bits, 0, 0});
      format = (*step)->sort.format;
    }
    return format.order(bits);
  }

  const System& system_;
  Box box_;
};

} // namespace

Box box_of(const System& system) { return Reading(system).read(); }

} // namespace faultline::solve
