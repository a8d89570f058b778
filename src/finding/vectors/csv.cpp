#include "finding/vectors/csv.h"

#include "finding/csv/csv_lines.h"
#include "finding/version.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::finding {
namespace {

using Cells = std::vector<std::string>;

constexpr const char* columns[] = {"function",
                                   "file",
                                   "vector",
                                   "region",
                                   "class",
                                   "input",
                                   "decimal",
                                   "ending",
                                   "output",
                                   "computed",
                                   "computed_decimal",
                                   "reference",
                                   "reference_decimal",
                                   "error_ulps",
                                   "reference_by",
                                   "sizes"};

std::string input_text(const std::vector<NamedNumber>& input, std::string Number::*form) {
  std::vector<std::string> parts;
  for (const NamedNumber& number : input)
    parts.push_back(fmt::format("{}={}", number.name, number.value.*form));
  return fmt::format("{}", fmt::join(parts, " "));
}

// a=3x4 b=5
std::string sizes_text(const VectorSet& set) {
  std::vector<std::string> parts;
  for (const auto& [parameter, extents] : set.sizes)
    parts.push_back(fmt::format("{}={}", parameter, fmt::join(extents, "x")));
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string remarks_of(const VectorSet& set) {
  const ErrorHistogram histogram = histogram_of(set.vectors);
  const auto one_line = [](std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return text;
  };
  std::string text = fmt::format("# {}: {} vectors, {} of {} branch outcomes, largest error {:.3g} ulps\n#   ulps {}\n",
                                 one_line(set.function), set.vectors.size(), set.covered, set.outcomes,
                                 histogram.largest, finding::text(histogram));
  return set.note.empty() ? text : text + fmt::format("#   {}\n", one_line(set.note));
}

Cells row_of(const VectorSet& set, size_t i, const VectorOutput* output) {
  const TestVector& vector = set.vectors[i];
  Cells row = {set.function,
               set.file,
               fmt::format("{}", i + 1),
               std::string(text(vector.region)),
               vector.fault,
               input_text(vector.input, &Number::hex),
               input_text(vector.input, &Number::decimal),
               vector.ending};
  if (!output)
    row.resize(std::size(columns) - 1);
  else
    row.insert(row.end(), {output->name, output->computed.hex, output->computed.decimal, output->reference.hex,
                           output->reference.decimal, output->is_known() ? fmt::format("{:.6g}", output->ulps) : "",
                           output->reference_by});
  row.push_back(sizes_text(set));
  return row;
}

} // namespace

std::string vectors_csv(const std::vector<VectorSet>& sets) {
  std::string text = fmt::format("# Test vectors, written by faultline {}.\n", version);
  for (const VectorSet& set : sets)
    text += remarks_of(set);
  text += csv_line({std::begin(columns), std::end(columns)});
  for (const VectorSet& set : sets)
    for (size_t i = 0; i < set.vectors.size(); ++i) {
      for (const VectorOutput& output : set.vectors[i].outputs)
        text += csv_line(row_of(set, i, &output));
      if (set.vectors[i].outputs.empty())
        text += csv_line(row_of(set, i, nullptr));
    }
  return text;
}

} // namespace faultline::finding
