#include "hunt/targets/checked_lines.h"

#include "frontend/error.h"
#include "instrument/count.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace faultline::campaign {
namespace {

// Some of the lines that could have been meant.
std::string hint(const runtime::SiteTable& table) {
  constexpr size_t most = 8;
  std::set<std::pair<std::string, int>> lines;
  for (const runtime::Site& site : table.sites)
    if (site.line > 0)
      lines.insert({std::filesystem::path(site.file).filename().string(), site.line});
  if (lines.empty())
    return "the code has no additions";
  std::vector<std::string> names;
  for (const auto& [file, line] : lines)
    if (names.size() < most)
      names.push_back(fmt::format("{}:{}", file, line));
  return fmt::format("additions stand in {}{}", fmt::join(names, ", "), lines.size() > most ? ", ..." : "");
}

} // namespace

void check_lines(frontend::Program& program, const std::vector<frontend::Target>& targets,
                 const search::Checks& checks) {
  if (checks.lines.empty())
    return;
  runtime::SiteTable additions;
  for (const frontend::Target& target : targets)
    std::ranges::move(instrument::addition_sites(program, target.symbol), std::back_inserter(additions.sites));
  if (const search::CheckedLine* line = search::without_addition(checks, additions))
    throw frontend::UserError(frontend::status_usage,
                              fmt::format("--site {}:{}: there is no addition or subtraction", line->file, line->line),
                              hint(additions));
}

} // namespace faultline::campaign
