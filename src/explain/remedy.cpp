#include "explain/remedy.h"

#include "explain/rewrite.h"
#include "numeric/eft.h"
#include "ops/op.h"
#include "ops/table.h"
#include "tape/replay.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <vector>

namespace faultline::explain {

using ops::Op;

namespace {

// A compensated sum for a sum in a loop: s = s + t for many terms t. The rounding error of every addition (and of every
// product, if the terms are products) is accumulated and added at the end (Neumaier; Ogita, Rump and Oishi's Dot2).
bool is_plain_addition(Op op) { return op == Op::fadd || op == Op::fsub; }

// The sum of the terms, and the sum of the errors of the additions.
template <typename Float> struct CompensatedSum {
  Float sum = 0, lost = 0;

  void add(Float term) {
    const Float next = sum + term;
    lost += Float(numeric::sum_error(sum, term, next));
    sum = next;
  }
  void add_product(Float a, Float b) {
    const Float product = a * b;
    lost += std::fma(a, b, -product);
    add(product);
  }
};

// The sums computed at the place of this addition.
class Summation {
public:
  Summation(const tape::Tape& tape, uint32_t addition)
      : tape_(tape), site_(tape.site(addition)), continued_(tape.size()) {
    if (!is_plain_addition(site_.op))
      return;
    std::vector<uint32_t> length(tape.size());
    std::set<int> columns;
    for (uint32_t index = 1; index < tape.size(); ++index) {
      if (!is_here(index))
        continue;
      in_a_loop_ |= !columns.insert(tape.site(index).column).second;
      const uint32_t before = carried(index);
      length[index] = before ? length[before] + 1 : 2;
      if (before)
        continued_[before] = true;
      longest_ = std::max<size_t>(longest_, length[index]);
      for (const uint32_t operand : {tape.record(index).a, tape.record(index).b})
        of_products_ |= !runtime::is_constant(operand) && operand != before && tape.site(operand).op == Op::fmul;
    }
  }

  // Requires at least three terms in a loop, since a formula may also have three.
  bool is_sum() const { return longest_ >= 3 && in_a_loop_; }
  bool of_products() const { return of_products_; }

  // Returns the compensated sum for the last addition of each sum.
  std::optional<numeric::Value> compensated(uint32_t record, std::span<const numeric::Value> values) const {
    if (!is_here(record) || continued_[record] || carried(record) == 0)
      return std::nullopt;
    std::vector<uint32_t> additions;
    for (uint32_t at = record; at != 0; at = carried(at))
      additions.push_back(at);
    auto value = [&](uint32_t operand) {
      return runtime::is_constant(operand) ? tape_.exact(operand) : values[operand];
    };
    auto sum = [&](auto zero) -> numeric::Value {
      using Float = decltype(zero);
      CompensatedSum<Float> result;
      auto add = [&](uint32_t operand, bool negative) {
        if (!runtime::is_constant(operand) && tape_.site(operand).op == Op::fmul) {
          const auto a = Float(value(tape_.record(operand).a)), b = Float(value(tape_.record(operand).b));
          result.add_product(negative ? -a : a, b);
        } else {
          result.add(negative ? -Float(value(operand)) : Float(value(operand)));
        }
      };
      for (size_t i = additions.size(); i-- > 0;) {
        const tape::Record& at = tape_.record(additions[i]);
        const uint32_t before = carried(additions[i]);
        const bool subtracts = tape_.site(additions[i]).op == Op::fsub;
        if (before != at.a)
          add(at.a, false);
        if (before != at.b || before == at.a)
          add(at.b, subtracts);
      }
      return result.sum + result.lost;
    };
    switch (numeric::carrier(site_.format)) {
    case numeric::Format::binary32:
      return sum(0.0f);
    case numeric::Format::binary64:
      return sum(0.0);
    default:
      return sum(0.0L);
    }
  }

private:
  // A result of an addition at this place.
  bool is_here(uint32_t operand) const {
    if (runtime::is_constant(operand) || operand == 0)
      return false;
    const tape::Site& site = tape_.site(operand);
    return is_plain_addition(site.op) && site.line == site_.line && site.file == site_.file &&
           site.format == site_.format;
  }

  // Returns the operand with the sum so far; 0 if this addition is the first.
  uint32_t carried(uint32_t record) const {
    const tape::Record& at = tape_.record(record);
    return is_here(at.a) ? at.a : is_here(at.b) && tape_.site(record).op == Op::fadd ? at.b : 0;
  }

  const tape::Tape& tape_;
  const tape::Site& site_;
  std::vector<bool> continued_; // by record: a later addition continues it
  size_t longest_ = 0;
  bool of_products_ = false, in_a_loop_ = false;
};

} // namespace

using numeric::Value;

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
  return tape::rerun(tape, [&](uint32_t at, std::span<const Value> values) -> std::optional<Value> {
    if (!is_here(tape, at, change))
      return std::nullopt;
    for (const Rewrite& each : rewrites_of(tape, at, values, no_names, Texts::left_out))
      if (each.name == change.rule && each.variant == change.variant && (!each.guard || each.guard->holds))
        return each.after.value;
    return std::nullopt;
  });
}

tape::Rerun compensated(const tape::Tape& tape, const Change& change) {
  const std::vector<uint32_t> additions = executions(tape, change);
  const Summation summation(tape, additions.empty() ? 0 : additions.back());
  return tape::rerun(tape, [&](uint32_t at, std::span<const Value> values) -> std::optional<Value> {
    return additions.empty() ? std::nullopt : summation.compensated(at, values);
  });
}

// Repeats the run in the next wider format than the output's. Conversions between formats are dropped, and intended
// roundings stay.
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
    Value operands[3] = {};
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
  if (here.line == 0 || here.column == 0) // unknown places
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

