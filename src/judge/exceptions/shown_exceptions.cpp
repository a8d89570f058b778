#include "judge/exceptions/shown_exceptions.h"

#include "tape/exceptions.h"
#include "tape/fate.h"

#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace faultline::judge {

Locations::Locations(const runtime::SiteTable& table) : scan_(table), of_site_(table.sites.size()) {
  using Key = std::tuple<std::string_view, std::string_view, int, int, ops::Op>;
  std::map<Key, uint32_t> known;
  for (uint32_t i = 0; i < table.sites.size(); ++i) {
    const tape::Site& site = table.sites[i];
    const Key key{site.file, site.function, site.line, site.column, site.op};
    const auto [entry, added] = known.try_emplace(key, uint32_t(first_site_.size()));
    if (added)
      first_site_.push_back(i);
    of_site_[i] = entry->second;
  }
}

std::vector<Shown> shown_exceptions(const tape::Tape& tape, const Locations& locations) {
  constexpr uint32_t most_tiny_looks = 64; // a location
  std::map<std::pair<uint32_t, ops::Exception>, Shown> shown;
  std::map<uint32_t, uint32_t> tiny_looks;
  const std::vector<bool> used = tape::used_records(tape);
  locations.scan().scan(tape, true, [&](uint32_t index) {
    if (!used[index])
      return false;
    const uint32_t location = locations.of(tape.record(index).site);
    const bool tiny = std::fabs(tape.exact(index)) < 1 && !ops::is_to_int(tape.site(index).op);
    if (tiny && (shown.contains({location, ops::Exception::underflow}) || ++tiny_looks[location] > most_tiny_looks))
      return false;
    const ops::Exception kind = tape::exception_of(tape, index);
    if (kind == ops::Exception::none)
      return false;
    const Shown one{location, kind, index, tape::nonfinite_operand(tape, index) != 0};
    const auto [entry, added] = shown.try_emplace({location, kind}, one);
    if (!added && entry->second.consequence && !one.consequence)
      entry->second = one;
    return false;
  });
  std::vector<Shown> all;
  for (const auto& [key, one] : shown)
    all.push_back(one);
  return all;
}

bool is_narrow_conversion(const tape::Site& site) {
  return ops::is_to_int(site.op) && (site.integer_bits < 32 || !site.integer_signed);
}

} // namespace faultline::judge
