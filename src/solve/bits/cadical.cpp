#include "solve/bits/cadical.h"

#include <ccadical.h>

namespace faultline::solve {

void Cadical::Release::operator()(CCaDiCaL* solver) const { ccadical_release(solver); }

// Quiet, because some messages are written to standard output.
Cadical::Cadical() : solver_(ccadical_init()) { set_option("quiet", 1); }

void Cadical::clause(std::span<const int> literals) {
  for (const int literal : literals)
    ccadical_add(solver_.get(), literal);
  ccadical_add(solver_.get(), 0);
}

void Cadical::set_option(const char* name, int value) { ccadical_set_option(solver_.get(), name, value); }

Answer Cadical::solve(const Deadline& deadline, int conflicts) {
  if (deadline.passed())
    return Answer::unknown;
  // The callback does not write to its state.
  ccadical_set_terminate(solver_.get(), const_cast<Deadline*>(&deadline),
                         [](void* state) { return int(static_cast<const Deadline*>(state)->passed()); });
  if (conflicts != any_number)
    ccadical_limit(solver_.get(), "conflicts", conflicts);
  const int answer = ccadical_solve(solver_.get());
  ccadical_set_terminate(solver_.get(), nullptr, nullptr);
  return answer == 10 ? Answer::sat : answer == 20 ? Answer::unsat : Answer::unknown;
}

bool Cadical::value(int literal) const { return ccadical_val(solver_.get(), literal) > 0; }

} // namespace faultline::solve
