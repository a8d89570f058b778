#include "solve/newton/compiled.h"

#include "constraint/evaluate.h"
#include "ops/op.h"
#include "ops/table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace faultline::solve {

using Kernel = Compiled::Kernel;

namespace {

// The parts of the evaluation of compiled terms: the kernel of each term, and predicates on doubles that contain values
// of the machine's formats. Inline because they run constantly.
bool holds(Op comparison, double a, double b) { return ops::holds(comparison, ops::order_between(a, b)); }

// There is one NaN, and it is positive, which matters to copysign.
double plain(double value) { return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value; }

bool identical(double a, double b) {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

bool is(Class tested, double a, bool single) {
  const double least = single ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
  switch (tested) {
  case Class::normal:
    return std::isfinite(a) && std::fabs(a) >= least;
  case Class::subnormal:
    return a != 0 && std::fabs(a) < least;
  case Class::zero:
    return a == 0;
  case Class::infinite:
    return std::isinf(a);
  case Class::nan:
    return std::isnan(a);
  case Class::negative:
    return !std::isnan(a) && std::signbit(a);
  case Class::positive:
    return !std::isnan(a) && !std::signbit(a);
  }
  return false;
}

Kernel operation_kernel(Op op, bool single) {
  struct Row {
    Op op;
    Kernel in_binary32, in_binary64;
  };
  static constexpr Row rows[] = {
      {Op::fadd, Kernel::add32, Kernel::add64},         {Op::fsub, Kernel::sub32, Kernel::sub64},
      {Op::fmul, Kernel::mul32, Kernel::mul64},         {Op::fdiv, Kernel::div32, Kernel::div64},
      {Op::sqrt, Kernel::sqrt32, Kernel::sqrt64},       {Op::fneg, Kernel::negate, Kernel::negate},
      {Op::fabs, Kernel::magnitude, Kernel::magnitude}, {Op::fpext, Kernel::narrow, Kernel::copy},
      {Op::fptrunc, Kernel::narrow, Kernel::copy}};
  const auto row = std::ranges::find(rows, op, &Row::op);
  if (row == std::end(rows))
    return single ? Kernel::table32 : Kernel::table64;
  return single ? row->in_binary32 : row->in_binary64;
}

// `native`: term and operands are in the machine's formats; `single`: the term is in binary32.
Kernel kernel_of(const Node& node, bool native, bool single) {
  if (node.form == Form::variable)
    return Kernel::variable;
  if (node.form == Form::constant)
    return Kernel::constant;
  if (!native)
    return Kernel::general;
  switch (node.form) {
  case Form::operation:
    return operation_kernel(node.op, single);
  case Form::comparison:
    return Kernel::compare;
  case Form::same:
    return Kernel::identical;
  case Form::classification:
    return Kernel::classify;
  case Form::conjunction:
    return Kernel::both;
  case Form::disjunction:
    return Kernel::either;
  case Form::negation:
    return Kernel::opposite;
  case Form::choice:
    return Kernel::choose;
  default:
    return Kernel::general;
  }
}

} // namespace

Compiled::Compiled(const System& system, std::span<const Term> roots)
    : system_(system), slots_(system.size(), none), variables_(system.variables().size(), none) {
  std::vector<char> needed(system.size(), 0);
  for (const Term root : roots)
    needed[root] = 1;
  for (const constraint::Variable& variable : system.variables())
    needed[variable.term] = 1;
  for (Term term = Term(system.size()); term-- > 0;)
    if (needed[term])
      for (int i = 0; i < operand_count(system.node(term)); ++i)
        needed[system.node(term).operands[i]] = 1;
  for (Term term = 0; term < system.size(); ++term)
    if (needed[term]) {
      slots_[term] = Slot(instructions_.size());
      instructions_.push_back(translated(system.node(term), term));
      general_ |= !is_native(instructions_.back().sort);
      if (system.node(term).form == Form::variable)
        variables_[size_t(system.node(term).value)] = slots_[term];
    }
  code_.assign(instructions_.begin(), instructions_.end());
  list_dependents();
}

Compiled::Instruction Compiled::translated(const Node& node, Term term) const {
  Instruction result;
  result.op = node.op;
  result.tested = node.tested;
  result.sort = result.operand_sort = node.sort;
  result.term = term;
  result.operand_count = uint8_t(operand_count(node));
  bool native = is_native(node.sort);
  for (int i = 0; i < result.operand_count; ++i) {
    result.operands[i] = slots_[node.operands[i]];
    native &= is_native(system_.sort(node.operands[i]));
    result.varies |= instructions_[result.operands[i]].varies;
  }
  if (result.operand_count > 0)
    result.operand_sort = system_.sort(node.operands[0]);
  result.varies |= node.form == Form::variable;
  result.kernel = kernel_of(node, native, node.sort.format == numeric::binary32);
  return result;
}

void Compiled::list_dependents() {
  dependents_.resize(variables_.size());
  std::vector<std::vector<Slot>> users(instructions_.size());
  for (Slot slot = 0; slot < instructions_.size(); ++slot)
    for (int i = 0; i < instructions_[slot].operand_count; ++i)
      users[instructions_[slot].operands[i]].push_back(slot);
  std::vector<size_t> reached(instructions_.size(), variables_.size());
  size_t total = 0;
  for (size_t variable = 0; variable < variables_.size(); ++variable) {
    std::vector<Slot>& found = dependents_[variable];
    std::vector<Slot> open{variables_[variable]};
    while (!open.empty()) {
      const Slot slot = open.back();
      open.pop_back();
      for (const Slot user : users[slot])
        if (std::exchange(reached[user], variable) != variable) {
          found.push_back(user);
          open.push_back(user);
        }
    }
    std::sort(found.begin(), found.end());
    total += found.size();
    if (total > most_dependents) {
      too_large_ = true;
      dependents_.assign(variables_.size(), {});
      return;
    }
  }
}

size_t Compiled::variable_of(Slot slot) const { return size_t(system_.node(instructions_[slot].term).value); }

void Compiled::evaluate(const Model& model, Values& values) const {
  values.number.resize(instructions_.size());
  values.bits.resize(general_ ? instructions_.size() : 0);
  for (Slot slot = 0; slot < instructions_.size(); ++slot)
    if (instructions_[slot].kernel == Kernel::variable)
      assign(slot, model[variable_of(slot)], values);
    else
      compute(slot, values);
}

void Compiled::assign(Slot slot, Bits bits, Values& values) const {
  const Sort& sort = instructions_[slot].sort;
  if (sort.boolean) {
    values.number[slot] = bits != 0;
    return;
  }
  if (!is_native(sort))
    values.bits[slot] = sort.format.is_nan(bits) ? sort.format.nan() : bits;
  values.number[slot] = numeric::double_of(bits, sort.format);
}

Bits Compiled::bits(Slot slot, const Values& values) const {
  const Sort& sort = instructions_[slot].sort;
  if (sort.boolean)
    return values.number[slot] != 0;
  if (sort.format == numeric::binary64)
    return numeric::bits_of(values.number[slot]);
  if (sort.format == numeric::binary32)
    return numeric::bits_of(float(values.number[slot]));
  return values.bits[slot];
}

// Functions of the table, Booleans, choices, and formats that the machine lacks. Each is a call, which costs little
// compared to the computation.
void Compiled::compute_other(Slot slot, const Code& i, Values& values) const {
  const double* const v = values.number.data();
  const auto a = [&] { return v[i.operands[0]]; };
  const auto b = [&] { return v[i.operands[1]]; };
  const auto c = [&] { return v[i.operands[2]]; };
  const auto plain_operand = [&](int k) { return i.operand_count > k ? plain(v[i.operands[k]]) : 0; };
  double& result = values.number[slot];
  switch (i.kernel) {
  case Kernel::constant:
    assign(slot, system_.node(instructions_[slot].term).value, values);
    break;
  case Kernel::table32:
    result = ops::evaluate32(i.op, float(plain_operand(0)), float(plain_operand(1)), float(plain_operand(2)));
    break;
  case Kernel::table64:
    result = ops::evaluate(i.op, plain_operand(0), plain_operand(1), plain_operand(2));
    break;
  case Kernel::compare:
    result = holds(i.op, a(), b());
    break;
  case Kernel::identical:
    result = identical(a(), b());
    break;
  case Kernel::classify:
    result = is(i.tested, a(), instructions_[slot].operand_sort.format == numeric::binary32);
    break;
  case Kernel::both:
    result = a() != 0 && b() != 0;
    break;
  case Kernel::either:
    result = a() != 0 || b() != 0;
    break;
  case Kernel::opposite:
    result = a() == 0;
    break;
  case Kernel::choose:
    result = a() != 0 ? b() : c();
    break;
  case Kernel::general: {
    std::array<Bits, 3> operands{};
    for (int k = 0; k < i.operand_count; ++k)
      operands[k] = bits(i.operands[k], values);
    assign(slot,
           constraint::evaluate(system_.node(instructions_[slot].term), instructions_[slot].operand_sort, operands),
           values);
  } break;
  default:
    break;
  }
}

[[gnu::always_inline]] inline void Compiled::compute_code(Slot slot, const Code& i, Values& values) const {
  double* const v = values.number.data();
  const auto a = [&] { return v[i.operands[0]]; };
  const auto b = [&] { return v[i.operands[1]]; };
  double& result = v[slot];
  switch (i.kernel) {
  case Kernel::variable:
    break;
  case Kernel::add32:
    result = float(a() + b());
    break;
  case Kernel::add64:
    result = a() + b();
    break;
  case Kernel::sub32:
    result = float(a() - b());
    break;
  case Kernel::sub64:
    result = a() - b();
    break;
  case Kernel::mul32:
    result = float(a() * b());
    break;
  case Kernel::mul64:
    result = a() * b();
    break;
  case Kernel::div32:
    result = float(a() / b());
    break;
  case Kernel::div64:
    result = a() / b();
    break;
  case Kernel::sqrt32:
    result = float(std::sqrt(a()));
    break;
  case Kernel::sqrt64:
    result = std::sqrt(a());
    break;
  case Kernel::negate:
    result = -a();
    break;
  case Kernel::magnitude:
    result = std::fabs(a());
    break;
  case Kernel::copy:
    result = a();
    break;
  case Kernel::narrow:
    result = float(a());
    break;
  default:
    compute_other(slot, i, values);
  }
}

void Compiled::compute(Slot slot, Values& values) const { compute_code(slot, code_[slot], values); }

void Compiled::compute(std::span<const Slot> slots, Values& values) const {
  for (const Slot slot : slots)
    compute_code(slot, code_[slot], values);
}

} // namespace faultline::solve
