#include "explain/remedy.h"

#include "explain/rewrite.h"
#include "explain/summation.h"
#include "numeric/ulp.h"
#include "ops/table.h"
#include "tape/replay.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace faultline::explain {
namespace {

constexpr double worth_it = 16; // times smaller than the error there is
constexpr size_t after_guilty = 6, before_guilty = 2;

class RemedySearch {
public:
  explicit RemedySearch(const FaultyRun& run) : run_(run), tape_(run.tape) {
    now_ = numeric::relative_error(tape_.exact(run.output), run.reference);
  }

  std::optional<Remedy> find() {
    try_compensation(); // first: in a loop, another order helps this input only
    for (const uint32_t record : places())
      try_rewrites(record);
    if (!best_ && run_.may_be_wider)
      try_wider();
    return best_;
  }

private:
  // The guilty operation, those after it, and the last ones before it; each place in the source once.
  std::vector<uint32_t> places() const {
    const auto guilty = std::ranges::find(run_.path, run_.guilty, &Link::record);
    std::vector<uint32_t> records;
    if (guilty == run_.path.end())
      return records; // one of many that add up
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

  std::vector<Rewritten> rewrites(uint32_t record, std::span<const long double> values) const {
    std::vector<Rewritten> all;
    for (auto* rules : {rewrites_of_differences, rewrites_of_sums, rewrites_of_functions}) {
      Sketch sketch(tape_, values, tape_.site(record).format, run_.inputs);
      for (Rewritten& rewritten : rules(sketch, record)) {
        rewritten.legend = sketch.legend(rewritten.before.text + " " + rewritten.after.text);
        all.push_back(std::move(rewritten));
      }
    }
    return all;
  }

  size_t executions(uint32_t record) const {
    size_t count = 0;
    for (uint32_t index = 1; index < tape_.size(); ++index)
      count += same_site(index, record);
    return count;
  }

  static std::string advice(const Rewritten& rewritten) {
    const std::string where = rewritten.legend.empty() ? "" : fmt::format(" ({})", rewritten.legend);
    return fmt::format("write {} for {}{}", rewritten.after.text, rewritten.before.text, where);
  }

  void try_rewrites(uint32_t record) {
    constexpr size_t most_executions = 1000; // each is sketched once for each rule
    if (executions(record) > most_executions)
      return;
    std::vector<long double> recorded(tape_.size());
    for (uint32_t index = 1; index < tape_.size(); ++index)
      recorded[index] = tape_.exact(index);
    const std::vector<Rewritten> all = rewrites(record, recorded);
    for (size_t i = 0; i < all.size(); ++i) {
      // All executions, as the code would be changed for all of them.
      const tape::Replacement replacement = [&](uint32_t at,
                                                std::span<const long double> values) -> std::optional<long double> {
        if (!same_site(at, record))
          return std::nullopt;
        const std::vector<Rewritten> here = rewrites(at, values);
        if (i < here.size() && here[i].name == all[i].name)
          return here[i].after.value;
        return std::nullopt;
      };
      consider(all[i].name, advice(all[i]), record, replacement);
    }
  }

  void try_compensation() {
    const Summation summation(tape_, run_.guilty);
    if (!summation.is_sum())
      return;
    consider(summation.of_products() ? "compensated dot product" : "compensated sum",
             summation.of_products() ? "sum with compensation: carry along what each product and addition loses (Dot2)"
                                     : "sum with compensation: carry along what each addition loses (Neumaier)",
             run_.guilty,
             [&](uint32_t at, std::span<const long double> values) { return summation.compensated(at, values); });
  }

  // All of it in the next wider format.
  void try_wider() {
    const numeric::Format format = tape_.site(run_.output).format;
    if (format == numeric::Format::extended80)
      return;
    const bool single = format == numeric::Format::binary32;
    const tape::Replay wide = tape::replay(tape_, single ? 53 : 64);
    if (!wide.flips.empty())
      return;
    numeric::BigFloat result = wide.values[run_.output];
    result.round_to(format);
    offer(single ? "double" : "long double",
          fmt::format("carry it out in {} (no rewrite that was tried helps)", single ? "double" : "long double"),
          run_.guilty, numeric::relative_error(result.to_long_double(), run_.reference));
  }

  void consider(const std::string& name, const std::string& advice, uint32_t record,
                const tape::Replacement& replacement) {
    const tape::Rerun changed = tape::rerun(tape_, replacement);
    if (changed.replaced > 0 && !changed.flips)
      offer(name, advice, record, numeric::relative_error(changed.values[run_.output], run_.reference));
  }

  void offer(const std::string& name, const std::string& advice, uint32_t record, double error) {
    constexpr double still_wrong = 1e-3;
    const bool helps = error < still_wrong && error * worth_it <= now_;
    // Of remedies that are as good, the first: rules stand in the order of their simplicity.
    if (helps && (!best_ || error * worth_it < best_->relative))
      best_ = Remedy{name, advice, record, error};
  }

  const FaultyRun& run_;
  const tape::Tape& tape_;
  double now_ = 0;
  std::optional<Remedy> best_;
};

} // namespace

std::optional<Remedy> find_remedy(const FaultyRun& run) {
  if (run.guilty == 0 || run.output == 0 || run.path.empty())
    return std::nullopt;
  return RemedySearch(run).find();
}

} // namespace faultline::explain
