#include "campaign/hunt.h"
#include "cli/command.h"
#include "cli/hunt.h"
#include "cli/saved.h"
#include "frontend/error.h"
#include "frontend/nearest.h"
#include "report/excerpt.h"
#include "report/writer.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* examples = R"(Examples:
  faultline replay findings.json
  faultline replay findings.json --only 3f6a90c1

It is run in the folder where the hunt was: the file holds the hunt's command. The exit status is 0 if everything was
reproduced and 1 if not.)";

void check_ids(const campaign::Report& report, const std::vector<std::string>& wanted) {
  std::vector<std::string> ids;
  for (const campaign::TargetReport& target : report.targets)
    for (const campaign::Finding& finding : target.findings)
      ids.push_back(finding.id);
  for (const std::string& id : wanted)
    if (std::ranges::find(ids, id) == ids.end()) {
      const std::vector<std::string> close = frontend::nearest(id, ids);
      throw UserError(status_usage, fmt::format("--only {}: there is no such finding in the file", id),
                      close.empty() ? "leave out --only" : fmt::format("{}", fmt::join(close, ", ")));
    }
}

// A function that is gone or no longer compiles: the finding is not there any more, and the others still have a turn.
std::vector<campaign::ReplayResult> run_again(campaign::Replayer& replayer, const campaign::TargetReport& target,
                                              const std::vector<campaign::Finding>& findings) {
  try {
    return replayer.replay(target, findings);
  } catch (const UserError& problem) {
    const std::string what = problem.what();
    return std::vector<campaign::ReplayResult>(findings.size(), {false, what.substr(0, what.find('\n'))});
  }
}

} // namespace

int replay(const Line& line) {
  CLI::App app("Runs saved findings again.", "faultline replay");
  app.footer(examples);
  std::string file;
  std::vector<std::string> only;
  app.add_option("FINDINGS.json", file, "what faultline hunt -o FINDINGS.json wrote")->option_text(" ");
  app.add_option("--only", only, "this finding; repeatable")->allow_extra_args(false)->option_text("ID");
  parse(app, line);
  refuse_flags(line);

  const campaign::Report report = load_findings(file);
  const campaign::Options options = saved_options(report, file);
  check_ids(report, only);
  campaign::Replayer replayer(options);
  size_t reproduced = 0, lost = 0;
  for (const campaign::TargetReport& target : report.targets) {
    std::vector<campaign::Finding> findings = target.findings;
    std::erase_if(findings, [&](const campaign::Finding& finding) {
      return !only.empty() && std::ranges::find(only, finding.id) == only.end();
    });
    const std::vector<campaign::ReplayResult> results = run_again(replayer, target, findings);
    for (size_t i = 0; i < findings.size(); ++i) {
      const campaign::Finding& finding = findings[i];
      const campaign::ReplayResult& result = results[i];
      ++(result.reproduced ? reproduced : lost);
      report::print(report::printable(fmt::format(
                        "{} {} {} in {}{}{}", result.reproduced ? "reproduced    " : "not reproduced", finding.id,
                        campaign::text(finding.kind), target.function, result.what.empty() ? "" : ": ", result.what)) +
                    "\n");
    }
  }
  report::print(fmt::format("{} reproduced, {} not\n", reproduced, lost));
  return lost == 0 ? 0 : 1;
}

} // namespace faultline::cli
