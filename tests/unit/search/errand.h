// A quest in a small source, for tests of the parts that searches over many inputs are made of.
#pragma once

#include "searching.h"

#include "search/fpgen/true_error.h"

#include <cfloat>

namespace faultline::test {

inline std::vector<search::Dimension> floats(size_t count, long double low, long double high) {
  return std::vector<search::Dimension>(count, a_float(low, high));
}

struct Errand {
  exec::Session session;
  search::Space space;
  std::vector<size_t> outputs;
  std::vector<exec::Input> runs; // all of them
  std::string outside;           // the first run beyond the space, if there was one
  search::Evaluator evaluator;
  search::Quest quest;
  search::TrueErrors errors;

  Errand(const std::string& text, const model::Sizes& sizes, std::vector<search::Dimension> dimensions,
         double floor = 0, std::vector<size_t> judged = {0}, uint64_t seed = 1)
      : session(open_math(text, sizes)), space{std::move(dimensions)}, outputs(std::move(judged)),
        evaluator(session, without_end(),
                  [this](const exec::Input& input, const exec::Run&, const tape::Tape&) { watch(input); }),
        quest{evaluator, space, outputs, numeric::Rng(seed)}, errors(with_floor(quest, floor)) {}

  // The exact value of an output, on the path of the run.
  numeric::BigFloat exact(const exec::Input& input, size_t output = 0) {
    const tape::Tape tape = read(session, input);
    return tape::replay(tape, 2000).values[output_record(tape, output)];
  }

private:
  static search::Budget without_end() {
    search::Budget budget;
    budget.seconds = 1e6;
    return budget;
  }
  static search::Quest& with_floor(search::Quest& quest, double floor) {
    quest.floor = floor;
    return quest;
  }
  void watch(const exec::Input& input) {
    runs.push_back(input);
    for (size_t i = 0; i < input.size(); ++i)
      if (outside.empty() && !is_value_of(space.dimensions.at(i), input[i]))
        outside = fmt::format("run {}: input {} is {}", runs.size(), i, input[i]);
  }
};

constexpr const char* sum_of_array =
    "double f(const double* a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }";
constexpr const char* dot_product =
    "double f(const double x[4], const double y[4]) { double s = 0; for (int i = 0; i < "
    "4; i++) s += x[i] * y[i]; return s; }";

inline const model::Sizes dot_sizes = {{"x", {4}}, {"y", {4}}};

// For sum_of_array: its numbers and its length.
inline std::vector<search::Dimension> array_of(size_t count, long double low, long double high) {
  std::vector<search::Dimension> dimensions = floats(count, low, high);
  dimensions.push_back(an_integer((long double)count, (long double)count));
  return dimensions;
}

} // namespace faultline::test
