#include "finding/vectors/checked.h"
#include "finding/version.h"
#include "report/excerpt.h"
#include "report/tests/call_text.h"
#include "report/tests/literal.h"
#include "report/vectors/vector_files.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using finding::TestVector;
using finding::VectorOutput;
using finding::VectorSet;
using frontend::Parameter;
using numeric::Format;

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
static_assert(finding::least_ulps == 2); // as it stands above

bool has_ctype(const frontend::Type& type) {
  return !type.floating || type.format == Format::binary32 || type.format == Format::binary64;
}

std::string ctype(const frontend::Type& type) {
  if (type.floating)
    return type.format == Format::binary32 ? "ctypes.c_float" : "ctypes.c_double";
  return fmt::format("ctypes.c_{}int{}", type.is_signed ? "" : "u", type.bits);
}

// Why Python cannot call it in this way; empty if it can. A Python float is a double.
std::string refused(const VectorSet& set) {
  const frontend::Target& target = set.target;
  if (target.symbol.empty() || !target.harness.empty())
    return "it is called through a harness";
  const auto plain = [](const Parameter& parameter) {
    return parameter.passing == frontend::Passing::value && !parameter.is_array && has_ctype(parameter.type) &&
           (parameter.type.floating || (parameter.type.bits >= 8 && parameter.type.bits <= 64));
  };
  if (!std::ranges::all_of(target.parameters, plain) || target.parameters.size() != target.inputs.size())
    return "its parameters are not numbers alone";
  if (target.outputs.size() != 1 || !is_result(target.outputs.front()) || !target.outputs.front().type.floating ||
      !has_ctype(target.outputs.front().type))
    return "it does not return a float or a double, and nothing else";
  return "";
}

std::string test(const VectorSet& set, const std::string& name) {
  std::string text = set_remarks(set, "#");
  const std::vector<const TestVector*> vectors = plain_vectors(set);
  if (const std::string reason = refused(set); !reason.empty() || vectors.empty())
    return text + fmt::format("# There is no test of it: {}.\n\n",
                              printable(reason.empty() ? "no vector has a reference" : reason));
  std::vector<std::string> kinds;
  for (const Parameter& parameter : set.target.parameters)
    kinds.push_back(ctype(parameter.type));
  text += fmt::format("{}_VECTORS = [  # region, class, input, what is right, error in ulps\n", name);
  for (const TestVector* vector : vectors) {
    std::vector<std::string> values;
    for (const finding::NamedNumber& input : vector->input)
      values.push_back(fmt::format("\"{}\"", input.value.hex));
    const VectorOutput& output = vector->outputs.front();
    text += fmt::format("    (\"{}\", \"{}\", [{}], \"{}\", {}),\n", finding::text(vector->region),
                        quoted(vector->fault), fmt::join(values, ", "), output.reference.hex,
                        std::isfinite(output.ulps) ? fmt::format("{:.6g}", output.ulps) : "math.inf");
  }
  return text +
         fmt::format("]\n\n\n@pytest.mark.parametrize(\"region, fault, values, reference, error\", {0}_VECTORS)\n"
                     "def test_{0}(region, fault, values, reference, error):\n"
                     "    check(\"{1}\", {2}, [{3}], values, reference, error)\n\n\n",
                     name, quoted(set.target.symbol), ctype(set.target.outputs.front().type), fmt::join(kinds, ", "));
}

} // namespace

std::string vectors_python(const std::vector<VectorSet>& sets) {
  std::string text = fmt::format("# Test vectors, written by faultline {}. They need pytest and a shared library:\n"
                                 "#   FAULTLINE_LIBRARY=./libsubject.so pytest FILE\n",
                                 finding::version) +
                     frame;
  const std::vector<std::string> names = set_names(sets);
  for (size_t i = 0; i < sets.size(); ++i)
    text += test(sets[i], names[i]);
  while (text.ends_with("\n\n"))
    text.pop_back();
  return text;
}

} // namespace faultline::report
