#include "model/vectors/vector.h"

#include "base/error.h"
#include "base/text.h"
#include "model/csv_lines.h"
#include "model/report.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <set>

namespace faultline::model {

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
  std::string text = fmt::format("# {}: {} vectors, {} of {} branch outcomes, largest error {:.3g} ulps\n#   ulps {}\n",
                                 base::printable(set.function), set.vectors.size(), set.covered, set.outcomes,
                                 histogram.largest, model::text(histogram));
  return set.note.empty() ? text : text + fmt::format("#   {}\n", base::printable(set.note));
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

constexpr const char* needed[] = {"function", "input", "output", "computed", "reference", "error_ulps"};

[[noreturn]] void refuse(size_t line, const std::string& what) {
  throw base::UserError(base::status_usage, fmt::format("line {}: {}", line, what),
                        "use a file that faultline hunt -o FILE.csv wrote");
}

// x=0x1p+0 n=4
std::vector<std::pair<std::string, std::string>> named_parts(const std::string& text, size_t line) {
  std::vector<std::pair<std::string, std::string>> parts;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const size_t equals = part.rfind('=');
    if (equals == std::string::npos || equals == 0)
      refuse(line, fmt::format("'{}' is not NAME=VALUE", part.substr(0, 40)));
    parts.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    begin = end + 1;
  }
  return parts;
}

// True if this is the input of the vector as it was written.
bool has_input(const TestVector& vector, const std::string& text) {
  std::string whole;
  for (const NamedNumber& number : vector.input)
    whole += fmt::format("{}{}={}", whole.empty() ? "" : " ", number.name, number.value.hex);
  return whole == text;
}

class Reader {
public:
  std::vector<VectorSet> read(std::string_view text) {
    CsvLines lines(text, refuse);
    while (!lines.at_end()) {
      if (lines.begins_with_one_of("#\r\n")) {
        lines.skip();
        continue;
      }
      const Cells cells = lines.cells();
      if (column_.empty())
        read_header(cells, lines.line());
      else
        read_row(cells, lines.line());
    }
    if (column_.empty())
      refuse(lines.line() + 1, "there is no line with the names of columns");
    return std::move(sets_);
  }

private:
  void read_header(const Cells& cells, size_t line) {
    for (size_t i = 0; i < cells.size(); ++i)
      if (!column_.emplace(cells[i], i).second)
        refuse(line, fmt::format("the column '{}' occurs twice", cells[i].substr(0, 40)));
    for (const char* name : needed)
      if (!column_.contains(name))
        refuse(line, fmt::format("there is no column '{}'", name));
    width_ = cells.size();
  }

  std::string at(const Cells& cells, const std::string& name) const {
    const auto found = column_.find(name);
    return found == column_.end() ? "" : cells[found->second];
  }

  Number number(const Cells& cells, const std::string& name, size_t line) const {
    const std::string hex = at(cells, name);
    if (hex.empty())
      return {};
    const auto value = numeric::parse_long_double(hex);
    if (!value)
      refuse(line, fmt::format("{} '{}' is not a number", name, hex.substr(0, 40)));
    const std::string decimal = at(cells, name + "_decimal");
    return {decimal.empty() ? numeric::shortest_decimal(*value) : decimal, hex};
  }

  // If there are two columns, both have the same names in the same order.
  std::vector<NamedNumber> input(const Cells& cells, size_t line) const {
    std::vector<NamedNumber> input;
    for (const auto& [name, value] : named_parts(at(cells, "input"), line)) {
      const auto read = numeric::parse_long_double(value);
      if (!read)
        refuse(line, fmt::format("'{}' is not a number", value.substr(0, 40)));
      input.push_back({name, {numeric::shortest_decimal(*read), value}});
    }
    if (const std::string text = at(cells, "decimal"); !text.empty()) {
      const auto decimals = named_parts(text, line);
      if (decimals.size() != input.size())
        refuse(line, "the inputs are not the same in decimal");
      for (size_t i = 0; i < input.size(); ++i)
        input[i].value.decimal = decimals[i].second;
    }
    return input;
  }

