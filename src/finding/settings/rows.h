// Building blocks for the rows in rows.cpp.
#pragma once

#include "finding/settings/table.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "numeric/decimal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

namespace faultline::finding {

using frontend::status_usage;
using frontend::UserError;

using Values = std::vector<std::string>;
using numeric::shortest_decimal;

inline constexpr const char* code = "Code under test";
inline constexpr const char* inputs = "Inputs";
inline constexpr const char* search = "Search";
inline constexpr const char* checks = "Checks for precision loss and cancellation (--strategy fpgen)";
inline constexpr const char* counts = "What counts";
inline constexpr const char* exceptions = "Exceptions";
inline constexpr uint32_t with_sources = command::hunt | command::explain | command::list | command::cover |
                                         command::harness | command::bound | command::export_fpcore | command::vectors;
inline constexpr uint32_t judging = command::hunt | command::explain;
inline constexpr uint32_t measuring = judging | command::bound;
inline constexpr uint32_t exploring = command::hunt | command::cover;

// Reads a map with one entry per value. A second entry for the same name is an error.
template <class Map, class Read> void fill(Map& map, const Values& values, const char* option, Read read) {
  map.clear();
  for (const std::string& text : values) {
    const auto [name, value] = read(text);
    if (!map.emplace(name, value).second)
      throw UserError(status_usage, fmt::format("{} {}: {} is given twice", option, text, name), "name each once");
  }
}

// Writes name=VALUE for each entry; VALUE alone if it is for all inputs.
template <class Map, class Write> Values written(const Map& map, Write write) {
  Values values;
  for (const auto& [name, value] : map)
    values.push_back(name == "*" ? write(value) : fmt::format("{}={}", name, write(value)));
  return values;
}

// Writes one value unless it is the default.
inline Values unless(bool usual, const std::string& text) { return usual ? Values{} : Values{text}; }

template <class T> Values if_given(const std::optional<T>& value) {
  return value ? Values{fmt::format("{}", *value)} : Values{};
}

inline bool flag(const Values& values) { return values.back() == "true"; }
inline Values flag(bool on) { return unless(!on, "true"); }

inline std::string text_of(const Wanted& wanted) {
  Values kinds;
  for (const auto& [kind, on] : {std::pair{"error", wanted.error},
                                 {"exceptions", wanted.exceptions},
                                 {"crashes", wanted.crashes},
                                 {"branches", wanted.branches},
                                 {"bound", wanted.bound}})
    if (on)
      kinds.emplace_back(kind);
  return fmt::format("{}", fmt::join(kinds, ","));
}

inline const Settings usual;

// Returns the rows that define which results count.
std::span<const Setting> judging_settings();

} // namespace faultline::finding
