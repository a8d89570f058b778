#include "judge/arrays/lengths.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <vector>

namespace faultline::judge {

using frontend::Cell;
using frontend::Parameter;
using frontend::Target;

namespace {

// What an integer beside an array says of it, by its name.
enum class Measures : uint8_t { nothing, length, rows, columns, stride };

std::string lower(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return name;
}

Measures measure_of(const std::string& given) {
  const std::string name = lower(given);
  static const std::map<std::string, Measures> known = [] {
    std::map<std::string, Measures> all;
    for (const char* length : {"n", "m", "len", "length", "size", "count", "num", "dim", "nmemb", "nelem", "nelems",
                               "npts", "npoints", "lda", "ldb"})
      all[length] = Measures::length;
    for (const char* rows : {"rows", "nrows", "nrow", "numrows", "num_rows", "n_rows"})
      all[rows] = Measures::rows;
    for (const char* columns : {"cols", "ncols", "ncol", "numcols", "num_cols", "n_cols", "columns", "ncolumns"})
      all[columns] = Measures::columns;
    for (const char* stride : {"inc", "incx", "incy"})
      all[stride] = Measures::stride;
    return all;
  }();
  if (name.find("stride") != std::string::npos)
    return Measures::stride;
  const auto found = known.find(name);
  return found == known.end() ? Measures::nothing : found->second;
}

bool has_input(const Target& target, const std::string& name) {
  return std::ranges::any_of(target.inputs,
                             [&](const Cell& cell) { return !cell.type.floating && lower(cell.name) == name; });
}

bool has_both_measures(const Target& target) {
  auto any = [&](Measures measures) {
    return std::ranges::any_of(target.inputs, [&](const Cell& cell) { return measure_of(cell.name) == measures; });
  };
  return any(Measures::rows) && any(Measures::columns);
}

// The parts of a complex number or of a struct, which a harness takes as an array, are none to its user: z.real.
bool is_array(const Parameter& parameter, const Target& target) {
  const auto is_element = [&](const Cell& cell) {
    return cell.name.starts_with(parameter.name + "[") || cell.name.starts_with(parameter.name + "(");
  };
  return parameter.is_array && (target.harness.empty() || std::ranges::any_of(target.inputs, is_element) ||
                                std::ranges::any_of(target.outputs, is_element));
}

uint64_t front_of(const Parameter& array) { return array.extents.empty() ? array.count : array.extents.front(); }

// x(n), a[n][m]
std::optional<Length> by_declaration(const Cell& cell, const Target& target) {
  for (const Parameter& array : target.parameters)
    for (size_t i = 0; i < array.declared_extents.size(); ++i) {
      if (lower(array.declared_extents[i]) != lower(cell.name))
        continue;
      if (array.declared_extents.size() == array.extents.size())
        return Length{array.extents[i], array.name};
      if (array.declared_extents.size() == 1)
        return Length{array.count, array.name};
    }
  return std::nullopt;
}

// The leading dimension of a matrix: that of its rows in C, of its columns in Fortran. What is given without a shape is
// taken for a square.
uint64_t leading_dimension(const Parameter& matrix, const Target& target) {
  const std::string& symbol = target.called_symbol.empty() ? target.symbol : target.called_symbol;
  const bool fortran = symbol.ends_with("_") || symbol.starts_with("_Q");
  if (matrix.extents.size() == 2)
    return matrix.extents[fortran ? 0 : 1];
  const auto side = uint64_t(std::llround(std::sqrt(double(matrix.count))));
  return side * side == matrix.count ? side : matrix.count;
}

// The array that a length is named after: lda and ldfjac; lr, nx, x_len.
std::optional<Length> by_name(const std::string& given, const Target& target) {
  const std::string name = lower(given);
  for (const Parameter& array : target.parameters) {
    if (!is_array(array, target))
      continue;
    const std::string own = lower(array.name);
    if (name == "ld" + own)
      return Length{leading_dimension(array, target), array.name, array.extents.size() == 2};
    for (const std::string& length : {"l" + own, "n" + own, "len" + own, "len_" + own, own + "len", own + "_len",
                                      own + "_size", own + "_n", "n_" + own})
      if (name == length)
        return Length{array.count, array.name};
  }
  return std::nullopt;
}

// Rows and columns are those of the first matrix; n is its columns beside m. Those of an array whose shape was not told
// are as many as surely fit.
std::optional<Length> by_matrix(const Cell& cell, const Target& target) {
  const auto matrix =
      std::ranges::find_if(target.parameters, [](const Parameter& array) { return array.extents.size() == 2; });
  const Measures measures = measure_of(cell.name);
  const bool of_matrix = measures != Measures::length || has_input(target, "m");
  if (matrix != target.parameters.end() && of_matrix) {
    const bool columns = measures == Measures::columns || (measures == Measures::length && cell.name == "n");
    return Length{matrix->extents[columns ? 1 : 0], matrix->name};
  }
  const auto first =
      std::ranges::find_if(target.parameters, [&](const Parameter& array) { return is_array(array, target); });
  if (measures != Measures::length && has_both_measures(target))
    return Length{uint64_t(std::sqrt(double(first->count))), first->name};
  return std::nullopt;
}

bool has_own_length(const Parameter& array, const Target& target) {
  return std::ranges::any_of(target.inputs, [&](const Cell& cell) {
    const std::optional<Length> named = cell.type.floating ? std::nullopt : by_name(cell.name, target);
    return named && named->array == array.name;
  });
}

// The next array behind it, else the last one before it; those with a length of their own only if there are no others.
Length by_place(const Cell& cell, const Target& target) {
  const auto own = std::ranges::find(target.parameters, cell.name, &Parameter::name);
  std::vector<const Parameter*> before, behind, all;
  for (auto array = target.parameters.begin(); array != target.parameters.end(); ++array) {
    if (!is_array(*array, target))
      continue;
    all.push_back(&*array);
    if (!has_own_length(*array, target))
      (array < own ? before : behind).push_back(&*array);
  }
  const Parameter& chosen = !behind.empty() ? *behind.front() : !before.empty() ? *before.back() : *all.front();
  const bool alike = std::ranges::all_of(all, [&](const Parameter* one) { return front_of(*one) == front_of(chosen); });
  return {front_of(chosen), chosen.name, alike};
}

} // namespace

std::optional<Length> length_of(const Cell& cell, const Target& target) {
  if (cell.type.floating ||
      std::ranges::none_of(target.parameters, [&](const Parameter& array) { return is_array(array, target); }))
    return std::nullopt;
  const Measures measures = measure_of(cell.name);
  if (measures == Measures::stride)
    return Length{1, ""};
  if (std::optional<Length> declared = by_declaration(cell, target))
    return declared;
  if (std::optional<Length> named = by_name(cell.name, target))
    return named;
  if (measures == Measures::nothing)
    return std::nullopt;
  if (std::optional<Length> of_matrix = by_matrix(cell, target))
    return of_matrix;
  return by_place(cell, target);
}

std::string guessed_lengths(const Target& target, const finding::Settings& settings) {
  std::string text;
  for (const Cell& cell : target.inputs) {
    const std::optional<Length> length = length_of(cell, target);
    if (!length || length->certain || settings.held.contains(cell.name) || settings.ranges.contains(cell.name))
      continue;
    text += fmt::format("{}{} is held at {}, by the size of {}; --hold {}=N says otherwise", text.empty() ? "" : "; ",
                        cell.name, length->value, length->array, cell.name);
  }
  return text;
}

} // namespace faultline::judge
