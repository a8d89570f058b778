#include "explain/change.h"

#include "explain/rewrite.h"
#include "explain/summation.h"
#include "ops/table.h"

#include <algorithm>

namespace faultline::explain {
namespace {

constexpr size_t most_executions = 1000; // of the place in one run: each is sketched

bool is_here(const tape::Tape& tape, uint32_t record, const Change& change) {
  return record > tape.inputs() && std::ranges::find(change.sites, tape.record(record).site) != change.sites.end();
}

std::vector<uint32_t> executions(const tape::Tape& tape, const Change& change) {
  std::vector<uint32_t> records;
  for (uint32_t record = uint32_t(tape.inputs()) + 1; record < tape.size(); ++record)
    if (is_here(tape, record, change))
      records.push_back(record);
  return records;
}

std::optional<tape::Rerun> rewritten(const tape::Tape& tape, const Change& change) {
  static const std::vector<std::string> no_names;
  if (executions(tape, change).size() > most_executions)
    return std::nullopt;
  return tape::rerun(tape, [&](uint32_t at, std::span<const long double> values) -> std::optional<long double> {
    if (!is_here(tape, at, change))
      return std::nullopt;
    for (const Rewritten& each : rewrites_of(tape, at, values, no_names, Texts::left_out))
      if (each.name == change.rule && each.variant == change.variant && (!each.guard || each.guard->holds))
        return each.after.value;
    return std::nullopt;
  });
}

tape::Rerun compensated(const tape::Tape& tape, const Change& change) {
  const std::vector<uint32_t> additions = executions(tape, change);
  const Summation summation(tape, additions.empty() ? 0 : additions.back());
  return tape::rerun(tape, [&](uint32_t at, std::span<const long double> values) -> std::optional<long double> {
    return additions.empty() ? std::nullopt : summation.compensated(at, values);
  });
}

// Everything in the next wider format than the output's, natively: conversions between formats are gone, and what is
// meant to round rounds as it did.
tape::Rerun in_wider_format(const tape::Tape& tape, const Change& change) {
  const numeric::Format format = numeric::wider(tape.table().sites[change.sites.front()].format);
  tape::Rerun run;
  run.replaced = 1;
  run.values.resize(tape.size());
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const tape::Site& site = tape.site(index);
    const int arity = ops::arity(site.op);
    run.values[index] = tape.exact(index);
    if (arity == 0)
      continue;
    long double operands[3] = {};
    for (int i = 0; i < arity; ++i) {
      const uint32_t operand = tape.operand(index, i);
      operands[i] = runtime::is_constant(operand) ? tape.exact(operand) : run.values[operand];
    }
    const auto [a, b, c] = operands;
    if (ops::is_decision(site.op))
      run.flips |= ops::evaluate80(site.op, a, b, c) != tape.exact(index);
    else if (site.op == ops::Op::fptrunc || site.op == ops::Op::fpext)
      run.values[index] = a;
    else
      run.values[index] =
          tape::evaluate(site.op, site.op == ops::Op::round_add ? site.format : std::max(site.format, format), a, b, c);
  }
  return run;
}

} // namespace

std::vector<uint32_t> sites_beside(const runtime::SiteTable& table, uint32_t site) {
  std::vector<uint32_t> sites = {site};
  const runtime::Site& here = table.sites[site];
  if (here.line == 0 || here.column == 0) // nobody knows where they stand
    return sites;
  for (uint32_t other = 0; other < table.sites.size(); ++other) {
    const runtime::Site& there = table.sites[other];
    if (other != site && there.line == here.line && there.column == here.column && there.op == here.op &&
        there.format == here.format && there.file == here.file)
      sites.push_back(other);
  }
  return sites;
}

std::optional<tape::Rerun> changed(const tape::Tape& tape, const Change& change) {
  switch (change.means) {
  case Means::rewrite:
    return rewritten(tape, change);
  case Means::compensation:
    return compensated(tape, change);
  case Means::wider:
    return in_wider_format(tape, change);
  }
  return std::nullopt;
}

long double output_of(const tape::Tape& tape, const tape::Rerun& changed, size_t output) {
  const exec::OutputValue& made = tape.outputs()[output];
  if (made.record == 0)
    return made.value;
  return numeric::nearest(changed.values[made.record], tape.site(made.record).format);
}

} // namespace faultline::explain
