#include "model/settings/settings.h"
#include "base/error.h"
#include "model/finding.h"
#include "model/target.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace faultline::model {

using base::status_usage;
using base::UserError;

namespace {

constexpr auto oracle_names = std::to_array<std::pair<OracleName, std::string_view>>({
    {OracleName::lifted, "lifted"},
    {OracleName::replay, "replay"},
    {OracleName::reference, "reference"},
    {OracleName::none, "none"},
});
constexpr auto norm_names = std::to_array<std::pair<Norm, std::string_view>>({
    {Norm::component, "component"},
    {Norm::infinity, "inf"},
    {Norm::two, "2"},
});

constexpr uint64_t most_elements = most_cells;

[[noreturn]] void refuse(const std::string& option, const std::string& text, const std::string& why,
                         const std::string& hint) {
  throw UserError(status_usage, fmt::format("{} {}: {}", option, text, why), hint);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t end; (end = text.find(separator, begin)) != std::string::npos; begin = end + 1)
    parts.push_back(text.substr(begin, end - begin));
  parts.push_back(text.substr(begin));
  return parts;
}

std::optional<uint64_t> parse_whole(const std::string& text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size() && !text.empty();
  return whole ? std::optional(value) : std::nullopt;
}

numeric::Value number_in(const std::string& option, const std::string& text, const std::string& number) {
  const std::optional<numeric::Value> value = numeric::parse_long_double(number);
  if (!value)
    refuse(option, text, fmt::format("'{}' is not a number", number), "decimal or hex: 1e-7, 0x1p-20");
  return *value;
}

numeric::Value bound(const std::string& option, const std::string& text, const std::string& number) {
  const numeric::Value value = number_in(option, text, number);
  if (!std::isfinite(value))
    refuse(option, text, "an end must be finite", "the largest double is 1.7976931348623157e308");
  return value;
}

std::pair<std::string, std::string> at_equals(const std::string& option, const std::string& text, const char* form) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    refuse(option, text, "is not of the form NAME=VALUE", fmt::format("{} {}", option, form));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// A value without a name is for all.
std::pair<std::string, std::string> perhaps_named(const std::string& option, const std::string& text,
                                                  const char* form) {
  return text.find('=') == std::string::npos ? std::pair<std::string, std::string>("*", text)
                                             : at_equals(option, text, form);
}

} // namespace

std::string_view text(OracleName oracle) { return name_of(oracle_names, oracle); }
std::string_view text(Norm norm) { return name_of(norm_names, norm); }
std::optional<Norm> norm_of(std::string_view text) { return id_of(norm_names, text); }

std::pair<std::string, std::string> named(const std::string& option, const std::string& text, const char* form) {
  auto pair = at_equals(option, text, form);
  if (pair.first == "*")
    refuse(option, text, "needs a name", fmt::format("{} {}", option, form));
  return pair;
}

std::pair<std::string, Range> range_from(const std::string& text) {
  const auto [name, ends] = perhaps_named("--range", text, "x=-1:1");
  const size_t colon = ends.find(':');
  if (colon == std::string::npos)
    refuse("--range", text, "has no ':' between its ends", "--range x=-1:1");
  const Range range{bound("--range", text, ends.substr(0, colon)), bound("--range", text, ends.substr(colon + 1))};
  if (range.low > range.high)
    refuse("--range", text, "the low end is above the high end",
           fmt::format("--range {}={}:{}", name, ends.substr(colon + 1), ends.substr(0, colon)));
  return {name, range};
}

std::pair<std::string, Everyday> everyday_from(const std::string& text) {
  const char* option = "--everyday";
  const auto [name, stretch] = named(option, text, "x=0.1:20");
  const std::vector<std::string> parts = split(stretch, ':');
  if (parts.size() != 2 && parts.size() != 3)
    refuse(option, text, "is not of the form x=LO:HI or x=LO:HI:LEAST", "--everyday x=0.1:20");
  const Everyday everyday{bound(option, text, parts[0]), bound(option, text, parts[1]),
                          parts.size() == 3 ? bound(option, text, parts[2]) : 0};
  if (everyday.low > everyday.high)
    refuse(option, text, "the low end is above the high end",
           fmt::format("--everyday {}={}:{}", name, parts[1], parts[0]));
  if (everyday.least < 0 || everyday.least > std::max(std::fabs(everyday.low), std::fabs(everyday.high)))
    refuse(option, text, "no value of the range has the least magnitude",
           fmt::format("--everyday {}={}:{}", name, parts[0], parts[1]));
  return {name, everyday};
}

