#include "tape/conditions.h"

#include "ops/table.h"

#include <algorithm>

namespace faultline::tape {

double condition(const Tape& tape, uint32_t index) {
  const Record& record = tape.record(index);
  const Site& site = tape.site(index);
  const int arity = ops::arity(site.op);
  const double a = arity > 0 ? tape.value(record.a) : 0;
  const double b = arity > 1 ? tape.value(record.b) : 0;
  const double c = arity > 2 ? tape.value(record.c) : 0;
  const auto conditions = ops::conditions(site.op, a, b, c, tape.value(index));
  double largest = 0;
  for (int i = 0; i < arity; ++i)
    largest = std::max(largest, conditions[size_t(i)]);
  return largest;
}

void worst_conditions(const Tape& tape, std::vector<SiteCondition>& worst) {
  worst.assign(tape.table().sites.size(), {});
  for (uint32_t index = 1; index < tape.size(); ++index) {
    if (!ops::potentially_unstable(tape.site(index).op))
      continue;
    SiteCondition& site = worst[tape.record(index).site];
    if (double here = condition(tape, index); here > site.condition || site.record == 0)
      site = {here, index};
  }
}

SiteCondition worst_condition(const Tape& tape, uint32_t site) {
  SiteCondition worst;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.record(index).site == site)
      if (double here = condition(tape, index); here > worst.condition || worst.record == 0)
        worst = {here, index};
  return worst;
}

} // namespace faultline::tape
