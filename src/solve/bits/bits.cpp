#include "solve/bits/bits.h"

#include "solve/bits/bits_system.h"
#include "solve/interval/propagation.h"

#include <algorithm>

namespace faultline::solve {
namespace {

constexpr uint64_t effort_a_conflict = 20; // a conflict takes about as long as this many projections
constexpr uint64_t most_conflicts = 1'000'000'000;
constexpr size_t gates_in_process = 150'000; // a worker has less memory

int conflicts(uint64_t effort) {
  return effort == ~uint64_t(0) ? Cadical::any_number : int(std::min(effort / effort_a_conflict, most_conflicts));
}

} // namespace

Result solve_bits(const Question& question, std::span<const Known> known) {
  const Deadline deadline(question.seconds);
  const BitsSystem circuit(question.system, known, deadline,
                           question.in_process ? gates_in_process : BitsSystem::usual_bound);
  if (!circuit.obstacle().empty())
    return {.reason = circuit.obstacle()};
  Cadical solver;
  Cnf cnf(circuit.gates(), solver);
  cnf.encode();
  Result result{.answer = solver.solve(deadline, conflicts(question.effort))};
  if (result.answer == Answer::sat)
    result.model = circuit.model(cnf);
  else if (result.answer == Answer::unknown)
    result.reason = "out of time";
  return result;
}

// Interval propagation first: what it knows makes the circuit smaller.
Result solve_bits(const Question& question) {
  const Deadline deadline(question.seconds);
  const auto domains = propagated(question.system, true, &deadline);
  if (!domains)
    return {.answer = Answer::unsat};
  std::vector<Known> known;
  for (const Domain& domain : *domains)
    known.push_back({domain.numbers.low, domain.numbers.high, domain.nan});
  Question rest = question;
  rest.seconds = std::max(0.0, deadline.left());
  return solve_bits(rest, known);
}

} // namespace faultline::solve
