#include "model/collection.h"

#include "model/problem.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

namespace faultline::model {

namespace {

constexpr size_t most_witnesses = 12;

bool same_cause(const Finding& a, const Finding& b) {
  if (a.kind != b.kind || a.cause.has_value() != b.cause.has_value())
    return false;
  if (a.kind == Kind::branch_flip && a.error.has_value() != b.error.has_value())
    return false; // only one of them returns in exact arithmetic
  if (a.thrown.has_value() != b.thrown.has_value() || (a.thrown && a.thrown->type != b.thrown->type))
    return false;
  if (!a.cause)
    return a.thrown || a.detail == b.detail;
  if (a.aftermath && b.aftermath && a.cause->function != b.cause->function)
    return false;
  return a.cause->file == b.cause->file && a.cause->line == b.cause->line && a.cause->column == b.cause->column &&
         a.cause->operation == b.cause->operation;
}

// Orders by the relative error. A completely wrong result has a relative error of 1 anywhere, so ulps decide then.
// Where zero would be right, both are infinite and the absolute error decides.
std::tuple<double, double, double> size(const Finding& finding) {
  if (!finding.error || std::isnan(finding.error->relative))
    return {0, 0, 0};
  const Error& error = *finding.error;
  return {error.relative, std::isnan(error.ulps) ? 0 : error.ulps, std::isnan(error.absolute) ? 0 : error.absolute};
}

bool same_input(const std::vector<NamedNumber>& a, const std::vector<NamedNumber>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const NamedNumber& x, const NamedNumber& y) { return x.value.hex == y.value.hex; });
}

void add_witness(Finding& finding, Witness witness) {
  if (same_input(finding.input, witness.input) ||
      std::any_of(finding.also.begin(), finding.also.end(),
                  [&](const Witness& other) { return same_input(other.input, witness.input); }))
    return;
  finding.also.push_back(std::move(witness));
  ++finding.merged;
}

// Orders exceptions by importance: smaller is more important.
auto weight(const Finding& finding) {
  const Aftermath aftermath = finding.aftermath.value_or(Aftermath());
  return std::tuple(!aftermath.silent(), !aftermath.reaches_output, finding.verdict != Verdict::avoidable,
                    aftermath.consequence);
}

void merge(Finding& into, Finding from) {
  if (into.aftermath && from.aftermath) {
    const auto order = [](const Finding& finding) {
      return std::tuple(!finding.counts(), tier_of(finding), !finding.everyday, weight(finding));
    };
    if (order(from) < order(into))
      into = std::move(from);
    return;
  }
  if (!into.error || !from.error || !into.output || !from.output)
    return;
  if (size(from) > size(into)) {
    std::swap(from.also, into.also);
    std::swap(from.merged, into.merged);
    std::swap(from, into);
  }
  add_witness(into, {from.input, from.output->computed, from.error->relative, from.error->absolute});
}

double first_value(const Witness& witness) {
  return witness.input.empty() ? 0 : std::strtod(witness.input.front().value.hex.c_str(), nullptr);
}

// Selects the witnesses to keep: the largest absolute error, the ends of the range they span, and the largest relative
// errors.
std::vector<Witness> select_witnesses(std::vector<Witness> all) {
  auto larger = [](const Witness& a, const Witness& b) {
    return std::tuple(-a.relative, first_value(a)) < std::tuple(-b.relative, first_value(b));
  };
  std::sort(all.begin(), all.end(), larger);
  if (all.size() <= most_witnesses)
    return all;
  std::vector<bool> chosen(all.size());
  auto choose = [&](auto&& before) {
    chosen[size_t(std::min_element(all.begin(), all.end(), before) - all.begin())] = true;
  };
  choose([](const Witness& a, const Witness& b) { return a.absolute > b.absolute; });
  choose([](const Witness& a, const Witness& b) { return first_value(a) < first_value(b); });
  choose([](const Witness& a, const Witness& b) { return first_value(a) > first_value(b); });
  std::vector<Witness> kept;
  auto left = size_t(std::count(chosen.begin(), chosen.end(), true));
  for (size_t i = 0; i < all.size() && left < most_witnesses; ++i)
    if (!chosen[i]) {
      chosen[i] = true;
      ++left;
    }
  for (size_t i = 0; i < all.size(); ++i)
    if (chosen[i])
      kept.push_back(std::move(all[i]));
  return kept;
}

