#include "campaign/number.h"
#include "campaign/single_run.h"
#include "tape/exceptions.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::campaign {
namespace {

// What happens now on the saved input, as a sentence, and whether it is what was saved.
ReplayResult run_again(exec::Session& session, Judge& judge, const exec::Input& input, const Finding& saved) {
  const exec::Run run = session.run(input);
  if (run.outcome == exec::Outcome::tape_full) {
    auto found = judge.untaped(input, saved.strategy);
    const bool same = found && found->kind == saved.kind && found->detail == saved.detail;
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
  const tape::Tape tape(run, session.sites(), input.size());
  for (const tape::ExceptionEvent& event : tape::exceptions(tape)) {
    const tape::Site& site = tape.site(event.record);
    const bool here = ops::name(event.kind) == text(saved.kind) &&
                      (!saved.cause || (site.file == saved.cause->file && site.line == saved.cause->line &&
                                        ops::name(site.op) == saved.cause->operation));
    if (here && judge.exception(input, tape.record(event.record).site, event.kind, saved.strategy))
      return {true, fmt::format("{} at {}:{}, seen in the hardware flags", text(saved.kind), site.file, site.line)};
  }
  return {false, fmt::format("no {} there", text(saved.kind))};
}

} // namespace

Replayer::Replayer(const Options& options)
    : options_(options), program_(std::make_unique<frontend::Program>(frontend::Program::load(options.sources))) {}

Replayer::~Replayer() = default;

ReplayResult Replayer::replay(const TargetReport& target, const Finding& finding) {
  Options own = options_;
  own.functions = {target.function};
  // What belongs to other functions of the hunt is no mistake here.
  own.ranges.clear();
  own.formats.clear();
  std::map<std::string, std::string> at;
  for (const NamedNumber& number : finding.input)
    at[number.name] = number.value.hex;
  const frontend::Target found = single_target(*program_, own);
  auto unknown = [&](const auto& named) { return !at.contains(named.first) && !at.contains(named.first + "[0]"); };
  std::erase_if(own.held, unknown);
  std::erase_if(own.sizes, [&](const auto& named) { return named.first != "*" && unknown(named); });
  std::erase_if(own.aliases, [&](const auto& named) {
    return std::ranges::none_of(found.parameters, [&](const frontend::Parameter& parameter) {
      return parameter.name == named.first && !parameter.alias_of.empty();
    });
  });
  const exec::Input input = input_at(found, own, at);
  ReplayResult result;
  auto died = in_worker(
      own, *program_, found,
      [&](exec::Session& session, Judge& judge, exec::Line& line) {
        ReplayResult seen = run_again(session, judge, input, finding);
        line.send(Json{{"reproduced", seen.reproduced}, {"what", seen.what}}.dump(-1, ' ', false,
                                                                                  Json::error_handler_t::replace));
      },
      [&](const Json& message) {
        result.reproduced = message.value("reproduced", false);
        result.what = message.value("what", std::string());
      });
  if (died) {
    result.what = died->hung ? "did not come back and had to be killed" : "killed the worker process";
    result.reproduced = died->in_call && result.what == finding.detail;
  }
  return result;
}

} // namespace faultline::campaign
