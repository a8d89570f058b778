#include "judge/tasks/replaying.h"

#include "judge/endings.h"
#include "judge/exceptions/exceptions.h"
#include "judge/self_check/self_check.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::judge {

using finding::Finding;
using finding::Kind;
using finding::ReplayResult;
using finding::Settings;

namespace {

// The same type of exception, or an exit, at the same place: its words may be others.
ReplayResult ended_again(const Finding& now, const exec::Run& run, const Finding& saved) {
  if (run.outcome == exec::Outcome::returned || now.kind != Kind::exception)
    return {false, exec::end_words(run.outcome, run.ending)};
  const auto place = [](const Finding& finding) {
    const finding::Cause cause = finding.cause.value_or(finding::Cause());
    return std::tuple(cause.file, cause.line, cause.column, cause.operation);
  };
  const auto type = [](const Finding& finding) { return finding.thrown.value_or(finding::Thrown()).type; };
  return {place(now) == place(saved) && type(now) == type(saved), now.detail};
}

// What happens now on the saved input, as a sentence, and whether it is what was saved.
ReplayResult run_again(exec::Session& session, Judge& judge, const exec::Input& input, const Finding& saved) {
  const exec::Run run = session.run(input);
  if (const std::string refused = refusal_words(run); !refused.empty())
    return {false, "refused: " + refused};
  if (run.outcome == exec::Outcome::tape_full) {
    auto found = judge.untaped(input, saved.strategy);
    const bool same = found && found->kind == saved.kind &&
                      (found->error || saved.kind == Kind::timeout || found->detail == saved.detail);
    return {same, !found         ? "the error is below the threshold"
                  : found->error ? fmt::format("relative error {:.3g}", found->error->relative)
                                 : found->detail};
  }
  if (run.outcome == exec::Outcome::missing)
    return {false, run.ending.words};
  if (saved.kind == Kind::timeout) // the worker may have had to be killed for it then, and not now
    return {run.outcome == exec::Outcome::timed_out, std::string(exec::text(run.outcome))};
  if (saved.kind == Kind::crash)
    return {exec::text(run.outcome) == saved.detail, std::string(exec::text(run.outcome))};
  if (saved.kind == Kind::exception)
    return ended_again(finding_of(end_of(run), input, judge, saved.strategy), run, saved);
  if (run.outcome != exec::Outcome::returned)
    return {false, std::string(exec::text(run.outcome))};
  if (is_error(saved.kind)) {
    const std::vector<Found> found = judge.errors(input, saved.strategy);
    if (found.empty())
      return {false, "the error is below the threshold"};
    const auto same = std::ranges::find_if(found, [&](const Found& now) {
      return now.finding.kind == saved.kind && now.finding.error.has_value() == saved.error.has_value();
    });
    const Finding& now = same != found.end() ? same->finding : found.front().finding;
    return {same != found.end(), now.error
                                     ? fmt::format("{}, relative error {:.3g}", text(now.kind), now.error->relative)
                                     : fmt::format("{}: {}", text(now.kind), now.detail)};
  }
  return {false, fmt::format("no {} there", text(saved.kind))};
}

// Exceptions of a target, run again; those of one input together.
class ExceptionReplay {
public:
  ExceptionReplay(exec::Session& session, const Settings& settings, Judge& judge)
      : session_(session), locations_(session.sites()), notice_(session.target(), settings),
        judge_(session, settings, judge, locations_, notice_) {}

  ReplayResult run_again(const exec::Input& input, const Finding& saved) {
    for (const Confirmed& confirmed : confirmed_by(input)) {
      const tape::Site& site = session_.sites().sites[locations_.site(confirmed.shown.location)];
      const bool here =
          finding::kind_of(confirmed.shown.kind) == saved.kind &&
          (!saved.cause || (site.file == saved.cause->file && site.line == saved.cause->line &&
                            site.column == saved.cause->column && ops::name(site.op) == saved.cause->operation));
      if (here)
        return {true, fmt::format("{} at {}:{}, {}", text(saved.kind), site.file, site.line,
                                  confirmed.flags ? "seen in the hardware flags" : "by the tape alone")};
    }
    return {false, fmt::format("no {} there", text(saved.kind))};
  }

private:
  const std::vector<Confirmed>& confirmed_by(const exec::Input& input) {
    if (!of_ || !exec::same_bits(*of_, input)) {
      confirmed_ = judge_.confirmed(input);
      of_ = input;
    }
    return confirmed_;
  }

  exec::Session& session_;
  Locations locations_;
  CallerNotice notice_;
  ExceptionJudge judge_;
  std::optional<exec::Input> of_;
  std::vector<Confirmed> confirmed_;
};

} // namespace

void replay(exec::Session& session, Judge& judge, const Settings& settings, const finding::ReplayTask& task,
            const Tell& tell) {
  ExceptionReplay exceptions(session, settings, judge);
  SelfCheck self_check(session, judge);
  for (const auto& [input, saved] : task.findings) {
    ReplayResult result =
        is_exception(saved.kind) ? exceptions.run_again(input, saved) : run_again(session, judge, input, saved);
    if (task.strict && result.reproduced)
      result.violations = self_check.violations(input, saved);
    tell(result);
  }
}

} // namespace faultline::judge
