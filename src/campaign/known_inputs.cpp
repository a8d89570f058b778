#include "campaign/known_inputs.h"

#include "campaign/store/finding_table.h"
#include "hunt/corpus_session.h"

namespace faultline::campaign {

using finding::Kind;

namespace {

std::vector<finding::Retry> inputs_of(std::vector<StoredFinding> findings, const frontend::Target& target,
                                      const finding::Settings& settings) {
  finding::TargetReport report;
  report.function = target.function;
  report.file = target.file;
  finding::Corpus corpus;
  for (StoredFinding& stored : findings)
    corpus.kept.push_back({stored.finding.id, report, std::move(stored.finding)});
  return CorpusSession(std::make_shared<const finding::Corpus>(std::move(corpus))).retries(target, settings);
}

} // namespace

std::vector<finding::Retry> known_inputs(Database& database, int64_t row, const frontend::Target& target,
                                         const finding::Settings& settings) {
  return inputs_of(findings_of(database, row), target, settings);
}

std::vector<finding::Retry> inputs_to_diagnose(Database& database, int64_t row, const frontend::Target& target,
                                               const finding::Settings& settings) {
  std::vector<StoredFinding> findings = findings_of(database, row);
  std::erase_if(findings, [](const StoredFinding& stored) {
    return stored.finding.kind == Kind::crash || stored.finding.kind == Kind::timeout;
  });
  return inputs_of(std::move(findings), target, settings);
}

std::vector<finding::KnownCause> known_causes_of(Database& database, int64_t row) {
  std::vector<finding::Finding> findings;
  for (StoredFinding& stored : findings_of(database, row))
    findings.push_back(std::move(stored.finding));
  return known_causes(findings);
}

} // namespace faultline::campaign
