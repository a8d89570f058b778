#include "model/comparison.h"

#include "model/json/finding_json.h"
#include "numeric/stable_sort.h"

#include <algorithm>
#include <set>

namespace faultline::model {

namespace {

bool is_of(const KnownCause& known, const Finding& finding) {
  return known.kind == finding.kind && finding.cause && known.file == finding.cause->file &&
         known.line == finding.cause->line && known.column == finding.cause->column &&
         known.operation == finding.cause->operation;
}

// Problems of the earlier state by fingerprint. Findings of one operation can be of several classes, which are separate
// problems with one fingerprint.
class KnownProblems {
public:
  explicit KnownProblems(const std::vector<Problem>& problems) {
    for (const Problem& problem : problems) {
      by_id_[problem.id].push_back(&problem);
      for (const Evidence& evidence : problem.findings)
        by_fingerprint_[evidence.finding->fingerprint].push_back(&problem);
    }
  }

  // Returns the problems that share a finding with this one, most similar first. If there is none, returns the one of
  // the same class and place.
  std::vector<const Problem*> same_as(const Problem& problem) const {
    std::vector<const Problem*> same;
    for (const Evidence& evidence : problem.findings)
      add(by_fingerprint_, evidence.finding->fingerprint, same);
    if (same.empty())
      add(by_id_, problem.id, same);
    numeric::sort_stably(same, {}, [&](const Problem* other) {
      return std::pair(other->fault != problem.fault, other->id != problem.id);
    });
    return same;
  }

private:
  using Index = std::map<std::string, std::vector<const Problem*>>;
  static void add(const Index& index, const std::string& key, std::vector<const Problem*>& to) {
    if (const auto found = index.find(key); found != index.end())
      to.insert(to.end(), found->second.begin(), found->second.end());
  }
  Index by_id_, by_fingerprint_;
};

double size_of(const Problem& problem) { return problem.worst.finding ? capped_size(*problem.worst.finding) : 1; }

bool has_changed(const Problem& before, const Problem& after) {
  constexpr double much = 2; // as in is_much_larger
  return before.tier != after.tier || size_of(after) > much * size_of(before) ||
         size_of(before) > much * size_of(after);
}

bool has_function_of(const Problem& problem, const std::set<std::string>& functions) {
  return std::ranges::any_of(problem.functions, [&](const std::string& name) { return functions.contains(name); });
}

Json list_of(const std::vector<const Problem*>& problems) {
  Json list = Json::array();
  for (const Problem* problem : problems)
    list.push_back(to_json(*problem));
  return list;
}

} // namespace

std::vector<KnownCause> known_causes(const std::vector<Finding>& findings) {
  std::vector<KnownCause> causes;
  for (const Finding& finding : findings) {
    if (!finding.cause || finding.cause->line == 0)
      continue;
    auto known = std::ranges::find_if(causes, [&](const KnownCause& cause) { return is_of(cause, finding); });
    if (known == causes.end())
      known = causes.insert(causes.end(), {finding.kind, finding.cause->file, finding.cause->line,
                                           finding.cause->column, finding.cause->operation});
    known->tier = std::min(known->tier, tier_of(finding));
    known->everyday = known->everyday || finding.everyday;
    known->size = std::max(known->size, capped_size(finding));
  }
  return causes;
}

bool says_nothing_new(const Collection::Entry& entry, const std::vector<KnownCause>& known) {
  constexpr double much = 2; // as in is_much_larger
  const Finding& representative = entry.representative ? *entry.representative : entry.largest;
  const auto cause = std::ranges::find_if(known, [&](const KnownCause& each) { return is_of(each, representative); });
  return cause != known.end() && tier_of(representative) >= cause->tier &&
         (!representative.everyday || cause->everyday) && capped_size(entry.largest) <= much * cause->size;
}

Comparison compare(const Report& before, const Report& after) {
  Comparison comparison;
  comparison.before = shown_problems(before);
  comparison.after = shown_problems(after);
  const KnownProblems known(comparison.before);
  std::set<std::string> functions;
  for (const TargetReport& target : after.targets)
    functions.insert(target.function);
  std::set<const Problem*> met;
  for (const Problem& problem : comparison.after) {
    const std::vector<const Problem*> same = known.same_as(problem);
    met.insert(same.begin(), same.end()); // two earlier problems may have become one
    if (same.empty())
      comparison.fresh.push_back(&problem);
    else if (has_changed(*same.front(), problem))
      comparison.changed.push_back({same.front(), &problem});
    else
      comparison.unchanged.push_back(&problem);
  }
  for (const Problem& problem : comparison.before)
    if (!met.contains(&problem))
      (has_function_of(problem, functions) ? comparison.fixed : comparison.gone).push_back(&problem);
  return comparison;
}

bool has_new(const Comparison& comparison, Tier fail_on) {
  return std::ranges::any_of(comparison.fresh, [&](const Problem* problem) { return problem->tier <= fail_on; });
}

Json to_json(const Comparison& comparison) {
  Json changed = Json::array();
  for (const ChangedProblem& problem : comparison.changed)
    changed.push_back({{"before", to_json(*problem.before)}, {"after", to_json(*problem.after)}});
  return {{"new", list_of(comparison.fresh)},
          {"fixed", list_of(comparison.fixed)},
          {"gone", list_of(comparison.gone)},
          {"changed", changed},
          {"unchanged", list_of(comparison.unchanged)}};
}

} // namespace faultline::model
