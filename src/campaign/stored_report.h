// A report, made from the store: what was known of all functions after a run. All that hunts' reports are good for can
// be done with it.
#pragma once

#include "campaign/store/campaign_file.h"
#include "finding/report.h"

#include <optional>
#include <string>
#include <string_view>

namespace faultline::campaign {

// That of the report's targets.
inline constexpr std::string_view order_of_targets = "ORDER BY file, line, function, id";

// `after_run`: none: now. Throws frontend::UserError: the store says something that cannot be.
finding::Report stored_report(Database& database, std::optional<int64_t> after_run = {});

// The run that a word means, of DIR@WORD: its number, or the last one whose commit begins so. Throws UserError.
int64_t run_named(Database& database, const std::string& word);

} // namespace faultline::campaign
