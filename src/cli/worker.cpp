#include "campaign/remote/share_task.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "cli/progress.h"
#include "frontend/error.h"

#include <cstdio>
#include <fmt/format.h>

namespace faultline::cli {
namespace {

constexpr const char* worker_examples = R"(Examples:
  faultline worker --share night/shares/3          free jobs of a campaign, until none is left
  faultline worker --share night/shares/3/job-7.json

Results go to files next to the jobs, nothing is printed, and SIGTERM ends it: results are kept.)";

} // namespace

int worker(const CommandLine& line) {
  const finding::Said said = parse({.name = "faultline worker",
                                    .description = "Takes part in a campaign on many machines.",
                                    .examples = worker_examples,
                                    .operand = "",
                                    .operand_help = "",
                                    .options = options_of(finding::command::worker)},
                                   line);
  refuse_flags(line);
  if (!said.has("share"))
    throw frontend::UserError(frontend::status_usage, "no jobs given", "faultline worker --share PATH");
  campaign::TaskOptions options;
  limit_compilers(said);
  options.jobs = jobs_from(said, 1);
  options.limits.confinement = confinement_from(said);
  options.trust = trust_in_flags(said);
  options.tell = tell_remark;
  const Interrupt interrupt;
  const campaign::TaskCount count = campaign::run_share(said.value("share"), options, interrupt.flag());
  fmt::print(stderr, "faultline: {} job{} done, {} failed\n", count.jobs - count.failed,
             count.jobs - count.failed == 1 ? "" : "s", count.failed);
  return interrupt.flag() || count.failed > 0 ? frontend::status_inconclusive : frontend::status_nothing;
}

} // namespace faultline::cli
