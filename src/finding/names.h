// A list of ids and their texts, and conversions between them.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace faultline::finding {

template <class Id, size_t N> using Names = std::array<std::pair<Id, std::string_view>, N>;

template <class Id, size_t N> std::string_view name_of(const Names<Id, N>& names, Id id) {
  const auto entry = std::ranges::find(names, id, &std::pair<Id, std::string_view>::first);
  return entry == names.end() ? std::string_view("unknown") : entry->second;
}

template <class Id, size_t N> std::optional<Id> id_of(const Names<Id, N>& names, std::string_view name) {
  const auto entry = std::ranges::find(names, name, &std::pair<Id, std::string_view>::second);
  return entry == names.end() ? std::nullopt : std::optional(entry->first);
}

} // namespace faultline::finding
