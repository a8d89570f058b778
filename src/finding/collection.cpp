#include "finding/collection.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

namespace faultline::finding {
namespace {

constexpr size_t most_witnesses = 12;

bool same_cause(const Finding& a, const Finding& b) {
  if (a.kind != b.kind || a.cause.has_value() != b.cause.has_value())
    return false;
  if (a.kind == Kind::branch_flip && a.error.has_value() != b.error.has_value())
    return false; // one returns in exact arithmetic, and one does not
  if (!a.cause)
    return a.detail == b.detail;
  if (a.aftermath && b.aftermath && a.cause->function != b.cause->function)
    return false;
  return a.cause->file == b.cause->file && a.cause->line == b.cause->line && a.cause->column == b.cause->column &&
         a.cause->operation == b.cause->operation;
}

// By the relative error; a result that is all wrong has a relative error of 1 wherever it is, so ulps decide then.
// Where zero would be right both are infinite, and the absolute error decides.
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

// How much an exception matters: less first.
auto weight(const Finding& finding) {
  const Aftermath aftermath = finding.aftermath.value_or(Aftermath());
  return std::tuple(!aftermath.silent(), !aftermath.reaches_output, finding.verdict != Verdict::avoidable,
                    aftermath.consequence);
}

// The largest error is often one that nothing can be done about, beside others of the same cause that can be avoided.
void remember_avoidable(Finding& into, const Finding& from) {
  if (into.verdict == Verdict::avoidable) {
    into.avoidable_at.reset();
    return;
  }
  std::optional<Witness> at = from.avoidable_at;
  if (from.verdict == Verdict::avoidable)
    at = Witness{from.input, from.output->computed, from.error->relative, from.error->absolute};
  if (at && (!into.avoidable_at || at->relative > into.avoidable_at->relative))
    into.avoidable_at = at;
}

void merge(Finding& into, Finding from) {
  if (into.aftermath && from.aftermath) {
    const auto order = [](const Finding& finding) { return std::tuple(!finding.counts(), weight(finding)); };
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
  remember_avoidable(into, from);
  add_witness(into, {from.input, from.output->computed, from.error->relative, from.error->absolute});
}

double first_value(const Witness& witness) {
  return witness.input.empty() ? 0 : std::strtod(witness.input.front().value.hex.c_str(), nullptr);
}

// The few to keep: the largest absolute error, the ends of the range they span, and the largest relative errors.
std::vector<Witness> telling(std::vector<Witness> all) {
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

// One that has to be among them.
void keep_among(std::vector<Witness>& kept, const Witness& witness) {
  if (std::ranges::any_of(kept, [&](const Witness& other) { return same_input(other.input, witness.input); }))
    return;
  if (kept.size() >= most_witnesses)
    kept.pop_back();
  kept.insert(std::ranges::find_if(kept, [&](const Witness& other) { return other.relative < witness.relative; }),
              witness);
}

auto place(const Finding& finding) {
  const Cause cause = finding.cause.value_or(Cause());
  return std::tuple(cause.file, cause.line, cause.column, finding.id);
}

int rank(Kind kind) {
  switch (kind) {
  case Kind::inaccuracy:
  case Kind::branch_flip:
  case Kind::bound_violated:
    return 0;
  case Kind::crash:
    return 1;
  case Kind::timeout:
    return 2;
  case Kind::invalid:
  case Kind::divide_by_zero:
    return 3;
  case Kind::overflow:
    return 4;
  default:
    return 5;
  }
}

// What an underflow led to comes after it.
int rank(const Finding& finding) {
  const bool follows = finding.aftermath && finding.aftermath->after_underflow;
  return follows ? rank(Kind::underflow) + 1 : rank(finding.kind);
}

} // namespace

void Collection::add(Finding finding) {
  auto same = std::find_if(findings_.begin(), findings_.end(),
                           [&](const Finding& other) { return same_cause(finding, other); });
  if (same == findings_.end())
    findings_.push_back(std::move(finding));
  else
    merge(*same, std::move(finding));
}

std::vector<Finding> Collection::sorted() {
  std::sort(findings_.begin(), findings_.end(), [&](const Finding& a, const Finding& b) {
    if (a.counts() != b.counts())
      return a.counts();
    if (rank(a) != rank(b))
      return rank(a) < rank(b);
    if (rank(a.kind) == 0 && size(a) != size(b))
      return size(a) > size(b);
    if (weight(a) != weight(b))
      return weight(a) < weight(b);
    return place(a) < place(b);
  });
  for (Finding& finding : findings_) {
    finding.also = telling(std::move(finding.also));
    if (!finding.avoidable_at)
      continue;
    finding.verdict = Verdict::avoidable;
    keep_among(finding.also, *finding.avoidable_at);
  }
  return std::move(findings_);
}

} // namespace faultline::finding
