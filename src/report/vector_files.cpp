#include "report/vector_files.h"

#include "model/report.h"
#include "report/tests/call_text.h"
#include "report/tests/literal.h"
#include "report/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace faultline::report {

using namespace model;
using model::Parameter;
using numeric::Format;

std::vector<const TestVector*> plain_vectors(const VectorSet& set) {
  std::vector<const TestVector*> plain;
  for (const TestVector& vector : set.vectors)
    if (vector.ending.empty() && !vector.outputs.empty() &&
        std::ranges::all_of(vector.outputs, &VectorOutput::is_known))
      plain.push_back(&vector);
  return plain;
}

std::string set_remarks(const VectorSet& set, const std::string& mark) {
  const auto line = [&](const std::string& text) { return fmt::format("{} {}\n", mark, printable(text)); };
  const ErrorHistogram histogram = histogram_of(set.vectors);
  std::string text = line(
      fmt::format("{}: {} vectors, largest error {:.3g} ulps", set.function, set.vectors.size(), histogram.largest));
  text += line("ulps " + model::text(histogram));
  if (const size_t left_out = set.vectors.size() - plain_vectors(set).size(); left_out > 0)
    text += line(fmt::format("{} without a reference are left out; they are in the .csv", left_out));
  return set.note.empty() ? text : text + line(set.note);
}

std::vector<std::string> set_names(const std::vector<VectorSet>& sets) {
  std::vector<std::string> names;
  std::map<std::string, int> used;
  for (const VectorSet& set : sets) {
    const std::string name = snake_case(set.function);
    const int before = used[name]++;
    names.push_back(before == 0 ? name : fmt::format("{}_{}", name, before + 1));
  }
  return names;
}

namespace {

// Returns a NaN or an infinity of the type; empty for other numbers.
std::string special_number(const std::string& hex, std::string_view type) {
  if (hex.find("nan") != std::string::npos)
    return fmt::format("std::numeric_limits<{}>::quiet_NaN()", type);
  if (hex.find("inf") != std::string::npos)
    return fmt::format("{}std::numeric_limits<{}>::infinity()", hex.starts_with('-') ? "-" : "", type);
  return "";
}

std::string entry(const std::string& hex) {
  const std::string special = special_number(hex, "T");
  return special.empty() ? fmt::format("SC_({})", hex) : special;
}

std::string table(const VectorSet& set, const std::string& name) {
  const std::vector<const TestVector*> vectors = plain_vectors(set);
  std::string text = set_remarks(set, "   //");
  if (vectors.empty())
    return text + "\n";
  std::vector<std::string> columns, rows;
  for (const NamedNumber& number : vectors.front()->input)
    columns.push_back(number.name);
  for (const VectorOutput& output : vectors.front()->outputs)
    columns.push_back(output.name);
  for (const TestVector* vector : vectors) {
    std::vector<std::string> entries;
    for (const NamedNumber& number : vector->input)
      entries.push_back(entry(number.value.hex));
    for (const VectorOutput& output : vector->outputs)
      entries.push_back(entry(output.reference.hex));
    rows.push_back(fmt::format("      {{{{ {} }}}}", fmt::join(entries, ", ")));
  }
  return text + fmt::format("   // {}\n   static const std::array<std::array<T, {}>, {}> {} = {{{{\n{}\n   }}}};\n\n",
                            printable(fmt::format("{}", fmt::join(columns, ", "))), columns.size(), rows.size(), name,
                            fmt::join(rows, ",\n"));
}

} // namespace

std::string vectors_boost(const std::vector<VectorSet>& sets) {
  std::string text = fmt::format("// Test vectors, written by faultline {}: inputs, then references.\n"
                                 "// T is the type of the test: typedef double T; needs <array> and <limits>.\n"
                                 "#ifndef SC_\n#define SC_(x) static_cast<T>(x##L)\n#endif\n\n",
                                 model::version);
  const std::vector<std::string> names = set_names(sets);
  for (size_t i = 0; i < sets.size(); ++i)
    text += table(sets[i], names[i]);
  return text;
}

