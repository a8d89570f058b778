#include "campaign/job_worker.h"
#include "campaign/shares/share_task.h"

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "cli/saved.h"
#include "cli/terminal/remarks.h"
#include "finding/job.h"
#include "frontend/error.h"

#include <cstdio>
#include <fmt/format.h>

namespace faultline::cli {
namespace {

constexpr const char* examples = R"(Examples:
  faultline hunt foo.c --write-jobs jobs           one file for each function, and the program
  faultline worker jobs/job-1.json                 what its worker finds, a line of JSON for each message

  faultline worker --share night/shares/3          jobs of a campaign that nobody has, until none is left
  faultline worker --share night/shares/3/job-7.json

The job names the program by its path and by a hash of its content, and is refused if they differ. The last line is
{"end":true} if the job came to its end. The exit status is 0 then, and 4 if not. With --share, results go to files
beside the jobs, nothing is printed, and SIGTERM ends it: what was found is kept.)";

// A line at a time: a reader sees whole messages, whenever it looks.
void print_line(const std::string& text) {
  std::fputs((text + "\n").c_str(), stdout);
  if (std::fflush(stdout) != 0)
    throw frontend::UserError(frontend::status_usage, "standard output cannot be written");
}

int share(const finding::Said& said) {
  campaign::TaskOptions options;
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

} // namespace

int worker(const CommandLine& line) {
  const finding::Said said =
      parse({.name = "faultline worker",
             .description = "Runs one job, and prints its messages as lines of JSON; or takes part in a "
                            "campaign on many machines.",
             .examples = examples,
             .operand = "JOB.json",
             .operand_help = "what faultline hunt --write-jobs DIR wrote",
             .options = options_of(finding::command::worker)},
            line);
  refuse_flags(line);
  const std::string& file = said.value(operands);
  if (said.has("share") == !file.empty())
    throw frontend::UserError(frontend::status_usage, file.empty() ? "no job given" : "two jobs given",
                              "faultline worker JOB.json, or faultline worker --share PATH");
  if (said.has("share"))
    return share(said);
  finding::Job job = finding::parse_job(text_of(file), file);
  job.flags = frontend::flags_from_file(job.flags, file, trust_in_flags(said));
  exec::WorkerLimits limits;
  limits.confinement = confinement_from(said);
  const Interrupt interrupt;
  const bool completed = campaign::run_job(
      job, limits, [](const finding::Message& message) { print_line(message_text(message)); }, interrupt.flag());
  return completed ? frontend::status_nothing : frontend::status_inconclusive;
}

} // namespace faultline::cli
