#include "finding/version.h"
#include "report/vectors/vector_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using finding::TestVector;
using finding::VectorSet;

namespace {

std::string entry(const std::string& hex) {
  if (hex.find("nan") != std::string::npos)
    return "std::numeric_limits<T>::quiet_NaN()";
  if (hex.find("inf") != std::string::npos)
    return fmt::format("{}std::numeric_limits<T>::infinity()", hex.starts_with('-') ? "-" : "");
  return fmt::format("SC_({})", hex);
}

std::string table(const VectorSet& set, const std::string& name) {
  const std::vector<const TestVector*> vectors = plain_vectors(set);
  std::string text = set_remarks(set, "   //");
  if (vectors.empty())
    return text + "\n";
  std::vector<std::string> columns, rows;
  for (const finding::NamedNumber& number : vectors.front()->input)
    columns.push_back(number.name);
  for (const finding::VectorOutput& output : vectors.front()->outputs)
    columns.push_back(output.name);
  for (const TestVector* vector : vectors) {
    std::vector<std::string> entries;
    for (const finding::NamedNumber& number : vector->input)
      entries.push_back(entry(number.value.hex));
    for (const finding::VectorOutput& output : vector->outputs)
      entries.push_back(entry(output.reference.hex));
    rows.push_back(fmt::format("      {{{{ {} }}}}", fmt::join(entries, ", ")));
  }
  return text + fmt::format("   // {}\n   static const std::array<std::array<T, {}>, {}> {} = {{{{\n{}\n   }}}};\n\n",
                            fmt::join(columns, ", "), columns.size(), rows.size(), name, fmt::join(rows, ",\n"));
}

} // namespace

std::string vectors_boost(const std::vector<VectorSet>& sets) {
  std::string text = fmt::format("// Test vectors, written by faultline {}: inputs, then what is right.\n"
                                 "// T is the type of the test: typedef double T; needs <array> and <limits>.\n"
                                 "#ifndef SC_\n#define SC_(x) static_cast<T>(x##L)\n#endif\n\n",
                                 finding::version);
  const std::vector<std::string> names = set_names(sets);
  for (size_t i = 0; i < sets.size(); ++i)
    text += table(sets[i], names[i]);
  return text;
}

} // namespace faultline::report
