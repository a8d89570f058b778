// Residues::exact_outcome and doubt_path: decisions of a run that exact arithmetic would seem to make differently.
#include "ops/table.h"
#include "tape/residue.h"

#include <cmath>

namespace faultline::tape {
namespace {

bool decides(const Site& site) { return ops::is_comparison(site.op) || ops::is_to_int(site.op); }

} // namespace

bool steps(ops::Op op) {
  return (ops::is_comparison(op) && op != ops::Op::cmp_ord && op != ops::Op::cmp_uno) || ops::is_to_int(op) ||
         ops::rounds_to_integer(op);
}

void Residues::read_steps(const Tape& tape, uint32_t last) {
  begin(tape);
  for (uint32_t index = 1; index <= last; ++index)
    needed_[index] = steps(tape.site(index).op);
  sweep_needed(tape, last);
}

bool Residues::doubt_path(const Tape& tape) {
  begin(tape);
  uint32_t last = 0;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (decides(tape.site(index)))
      needed_[last = index] = 1;
  sweep_needed(tape, last);
  for (uint32_t index = 1; index <= last; ++index)
    if (decides(tape.site(index)) && exact_outcome(tape, index) == ExactOutcome::another)
      return true;
  return false;
}

ExactOutcome Residues::exact_outcome(const Tape& tape, uint32_t index) const {
  const ops::Op op = tape.site(index).op;
  long double exact[2] = {};
  bool rounded = false;
  for (int i = 0; i < ops::arity(op); ++i) {
    const uint32_t operand = tape.operand(index, i);
    const Shadow known =
        runtime::is_constant(operand) || operand == 0 ? Shadow{tape.exact(operand), 0} : shadow(tape, operand);
    if (!std::isfinite(known.exact))
      return ExactOutcome::certain;
    exact[i] = known.exact;
    rounded = rounded || known.error != 0;
  }
  if (!rounded)
    return ExactOutcome::certain;
  constexpr long double unknown = 0x1p-62L; // of the operands: x87's last bits
  const bool tie = ops::is_comparison(op) && std::fabs(exact[0] - exact[1]) <= unknown * std::fabs(exact[0]);
  return tie || ops::evaluate80(op, exact[0], exact[1]) != tape.exact(index) ? ExactOutcome::another
                                                                             : ExactOutcome::same;
}

} // namespace faultline::tape
