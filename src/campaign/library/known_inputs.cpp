#include "campaign/library/known_inputs.h"

#include "campaign/corpus_session.h"
#include "campaign/store/finding_table.h"

namespace faultline::campaign {

std::vector<finding::Retry> known_inputs(Database& database, int64_t row, const frontend::Target& target,
                                         const finding::Settings& settings) {
  finding::TargetReport report;
  report.function = target.function;
  report.file = target.file;
  finding::Corpus corpus;
  for (StoredFinding& stored : findings_of(database, row))
    corpus.kept.push_back({stored.finding.id, report, std::move(stored.finding)});
  return CorpusSession(std::make_shared<const finding::Corpus>(std::move(corpus))).retries(target, settings);
}

std::vector<finding::KnownCause> known_causes_of(Database& database, int64_t row) {
  std::vector<finding::Finding> findings;
  for (StoredFinding& stored : findings_of(database, row))
    findings.push_back(std::move(stored.finding));
  return known_causes(findings);
}

} // namespace faultline::campaign
