#include "frontend/capture/summary.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace faultline::frontend {
namespace {

constexpr size_t few = 3; // names that fit into a line: a guess

std::string joined(std::vector<std::string> entries, bool all) {
  const size_t shown = all ? entries.size() : std::min(entries.size(), few);
  const size_t more = entries.size() - shown;
  entries.resize(shown);
  return fmt::format("{}{}", fmt::join(entries, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

} // namespace

void CaptureSummary::add(const BuiltObject& built) {
  if (built.records.empty()) {
    ++objects;
    missing.push_back({built.name, "not compiled by faultline cc"});
  }
  for (const Record& record : built.records) {
    ++objects;
    if (!record.reason.empty())
      missing.push_back({record.source, record.reason});
    for (const std::string& flag : std::set<std::string>(record.left_out.begin(), record.left_out.end()))
      ++left_out[flag];
  }
}

std::string capture_text(const CaptureSummary& summary, bool all) {
  std::string text = fmt::format("captured {} of {} object{}", summary.objects - summary.missing.size(),
                                 summary.objects, summary.objects == 1 ? "" : "s");
  std::vector<std::string> entries;
  for (const Missing& missing : summary.missing)
    entries.push_back(fmt::format("{} ({})", missing.name, missing.reason));
  return entries.empty() ? text : fmt::format("{}; missing: {}", text, joined(std::move(entries), all));
}

std::string left_out_text(const CaptureSummary& summary, bool all) {
  if (summary.left_out.empty())
    return {};
  std::vector<std::string> entries;
  for (const auto& [flag, count] : summary.left_out)
    entries.push_back(fmt::format("{} ({})", flag, count));
  const size_t count = entries.size();
  return fmt::format("{} compiler flag{} left out, which LLVM 19 need not know (in so many objects): {}", count,
                     count == 1 ? " was" : "s were", joined(std::move(entries), all));
}

} // namespace faultline::frontend
