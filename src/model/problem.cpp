#include "model/problem.h"

#include "base/error.h"
#include "model/set_aside.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace faultline::model {
namespace {

// Returns the place of the fault. For an exception that follows from another one, this is the place of the first.
Cause place_of(const Evidence& evidence) {
  const Finding& finding = *evidence.finding;
  if (finding.aftermath && finding.aftermath->origin)
    return finding.aftermath->origin->place;
  if (finding.cause && finding.cause->line > 0)
    return *finding.cause;
  Cause function;
  function.file = evidence.target->file;
  function.line = evidence.target->line;
  function.function = evidence.target->function;
  return function;
}

struct Key {
  std::string file;
  int line = 0;
  std::string fault;
  std::string of; // distinguishes problems whose only place is a function

  auto operator<=>(const Key&) const = default;
};

Key key_of(const Evidence& evidence) {
  const Finding& finding = *evidence.finding;
  const Cause place = place_of(evidence);
  const bool placed = place.line > 0 && (finding.cause || (finding.aftermath && finding.aftermath->origin));
  return {place.file, place.line, std::string(problem_class(finding)),
          placed ? "" : fmt::format("{} {}", evidence.target->function, is_error(finding.kind) ? "" : finding.detail)};
}

bool is_vague(std::string_view fault) {
  return fault == text(Fault::unclassified) || fault == text(Kind::bound_violated);
}

// Returns the specific inaccuracy on the same line that a vague finding belongs to: the one with the same input, else
// the one of the same function, else the only one.
const Key* clear_for(const Key& vague, const Evidence& evidence, const std::map<Key, std::vector<Evidence>>& groups) {
  std::vector<const Key*> there, of_function, of_input;
  for (const auto& [key, others] : groups) {
    if (key.file != vague.file || key.line != vague.line || key.of != vague.of || is_vague(key.fault) ||
        !is_error(others.front().finding->kind))
      continue;
    there.push_back(&key);
    auto same = [&](bool input) {
      return std::ranges::any_of(others, [&](const Evidence& other) {
        return other.target == evidence.target && (!input || other.finding->values == evidence.finding->values);
      });
    };
    if (same(false))
      of_function.push_back(&key);
    if (same(true))
      of_input.push_back(&key);
  }
  for (const std::vector<const Key*>* found : {&of_input, &of_function})
    if (!found->empty())
      return found->front();
  return there.size() == 1 ? there.front() : nullptr;
}

// Joins vague groups with a specific one.
void join_vague(std::map<Key, std::vector<Evidence>>& groups) {
  std::vector<std::pair<Key, Evidence>> moved;
  for (auto& [key, group] : groups)
    if (is_vague(key.fault))
      std::erase_if(group, [&](const Evidence& evidence) {
        const Key* clear = clear_for(key, evidence, groups);
        if (clear)
          moved.emplace_back(*clear, evidence);
        return clear != nullptr;
      });
  std::erase_if(groups, [](const auto& group) { return group.second.empty(); });
  for (const auto& [key, evidence] : moved)
    groups[key].push_back(evidence);
}

double size_of_error(const Finding& finding) {
  return finding.error && !std::isnan(finding.error->relative) ? finding.error->relative : -1;
}

// The representative comes first.
auto order_of(const Evidence& evidence) {
  const Finding& finding = *evidence.finding;
  const bool calls_it = finding.cause && finding.cause->function != evidence.target->function;
  const bool follows = finding.aftermath && finding.aftermath->origin;
  return std::tuple(finding.set_aside(), tier_of(finding), is_folded(finding), !is_error(finding.kind), follows,
                    !finding.everyday, calls_it, ordinariness(finding.input, finding.everyday), -capped_size(finding),
                    evidence.target->function, finding.id);
}

Problem problem_of(const Key& key, std::vector<Evidence> findings) {
  Problem problem;
  std::ranges::sort(findings, {}, order_of);
  problem.findings = std::move(findings);
  problem.set_aside = problem.findings.front().finding->set_aside();
  problem.tier = tier_of(problem.representative());
  problem.fault = key.fault;
  problem.file = key.file;
  problem.line = key.line;
  const Cause place = place_of(problem.findings.front());
  problem.column = place.column;
  problem.source = place.source;
  Hash hash;
  hash.add(key.fault);
  hash.add(fmt::format("{}:{}:{}", std::filesystem::path(key.file).filename().string(), key.line, key.of));
  problem.id = hash.text();
  std::set<std::string> known;
  for (const Evidence& evidence : problem.findings) {
    if (known.insert(evidence.target->function).second)
      problem.functions.push_back(evidence.target->function);
    if (size_of_error(*evidence.finding) >= 0 &&
        (!problem.worst.finding || size_of_error(*evidence.finding) > size_of_error(*problem.worst.finding)))
      problem.worst = evidence;
  }
  return problem;
}

// True for findings that matter and whose roots tell: sums that cancel, and the NaN of a domain that rounding left.
bool has_telling_root(const Problem& problem) {
  const Finding& finding = problem.representative();
  const bool cancels = problem.fault == text(Fault::cancellation) || problem.fault == text(Fault::absorption);
  const bool sensitive = problem.fault == text(Fault::sensitive_argument);
  // Where exact arithmetic has no result either, rounding is not the root.
  const bool is_left_by_rounding = info(finding.kind).family == KindFamily::undefined && finding.output &&
                                   !finding.output->reference.decimal.empty();
  return problem.tier != Tier::note && !finding.roots.empty() && (cancels || sensitive || is_left_by_rounding);
}

// True if both have one root, in one function. Two functions that are evaluated at one value may be two problems.
bool is_same_root(const Problem& one, const Problem& other) {
  if (one.target().function != other.target().function || one.set_aside != other.set_aside || !has_telling_root(one) ||
      !has_telling_root(other))
    return false;
  const bool both_sensitive = one.fault == text(Fault::sensitive_argument) && other.fault == one.fault;
  return !both_sensitive && std::ranges::any_of(one.representative().roots, [&](const std::string& root) {
    return std::ranges::find(other.representative().roots, root) != other.representative().roots.end();
  });
}

// Makes problems with one root one problem, which is the most important of them.
std::vector<Problem> joined_by_root(std::vector<Problem> problems) {
  std::vector<Problem> joined;
  for (Problem& problem : problems) {
    const auto one = std::ranges::find_if(joined, [&](const Problem& other) { return is_same_root(other, problem); });
    if (one == joined.end()) {
      joined.push_back(std::move(problem));
      continue;
    }
    if (problem.line != one->line || problem.file != one->file)
      one->other_lines.push_back(problem.line);
    one->findings.insert(one->findings.end(), problem.findings.begin(), problem.findings.end());
    if (problem.worst.finding &&
        (!one->worst.finding || size_of_error(*problem.worst.finding) > size_of_error(*one->worst.finding)))
      one->worst = problem.worst;
  }
  return joined;
}

// Returns the decades of the lower bound of the share of inputs: 0 is one in ten and more.
int rareness(const Finding& finding) {
  constexpr int rare = 4;    // the resolution of the samples (judge/diagnosis/occurrence.h)
  constexpr int unknown = 2; // crashes and flips, which are not counted: a guess
  if (!finding.share && finding.kind != Kind::inaccuracy)
    return unknown;
  if (!finding.share || !(finding.share->low > 0))
    return rare;
  return std::clamp(int(std::floor(-std::log10(finding.share->low))), 0, rare);
}

// True for a result that is of no use at all, at an input that the user or a real run gave.
bool fails_in_use(const Finding& finding) {
  const bool given = finding.share && finding.share->of_range;
  const bool useless = finding.output && !std::isfinite(std::strtod(finding.output->computed.decimal.c_str(), nullptr));
  return finding.everyday && given && (useless || finding.kind == Kind::branch_flip);
}

bool is_inconclusive(TargetOutcome outcome) {
  return outcome != TargetOutcome::found && outcome != TargetOutcome::none && outcome != TargetOutcome::proved &&
         outcome != TargetOutcome::refused;
}

// Returns the number of printed digits of the significand.
size_t digits_of(const std::string& decimal) {
  const std::string significand = decimal.substr(0, decimal.find_first_of("eE"));
  std::string digits;
  for (const char c : significand)
    if (c >= '0' && c <= '9')
      digits += c;
  const size_t first = digits.find_first_not_of('0');
  return first == std::string::npos ? 0 : digits.find_last_not_of('0') - first + 1;
}

} // namespace