std::pair<std::string, std::vector<uint64_t>> size_from(const std::string& text) {
  const auto [name, extents] = perhaps_named("--size", text, "A=32");
  std::vector<uint64_t> size;
  uint64_t elements = 1;
  for (const std::string& extent : split(extents, 'x')) {
    const std::optional<uint64_t> value = parse_whole(extent);
    if (!value || *value == 0)
      refuse("--size", text, fmt::format("'{}' is not a number of elements", extent), "--size A=32 or --size A=4x4");
    if (*value > most_elements / elements)
      refuse("--size", text, fmt::format("more than {} elements", most_elements), "a smaller array");
    elements *= *value;
    size.push_back(*value);
  }
  return {name, size};
}

std::pair<std::string, std::string> alias_from(const std::string& text) {
  auto names = named("--alias", text, "y=x");
  if (names.first == names.second)
    refuse("--alias", text, "is the same name twice", "--alias y=x: the pointer y points to the memory of x");
  return names;
}

std::pair<std::string, numeric::Format> format_from(const std::string& text) {
  using numeric::Format;
  const auto [name, word] = perhaps_named("--format", text, "x=binary32");
  for (const Format format : numeric::all_formats)
    if (word == numeric::info(format).name || word == numeric::info(format).c_type)
      return {name, format};
  refuse("--format", text, fmt::format("'{}' is not a float format", word),
         numeric::list_of(&numeric::FormatInfo::name));
}

std::pair<std::string, numeric::Value> held_from(const std::string& text) {
  const auto [name, number] = named("--hold", text, "n=4");
  return {name, number_in("--hold", text, number)};
}

Status status_from(const std::string& text) {
  if (text.empty() || text == "*")
    refuse("--status", text, "names no output", "--status return=0");
  if (text.find('=') == std::string::npos)
    return {text, 0};
  const auto [name, number] = named("--status", text, "return=0");
  return {name, number_in("--status", text, number)};
}

std::pair<std::string, std::string> reference_from(const std::string& text) {
  const size_t colon = text.find(':'); // the first one: names in C++ may contain colons
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size())
    refuse("--reference", text, "is not of the form FILE:FUNCTION", "--reference exact.c:foo_mpfr");
  const std::string file = text.substr(0, colon);
  if (std::error_code error; !std::filesystem::exists(file, error))
    refuse("--reference", text, fmt::format("{}: no such file", file), "check the path");
  return {file, text.substr(colon + 1)};
}

WantedKinds wanted_from(const std::string& text) {
  WantedKinds wanted{false, false, false, false, false};
  const std::pair<const char*, bool*> kinds[] = {{"error", &wanted.error},
                                                 {"exceptions", &wanted.exceptions},
                                                 {"crashes", &wanted.crashes},
                                                 {"branches", &wanted.branches},
                                                 {"bound", &wanted.bound}};
  for (const std::string& word : split(text, ',')) {
    bool known = false;
    for (const auto& [kind, flag] : kinds)
      if (word == kind)
        known = *flag = true;
    if (!known)
      refuse("--for", text, fmt::format("'{}' is not a kind of failure", word),
             "a comma list of error, exceptions, crashes, branches, bound");
  }
  return wanted;
}

CheckedLine checked_line_from(const std::string& text) {
  const size_t colon = text.rfind(':');
  const std::optional<uint64_t> line = colon == std::string::npos ? std::nullopt : parse_whole(text.substr(colon + 1));
  if (!line || *line == 0 || *line > std::numeric_limits<int>::max() || colon == 0)
    refuse("--site", text, "is not of the form FILE:LINE", "--site sum.c:12");
  return {text.substr(0, colon), int(*line)};
}

Scope scope_from(const std::string& text) {
  if (text == "all")
    return Scope::all;
  if (text != "everyday")
    refuse("--scope", text, "there is no such scope", "everyday or all");
  return Scope::everyday;
}

