#include "campaign/store/extent_table.h"

#include "finding/json/finding_json.h"

#include <fmt/format.h>

namespace faultline::campaign {

using frontend::Target;

namespace {

std::optional<ExtentAnswer> stored(Database& database, const Target& target, const std::string& hash) {
  Rows rows = database.ask("SELECT found, why_not FROM extents WHERE symbol = ? AND hash = ?", target.symbol, hash);
  if (!rows.next())
    return std::nullopt;
  if (rows.is_null(0))
    return ExtentAnswer{std::nullopt, rows.text(1)};
  const finding::Json json = finding::parse_json(rows.text(0));
  const finding::Place place(json, fmt::format("{}: extents of {}", database.file(), target.symbol));
  return ExtentAnswer{finding::from_json<finding::FoundExtents>(place), ""};
}

} // namespace

ExtentMemory extent_memory(Database& database) {
  return {
      .recall = [&database](const Target& target, const std::string& hash) { return stored(database, target, hash); },
      .keep =
          [&database](const Target& target, const std::string& hash, const ExtentAnswer& answer) {
            const std::string found = answer.found ? finding::json_text(to_json(*answer.found)) : "";
            database.run("INSERT OR REPLACE INTO extents VALUES (?, ?, nullif(?, ''), ?)", target.symbol, hash, found,
                         answer.why_not);
            database.keep_from_forks();
          }};
}

} // namespace faultline::campaign
