#include "judge/endings.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>

namespace faultline::judge {

using namespace model;

namespace {

// "result" of "result.val"; empty where there is no field.
std::string struct_of(const std::string& name) {
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(0, dot);
}

std::string errno_name(int number) {
  return number == ERANGE ? "ERANGE" : number == EDOM ? "EDOM" : fmt::format("{}", number);
}

// True if the code refuses its input. It throws an exception of its own choice; a failure inside of the standard
// library (std::bad_alloc, or at() of a vector) is an error of the code. Where the throw is not known, the type
// decides.
bool refuses(const End& end) {
  if (!end.at)
    return end.ending.refuses;
  return end.at->function == "throw" && !end.ending.thrown.starts_with("std::bad_");
}

} // namespace

bool is_named_bound(const model::Cell& cell, const Settings& settings) {
  return std::find(settings.bounds.begin(), settings.bounds.end(), cell.name) != settings.bounds.end();
}

std::vector<tape::Claim> claims_of(const model::Target& target, const Settings& settings,
                                   const std::vector<size_t>& judged) {
  std::vector<tape::Claim> claims;
  for (size_t bound = 0; bound < target.outputs.size(); ++bound) {
    const model::Cell& cell = target.outputs[bound];
    const bool is_bound = settings.bounds.empty() ? !cell.judged : is_named_bound(cell, settings);
    if (!cell.type.floating || !is_bound)
      continue;
    std::vector<size_t> own, all;
    for (size_t output : judged) {
      if (output == bound)
        continue;
      all.push_back(output);
      if (!struct_of(cell.name).empty() && struct_of(cell.name) == struct_of(target.outputs[output].name))
        own.push_back(output);
    }
    for (size_t output : own.empty() && !settings.bounds.empty() ? all : own)
      claims.push_back({output, bound});
  }
  return claims;
}

bool End::is_like(const End& other) const {
  return outcome == other.outcome && ending.thrown == other.ending.thrown && at == other.at;
}

End end_of(const exec::Run& run) { return {run.outcome, run.ending, run.ended_at}; }

Finding finding_of(const End& end, const exec::Input& input, const Judge& judge, const std::string& strategy) {
  if (!end.by_choice()) {
    Finding finding = judge.crash(input, end.outcome, strategy);
    if (end.at) {
      judge.name_cause(finding, end.at->place);
      finding.cause->operation = "memory access";
      finding.detail = exec::end_words(end.outcome, end.ending);
    }
    return finding;
  }
  Finding finding = judge.blank(Kind::exception, input, strategy);
  finding.oracle = "none";
  if (end.at) {
    judge.name_cause(finding, end.at->place);
    finding.cause->operation = end.at->function;
  }
  if (end.ending.thrown.empty()) {
    finding.detail = end.ending.words;
    return finding;
  }
  finding.thrown = Thrown{end.ending.thrown, end.ending.words};
  finding.detail =
      fmt::format("threw {}{}{}", end.ending.thrown, end.ending.words.empty() ? "" : ": ", end.ending.words);
  if (refuses(end))
    finding.aftermath.emplace().reported_by = "exception";
  return finding;
}

std::string advice_on_missing(const exec::Ending& ending) {
  return ending.missing.empty()
             ? "name the file that defines it, too"
             : fmt::format("name the file that defines it, too, or --reject {} if it reports an error", ending.missing);
}

std::string refusal_words(const exec::Run& run) {
  if (!run.refused_at)
    return {};
  const runtime::Site& place = run.refused_at->place;
  return fmt::format("{} was called{}", run.refused_at->function,
                     place.line > 0 ? fmt::format(" at {}:{}", place.file, place.line) : "");
}

CallerNotice::CallerNotice(const model::Target& target, const Settings& settings) : target_(target) {
  if (!settings.status)
    return;
  success_ = settings.status->success;
  const auto cell = std::ranges::find(target.outputs, settings.status->output, &model::Cell::name);
  if (cell != target.outputs.end())
    status_ = size_t(cell - target.outputs.begin());
}

bool CallerNotice::by_status(const exec::Run& run) const { return status_ && run.outputs[*status_].value != success_; }

bool CallerNotice::by_errno(const exec::Run& run) const { return run.error_number != 0 && run.errno_used; }

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
    return fmt::format("errno is {}", errno_name(run.error_number));
  return {};
}

std::string status_hint(const model::Target& target, const Settings& settings) {
  const auto returned = std::ranges::find(target.outputs, "return", &model::Cell::name);
  if (settings.status || returned == target.outputs.end() || returned->type.floating)
    return {};
  return "if the returned integer is a status, --status return=0 separates reported exceptions from silent ones";
}

} // namespace faultline::judge
