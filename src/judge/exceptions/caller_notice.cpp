#include "judge/exceptions/caller_notice.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>

namespace faultline::judge {

using finding::Settings;
namespace {

std::string errno_name(int number) {
  return number == ERANGE ? "ERANGE" : number == EDOM ? "EDOM" : fmt::format("{}", number);
}

} // namespace

CallerNotice::CallerNotice(const frontend::Target& target, const Settings& settings) : target_(target) {
  if (!settings.status)
    return;
  success_ = settings.status->success;
  const auto cell = std::ranges::find(target.outputs, settings.status->output, &frontend::Cell::name);
  if (cell != target.outputs.end())
    status_ = size_t(cell - target.outputs.begin());
}

bool CallerNotice::by_status(const exec::Run& run) const { return status_ && run.outputs[*status_].value != success_; }

bool CallerNotice::by_errno(const exec::Run& run) const {
  return run.error_number != 0 && (run.errno_used || !status_);
}

std::string_view CallerNotice::by(const exec::Run& run) const {
  if (run.refused_at)
    return "rejected";
  switch (run.outcome) {
  case exec::Outcome::aborted:
    return "abort";
  case exec::Outcome::exited:
    return "exit";
  case exec::Outcome::threw:
    return "exception";
  default:
    return by_status(run) ? "status" : by_errno(run) ? "errno" : "";
  }
}

std::string CallerNotice::words(const exec::Run& run) const {
  if (run.refused_at)
    return fmt::format("{} was called", run.refused_at->function);
  if (run.outcome != exec::Outcome::returned)
    return {};
  if (by_status(run))
    return fmt::format("{} = {}", target_.outputs[*status_].name, double(run.outputs[*status_].value));
  if (by_errno(run))
    return fmt::format("errno is {}{}", errno_name(run.error_number), run.errno_used ? "" : ", set by libm");
  return {};
}

std::string status_hint(const frontend::Target& target, const Settings& settings) {
  const auto returned = std::ranges::find(target.outputs, "return", &frontend::Cell::name);
  if (settings.status || returned == target.outputs.end() || returned->type.floating)
    return {};
  return "if the returned integer is a status, --status return=0 separates reported exceptions from silent ones";
}

} // namespace faultline::judge
