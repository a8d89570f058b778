#include "run/alignment.h"

#include "base/files.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>
#include <tuple>

namespace faultline::run {

namespace {

// A loop in vectors is a few values ahead, one that is unrolled and split a few thousand: a guess.
constexpr size_t most_waiting = 1 << 14;
constexpr size_t most_source = 16 << 20; // bytes

uint64_t bits_in(double number) {
  uint64_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

size_t common_folders(const std::string& one, const std::string& other) {
  const std::filesystem::path a = one, b = other;
  std::vector<std::string> x, y;
  for (const auto& part : a)
    x.push_back(part.string());
  for (const auto& part : b)
    y.push_back(part.string());
  size_t same = 0;
  while (same < x.size() && same < y.size() && x[x.size() - 1 - same] == y[y.size() - 1 - same])
    ++same;
  return same;
}

} // namespace

Relation relation(double first, double first_residue, double second, double second_residue, bool coarse) {
  if (is_same(first, second))
    return Relation::equal;
  if (std::isnan(first_residue) || std::isnan(second_residue))
    return Relation::unknown;
  if (!std::isfinite(first) || !std::isfinite(second))
    return Relation::more;
  // Exact results are known to a small part of the residues, which have 36 bits. A quarter leaves room for constants
  // of the last digit, and still shows a wrong formula.
  const double change = (first - second) + (first_residue - second_residue);
  const double residues = std::fabs(first_residue) + std::fabs(second_residue);
  const double allowed = coarse ? residues + 0x1p-23 * std::max(std::fabs(first), std::fabs(second)) : residues / 4;
  return std::fabs(change) <= allowed ? Relation::rounding : Relation::more;
}

std::map<std::string, std::string> file_names(const SiteTable& first, const SiteTable& second) {
  std::set<std::string> ours, theirs;
  for (const ValueSite& site : first.values)
    ours.insert(site.file);
  for (const ValueSite& site : second.values)
    theirs.insert(site.file);
  std::map<std::string, std::string> names;
  const auto pair = [&](const std::string& their, const std::string& our) {
    names[their] = our;
    theirs.erase(their);
    ours.erase(our);
  };
  for (const std::string& name : std::set<std::string>(theirs))
    if (ours.contains(name))
      pair(name, name);
  for (const std::string& name : std::set<std::string>(theirs)) {
    const auto best =
        std::ranges::max_element(ours, {}, [&](const std::string& our) { return common_folders(our, name); });
    if (best != ours.end() && common_folders(*best, name) > 0)
      pair(name, std::string(*best));
  }
  if (ours.size() == 1 && theirs.size() == 1)
    pair(std::string(*theirs.begin()), std::string(*ours.begin()));
  return names;
}

Alignment::Alignment(const SiteTable& first, const SiteTable& second, double tolerance)
    : tables_{&first, &second}, tolerance_(tolerance) {
  names_ = file_names(first, second);
  for (const auto& [theirs, ours] : names_)
    if (theirs != ours)
      if (const auto one = base::regular_content(ours, most_source), other = base::regular_content(theirs, most_source);
          one && other)
        lines_[theirs] = line_map(*one, *other);
  for (unsigned run = 0; run < 2; ++run)
    for (const ValueSite& site : tables_[run]->values)
      columns_[run][{site.file, site.line, site.operation}].insert(site.column);
  std::map<std::tuple<std::string, int, int, std::string>, Key*> known;
  for (unsigned run = 0; run < 2; ++run) {
    for (const Site& site : tables_[run]->sites)
      if (site.place != 0)
        causes_[run].try_emplace(site.place, &site);
    for (const ValueSite& site : tables_[run]->values) {
      Key*& key = known[name_of(run, site)];
      if (!key)
        key = &keys_.emplace_back();
      key->sites[run].push_back(&site);
      key->reassociates |= site.reassociates;
      key->accumulates |= site.accumulates;
      key_of_[run].push_back(key);
    }
  }
  bool coarse = false;
  for (Key& key : keys_) {
    key.is_closed = key.sites[0].empty() || key.sites[1].empty();
    if (!key.is_closed)
      coarse |= key.sites[0].front()->is_binary32 != key.sites[1].front()->is_binary32;
  }
  for (Key& key : keys_)
    key.is_coarse = coarse;
  outputs_.is_coarse = coarse;
}

// A line of the second build has the file and line of the first one. Where the text of a line differs, its columns do,
// too: there the column is that of the operation with the same rank in the first build.
std::tuple<std::string, int, int, std::string> Alignment::name_of(unsigned run, const ValueSite& site) const {
  if (run == 0)
    return {site.file, site.line, site.column, site.operation};
  const auto renamed = names_.find(site.file);
  if (renamed == names_.end())
    return {"", site.line, site.column, site.operation};
  const auto lines = lines_.find(site.file);
  if (lines == lines_.end())
    return {renamed->second, site.line, site.column, site.operation};
  const auto line = lines->second.first_of.find(site.line);
  if (line == lines->second.first_of.end())
    return {"", site.line, site.column, site.operation};
  int column = site.column;
  if (lines->second.rewritten.contains(site.line)) {
    const std::set<int>& theirs = columns_[1].at({site.file, site.line, site.operation});
    const auto ours = columns_[0].find({renamed->second, line->second, site.operation});
    if (ours != columns_[0].end() && ours->second.size() == theirs.size())
      column = *std::next(ours->second.begin(), std::distance(theirs.begin(), theirs.find(column)));
  }
  return {renamed->second, line->second, column, site.operation};
}

unsigned Alignment::next() const { return time_[1] - matched_time_[1] < time_[0] - matched_time_[0] ? 1 : 0; }

void Alignment::add(unsigned run, const Event& event, bool in_region) {
  const uint64_t time = ++time_[run];
  Key* key = event.place == printed_event        ? &outputs_
             : event.place < key_of_[run].size() ? key_of_[run][event.place]
                                                 : nullptr;
  if (!key)
    return;
  const uint32_t outcome = key == &outputs_ ? uint32_t(event.thread) << 16 | event.outcome : event.outcome;
  const Item item{event.value, event.residue, outcome, in_region, time, ++key->executions[run]};
  if (key->is_closed)
    return;
  if (key->waiting.empty() || key->ahead == run) {
    key->waiting.push_back(item);
    key->ahead = run;
    if (key->waiting.size() > most_waiting && key != &outputs_) {
      key->is_closed = key->is_ignored = true;
      key->waiting.clear();
    }
    return;
  }
  // The item meets those that wait, until one is used up.
  while (!key->waiting.empty()) {
    const Item other = key->waiting.front();
    const Item& first = run == 0 ? item : other;
    const Item& second = run == 0 ? other : item;
    const bool differs =
        key != &outputs_ && key->matched > 0 &&
        (first.outcome != second.outcome ||
         relation(first.value, first.residue, second.value, second.residue, key->is_coarse) == Relation::more);
    const auto repeats = [&](const Item& one, const Item& last) {
      return bits_in(one.value) == bits_in(last.value) && one.outcome == last.outcome;
    };
    if (differs && repeats(item, key->last[run]))
      return; // computed again
    key->waiting.pop_front();
    if (differs && repeats(other, key->last[1 - run]))
      continue;
    match(*key, first, second);
    return;
  }
  key->waiting.push_back(item);
  key->ahead = run;
}

void Alignment::match(Key& key, const Item& first, const Item& second) {
  ++key.matched;
  ++values_;
  key.last[0] = first;
  key.last[1] = second;
  matched_time_[0] = std::max(matched_time_[0], first.time);
  matched_time_[1] = std::max(matched_time_[1], second.time);
  if (tolerance_ > 0)
    measure(key, first, second);
  else
    compare(key, first, second);
}

void Alignment::measure(Key& key, const Item& first, const Item& second) {
  if (&key == &outputs_) {
    const double error = is_same(first.value, second.value) ? 0 : std::fabs((second.value - first.value) / first.value);
    output_errors_.push_back(std::isnan(error) ? INFINITY : error);
    return;
  }
  key.largest = std::max(key.largest, std::fabs(first.value));
  const bool is_decision = key.sites[0].front()->is_decision;
  const bool exceeds = is_decision ? first.outcome != second.outcome
                                   : !(std::fabs(second.value - first.value) <= tolerance_ * key.largest) &&
                                         !is_same(first.value, second.value);
  if (exceeds && key.excess_time == 0)
    key.excess_time = first.time;
}

std::vector<Excess> Alignment::excesses() const {
  std::vector<Excess> found;
  for (const Key& key : keys_)
    if (key.excess_time != 0) {
      const ValueSite& site = *key.sites[0].front();
      found.push_back({{site.file, site.function, site.line, site.column}, key.excess_time});
    }
  std::ranges::sort(found, {}, &Excess::time);
  return found;
}

void Alignment::compare(Key& key, const Item& first, const Item& second) {
  const Found found{&key, {true, true}, {first, second}};
  const Relation how = relation(first.value, first.residue, second.value, second.residue, key.is_coarse);
  if (&key == &outputs_) {
    differing_ += how != Relation::equal;
    unexplained_ += how == Relation::more;
    unknown_ += how == Relation::unknown;
    if (how != Relation::equal)
      keep_earlier(output_, found);
    if (how == Relation::more)
      keep_earlier(output_more_, found);
    return;
  }
  if (how == Relation::more) {
    const bool is_order = key.reassociates || (first.in_region && key.accumulates && threads_differ());
    is_order ? weak_.push_back(found) : keep_earlier(more_, found);
    key.is_closed = true;
    key.is_ignored = is_order;
    key.waiting.clear();
  } else if (first.outcome != second.outcome) {
    keep_earlier(turned_, found);
  } else if (how == Relation::rounding) {
    keep_earlier(first_rounding_, found);
  }
}

bool Alignment::is_earlier(const Found& one, const Found& other) const {
  for (const unsigned run : {0u, 1u})
    if (one.has[run] && other.has[run])
      return one.item[run].time < other.item[run].time;
  const auto part = [&](const Found& found) { // of its run
    const unsigned run = found.has[0] ? 0 : 1;
    return double(found.item[run].time) / double(std::max<uint64_t>(time_[run], 1));
  };
  return part(one) < part(other);
}

void Alignment::keep_earlier(Found& kept, const Found& found) const {
  if (!kept.key || is_earlier(found, kept))
    kept = found;
}

// One run has executed the place more often.
void Alignment::look_at_rest(Key& key) {
  while (!key.waiting.empty() && key.matched > 0 &&
         bits_in(key.waiting.front().value) == bits_in(key.last[key.ahead].value))
    key.waiting.pop_front();
  if (key.waiting.empty() || key.is_closed)
    return;
  Found found{&key, {}, {}};
  found.has[key.ahead] = true;
  found.item[key.ahead] = key.waiting.front();
  const bool is_order = key.reassociates || (found.item[key.ahead].in_region && key.accumulates && threads_differ());
  is_order ? weak_.push_back(found) : keep_earlier(more_, found);
  key.is_ignored = true;
}

model::RunPlace Alignment::cause_of(unsigned run, double residue) const {
  const auto found = causes_[run].find(uint32_t(bits_in(residue) & place_bits));
  if (residue == 0 || std::isnan(residue) || found == causes_[run].end())
    return {};
  const Site& site = *found->second;
  return {site.file, site.function, site.line, site.column};
}

model::RunDifference Alignment::difference(const Found& found) const {
  const Key& key = *static_cast<const Key*>(found.key);
  model::RunDifference result;
  result.is_output = &key == &outputs_;
  for (unsigned run = 0; run < 2; ++run) {
    if (!key.sites[run].empty()) {
      const ValueSite& site = *key.sites[run].front();
      result.place[run] = {site.file, site.function, site.line, site.column};
      result.operation[run] = site.form;
      result.is_decision = site.is_decision;
    }
    if (!found.has[run])
      continue;
    if (result.is_output && found.item[run].outcome < tables_[run]->sites.size()) {
      const Site& site = tables_[run]->sites[found.item[run].outcome];
      result.place[run] = {site.file, site.function, site.line, site.column};
      result.operation[run] = "printed number";
    }
    result.execution[run] = found.item[run].execution;
    result.value[run] = found.item[run].value;
    result.residue[run] = found.item[run].residue;
    result.cause[run] = cause_of(run, found.item[run].residue);
  }
  return result;
}

// Why both builds round differently: at the place itself, or at the place that contributed most.
void Alignment::explain_rounding(model::RunComparison& result, const Found& found) const {
  const auto reason_of = [&](const Key& key) -> std::string {
    if (key.sites[0].empty() || key.sites[1].empty())
      return "";
    const auto fuses = [&](unsigned run) {
      return std::ranges::any_of(key.sites[run], [](const ValueSite* s) { return s->form.starts_with("fused"); });
    };
    if (key.sites[0].front()->is_binary32 != key.sites[1].front()->is_binary32)
      return "float in one build, double in the other";
    if (fuses(0) != fuses(1))
      return "fused multiplication and addition in one build";
    const bool by_threads = key.accumulates && threads_differ();
    return key.is_ignored && (key.reassociates || by_threads) ? "reassociation" : "";
  };
  const Key& own = *static_cast<const Key*>(found.key);
  if (&own != &outputs_ && !(result.reason = reason_of(own)).empty()) {
    result.reason_place = difference(found).place[0];
    return;
  }
  const Found* partial = nullptr; // the last partial sums that differ before
  for (const Found& weak : weak_)
    if (is_earlier(weak, found) && (!partial || is_earlier(*partial, weak)))
      partial = &weak;
  if (partial) {
    result.reason = "reassociation";
    result.reason_place = difference(*partial).place[0];
    return;
  }
  for (unsigned run = 0; run < 2; ++run) {
    const model::RunPlace cause = cause_of(run, found.item[run].residue);
    for (const Key& key : keys_)
      for (const ValueSite* site : key.sites[run])
        if (result.reason.empty() && cause.line != 0 && site->line == cause.line && site->file == cause.file) {
          result.reason = reason_of(key);
          result.reason_place = cause;
        }
  }
  if (result.reason.empty() && own.reassociates) {
    result.reason = "reassociation";
    result.reason_place = difference(found).place[0];
  }
}

void Alignment::decide(model::RunComparison& result) {
  using model::RunVerdict;
  const bool has_outputs = result.printed[0] + result.printed[1] > 0;
  const bool outputs_differ = unexplained_ > 0 || result.printed[0] != result.printed[1];
  Found shown;
  if (outputs_differ || (!has_outputs && more_.key)) {
    Found order;
    for (const Found& weak : weak_)
      keep_earlier(order, weak);
    const Found& more = more_.key ? more_ : order.key ? order : output_more_;
    const bool is_turned = turned_.key && (!more.key || is_earlier(turned_, more));
    shown = is_turned ? turned_ : more;
    result.verdict = is_turned ? RunVerdict::turned : RunVerdict::different;
    if (shown.key && !is_turned && first_rounding_.key && is_earlier(first_rounding_, shown) && shown.has[0] &&
        shown.has[1]) { // digits that rounding has eaten tell nothing
      const double size = std::max(std::fabs(shown.item[0].value), std::fabs(shown.item[1].value));
      const double residue = std::max(std::fabs(shown.item[0].residue), std::fabs(shown.item[1].residue));
      if (residue > 0x1p-10 * size)
        result.verdict = RunVerdict::unknown;
    }
  } else if (unknown_ > 0) {
    result.verdict = RunVerdict::unknown;
    shown = output_;
  } else if (differing_ > 0 || (!has_outputs && first_rounding_.key)) {
    result.verdict = RunVerdict::rounding;
    shown = first_rounding_.key ? first_rounding_ : output_;
  } else {
    result.verdict = RunVerdict::same;
  }
  if (shown.key)
    result.first = difference(shown);
  if (first_rounding_.key && shown.key != first_rounding_.key)
    result.before = difference(first_rounding_);
  if (more_.key && (result.verdict == RunVerdict::same || result.verdict == RunVerdict::rounding))
    result.hidden = difference(more_);
  if (result.verdict == RunVerdict::same)
    return;
  if (output_.key)
    result.output = difference(output_);
  if (result.verdict != RunVerdict::different && (first_rounding_.key || output_.key))
    explain_rounding(result, first_rounding_.key ? first_rounding_ : output_);
  if (result.reason.empty() && result.verdict != RunVerdict::different && output_.key)
    explain_rounding(result, output_);
}

model::RunComparison Alignment::finish() {
  model::RunComparison result;
  for (Key& key : keys_) {
    look_at_rest(key);
    if (key.sites[0].empty() || key.sites[1].empty())
      continue;
    ++result.places;
    result.unmatched += key.is_ignored;
  }
  result.values = values_;
  result.printed = {outputs_.executions[0], outputs_.executions[1]};
  for (const auto& [theirs, map] : lines_) {
    for (const int line : map.changed[0])
      result.changed.push_back({names_.at(theirs), "", line, 0});
    for (const int line : map.changed[1])
      if (!map.rewritten.contains(line))
        result.changed.push_back({theirs, "", line, 0});
  }
  decide(result);
  result.differing = differing_;
  result.unexplained = unexplained_;
  result.unknown = unknown_;
  return result;
}

} // namespace faultline::run
