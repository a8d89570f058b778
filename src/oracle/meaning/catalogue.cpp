#include "oracle/meaning/catalogue.h"

#include "oracle/meaning/catalogue_entry.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <sstream>
#include <string_view>

namespace faultline::oracle {
namespace {

using frontend::Cell;
using frontend::Target;

struct Row {
  const CatalogueEntry* entry;
  Floats floats;
};

const std::multimap<std::string_view, Row>& rows() {
  static const auto all = [] {
    std::multimap<std::string_view, Row> all;
    for (const Catalogue& catalogue :
         {c_meanings(), gsl_bessel_meanings(), gsl_gamma_meanings(), gsl_other_meanings(), cephes_meanings(),
          r_meanings(), r_distribution_meanings(), boost_meanings(), slatec_meanings()})
      for (const CatalogueEntry& entry : catalogue.entries)
        all.emplace(entry.name, Row{&entry, catalogue.floats});
    return all;
  }();
  return all;
}

struct Signature {
  std::vector<std::string> names;
  std::vector<bool> integers;
};

Signature signature_of(const CatalogueEntry& entry) {
  Signature signature;
  std::istringstream words(entry.inputs);
  for (std::string word; words >> word;) {
    signature.integers.push_back(word.ends_with(":i"));
    signature.names.push_back(word.substr(0, word.find(':')));
  }
  return signature;
}

bool fits(const Target& target, const CatalogueEntry& entry, const Signature& signature,
          std::optional<numeric::Format> wanted) {
  if (*entry.file && std::filesystem::path(target.file).filename() != entry.file)
    return false;
  if (target.inputs.size() != signature.names.size())
    return false;
  for (size_t i = 0; i < target.inputs.size(); ++i)
    if (target.inputs[i].type.floating == signature.integers[i])
      return false;
  const auto is_float = [](const Cell& cell) { return cell.type.floating; };
  const auto first = std::ranges::find_if(target.outputs, is_float);
  if (first == target.outputs.end())
    return false;
  const numeric::Format format = wanted.value_or(first->type.format);
  const auto fits_format = [&](const Cell& cell) { return !cell.type.floating || cell.type.format == format; };
  return std::ranges::all_of(target.inputs, fits_format) && std::ranges::all_of(target.outputs, fits_format);
}

// `name`: that of a cell, or *N.
std::optional<size_t> output_of(const Target& target, std::string_view name) {
  size_t other = 0;
  for (size_t i = 0; i < target.outputs.size(); ++i) {
    const Cell& cell = target.outputs[i];
    if (!cell.type.floating)
      continue;
    const bool counted = cell.name != "return";
    if (cell.name == name || (counted && name == fmt::format("*{}", other)))
      return i;
    other += counted;
  }
  return std::nullopt;
}

// `format`: what a suffix of the name tells; without one, a double where the library has nothing else.
void add(std::vector<ReadyMeaning>& found, const Target& target, std::string_view name, std::string_view output = "",
         std::optional<numeric::Format> suffix = std::nullopt) {
  const auto [begin, end] = rows().equal_range(name);
  for (auto row = begin; row != end; ++row) {
    const CatalogueEntry& entry = *row->second.entry;
    const Floats floats = row->second.floats;
    if (suffix && floats != Floats::suffixed)
      continue;
    const Signature signature = signature_of(entry);
    const auto format =
        floats == Floats::any ? std::nullopt : std::optional(suffix.value_or(numeric::Format::binary64));
    if (!fits(target, entry, signature, format))
      continue;
    const std::optional<size_t> index = output_of(target, !output.empty() ? output
                                                          : *entry.output ? std::string_view(entry.output)
                                                                          : "return");
    const bool moded = !signature.names.empty() && signature.names.back() == "mode";
    if (index)
      found.push_back({*index, signature.names,
                       moded ? fmt::format("if(mode == 0, {}, undefined)", entry.expression) : entry.expression});
  }
}

} // namespace

std::vector<ReadyMeaning> ready_meanings(const Target& target) {
  std::vector<ReadyMeaning> found;
  for (const std::string& name : frontend::names_of(target)) {
    add(found, target, name);
    // R's own build puts this before its names.
    if (name.starts_with("Rf_"))
      add(found, target, std::string_view(name).substr(3));
    const std::string_view stem = std::string_view(name).substr(0, name.empty() ? 0 : name.size() - 1);
    if (found.empty() && (name.ends_with("f") || name.ends_with("l")))
      add(found, target, stem, "", name.ends_with("f") ? numeric::Format::binary32 : numeric::Format::extended80);
    // The variants of GSL that estimate their own error give the value in a struct.
    if (name.starts_with("gsl_sf_") && name.ends_with("_e"))
      add(found, target, std::string_view(name).substr(0, name.size() - 2), "result.val");
    if (!found.empty())
      break;
  }
  return found;
}

std::vector<const CatalogueEntry*> catalogue_entries() {
  std::vector<const CatalogueEntry*> entries;
  for (const auto& [name, row] : rows())
    entries.push_back(row.entry);
  return entries;
}

Target target_of(const CatalogueEntry& entry) {
  Target target;
  target.function = target.symbol = entry.name;
  target.file = *entry.file ? entry.file : "somewhere.c";
  const Signature signature = signature_of(entry);
  for (size_t i = 0; i < signature.names.size(); ++i)
    target.inputs.push_back({signature.names[i], {.floating = !signature.integers[i]}});
  constexpr int most_outputs = 4; // Cephes' airy has as many
  target.outputs.push_back({*entry.output ? "first" : "return", {}});
  for (int i = 1; *entry.output && i < most_outputs; ++i)
    target.outputs.push_back({fmt::format("other{}", i), {}});
  return target;
}

} // namespace faultline::oracle
