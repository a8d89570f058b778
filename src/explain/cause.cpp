#include "explain/cause.h"

#include "explain/shares.h"
#include "numeric/ulp.h"
#include "ops/table.h"
#include "tape/conditions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>

namespace faultline::explain {
namespace {

constexpr double outstanding = 3; // bits that the error grows by
constexpr double gradual = 2;     // at most, in one execution

// Where an operation stands in the source: the sites of a loop that was unrolled are one place.
using Place = std::tuple<std::string_view, int, int, ops::Op>;

Place place_of(const tape::Tape& tape, uint32_t record) {
  const tape::Site& site = tape.site(record);
  return {site.file, site.line, site.column, site.op};
}

struct Deeds {
  double growth = 0;
  size_t executions = 0;
  const Link* worst = nullptr;
};

Blame blame(const tape::Tape& tape, const Deeds& deeds) {
  const uint32_t record = deeds.worst->record;
  return {record,
          tape::condition(tape, record),
          deeds.worst->share,
          std::exp2(std::min(deeds.worst->growth, 1000.0)),
          false,
          deeds.executions};
}

// The place whose own roundings make most of the error.
Blame accumulation(const tape::Tape& tape, uint32_t output, const tape::Replay& exact) {
  const std::vector<long double> own = own_shares(tape, output, exact);
  struct Sum {
    long double share = 0, largest = 0;
    uint32_t record = 0;
    size_t executions = 0;
  };
  std::map<Place, Sum> sums;
  for (uint32_t index = 1; index <= output; ++index) {
    if (own[index] == 0)
      continue;
    Sum& sum = sums[place_of(tape, index)];
    sum.share += own[index];
    ++sum.executions;
    if (std::fabs(own[index]) > sum.largest) {
      sum.largest = std::fabs(own[index]);
      sum.record = index;
    }
  }
  const Sum* most = nullptr;
  for (const auto& [place, sum] : sums)
    if (!most || std::fabs(sum.share) > std::fabs(most->share))
      most = &sum;
  if (!most)
    return {};
  return {most->record,    tape::condition(tape, most->record), std::min(1.0, double(std::fabs(most->share))), 1, true,
          most->executions};
}

} // namespace

bool same_place(const tape::Tape& tape, uint32_t a, uint32_t b) {
  const tape::Site &one = tape.site(a), &other = tape.site(b);
  return one.line == other.line && one.column == other.column && one.file == other.file;
}

std::vector<double> relative_errors(const tape::Tape& tape, const tape::Replay& exact) {
  std::vector<double> errors(tape.size());
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (ops::arity(tape.site(index).op) > 0 && !ops::is_comparison(tape.site(index).op))
      errors[index] = numeric::relative_error(tape.exact(index), exact.values[index]);
  return errors;
}

Blame find_cause(const tape::Tape& tape, const std::vector<Link>& path, const tape::Replay& exact) {
  if (path.empty())
    return {};
  std::map<Place, Deeds> places;
  const Deeds* worst = nullptr;
  for (const Link& link : path) {
    Deeds& deeds = places[place_of(tape, link.record)];
    deeds.growth += link.growth;
    ++deeds.executions;
    if (!deeds.worst || link.growth > deeds.worst->growth)
      deeds.worst = &link;
  }
  for (const auto& [place, deeds] : places)
    if (!worst || deeds.growth > worst->growth)
      worst = &deeds;
  const uint32_t output = path.front().record;
  if (worst->growth < outstanding)
    return accumulation(tape, output, exact);
  // Little by little: the error path shows only some of the roundings that add up.
  if (worst->executions > 1 && worst->worst->growth < gradual) {
    const Blame all = accumulation(tape, output, exact);
    if (all.record != 0 && all.share >= 0.5 && place_of(tape, all.record) == place_of(tape, worst->worst->record))
      return all;
  }
  return blame(tape, *worst);
}

Blame find_cause(const tape::Tape& tape, uint32_t output, const tape::Replay& exact) {
  return find_cause(tape, chain(tape, output, exact), exact);
}

} // namespace faultline::explain