// An intermediate fault and the exception that it causes have one class.
std::string_view problem_class(const Finding& finding) {
  if (finding.kind == Kind::inaccuracy && finding.diagnosis)
    switch (finding.diagnosis->fault) {
    case Fault::intermediate_overflow:
      return text(Kind::overflow);
    case Fault::intermediate_underflow:
      return text(Kind::underflow);
    default:
      return text(finding.diagnosis->fault);
    }
  if (finding.aftermath && finding.aftermath->origin)
    return text(finding.aftermath->origin->kind);
  return text(finding.kind);
}

bool is_vague(const Finding& finding) { return is_vague(problem_class(finding)); }

Ordinariness ordinariness(const std::vector<NamedNumber>& input, bool everyday) {
  Ordinariness is;
  is.unusual = !everyday;
  std::set<int> magnitudes;
  for (const auto& [name, value] : input) {
    if (value.decimal == "0" || value.decimal == "1")
      continue;
    ++is.telling;
    const size_t digits = digits_of(value.decimal);
    is.digits += digits + (value.decimal.starts_with('-') ? 1 : 0); // a sign counts as a digit
    const double number = std::strtod(value.decimal.c_str(), nullptr);
    if (number != 0 && std::isfinite(number))
      magnitudes.insert(int(std::floor(std::log10(std::fabs(number)))));
  }
  is.magnitudes = magnitudes.size();
  return is;
}

