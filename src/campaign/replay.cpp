#include "campaign/configuration.h"
#include "campaign/exceptions.h"
#include "campaign/single_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace faultline::campaign {
namespace {

// What happens now on the saved input, as a sentence, and whether it is what was saved.
ReplayResult run_again(exec::Session& session, Judge& judge, const exec::Input& input, const Finding& saved) {
  const exec::Run run = session.run(input);
  if (run.outcome == exec::Outcome::tape_full) {
    auto found = judge.untaped(input, saved.strategy);
    const bool same = found && found->kind == saved.kind && (found->error || found->detail == saved.detail);
    return {same, !found         ? "the error is below the threshold"
                  : found->error ? fmt::format("relative error {:.3g}", found->error->relative)
                                 : found->detail};
  }
  if (saved.kind == Kind::crash || saved.kind == Kind::timeout)
    return {exec::text(run.outcome) == saved.detail, std::string(exec::text(run.outcome))};
  if (run.outcome != exec::Outcome::returned)
    return {false, std::string(exec::text(run.outcome))};
  if (is_error(saved.kind)) {
    const std::vector<Finding> found = judge.errors(input, saved.strategy);
    if (found.empty())
      return {false, "the error is below the threshold"};
    const auto same = std::find_if(found.begin(), found.end(), [&](const Finding& f) {
      return f.kind == saved.kind && f.error.has_value() == saved.error.has_value();
    });
    const Finding& now = same != found.end() ? *same : found.front();
    return {same != found.end(), now.error
                                     ? fmt::format("{}, relative error {:.3g}", text(now.kind), now.error->relative)
                                     : fmt::format("{}: {}", text(now.kind), now.detail)};
  }
  return {false, fmt::format("no {} there", text(saved.kind))};
}

// Tells inputs apart. Their numbers do not: 0 and -0 are equal, and NaN is not equal to itself.
std::string key_of(const Finding& finding) {
  std::string key;
  for (const NamedNumber& number : finding.input)
    key += number.value.hex + " ";
  return key;
}

// Exceptions of a target, run again; those of one input together.
class ExceptionReplay {
public:
  ExceptionReplay(exec::Session& session, const Options& options, Judge& judge)
      : session_(session), locations_(session.sites()), reporting_(session.target(), options),
        judge_(session, options, judge, locations_, reporting_) {}

  ReplayResult run_again(const exec::Input& input, const Finding& saved) {
    for (const Confirmed& confirmed : confirmed_by(input, saved)) {
      const tape::Site& site = session_.sites().sites[locations_.site(confirmed.shown.location)];
      const bool here =
          kind_of(confirmed.shown.kind) == saved.kind &&
          (!saved.cause || (site.file == saved.cause->file && site.line == saved.cause->line &&
                            site.column == saved.cause->column && ops::name(site.op) == saved.cause->operation));
      if (here)
        return {true, fmt::format("{} at {}:{}, {}", text(saved.kind), site.file, site.line,
                                  confirmed.flags ? "seen in the hardware flags" : "by the tape alone")};
    }
    return {false, fmt::format("no {} there", text(saved.kind))};
  }

private:
  const std::vector<Confirmed>& confirmed_by(const exec::Input& input, const Finding& saved) {
    const std::string key = key_of(saved);
    if (!key_ || *key_ != key) {
      confirmed_ = judge_.confirmed(input);
      key_ = key;
    }
    return confirmed_;
  }

  exec::Session& session_;
  Locations locations_;
  Reporting reporting_;
  ExceptionJudge judge_;
  std::optional<std::string> key_;
  std::vector<Confirmed> confirmed_;
};

bool is_exception(Kind kind) {
  return kind == Kind::overflow || kind == Kind::underflow || kind == Kind::invalid || kind == Kind::divide_by_zero;
}

} // namespace

Replayer::Replayer(const Options& options)
    : options_(options), program_(std::make_unique<frontend::Program>(load_program(options))) {}

Replayer::~Replayer() = default;

std::vector<ReplayResult> Replayer::replay(const TargetReport& target, const std::vector<Finding>& findings) {
  if (findings.empty())
    return {};
  Options own = options_;
  own.functions = {target.function};
  const frontend::Target found = single_target(*program_, own);
  own = options_of_finding(options_for(found, own), found, findings.front().input);
  std::vector<exec::Input> inputs;
  for (const Finding& finding : findings)
    inputs.push_back(input_of(found, own, finding));
  // Those of one input follow each other.
  std::vector<size_t> order(findings.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::sort(order, {}, [&](size_t i) { return std::pair(key_of(findings[i]), i); });

  std::vector<ReplayResult> results(findings.size());
  size_t done = 0;
  while (done < order.size()) {
    const size_t begin = done;
    auto died = in_worker(
        own, *program_, found,
        [&](exec::Session& session, Judge& judge, exec::Line& line) {
          ExceptionReplay exceptions(session, own, judge);
          for (size_t i = begin; i < order.size(); ++i) {
            const Finding& saved = findings[order[i]];
            const exec::Input& input = inputs[order[i]];
            const ReplayResult seen =
                is_exception(saved.kind) ? exceptions.run_again(input, saved) : run_again(session, judge, input, saved);
            line.send(Json{{"reproduced", seen.reproduced}, {"what", seen.what}}.dump(-1, ' ', false,
                                                                                      Json::error_handler_t::replace));
          }
        },
        [&](const Json& message) {
          if (done < order.size())
            results[order[done++]] = {message.value("reproduced", false), message.value("what", std::string())};
        });
    if (died && done < order.size()) {
      ReplayResult& result = results[order[done]];
      result.what = died->hung ? "did not come back and had to be killed" : "killed the worker process";
      result.reproduced = died->in_call && result.what == findings[order[done]].detail;
    }
    if (died || done == begin)
      ++done; // it had its chance
  }
  return results;
}

} // namespace faultline::campaign
