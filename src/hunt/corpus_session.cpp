#include "hunt/corpus_session.h"

#include "finding/wanted.h"
#include "judge/space_of_target.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace faultline::campaign {

using finding::Corpus;
using finding::Finding;
using finding::Kept;
using finding::NamedNumber;
using finding::Report;
using finding::Retry;
using finding::Settings;
using finding::TargetOutcome;
using finding::TargetReport;
using finding::Witness;
using judge::space_of;

namespace {

// Of the same name, in a file of the same name: the folder may have moved.
bool is_of(const TargetReport& report, const frontend::Target& target) {
  return report.function == target.function &&
         std::filesystem::path(report.file).filename() == std::filesystem::path(target.file).filename();
}

// Nothing if it has other inputs than the space, or one that lies outside of it.
std::optional<exec::Input> input_in(const search::Space& space, const std::vector<NamedNumber>& named) {
  if (named.size() != space.dimensions.size())
    return {};
  exec::Input input;
  for (size_t i = 0; i < named.size(); ++i) {
    const search::Dimension& dimension = space.dimensions[i];
    const std::optional<long double> value = numeric::parse_long_double(named[i].value.hex);
    if (named[i].name != dimension.name || !value || !(*value >= dimension.low && *value <= dimension.high) ||
        dimension.nearest(*value) != *value)
      return {};
    input.push_back(*value);
  }
  return input;
}

double error_of(const Finding& finding) {
  return finding.error && !std::isnan(finding.error->relative) ? finding.error->relative : 0;
}

} // namespace

std::vector<Retry> CorpusSession::retries(const frontend::Target& target, const Settings& settings) {
  std::vector<Retry> all;
  if (!corpus_)
    return all;
  const search::Space space = space_of(target, settings);
  const auto add = [&](const std::vector<NamedNumber>& named, const Finding& finding) {
    std::optional<exec::Input> input = input_in(space, named);
    if (!input)
      return false;
    if (std::ranges::none_of(all, [&](const Retry& retry) { return exec::same_bits(retry.input, *input); }))
      all.push_back({std::move(*input), finding.strategy, finding.found_by.empty() ? "corpus" : finding.found_by});
    return true;
  };
  for (const Kept& kept : corpus_->kept) {
    const Finding& finding = kept.finding;
    if (!is_of(kept.target, target) || !is_wanted(finding.kind, settings.wanted))
      continue;
    if (add(finding.input, finding))
      retried_.insert(kept.file);
    for (const Witness& witness : finding.also)
      add(witness.input, finding);
  }
  return all;
}

const Kept* CorpusSession::find(const std::string& fingerprint) const {
  if (!corpus_)
    return nullptr;
  const auto found =
      std::ranges::find_if(corpus_->kept, [&](const Kept& kept) { return kept.finding.fingerprint == fingerprint; });
  return found == corpus_->kept.end() ? nullptr : &*found;
}

bool CorpusSession::keeps(const Finding& finding) const {
  if (!corpus_ || finding.suppressed || (finding.aftermath && finding.aftermath->harmless))
    return false;
  const Kept* before = find(finding.fingerprint);
  return !before || retried_.contains(before->file) || error_of(finding) >= error_of(before->finding);
}

std::string CorpusSession::file_of(const TargetReport& target, const Finding& finding) {
  constexpr size_t longest = 64; // names of instances of templates are long
  std::string name = target.function.substr(0, longest);
  for (char& c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')))
      c = '_';
  return fmt::format("{}-{}.json", name, finding.fingerprint);
}

std::vector<std::string> CorpusSession::remarks(const Report& report) const {
  std::vector<std::string> remarks;
  for (const Kept& kept : corpus_ ? corpus_->kept : std::vector<Kept>()) {
    const auto target = std::ranges::find_if(
        report.targets, [&](const TargetReport& target) { return target.function == kept.target.function; });
    if (!retried_.contains(kept.file) || target == report.targets.end() ||
        target->outcome == TargetOutcome::interrupted)
      continue;
    if (std::ranges::none_of(target->findings,
                             [&](const Finding& finding) { return finding.fingerprint == kept.finding.fingerprint; }))
      remarks.push_back(fmt::format("{}/{}: note: the {} in {} is not seen any more; delete the file if it is repaired",
                                    corpus_->folder, kept.file, text(kept.finding.kind), kept.target.function));
  }
  return remarks;
}

} // namespace faultline::campaign