namespace {

std::string number(const std::string& hex) {
  if (const std::string special = special_number(hex, "long double"); !special.empty())
    return special;
  return hex + (hex.find('p') == std::string::npos ? ".0L" : "L"); // integers have no exponent
}

std::string ulps_text(double ulps) {
  return std::isfinite(ulps) ? fmt::format("{:.6g}", ulps) : "std::numeric_limits<double>::infinity()";
}

std::string row(const TestVector& vector) {
  std::vector<std::string> inputs, computed, expected, ulps;
  for (const NamedNumber& input : vector.input)
    inputs.push_back(number(input.value.hex));
  for (const VectorOutput& output : vector.outputs) {
    computed.push_back(number(output.computed.hex));
    expected.push_back(number(output.reference.hex));
    ulps.push_back(ulps_text(output.ulps));
  }
  return fmt::format("    {{{{{}}}, {{{}}}, {{{}}}, {{{}}}, \"{}\", \"{}\"}},\n", fmt::join(inputs, ", "),
                     fmt::join(computed, ", "), fmt::join(expected, ", "), fmt::join(ulps, ", "),
                     model::text(vector.region), quoted(vector.fault));
}

template <class Named> std::string names(const std::vector<Named>& all) {
  std::vector<std::string> words;
  for (const Named& one : all)
    words.push_back(fmt::format("\"{}\"", quoted(one.name)));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string vector_table(const VectorSet& set, const std::string& name) {
  const std::vector<const TestVector*> vectors = plain_vectors(set);
  std::string text = set_remarks(set, "//");
  if (vectors.empty())
    return text + "\n";
  const TestVector& first = *vectors.front();
  text += fmt::format("namespace {} {{\n"
                      "inline constexpr const char* inputs[] = {{{}}};\n"
                      "inline constexpr const char* outputs[] = {{{}}};\n"
                      "inline constexpr vector<{}, {}> vectors[] = {{\n",
                      name, names(first.input), names(first.outputs), first.input.size(), first.outputs.size());
  for (const TestVector* vector : vectors)
    text += row(*vector);
  return text + fmt::format("}};\n}} // namespace {}\n\n", name);
}

} // namespace

std::string vectors_header(const std::vector<VectorSet>& sets) {
  std::string text = fmt::format(
      R"(// Test vectors, written by faultline {}. They are C++17: hexadecimal numbers, and variables that are inline.
#pragma once

#include <limits>

namespace faultline_vectors {{

// The computed values and the references, rounded to the type of the output, which fits into a long double.
template <int in, int out> struct vector {{
  long double input[in];
  long double computed[out], expected[out];
  double ulps[out]; // errors of the computed values
  const char* region;
  const char* fault;
}};

)",
      model::version);
  const std::vector<std::string> names = set_names(sets);
  for (size_t i = 0; i < sets.size(); ++i)
    text += vector_table(sets[i], names[i]);
  return text + "} // namespace faultline_vectors\n";
}

namespace {

constexpr const char* frame = R"(import ctypes
import math
import os
from fractions import Fraction

import pytest

LIBRARY = os.environ.get("FAULTLINE_LIBRARY", "./libsubject.so")
FACTOR = 2  # an error that grew by more than this fails
LEAST_ULPS = 2  # smaller errors count as this one

library = ctypes.CDLL(LIBRARY)

def ulps(computed, reference, kind):
    precision, least_exponent = (24, -126) if kind is ctypes.c_float else (53, -1022)
    if computed == reference or (math.isnan(computed) and math.isnan(reference)):
        return 0
    if not (math.isfinite(computed) and math.isfinite(reference)):
        return math.inf
    exponent = max(math.frexp(reference)[1] - 1, least_exponent) if reference else least_exponent
    return abs(Fraction(computed) - Fraction(reference)) / Fraction(2) ** (exponent - precision + 1)

def check(symbol, result, parameters, values, reference, error):
    function = getattr(library, symbol)
    function.restype = result
    function.argtypes = parameters
    floats = (ctypes.c_float, ctypes.c_double)
    arguments = [float.fromhex(value) if kind in floats else int(value) for kind, value in zip(parameters, values)]
    now = ulps(function(*arguments), float.fromhex(reference), result)
    assert now <= FACTOR * max(error, LEAST_ULPS), f"{error} ulps before, and more than {FACTOR} times that now"

)";
static_assert(model::least_ulps == 2); // the constant in the text above

bool has_ctype(const model::Type& type) {
  return !type.floating || type.format == Format::binary32 || type.format == Format::binary64;
}

std::string ctype(const model::Type& type) {
  if (type.floating)
    return type.format == Format::binary32 ? "ctypes.c_float" : "ctypes.c_double";
  return fmt::format("ctypes.c_{}int{}", type.is_signed ? "" : "u", type.bits);
}

// Returns why Python cannot call the function in this way; empty if it can. A Python float is a double.
std::string refused(const VectorSet& set) {
  const model::Target& target = set.target;
  if (target.symbol.empty() || !target.harness.empty())
    return "it is called through a harness";
  if (!is_plain_symbol(target.symbol))
    return "its symbol is not a plain name";
  const auto plain = [](const Parameter& parameter) {
    return parameter.passing == model::Passing::value && !parameter.is_array && has_ctype(parameter.type) &&
           (parameter.type.floating || (parameter.type.bits >= 8 && parameter.type.bits <= 64));
  };
  if (!std::ranges::all_of(target.parameters, plain) || target.parameters.size() != target.inputs.size())
    return "its parameters are not all numbers";
  if (target.outputs.size() != 1 || !is_result(target.outputs.front()) || !target.outputs.front().type.floating ||
      !has_ctype(target.outputs.front().type))
    return "its result is not a single float or double";
  return "";
}

std::string test(const VectorSet& set, const std::string& name) {
  std::string text = set_remarks(set, "#");
  const std::vector<const TestVector*> vectors = plain_vectors(set);
  if (const std::string reason = refused(set); !reason.empty() || vectors.empty())
    return text + fmt::format("# No test: {}.\n\n", printable(reason.empty() ? "no vector has a reference" : reason));
  std::vector<std::string> kinds;
  for (const Parameter& parameter : set.target.parameters)
    kinds.push_back(ctype(parameter.type));
  text += fmt::format("{}_VECTORS = [  # region, class, input, reference, error in ulps\n", name);
  for (const TestVector* vector : vectors) {
    std::vector<std::string> values;
    for (const NamedNumber& input : vector->input)
      values.push_back(fmt::format("\"{}\"", input.value.hex));
    const VectorOutput& output = vector->outputs.front();
    text += fmt::format("    (\"{}\", \"{}\", [{}], \"{}\", {}),\n", model::text(vector->region),
                        quoted_in_python(vector->fault), fmt::join(values, ", "), output.reference.hex,
                        std::isfinite(output.ulps) ? fmt::format("{:.6g}", output.ulps) : "math.inf");
  }
  return text +
         fmt::format("]\n\n\n@pytest.mark.parametrize(\"region, fault, values, reference, error\", {0}_VECTORS)\n"
                     "def test_{0}(region, fault, values, reference, error):\n"
                     "    check(\"{1}\", {2}, [{3}], values, reference, error)\n\n\n",
                     name, set.target.symbol, ctype(set.target.outputs.front().type), fmt::join(kinds, ", "));
}

} // namespace

std::string vectors_python(const std::vector<VectorSet>& sets) {
  std::string text = fmt::format("# Test vectors, written by faultline {}. They need pytest and a shared library:\n"
                                 "#   FAULTLINE_LIBRARY=./libsubject.so pytest FILE\n",
                                 model::version) +
                     frame;
  const std::vector<std::string> names = set_names(sets);
  for (size_t i = 0; i < sets.size(); ++i)
    text += test(sets[i], names[i]);
  while (text.ends_with("\n\n"))
    text.pop_back();
  return text;
}

} // namespace faultline::report