double capped_size(const Finding& finding) {
  if (finding.error && !std::isnan(finding.error->relative))
    return std::min(finding.error->relative, 1.0);
  return 1;
}

std::vector<Problem> problems_of(const Report& report) {
  std::map<Key, std::vector<Evidence>> groups;
  for (const TargetReport& target : report.targets)
    for (const Finding& finding : target.findings)
      if (target.shows_all || !is_folded(finding))
        groups[key_of({&target, &finding})].push_back({&target, &finding});
  join_vague(groups);
  std::vector<Problem> problems;
  for (auto& [key, findings] : groups)
    problems.push_back(problem_of(key, std::move(findings)));
  std::ranges::sort(problems, {}, [](const Problem& problem) {
    const Finding& finding = problem.representative();
    return std::tuple(problem.set_aside, problem.tier, !finding.everyday, !fails_in_use(finding), rareness(finding),
                      -capped_size(finding), !is_error(finding.kind), ordinariness(finding.input, finding.everyday),
                      problem.file, problem.line, problem.column, problem.fault, problem.id);
  });
  return joined_by_root(std::move(problems));
}

std::vector<Problem> shown_problems(const RankedReport& ranked) {
  std::vector<Problem> problems;
  std::ranges::copy_if(ranked.problems, std::back_inserter(problems),
                       [](const Problem& problem) { return !problem.set_aside || problem.target().shows_all; });
  return problems;
}

int exit_status(const RankedReport& ranked) {
  if (std::ranges::any_of(ranked.problems, [&](const Problem& problem) {
        return !problem.set_aside && !is_folded(problem.representative()) && problem.tier <= ranked.report.fail_on;
      }))
    return base::status_found;
  if (std::ranges::any_of(ranked.report.targets, is_inconclusive, &TargetReport::outcome))
    return base::status_inconclusive;
  return base::status_nothing;
}

} // namespace faultline::model
