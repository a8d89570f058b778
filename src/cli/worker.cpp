#include "campaign/job_worker.h"

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "cli/saved.h"
#include "finding/job.h"
#include "frontend/error.h"

#include <cstdio>

namespace faultline::cli {
namespace {

constexpr const char* examples = R"(Examples:
  faultline hunt foo.c --write-jobs jobs           one file for each function, and the program
  faultline worker jobs/job-1.json                 what its worker finds, a line of JSON for each message

The job names the program by its path and by a hash of its content, and is refused if they differ. The last line is
{"end":true} if the job came to its end. The exit status is 0 then, and 4 if not.)";

// A line at a time: a reader sees whole messages, whenever it looks.
void print_line(const std::string& text) {
  std::fputs((text + "\n").c_str(), stdout);
  if (std::fflush(stdout) != 0)
    throw frontend::UserError(frontend::status_usage, "standard output cannot be written");
}

} // namespace

int worker(const CommandLine& line) {
  const finding::Said said = parse({.name = "faultline worker",
                                    .description = "Runs one job, and prints its messages as lines of JSON.",
                                    .examples = examples,
                                    .operand = "JOB.json",
                                    .operand_help = "what faultline hunt --write-jobs DIR wrote",
                                    .options = options_of(finding::command::worker)},
                                   line);
  refuse_flags(line);
  const std::string& file = said.value(operands);
  if (file.empty())
    throw frontend::UserError(frontend::status_usage, "no job given", "faultline worker JOB.json");
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
