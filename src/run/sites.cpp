#include "run/sites.h"

#include "base/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace faultline::run {

using nlohmann::json;

bool Site::is_arithmetic() const {
  for (const char* other : {single_constant, fresh_memory, widening, tolerance_test, "printed", "comparison",
                            "minimum or maximum", "rounding to an integer"})
    if (operation == other)
      return false;
  return true;
}

std::string text_of(const SiteTable& table) {
  json sites = json::array();
  for (const Site& site : table.sites)
    sites.push_back({site.file, site.function, site.operation, site.line, site.column, site.place, site.counter,
                     site.lanes, site.constant});
  json values = json::array();
  for (const ValueSite& site : table.values)
    values.push_back({site.file, site.function, site.line, site.column, site.operation, site.form, site.is_binary32,
                      site.is_decision, site.reassociates, site.accumulates});
  json watched = json::array();
  for (const WatchedVariable& one : table.watched)
    watched.push_back({one.variable, one.file, one.line});
  json calls = json::array();
  for (const ForeignCall& call : table.calls)
    calls.push_back({call.function, call.counter, call.floats});
  return json{{"sites", sites},
              {"calls", calls},
              {"watched", watched},
              {"values", values},
              {"counters", table.counters},
              {"long_doubles", table.long_doubles},
              {"foreign", table.foreign},
              {"functions", table.functions}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

SiteTable sites_from(const std::string& text) {
  SiteTable table;
  try {
    const json data = json::parse(text);
    table.counters = data.at("counters");
    table.long_doubles = data.at("long_doubles").get<std::vector<uint32_t>>();
    for (const json& call : data.at("calls"))
      table.calls.push_back({call.at(0), call.at(1), call.at(2)});
    table.foreign = data.at("foreign");
    table.functions = data.at("functions");
    for (const json& site : data.at("sites"))
      table.sites.push_back({.file = site.at(0),
                             .function = site.at(1),
                             .operation = site.at(2),
                             .line = site.at(3),
                             .column = site.at(4),
                             .place = site.at(5),
                             .counter = site.at(6),
                             .lanes = site.at(7),
                             .constant = site.at(8)});
    for (const json& one : data.at("watched"))
      table.watched.push_back({one.at(0), one.at(1), one.at(2)});
    for (const json& site : data.at("values"))
      table.values.push_back({site.at(0), site.at(1), site.at(2), site.at(3), site.at(4), site.at(5), site.at(6),
                              site.at(7), site.at(8), site.at(9)});
  } catch (const json::exception& problem) {
    throw base::UserError(base::status_unsuitable, fmt::format("the cached sites are damaged: {}", problem.what()),
                          "remove the folder faultline/run in your cache folder");
  }
  return table;
}

} // namespace faultline::run
