#include "finding/version.h"
#include "report/tests/literal.h"
#include "report/vectors/vector_files.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using finding::TestVector;
using finding::VectorOutput;
using finding::VectorSet;

namespace {

std::string number(const std::string& hex) {
  if (hex.find("nan") != std::string::npos)
    return "std::numeric_limits<long double>::quiet_NaN()";
  if (hex.find("inf") != std::string::npos)
    return fmt::format("{}std::numeric_limits<long double>::infinity()", hex.starts_with('-') ? "-" : "");
  return hex + (hex.find('p') == std::string::npos ? ".0L" : "L"); // integers have no exponent
}

std::string ulps_text(double ulps) {
  return std::isfinite(ulps) ? fmt::format("{:.6g}", ulps) : "std::numeric_limits<double>::infinity()";
}

std::string row(const TestVector& vector) {
  std::vector<std::string> inputs, computed, expected, ulps;
  for (const finding::NamedNumber& input : vector.input)
    inputs.push_back(number(input.value.hex));
  for (const VectorOutput& output : vector.outputs) {
    computed.push_back(number(output.computed.hex));
    expected.push_back(number(output.reference.hex));
    ulps.push_back(ulps_text(output.ulps));
  }
  return fmt::format("    {{{{{}}}, {{{}}}, {{{}}}, {{{}}}, \"{}\", \"{}\"}},\n", fmt::join(inputs, ", "),
                     fmt::join(computed, ", "), fmt::join(expected, ", "), fmt::join(ulps, ", "),
                     finding::text(vector.region), quoted(vector.fault));
}

template <class Named>
std::string names(const std::vector<Named>& all) {
  std::vector<std::string> words;
  for (const Named& one : all)
    words.push_back(fmt::format("\"{}\"", quoted(one.name)));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string table(const VectorSet& set, const std::string& name) {
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

// What was computed, and what is right: rounded to the type of the output, which a long double holds.
template <int in, int out> struct vector {{
  long double input[in];
  long double computed[out], expected[out];
  double ulps[out]; // how far what was computed is from the exact value
  const char* region;
  const char* fault;
}};

)",
      finding::version);
  const std::vector<std::string> names = set_names(sets);
  for (size_t i = 0; i < sets.size(); ++i)
    text += table(sets[i], names[i]);
  return text + "} // namespace faultline_vectors\n";
}

} // namespace faultline::report
