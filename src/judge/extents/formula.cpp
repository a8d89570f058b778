#include "judge/extents/formula.h"

#include <algorithm>
#include <fmt/args.h>
#include <fmt/format.h>

namespace faultline::judge {
namespace {

struct Form {
  int64_t (*value)(int64_t a, int64_t b, int64_t c);
  const char* text; // with the names in their order
  size_t integers;
  bool difference = false;
};

// The simplest first. Vectors, polynomials' coefficients, matrices, packed triangles; strided vectors, of complex
// numbers, too; a range of orders; matrices with a leading dimension.
constexpr Form forms[] = {
    {[](int64_t a, int64_t, int64_t) { return a; }, "{0}", 1},
    {[](int64_t a, int64_t, int64_t) { return a + 1; }, "{0} + 1", 1},
    {[](int64_t a, int64_t, int64_t) { return a - 1; }, "{0} - 1", 1},
    {[](int64_t a, int64_t, int64_t) { return a + 2; }, "{0} + 2", 1},
    {[](int64_t a, int64_t, int64_t) { return 2 * a; }, "2 * {0}", 1},
    {[](int64_t a, int64_t, int64_t) { return 2 * a + 1; }, "2 * {0} + 1", 1},
    {[](int64_t a, int64_t, int64_t) { return 2 * a - 1; }, "2 * {0} - 1", 1},
    {[](int64_t a, int64_t, int64_t) { return 2 * a + 2; }, "2 * {0} + 2", 1},
    {[](int64_t a, int64_t, int64_t) { return 3 * a; }, "3 * {0}", 1},
    {[](int64_t a, int64_t, int64_t) { return 4 * a; }, "4 * {0}", 1},
    {[](int64_t a, int64_t, int64_t) { return a * a; }, "{0} * {0}", 1},
    {[](int64_t a, int64_t, int64_t) { return a * (a + 1) / 2; }, "{0} * ({0} + 1) / 2", 1},
    {[](int64_t a, int64_t, int64_t) { return a * (a - 1) / 2; }, "{0} * ({0} - 1) / 2", 1},
    {[](int64_t a, int64_t, int64_t) { return (a + 1) * (a + 2) / 2; }, "({0} + 1) * ({0} + 2) / 2", 1},
    {[](int64_t a, int64_t, int64_t) { return (a + 1) * (a + 1); }, "({0} + 1) * ({0} + 1)", 1},
    {[](int64_t a, int64_t, int64_t) { return a * (a + 1); }, "{0} * ({0} + 1)", 1},
    {[](int64_t a, int64_t, int64_t) { return 2 * a * a; }, "2 * {0} * {0}", 1},
    {[](int64_t a, int64_t b, int64_t) { return a * b; }, "{0} * {1}", 2},
    {[](int64_t a, int64_t b, int64_t) { return a + b; }, "{0} + {1}", 2},
    {[](int64_t a, int64_t b, int64_t) { return a - b + 1; }, "{0} - {1} + 1", 2, true},
    {[](int64_t a, int64_t b, int64_t) { return a - b; }, "{0} - {1}", 2, true},
    {[](int64_t a, int64_t b, int64_t) { return (a - 1) * b + 1; }, "({0} - 1) * {1} + 1", 2},
    {[](int64_t a, int64_t b, int64_t) { return 2 * (a - 1) * b + 2; }, "2 * ({0} - 1) * {1} + 2", 2},
    {[](int64_t a, int64_t b, int64_t) { return 2 * a * b; }, "2 * {0} * {1}", 2},
    {[](int64_t a, int64_t b, int64_t) { return a + b - 1; }, "{0} + {1} - 1", 2},
    {[](int64_t a, int64_t b, int64_t) { return a + b + 1; }, "{0} + {1} + 1", 2},
    {[](int64_t a, int64_t b, int64_t) { return std::max(a, b); }, "max({0}, {1})", 2},
    {[](int64_t a, int64_t b, int64_t) { return std::min(a, b); }, "min({0}, {1})", 2},
    {[](int64_t a, int64_t b, int64_t) { return (a - 1) * b + a; }, "({0} - 1) * {1} + {0}", 2},
    {[](int64_t a, int64_t b, int64_t) { return (a + 1) * b; }, "({0} + 1) * {1}", 2},
    {[](int64_t a, int64_t b, int64_t) { return (a + 1) * (b + 1); }, "({0} + 1) * ({1} + 1)", 2},
    {[](int64_t a, int64_t b, int64_t c) { return (a - 1) * b + c; }, "({0} - 1) * {1} + {2}", 3},
    {[](int64_t a, int64_t b, int64_t c) { return a * b * c; }, "{0} * {1} * {2}", 3},
    {[](int64_t a, int64_t b, int64_t c) { return a * b + c; }, "{0} * {1} + {2}", 3},
    {[](int64_t a, int64_t b, int64_t c) { return a + b + c; }, "{0} + {1} + {2}", 3},
};

// All ways to choose so many different ones of the integers, in order.
std::vector<std::vector<size_t>> choices(size_t of, size_t many) {
  if (many == 0)
    return {{}};
  std::vector<std::vector<size_t>> all;
  for (const std::vector<size_t>& shorter : choices(of, many - 1))
    for (size_t i = 0; i < of; ++i)
      if (std::ranges::find(shorter, i) == shorter.end()) {
        all.push_back(shorter);
        all.back().push_back(i);
      }
  return all;
}

// How many of the runs touch all that it says; none if one goes beyond.
std::optional<size_t> exact_runs(const Formula& formula, const std::vector<Touched>& runs) {
  size_t exact = 0;
  for (const Touched& run : runs) {
    const uint64_t said = formula.at(run.integers);
    if (said < run.elements)
      return std::nullopt;
    exact += said == run.elements && run.elements > 0;
  }
  return exact;
}

} // namespace

uint64_t Formula::at(const std::vector<int64_t>& integers) const {
  int64_t values[3] = {};
  for (size_t i = 0; i < integers_.size(); ++i)
    values[i] = integers[integers_[i]];
  return uint64_t(std::max<int64_t>(0, forms[form_].value(values[0], values[1], values[2])));
}

std::string Formula::text(const std::vector<std::string>& names) const {
  fmt::dynamic_format_arg_store<fmt::format_context> arguments;
  for (const size_t i : integers_)
    arguments.push_back(names[i]);
  return fmt::vformat(forms[form_].text, arguments);
}

bool Formula::is_difference() const { return forms[form_].difference; }

std::optional<Formula> fit(const std::vector<Touched>& runs) {
  const auto touching = size_t(std::ranges::count_if(runs, [](const Touched& run) { return run.elements > 0; }));
  std::optional<Formula> best;
  size_t most = 0;
  for (size_t form = 0; form < std::size(forms); ++form)
    for (std::vector<size_t>& integers : choices(runs.front().integers.size(), forms[form].integers)) {
      const Formula formula(form, std::move(integers));
      if (const std::optional<size_t> exact = exact_runs(formula, runs); exact.value_or(0) > most) {
        most = *exact;
        best = formula;
      }
    }
  return 2 * most >= touching ? best : std::nullopt;
}

} // namespace faultline::judge