  void read_row(const Cells& cells, size_t line) {
    if (cells.size() != width_)
      refuse(line, fmt::format("has {} columns, not {}", cells.size(), width_));
    const std::string function = at(cells, "function");
    if (function.empty())
      refuse(line, "names no function");
    const size_t set = set_for(function, cells, line);
    TestVector& vector = vector_for(set, cells, line);
    if (const std::string output = at(cells, "output"); !output.empty()) {
      vector.outputs.push_back(output_of(output, cells, line));
      last_outputs_[set].insert(output);
    }
  }

  VectorOutput output_of(const std::string& name, const Cells& cells, size_t line) const {
    VectorOutput output{name, number(cells, "computed", line), number(cells, "reference", line),
                        std::numeric_limits<double>::quiet_NaN(), at(cells, "reference_by")};
    if (output.computed.hex.empty())
      refuse(line, "has no computed value");
    const std::string ulps = at(cells, "error_ulps");
    if (ulps.empty() != output.reference.hex.empty())
      refuse(line, "has a reference without an error, or an error without a reference");
    if (ulps.empty())
      return output;
    const auto error = numeric::parse_double(ulps);
    if (!error || !(*error >= 0))
      refuse(line, fmt::format("error_ulps '{}' is not an error", ulps.substr(0, 40)));
    output.ulps = *error;
    return output;
  }

  Sizes sizes(const Cells& cells, size_t line) const {
    Sizes sizes;
    for (const auto& [parameter, extents] : named_parts(at(cells, "sizes"), line))
      for (size_t begin = 0; begin <= extents.size();) {
        const size_t end = std::min(extents.find('x', begin), extents.size());
        const std::string extent = extents.substr(begin, end - begin);
        if (extent.empty() || extent.size() > 9 || extent.find_first_not_of("0123456789") != std::string::npos)
          refuse(line, fmt::format("'{}' is not a size of {}", extents.substr(0, 40), parameter.substr(0, 40)));
        sizes[parameter].push_back(std::stoull(extent));
        begin = end + 1;
      }
    return sizes;
  }

  size_t set_for(const std::string& function, const Cells& cells, size_t line) {
    const std::string file = at(cells, "file");
    const auto [place, is_new] = set_of_.emplace(std::pair(function, file), sets_.size());
    if (is_new) {
      sets_.emplace_back();
      last_outputs_.emplace_back();
      sets_.back().function = function;
      sets_.back().file = file;
      sets_.back().sizes = sizes(cells, line);
    }
    return place->second;
  }

  // Rows of one vector are adjacent.
  TestVector& vector_for(size_t of, const Cells& cells, size_t line) {
    VectorSet& set = sets_[of];
    const std::string text = at(cells, "input");
    TestVector made{Region::ordinary, at(cells, "class"), input(cells, line), at(cells, "ending"), {}};
    if (const std::string word = at(cells, "region"); !word.empty()) {
      const auto region = region_of(word);
      if (!region)
        refuse(line, fmt::format("'{}' is not a region", word.substr(0, 40)));
      made.region = *region;
    }
    if (set.vectors.empty() || !has_input(set.vectors.back(), text) ||
        last_outputs_[of].contains(at(cells, "output"))) {
      set.vectors.push_back(std::move(made));
      last_outputs_[of].clear();
    }
    return set.vectors.back();
  }

  std::map<std::string, size_t> column_;
  size_t width_ = 0;
  std::vector<VectorSet> sets_;
  std::vector<std::set<std::string>> last_outputs_; // of each set's last vector: a file may have any number of vectors
  std::map<std::pair<std::string, std::string>, size_t> set_of_;
};

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

std::vector<VectorSet> parse_vectors(std::string_view text, const std::string& name) {
  try {
    return Reader().read(text);
  } catch (const base::UserError& problem) {
    throw base::UserError(problem.status, fmt::format("{}: {}", name, problem.what()), problem.hint);
  }
}

} // namespace faultline::model
