#include "finding/finding.h"

#include "finding/hash.h"
#include "finding/names.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace faultline::finding {
namespace {

constexpr auto verdict_names = std::to_array<std::pair<Verdict, std::string_view>>({
    {Verdict::avoidable, "avoidable"},
    {Verdict::ill_conditioned, "ill-conditioned"},
    {Verdict::inherent, "inherent"},
    {Verdict::unknown, "unknown"},
});

constexpr auto result_names = std::to_array<std::pair<Result, std::string_view>>({
    {Result::unknown, "unknown"},
    {Result::right, "right"},
    {Result::wrong, "wrong"},
});

} // namespace

std::string_view text(Result result) { return name_of(result_names, result); }
std::optional<Result> result_of(std::string_view text) { return id_of(result_names, text); }

std::string_view text(Kind kind) { return info(kind).text; }

std::optional<Kind> kind_of(std::string_view text) {
  const auto* found = std::ranges::find(all_kinds, text, &KindInfo::text);
  return found == std::end(all_kinds) ? std::nullopt : std::optional(found->kind);
}

Kind kind_of(ops::Exception exception) {
  switch (exception) {
#define FAULTLINE_EXCEPTION_KIND(id, text)                                                                             \
  case ops::Exception::id:                                                                                             \
    return Kind::id;
    FAULTLINE_EXCEPTIONS(FAULTLINE_EXCEPTION_KIND)
#undef FAULTLINE_EXCEPTION_KIND
  case ops::Exception::none:
    break;
  }
  return Kind::invalid;
}

bool is_at(const ChainLink& step, const std::optional<Cause>& cause) {
  return cause && step.file == cause->file && step.line == cause->line && step.column == cause->column &&
         step.operation == cause->operation;
}

std::string_view rule(const Finding& finding) {
  const bool classified = finding.kind == Kind::inaccuracy && finding.diagnosis;
  return classified ? text(finding.diagnosis->fault) : text(finding.kind);
}

std::string_view text(Verdict verdict) { return name_of(verdict_names, verdict); }
std::optional<Verdict> verdict_of(std::string_view text) { return id_of(verdict_names, text); }

std::string identify(const std::string& function, const Finding& finding) {
  Hash hash;
  hash.add(function);
  hash.add(text(finding.kind));
  if (finding.cause)
    hash.add(fmt::format("{}:{}:{}:{}", std::filesystem::path(finding.cause->file).filename().string(),
                         finding.cause->line, finding.cause->column, finding.cause->operation));
  for (const NamedNumber& number : finding.input)
    hash.add(number.value.hex);
  return hash.text();
}

} // namespace faultline::finding
