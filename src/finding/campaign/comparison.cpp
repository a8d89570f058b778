#include "finding/campaign/comparison.h"

#include "finding/json/problem_json.h"

#include <algorithm>
#include <map>
#include <set>

namespace faultline::finding {
namespace {

// By which a problem is known again.
std::vector<std::string> marks_of(const Problem& problem) {
  std::vector<std::string> marks;
  for (const Evidence& evidence : problem.findings)
    marks.push_back(evidence.finding->fingerprint);
  marks.push_back(problem.id);
  return marks;
}

double size_of(const Problem& problem) { return problem.worst.finding ? capped_size(*problem.worst.finding) : 1; }

bool has_changed(const Problem& before, const Problem& after) {
  constexpr double much = 2; // as is_much_larger has it
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

Comparison compare(const Report& before, const Report& after) {
  Comparison comparison;
  comparison.before = shown_problems(before);
  comparison.after = shown_problems(after);
  std::map<std::string, const Problem*> known;
  for (const Problem& problem : comparison.before)
    for (const std::string& mark : marks_of(problem))
      known.emplace(mark, &problem);
  std::set<std::string> functions;
  for (const TargetReport& target : after.targets)
    functions.insert(target.function);
  std::set<const Problem*> met;
  for (const Problem& problem : comparison.after) {
    const Problem* same = nullptr;
    for (const std::string& mark : marks_of(problem))
      if (const auto found = known.find(mark); found != known.end()) {
        same = same ? same : found->second;
        met.insert(found->second); // what were two problems may be one now
      }
    if (!same)
      comparison.fresh.push_back(&problem);
    else if (has_changed(*same, problem))
      comparison.changed.push_back({same, &problem});
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

} // namespace faultline::finding
