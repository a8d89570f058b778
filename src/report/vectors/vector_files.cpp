#include "report/vectors/vector_files.h"

#include "report/excerpt.h"
#include "report/tests/literal.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace faultline::report {

using finding::TestVector;
using finding::VectorOutput;
using finding::VectorSet;

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
  const finding::ErrorHistogram histogram = histogram_of(set.vectors);
  std::string text = line(
      fmt::format("{}: {} vectors, largest error {:.3g} ulps", set.function, set.vectors.size(), histogram.largest));
  text += line("ulps " + finding::text(histogram));
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

} // namespace faultline::report
