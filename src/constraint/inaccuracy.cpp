#include "constraint/inaccuracy.h"

#include "constraint/tape_terms.h"

#include <algorithm>

namespace faultline::constraint {

using goal::Check;
using ops::Op;

namespace {

// By steps that the format has the power for.
Term scaled(System& system, Term x, int bits) {
  const BinaryFormat format = system.sort(x).format;
  while (bits > 0) {
    const int step = std::min(bits, format.max_exponent());
    const Bits power = Bits(step + format.max_exponent()) << format.fraction_bits();
    x = system.operation(Op::fmul, x, system.constant(power, format));
    bits -= step;
  }
  return x;
}

// |a| >= 2^bits * |r| for the larger operand a: with it and b normal, that is all of both goals.
Term dominates(System& system, int bits, Term a, Term small, Term b) {
  const BinaryFormat format = system.sort(a).format;
  const Term least = system.constant(format.smallest_normal(), format);
  const Term most = system.constant(format.largest(), format);
  return system.all({system.compare(Op::cmp_oge, a, scaled(system, small, bits)), system.compare(Op::cmp_ole, a, most),
                     system.compare(Op::cmp_oge, a, least), system.compare(Op::cmp_oge, b, least)});
}

Term summand_of_fma(TapeTerms& terms, const tape::Record& record, numeric::Format format) {
  return terms.system().operation(Op::fmul, terms.operand(record.a, format), terms.operand(record.b, format));
}

} // namespace

Term inaccuracy(System& system, Check check, int bits, Term a, Term b, Term result, Large large, Left left) {
  const Term first = system.operation(Op::fabs, a), second = system.operation(Op::fabs, b);
  const auto variant = [&](Term one, Term other) {
    return dominates(system, bits, one, check == Check::precision_loss ? other : system.operation(Op::fabs, result),
                     other);
  };
  const Term holds = large == Large::first    ? variant(first, second)
                     : large == Large::second ? variant(second, first)
                                              : system.either(variant(first, second), variant(second, first));
  if (check == Check::precision_loss || left == Left::anything)
    return holds;
  const BinaryFormat format = system.sort(result).format;
  const Op zero = left == Left::nothing ? Op::cmp_oeq : Op::cmp_une;
  return system.both(holds, system.compare(zero, result, system.constant(Bits(0), format)));
}

std::optional<PathCondition> inaccuracy_condition(const tape::Tape& tape, std::span<const WantedInaccuracy> wanted,
                                                  std::span<const InputRange> inputs, Leaves leaves,
                                                  size_t most_terms) {
  const std::vector<uint32_t> places = tape::places(tape.table());
  std::vector<uint32_t> goals;
  for (const WantedInaccuracy& one : wanted)
    goals.push_back(tape::find_execution(tape, places, one.goal.place, one.goal.execution));
  if (goals.empty() || std::ranges::find(goals, 0u) != goals.end())
    return std::nullopt;
  TapeTerms terms(tape, inputs, leaves);
  if (!terms.read_path_to(goals, most_terms))
    return std::nullopt;
  System& system = terms.system();
  for (size_t i = 0; i < goals.size(); ++i) {
    const tape::Record& record = tape.record(goals[i]);
    const tape::Site& site = tape.site(goals[i]);
    const bool fused = site.op == Op::fma;
    const Term a = fused ? summand_of_fma(terms, record, site.format) : terms.operand(record.a, site.format);
    const Term b = terms.operand(fused ? record.c : record.b, site.format);
    system.assert_true(inaccuracy(system, wanted[i].goal.check, wanted[i].goal.bits, a, b,
                                  terms.operand(goals[i], site.format), wanted[i].large, wanted[i].left));
  }
  terms.restrict_inputs();
  return std::move(terms.result());
}

} // namespace faultline::constraint