auto place(const Finding& finding) {
  const Cause cause = finding.cause.value_or(Cause());
  return std::tuple(cause.file, cause.line, cause.column, finding.id);
}

// Consequences of an underflow come after it.
int rank(const Finding& finding) {
  const bool follows = finding.aftermath && finding.aftermath->after_underflow;
  return follows ? info(Kind::underflow).rank + 1 : info(finding.kind).rank;
}

// Orders candidates for the representative of a cause; the smallest is chosen. How ordinary an input is comes last,
// because inputs are still to be simplified.
auto representative_order(const Finding& finding) {
  return std::tuple(tier_of(finding), !finding.everyday, -capped_size(finding),
                    ordinariness(finding.input, finding.everyday), finding.id);
}

} // namespace

void Collection::add(Finding finding) {
  auto same = std::ranges::find_if(entries_, [&](const Entry& other) { return same_cause(finding, other.largest); });
  if (same == entries_.end()) {
    entries_.push_back({std::move(finding), std::nullopt});
    return;
  }
  const Finding& representative = same->representative ? *same->representative : same->largest;
  if (is_error(finding.kind))
    same->representative =
        representative_order(finding) < representative_order(representative) ? finding : representative;
  merge(same->largest, std::move(finding));
}

std::vector<Collection::Entry> Collection::entries() {
  for (Entry& entry : entries_) {
    entry.largest.also = select_witnesses(std::move(entry.largest.also));
    if (!entry.representative)
      continue;
    entry.representative->also.clear();
    entry.representative->merged = 0;
    if (same_input(entry.representative->input, entry.largest.input))
      entry.representative.reset();
  }
  return std::move(entries_);
}

bool is_much_larger(const Finding& finding, const Finding& representative) {
  constexpr double much = 2; // a guess: smaller differences are not reported
  return finding.error && representative.error && finding.error->relative > much * representative.error->relative;
}

void merge_into(Finding& representative, Finding largest) {
  std::vector<Witness> also = std::move(largest.also);
  if (largest.error && largest.output)
    also.push_back({largest.input, largest.output->computed, largest.error->relative, largest.error->absolute});
  for (Witness& witness : also)
    add_witness(representative, std::move(witness));
  representative.merged = std::max(representative.merged, largest.merged);
  representative.also = select_witnesses(std::move(representative.also));
}

void leave_few(std::vector<Finding>& findings) {
  constexpr size_t most = 16; // a guess: a hand-written line rarely has as many
  std::map<std::tuple<Kind, std::string, int>, std::vector<Finding*>> groups;
  for (Finding& finding : findings)
    if (finding.cause)
      groups[{finding.kind, finding.cause->file, finding.cause->line}].push_back(&finding);
  std::set<const Finding*> left_out;
  for (auto& [place, group] : groups) {
    if (group.size() <= most)
      continue;
    std::ranges::sort(group, {}, [](const Finding* finding) {
      return std::tuple(!finding->counts(), representative_order(*finding));
    });
    const auto largest = std::ranges::max_element(group, {}, [](const Finding* finding) { return size(*finding); });
    if (largest - group.begin() >= long(most))
      std::iter_swap(largest, group.begin() + most - 1);
    left_out.insert(group.begin() + most, group.end());
    group.front()->merged += group.size() - most;
  }
  std::vector<Finding> left;
  for (Finding& finding : findings)
    if (!left_out.contains(&finding))
      left.push_back(std::move(finding));
  findings = std::move(left);
}

void sort_findings(std::vector<Finding>& findings) {
  std::ranges::sort(findings, [](const Finding& a, const Finding& b) {
    if (a.counts() != b.counts())
      return a.counts();
    if (rank(a) != rank(b))
      return rank(a) < rank(b);
    if (is_error(a.kind) && size(a) != size(b))
      return size(a) > size(b);
    if (weight(a) != weight(b))
      return weight(a) < weight(b);
    return place(a) < place(b);
  });
}

} // namespace faultline::model
