#include "tape/accumulation.h"

#include <map>
#include <tuple>

namespace faultline::tape {

using ops::Arithmetic;
using ops::Op;

namespace {

constexpr int longest_chain = 64; // of products between two updates: a longer one is not followed

// Products, conversions and signs may stand between two updates of a sum.
bool passes_on(Op op) {
  if (!ops::is_arithmetic(op))
    return false;
  switch (Arithmetic(op)) {
  case Arithmetic::fmul:
  case Arithmetic::fdiv:
  case Arithmetic::fneg:
  case Arithmetic::fabs:
  case Arithmetic::fpext:
  case Arithmetic::fptrunc:
    return true;
  case Arithmetic::fadd:
  case Arithmetic::fsub:
  case Arithmetic::sqrt:
  case Arithmetic::fma:
  case Arithmetic::remainder:
  case Arithmetic::fmin:
  case Arithmetic::fmax:
  case Arithmetic::fdim:
  case Arithmetic::copysign:
  case Arithmetic::round_add:
  case Arithmetic::round_sub:
  case Arithmetic::round_fma:
    break;
  }
  return false;
}

// Does an operand of this record come from the place?
bool descends(const Tape& tape, const std::vector<uint32_t>& places, uint32_t record) {
  const uint32_t place = places[tape.record(record).site];
  std::vector<uint32_t> open{record};
  for (int steps = 0; !open.empty() && steps < longest_chain; ++steps) {
    const uint32_t at = open.back();
    open.pop_back();
    for (int i = 0; i < ops::arity(tape.site(at).op); ++i) {
      const uint32_t operand = tape.operand(at, i);
      if (operand == 0 || runtime::is_constant(operand))
        continue;
      if (places[tape.record(operand).site] == place)
        return true;
      if (passes_on(tape.site(operand).op))
        open.push_back(operand);
    }
  }
  return false;
}

std::vector<Addition> additions(const Tape& tape, const std::vector<uint32_t>& places) {
  std::vector<Addition> all;
  std::vector<uint32_t> counts(places.size());
  for (uint32_t record = 1; record < tape.size(); ++record)
    if (const uint32_t place = places[tape.record(record).site])
      all.push_back({place, ++counts[place], record});
  return all;
}

} // namespace

std::vector<uint32_t> places(const runtime::SiteTable& table) {
  std::map<std::tuple<std::string, int, int, Op, numeric::Format>, uint32_t> known;
  std::vector<uint32_t> places(table.sites.size());
  for (uint32_t i = runtime::first_program_site; i < table.sites.size(); ++i) {
    const Site& site = table.sites[i];
    if (!is_addition(site.op))
      continue;
    // Without a line nobody knows what belongs together.
    places[i] = site.line == 0
                    ? i
                    : known.try_emplace({site.file, site.line, site.column, site.op, site.format}, i).first->second;
  }
  return places;
}

std::vector<Addition> additions(const Tape& tape) { return additions(tape, places(tape.table())); }

std::vector<Addition> accumulations(const Tape& tape) {
  const std::vector<uint32_t> places = tape::places(tape.table());
  const std::vector<Addition> all = additions(tape, places);
  std::vector<char> accumulates(places.size());
  for (const Addition& addition : all)
    if (addition.execution > 1 && !accumulates[addition.place])
      accumulates[addition.place] = descends(tape, places, addition.record);
  std::vector<Addition> updates;
  for (const Addition& addition : all)
    if (accumulates[addition.place])
      updates.push_back(addition);
  return updates.empty() ? all : updates;
}

uint32_t find_execution(const Tape& tape, std::span<const uint32_t> places, uint32_t place, uint32_t execution) {
  if (place == 0 || execution == 0)
    return 0;
  for (uint32_t record = 1; record < tape.size(); ++record)
    if (places[tape.record(record).site] == place && --execution == 0)
      return record;
  return 0;
}

uint32_t find_execution(const Tape& tape, uint32_t place, uint32_t execution) {
  return find_execution(tape, places(tape.table()), place, execution);
}

Summands summands(const Tape& tape, uint32_t record) {
  const Record& at = tape.record(record);
  const Site& site = tape.site(record);
  if (site.op != Op::fma)
    return {tape.exact(at.a), tape.exact(at.b), tape.exact(record)};
  const long double product = tape.exact(at.a) * tape.exact(at.b);
  return {numeric::nearest(product, site.format), tape.exact(at.c), tape.exact(record)};
}

} // namespace faultline::tape
