#include "campaign/worker_death.h"

#include "judge/number.h"
#include "judge/space_of_target.h"
#include "search/everyday.h"

#include <fmt/format.h>

namespace faultline::campaign {

using finding::Finding;
using finding::Kind;

std::optional<Finding> finding_of(const finding::WorkerDeath& death, const frontend::Target& target,
                                  const finding::Settings& settings) {
  if (!death.in_call || death.in_reference)
    return std::nullopt;
  Finding finding;
  finding.kind = death.hung ? Kind::timeout : Kind::crash;
  finding.input = judge::named_input(target, death.input);
  finding.values = death.input;
  finding.everyday = search::is_everyday(judge::space_of(target, settings), death.input);
  finding.oracle = "none";
  finding.detail = death.hung ? "did not come back and had to be killed" : "killed the worker process";
  finding.id = identify(target.function, finding);
  return finding;
}

std::string note_of(const finding::WorkerDeath& death) {
  return death.in_reference ? "the reference did not come back, or ended the worker"
                            : fmt::format("the worker died outside of the code under test (signal {}, status {})",
                                          death.signal, death.status);
}

} // namespace faultline::campaign