Norm norm_from(const std::string& text) {
  if (const std::optional<Norm> norm = norm_of(text))
    return *norm;
  refuse("--norm", text, "there is no such norm", "inf, 2 or component");
}

CheckSampling sampling_from(const std::string& text) {
  if (text == "uniform")
    return CheckSampling::uniform;
  if (text != "log")
    refuse("--sampling", text, "there is no such sampling", "uniform or log");
  return CheckSampling::logarithmic;
}

int exponent_bits(const std::string& option, const std::string& text) {
  constexpr uint64_t most = 32'767; // the distance between the exponents of any format
  const uint64_t bits = positive_whole(option, text);
  if (bits > most)
    refuse(option, text, fmt::format("more than {}", most), "a double has 53 bits");
  return int(bits);
}

OracleName oracle_from(const std::string& text) {
  if (const std::optional<OracleName> oracle = id_of(oracle_names, text))
    return *oracle;
  refuse("--oracle", text, "there is no such oracle", "lifted, replay, reference or none");
}

double duration(const std::string& option, const std::string& text) {
  const std::pair<const char*, double> units[] = {{"ms", 1e-3}, {"min", 60}, {"s", 1}, {"m", 60}, {"h", 3600}, {"", 1}};
  for (const auto& [unit, seconds] : units) {
    if (!text.ends_with(unit))
      continue;
    const std::optional<double> value = numeric::parse_double(text.substr(0, text.size() - std::string(unit).size()));
    if (value && *value > 0 && *value * seconds <= 1e9)
      return *value * seconds;
    break;
  }
  refuse(option, text, "is not a time", fmt::format("{} 10s, 500ms, 2m or 1h", option));
}

double positive(const std::string& option, const std::string& text) {
  const std::optional<double> value = numeric::parse_double(text);
  if (!value || !std::isfinite(*value) || *value <= 0)
    refuse(option, text, "is not a number above 0", fmt::format("{} 1e-3", option));
  return *value;
}

uint64_t whole(const std::string& option, const std::string& text) {
  if (const std::optional<uint64_t> value = parse_whole(text))
    return *value;
  // Accepts 1e5 for large numbers, but not 100000.5, and no number that a double cannot represent exactly.
  const std::optional<double> value = numeric::parse_double(text);
  if (value && *value >= 0 && *value <= 0x1p53 && std::trunc(*value) == *value &&
      text.find_first_of("eE") != std::string::npos && text.find_first_not_of("0123456789.eE+") == std::string::npos)
    return uint64_t(*value);
  refuse(option, text, "is not a whole number", fmt::format("{} 1000", option));
}

uint64_t positive_whole(const std::string& option, const std::string& text) {
  const uint64_t value = whole(option, text);
  if (value == 0)
    refuse(option, text, "must not be 0", fmt::format("{} 1", option));
  return value;
}

std::vector<std::string> comma_list(const std::string& text) { return split(text, ','); }

std::map<std::string, std::string> input_from(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> cells;
  for (const std::string& text : texts) {
    std::vector<std::pair<std::string, std::vector<std::string>>> inputs;
    for (const std::string& part : split(text, ',')) {
      if (part.find('=') != std::string::npos) {
        const size_t name = std::min(part.find_first_not_of(' '), part.find('='));
        inputs.emplace_back(part.substr(name, part.find('=') - name), std::vector<std::string>());
      }
      if (inputs.empty() || inputs.back().first.empty())
        refuse("--at", text, "is not of the form NAME=VALUE", "--at x=1e-7 or, for an array, --at A=1,2,3");
      std::string value = part.substr(part.find('=') + 1);                           // npos + 1 is 0
      std::erase_if(value, [](char c) { return c == '[' || c == ']' || c == ' '; }); // reports print arrays as A=[1, 2]
      if (!numeric::parse_long_double(value))
        refuse("--at", text, fmt::format("'{}' is not a number", value), "decimal or hex: 1e-7, 0x1p-20");
      inputs.back().second.push_back(value);
    }
    for (const auto& [name, values] : inputs)
      for (size_t i = 0; i < values.size(); ++i)
        if (!cells.emplace(values.size() == 1 ? name : cell_name(name, i), values[i]).second)
          refuse("--at", text, fmt::format("{} is given twice", name), "name each input once");
  }
  return cells;
}

} // namespace faultline::model