Value output_of(const tape::Tape& tape, const tape::Rerun& changed, size_t output) {
  const exec::OutputValue& made = tape.outputs()[output];
  if (made.record == 0)
    return made.value;
  return numeric::nearest(changed.values[made.record], tape.site(made.record).format);
}

namespace {

constexpr double worth_it = 16; // the error must shrink by this factor
constexpr size_t after_guilty = 6, before_guilty = 2;

class RemedySearch {
public:
  explicit RemedySearch(const FaultyRun& run) : run_(run), tape_(run.tape) {
    now_ = numeric::relative_error(tape_.exact(run.output), run.reference);
  }

  std::vector<Remedy> find() {
    try_compensation(); // first: in a loop, another order helps only this input
    for (const uint32_t record : places())
      try_rewrites(record);
    std::vector<Remedy> all = best_first();
    helpful_.clear();
    if (run_.may_be_wider)
      try_wider();
    all.insert(all.end(), helpful_.begin(), helpful_.end());
    return all;
  }

private:
  // Returns the guilty operation, those after it, and the last ones before it; each place in the source once.
  std::vector<uint32_t> places() const {
    const auto guilty = std::ranges::find(run_.path, run_.guilty, &Link::record);
    std::vector<uint32_t> records;
    if (guilty == run_.path.end())
      return records; // the roundings of many records add up
    const auto at = size_t(guilty - run_.path.begin());
    auto add = [&](size_t i) {
      const uint32_t record = run_.path[i].record;
      if (std::ranges::none_of(records, [&](uint32_t other) { return same_site(other, record); }))
        records.push_back(record);
    };
    for (size_t i = at + 1; i-- > 0 && records.size() < 1 + after_guilty;)
      add(i);
    for (size_t i = at + 1; i < run_.path.size() && i <= at + before_guilty; ++i)
      add(i);
    return records;
  }

  bool same_site(uint32_t a, uint32_t b) const { return tape_.record(a).site == tape_.record(b).site; }

  size_t executions(uint32_t record) const {
    size_t count = 0;
    for (uint32_t index = 1; index < tape_.size(); ++index)
      count += same_site(index, record);
    return count;
  }

  static std::string advice(const Rewrite& rewritten) {
    const std::string where = rewritten.guard ? fmt::format(" where {}", rewritten.guard->text) : "";
    const std::string legend = rewritten.legend.empty() ? "" : fmt::format(" ({})", rewritten.legend);
    return fmt::format("write {} for {}{}{}", rewritten.after.text, rewritten.before.text, where, legend);
  }

  void try_rewrites(uint32_t record) {
    constexpr size_t most_executions = 1000; // each is sketched once per rule
    if (executions(record) > most_executions)
      return;
    std::vector<Value> recorded(tape_.size());
    for (uint32_t index = 1; index < tape_.size(); ++index)
      recorded[index] = tape_.exact(index);
    for (const Rewrite& rewritten : rewrites_of(tape_, record, recorded, run_.inputs)) {
      Change change{Means::rewrite, sites_beside(tape_.table(), tape_.record(record).site), rewritten.name,
                    rewritten.variant, rewritten.may_be_meant};
      consider({rewritten.name, advice(rewritten), record, 0, std::move(change),
                rewritten.guard ? rewritten.guard->text : ""});
    }
  }

  void try_compensation() {
    const Summation summation(tape_, run_.guilty);
    if (!summation.is_sum())
      return;
    consider({summation.of_products() ? "compensated dot product" : "compensated sum",
              summation.of_products()
                  ? "use a compensated dot product: accumulate the error of each product and addition (Dot2)"
                  : "use a compensated sum: accumulate the error of each addition (Neumaier)",
              run_.guilty,
              0,
              {Means::compensation, sites_beside(tape_.table(), tape_.record(run_.guilty).site)}});
  }

  // Tries the next wider format for the whole run.
  void try_wider() {
    const numeric::Format format = tape_.site(run_.output).format;
    if (numeric::is_widest(format))
      return;
    const char* name = numeric::info(numeric::wider(format)).c_type;
    consider({name,
              fmt::format("compute in {} (no rewrite tried helps)", name),
              run_.guilty,
              0,
              {Means::wider, {tape_.record(run_.output).site}, "", 0, true}});
  }

  void consider(Remedy remedy) {
    constexpr double still_wrong = 1e-3;
    const std::optional<tape::Rerun> with = changed(tape_, remedy.change);
    if (!with || with->replaced == 0 || with->flips)
      return;
    numeric::BigFloat result(with->values[run_.output], 64);
    result.round_to(tape_.site(run_.output).format);
    remedy.relative = numeric::relative_error(result.to_long_double(), run_.reference);
    if (remedy.relative < still_wrong && remedy.relative * worth_it <= now_)
      helpful_.push_back(std::move(remedy));
  }

  // Among equally good remedies, prefers the first: rules are ordered by simplicity.
  std::vector<Remedy> best_first() const {
    std::vector<Remedy> left = helpful_, sorted;
    while (!left.empty()) {
      auto best = left.begin();
      for (auto each = left.begin(); each != left.end(); ++each)
        if (each->relative * worth_it < best->relative)
          best = each;
      sorted.push_back(std::move(*best));
      left.erase(best);
    }
    return sorted;
  }

  const FaultyRun& run_;
  const tape::Tape& tape_;
  double now_ = 0;
  std::vector<Remedy> helpful_; // in the order of trials
};

} // namespace

std::vector<Remedy> find_remedies(const FaultyRun& run) {
  if (run.guilty == 0 || run.output == 0 || run.path.empty())
    return {};
  return RemedySearch(run).find();
}

} // namespace faultline::explain
