#include "search/bracket/danger.h"

#include "ops/table.h"

#include <cmath>
#include <limits>

namespace faultline::search {

using ops::Op;

namespace {

Signal signal_of(Op op) {
  if (ops::rounds_to_integer(op) || ops::is_to_int(op) || ops::rounds_on_purpose(op))
    return Signal::jump;
  if (op == Op::cmp_ord || op == Op::cmp_uno)
    return Signal::none;
  if (ops::is_comparison(op))
    return Signal::decision;
  // Operations whose danger function is not NaN everywhere. The test point lies in the domain of every operation.
  return ops::is_leaf(op) || std::isnan(ops::danger(op, 1.5, 1.25, 1.125, ops::evaluate(op, 1.5, 1.25, 1.125)))
             ? Signal::none
             : Signal::crossing;
}

constexpr uint32_t last_execution = Spot::executions - 1;

} // namespace

DangerReader::DangerReader(const runtime::SiteTable& table) : counts_(table.sites.size()), last_(table.sites.size()) {
  for (const runtime::Site& site : table.sites)
    signals_.push_back(signal_of(site.op));
}

double DangerReader::value(const tape::Tape& tape, uint32_t index) const {
  const runtime::Record& record = tape.record(index);
  const Op op = tape.site(index).op;
  switch (signals_[record.site]) {
  case Signal::decision:
    return tape.value(record.a) - tape.value(record.b);
  case Signal::jump:
    return tape.value(index);
  default:
    break;
  }
  const double result = tape.value(index);
  if (op == Op::fadd || op == Op::fsub)
    return result;
  const int arity = ops::arity(op);
  return ops::danger(op, tape.value(record.a), arity > 1 ? tape.value(record.b) : 0,
                     arity > 2 ? tape.value(record.c) : 0, result);
}

void DangerReader::read(const tape::Tape& tape, std::vector<Reading>& readings) {
  readings.clear();
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const uint32_t site = tape.record(index).site;
    if (signals_[site] == Signal::none)
      continue;
    const uint32_t execution = counts_[site]++;
    if (execution == 0)
      touched_.push_back(site);
    if (execution >= last_execution) {
      last_[site] = index;
      continue;
    }
    if (const double danger = value(tape, index); !std::isnan(danger))
      readings.push_back({Spot{site * Spot::executions + execution}, danger});
  }
  for (uint32_t site : touched_) {
    if (counts_[site] > last_execution)
      if (const double danger = value(tape, last_[site]); !std::isnan(danger))
        readings.push_back({Spot{site * Spot::executions + last_execution}, danger});
    counts_[site] = 0;
  }
  touched_.clear();
}

uint32_t DangerReader::find(const tape::Tape& tape, Spot spot) const {
  const uint32_t site = spot.site();
  if (spot.execution() == last_execution) {
    uint32_t seen = 0, last = 0;
    for (uint32_t index = 1; index < tape.size(); ++index)
      if (tape.record(index).site == site) {
        ++seen;
        last = index;
      }
    return seen > last_execution ? last : 0;
  }
  uint32_t before = spot.execution();
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.record(index).site == site && before-- == 0)
      return index;
  return 0;
}

double DangerReader::read(const tape::Tape& tape, Spot spot) const {
  const uint32_t record = find(tape, spot);
  return record == 0 ? std::numeric_limits<double>::quiet_NaN() : value(tape, record);
}

bool changes(Signal signal, double one, double other) {
  return signal == Signal::jump ? one != other : std::signbit(one) != std::signbit(other);
}

} // namespace faultline::search
