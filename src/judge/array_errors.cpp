#include "judge/array_errors.h"

#include "numeric/bigfloat.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>

namespace faultline::judge {

using model::Norm;
using model::Settings;
using namespace model;
using namespace program;
using numeric::BigFloat;
using oracle::OutputJudgement;

namespace {

// What an integer next to an array measures, judged by its name.
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

// False for the parts of a complex number or a struct that a harness takes as an array: its user sees z.real.
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
    for (size_t i = 0; array.is_array && i < array.declared_extents.size(); ++i) {
      if (lower(array.declared_extents[i]) != lower(cell.name))
        continue;
      if (array.declared_extents.size() == array.extents.size())
        return Length{array.extents[i], array.name};
      if (array.declared_extents.size() == 1)
        return Length{array.count, array.name};
    }
  return std::nullopt;
}

// The leading dimension of a matrix: that of its rows in C, of its columns in Fortran. Without a shape, a square is
// assumed.
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

// Rows and columns are those of the first matrix; with m present, n is its columns. For an array without a declared
// shape, as many as certainly fit.
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

// The next array behind it, or else the last one before it. Arrays with a length of their own only if there are no
// others.
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

constexpr long precision = 256;

BigFloat difference(const OutputJudgement& element) {
  BigFloat result(element.computed, precision);
  mpfr_sub(result.raw(), result.raw(), element.reference.raw(), MPFR_RNDN);
  return result;
}

template <class Of> BigFloat norm_of(std::span<OutputJudgement* const> elements, Norm norm, Of of) {
  BigFloat result(0.0L, precision);
  for (const OutputJudgement* element : elements) {
    const BigFloat value = of(*element);
    if (norm == Norm::two)
      mpfr_hypot(result.raw(), result.raw(), value.raw(), MPFR_RNDN);
    else if (mpfr_cmpabs(value.raw(), result.raw()) > 0)
      mpfr_abs(result.raw(), value.raw(), MPFR_RNDN);
  }
  return result;
}

double quotient(const BigFloat& a, const BigFloat& b) {
  BigFloat result(precision);
  mpfr_div(result.raw(), a.raw(), b.raw(), MPFR_RNDN);
  return std::fabs(result.to_double());
}

BigFloat ulp_of(const BigFloat& value, numeric::Format format) {
  const numeric::FormatInfo& info = numeric::info(format);
  const long exponent = std::max<long>(mpfr_get_exp(value.raw()) - 1, info.min_exponent);
  BigFloat ulp(1.0L, precision);
  mpfr_mul_2si(ulp.raw(), ulp.raw(), exponent - info.precision + 1, MPFR_RNDN);
  return ulp;
}

// The number of known bits of the reference, counted from the norm's first bit.
int64_t good_bits(const OutputJudgement& element, const BigFloat& norm) {
  if (element.good_bits > 1000 || element.reference.is_zero())
    return element.good_bits;
  return element.good_bits + mpfr_get_exp(norm.raw()) - mpfr_get_exp(element.reference.raw());
}

using Elements = std::span<const OutputJudgement* const>;

std::vector<MatchedReference> as_they_are(Elements elements) {
  std::vector<MatchedReference> meant;
  for (const OutputJudgement* element : elements)
    meant.push_back({element->reference, element->good_bits});
  return meant;
}

// The square of the distance between the computed values and the references times this sign.
BigFloat distance(Elements elements, int sign) {
  constexpr long precision = 256;
  BigFloat sum(0.0L, precision);
  for (const OutputJudgement* element : elements) {
    BigFloat difference(element->computed, precision);
    (sign < 0 ? mpfr_add : mpfr_sub)(difference.raw(), difference.raw(), element->reference.raw(), MPFR_RNDN);
    mpfr_sqr(difference.raw(), difference.raw(), MPFR_RNDN);
    mpfr_add(sum.raw(), sum.raw(), difference.raw(), MPFR_RNDN);
  }
  return sum;
}

// "A" of A[3] and A(0,1), "p.x" of p[3].x.
std::string without_indices(const std::string& name) {
  std::string result;
  int depth = 0;
  for (const char c : name) {
    depth += c == '[' || c == '(';
    if (depth == 0)
      result += c;
    depth -= c == ']' || c == ')';
  }
  return result;
}

// The name of the array, complex number or vector that this is a part of: "A" of A[3], "z." of z.real, "p." of p[3].x.
// Coordinates are known by the names of fields: those of a pair {x, v} are of two vectors.
std::string whole_of(const std::string& name) {
  static const std::map<std::string, int> vectors = {{"x", 1},  {"y", 1},    {"z", 1},   {"w", 1}, {"u", 2},
                                                     {"v", 2},  {"i", 3},    {"j", 3},   {"k", 3}, {"re", 4},
                                                     {"im", 4}, {"real", 4}, {"imag", 4}};
  const std::string array = without_indices(name);
  const size_t separator = array.find_last_of(".%");
  if (separator == std::string::npos)
    return array;
  const auto vector = vectors.find(lower(array.substr(separator + 1)));
  return vector == vectors.end() ? array : fmt::format("{}.{}", array.substr(0, separator), vector->second);
}

// "x" of x1 and x2.
std::string without_number(const std::string& name) {
  const size_t last = name.find_last_not_of("0123456789");
  return last == std::string::npos || last + 1 == name.size() ? name : name.substr(0, last + 1) + "#";
}

// "Point" of const Point &.
std::string unqualified(std::string type) {
  if (type.starts_with("const "))
    type.erase(0, 6);
  type.erase(type.find_last_not_of(" &*") + 1);
  return type;
}

// True if the array or the parameter that contains it is named.
bool is_named(const std::vector<std::string>& names, const std::string& array) {
  return std::ranges::any_of(
      names, [&](const std::string& name) { return name == array || name == array.substr(0, array.find('.')); });
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

std::string guessed_lengths(const Target& target, const model::Settings& settings) {
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

void measure_normwise(std::span<OutputJudgement* const> elements, Norm norm, numeric::Format format) {
  const auto finite = [](const OutputJudgement* element) {
    return std::isfinite(element->computed) && element->reference.is_finite();
  };
  if (norm == Norm::component || !std::ranges::all_of(elements, finite))
    return;
  const BigFloat whole = norm_of(elements, norm, [](const OutputJudgement& element) { return element.reference; });
  if (elements.empty() || whole.is_zero())
    return;
  const BigFloat ulp = ulp_of(whole, format);
  OutputJudgement* const worst = *std::ranges::max_element(elements, {}, &OutputJudgement::absolute);
  const auto set = [&](OutputJudgement& element, const BigFloat& error) {
    element.absolute = std::fabs(error.to_double());
    element.relative = quotient(error, whole);
    element.ulps = quotient(error, ulp);
    element.bits = numeric::bits_of_error(element.ulps);
    element.good_bits = good_bits(element, whole);
  };
  const BigFloat error = norm_of(elements, norm, difference);
  for (OutputJudgement* element : elements)
    set(*element, element == worst ? error : difference(*element));
}

std::vector<MatchedReference> matched_by_order(Elements elements) {
  std::vector<MatchedReference> meant = as_they_are(elements);
  if (std::ranges::any_of(elements, [](const OutputJudgement* element) {
        return std::isnan(element->computed) || element->reference.is_nan();
      }))
    return meant;
  std::ranges::sort(meant,
                    [](const MatchedReference& a, const MatchedReference& b) { return a.reference < b.reference; });
  std::vector<size_t> ranks(elements.size());
  std::iota(ranks.begin(), ranks.end(), size_t(0));
  std::ranges::sort(ranks, {}, [&](size_t i) { return std::pair(elements[i]->computed, i); });
  std::vector<MatchedReference> in_place(elements.size());
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    in_place[ranks[rank]] = std::move(meant[rank]);
  return in_place;
}

std::vector<MatchedReference> matched_by_sign(Elements elements) {
  std::vector<MatchedReference> meant = as_they_are(elements);
  if (distance(elements, -1) < distance(elements, 1))
    for (MatchedReference& one : meant)
      mpfr_neg(one.reference.raw(), one.reference.raw(), MPFR_RNDN);
  return meant;
}

Units inputs_of_one_unit(const Target& target) {
  std::map<std::string, std::vector<size_t>> groups;
  for (size_t i = 0; i < target.inputs.size(); ++i) {
    const Cell& cell = target.inputs[i];
    if (!cell.type.floating)
      continue;
    const std::string whole = whole_of(cell.name);
    const auto parameter = std::ranges::find(target.parameters, parameter_of(cell.name), &Parameter::name);
    const bool is_vector = parameter != target.parameters.end() && whole.starts_with(parameter->name + ".") &&
                           whole.find('.') == whole.rfind('.');
    groups[is_vector            ? unqualified(parameter->type_name) + whole.substr(whole.rfind('.'))
           : whole == cell.name ? without_number(whole)
                                : whole]
        .push_back(i);
  }
  Units several;
  for (auto& [name, members] : groups)
    if (members.size() > 1)
      several.push_back(std::move(members));
  return several;
}

ArrayErrors::ArrayErrors(const Target& target, const Settings& settings, const std::vector<size_t>& outputs)
    : target_(target), floor_(settings.floor) {
  std::map<std::string, Array> arrays;
  for (const size_t output : outputs) {
    const std::string array = without_indices(target.outputs[output].name);
    arrays[is_named(settings.unordered, array) ? array : whole_of(array)].outputs.push_back(output);
  }
  for (auto& [name, array] : arrays) {
    array.unordered = is_named(settings.unordered, name) && array.outputs.size() > 1;
    array.up_to_sign = is_named(settings.up_to_sign, name);
    if (array.outputs.size() > 1) { // C returns no arrays: return[0], return[1] are the fields of a struct in registers
      const bool is_struct =
          target.outputs[array.outputs.front()].name.starts_with("return[") && target.harness.empty();
      array.norm = settings.norm.value_or(is_struct ? Norm::component : Norm::infinity);
    }
    if (array.unordered || array.up_to_sign || array.norm != Norm::component)
      arrays_.push_back(std::move(array));
  }
}

const ArrayErrors::Array* ArrayErrors::array_of(size_t output) const {
  for (const Array& array : arrays_)
    if (std::ranges::binary_search(array.outputs, output))
      return &array;
  return nullptr;
}

std::string ArrayErrors::norm_of(size_t output) const {
  const Array* array = array_of(output);
  return array && array->norm != Norm::component ? std::string(text(array->norm)) : "";
}

bool ArrayErrors::is_matched(size_t output) const {
  const Array* array = array_of(output);
  return array && (array->unordered || array->up_to_sign);
}

void ArrayErrors::match(std::vector<OutputJudgement*>& elements, const Array& array) const {
  const auto give = [&](const std::vector<MatchedReference>& meant) {
    for (size_t i = 0; i < elements.size(); ++i) {
      OutputJudgement& element = *elements[i];
      if (element.reference == meant[i].reference)
        continue; // keeps all known data
      element = oracle::measure(element.output, target_.outputs[element.output], element.computed, meant[i].reference,
                                floor_);
      element.good_bits = meant[i].good_bits;
    }
  };
  const std::vector<const OutputJudgement*> read(elements.begin(), elements.end());
  if (array.unordered)
    give(matched_by_order(read));
  if (array.up_to_sign)
    give(matched_by_sign(read));
}

void ArrayErrors::measure(oracle::Judgement& judgement) const {
  if (judgement.certainty != oracle::Certainty::known)
    return;
  for (const Array& array : arrays_) {
    std::vector<OutputJudgement*> elements;
    for (OutputJudgement& output : judgement.outputs)
      if (std::ranges::binary_search(array.outputs, output.output))
        elements.push_back(&output);
    if (elements.empty())
      continue;
    if (array.unordered || array.up_to_sign)
      match(elements, array);
    measure_normwise(elements, array.norm, target_.outputs[elements.front()->output].type.format);
  }
}

} // namespace faultline::judge
