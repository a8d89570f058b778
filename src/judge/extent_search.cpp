#include "judge/extent_search.h"

#include "judge/array_errors.h"
#include "model/settings/settings.h"
#include "model/target.h"
#include "numeric/random.h"

#include <algorithm>
#include <fmt/args.h>
#include <fmt/format.h>
#include <set>

namespace faultline::judge {

using namespace model;
using namespace program;
using numeric::Value;

namespace {

// The integers of a function whose arrays are measured by running it: the values to try, and the values with which the
// function is searched.

// An integer that may occur in the formula of an array's length.
struct VariedInteger {
  size_t input = 0;          // of the target
  int64_t low = 1, high = 9; // values to try
  int64_t usual = 4;         // the value with which the function is searched
  bool is_free = true;       // it has no given range
};

// A flag, or an enumeration.
struct ProbedFlag {
  size_t input = 0;
  std::vector<int64_t> values;
};

// An integer with a fixed value: by --hold, or as the length of an array with a size.
struct FixedInteger {
  size_t input = 0;
  int64_t value = 0;
};

struct ProbedIntegers {
  std::vector<VariedInteger> varied;
  std::vector<ProbedFlag> flags;
  std::vector<FixedInteger> fixed;

  // The values of the varied integers: all equal, one different from the others, some at random. No duplicates.
  std::vector<std::vector<int64_t>> rows(numeric::Rng rng) const;
  // The values of the flags: all of them if they are few, otherwise some.
  std::vector<std::vector<int64_t>> choices(numeric::Rng rng) const;
  std::vector<int64_t> usual() const;
};

// Formulas have at most three integers, and more varied ones make too many choices. A guess.
constexpr size_t most_varied = 7;
constexpr size_t most_choices = 8; // of flags. A guess

// The target with only the arrays that have no size, or only those that have one.
Target with_arrays(Target target, bool sized) {
  for (Parameter& parameter : target.parameters)
    parameter.is_array = sized ? parameter.is_array && parameter.sized_by != SizedBy::unknown
                               : parameter.is_array || parameter.sized_by == SizedBy::unknown;
  return target;
}

// True for a parameter, and for a field of a struct that has pointers to memory.
bool may_be_length(const Cell& cell, const Target& target) {
  return std::ranges::any_of(target.parameters, [&](const Parameter& parameter) {
    const size_t dot = parameter.name.rfind('.');
    return cell.name == parameter.name ||
           (parameter.stored_at && cell.name.rfind('.') == dot && cell.name.starts_with(parameter.name.substr(0, dot)));
  });
}

std::vector<int64_t> flag_values(const Cell& cell, const Target& target) {
  if (length_of(cell, target))
    return {};
  if (cell.values.empty() && (cell.type.bits == 1 || (cell.type.bits == 8 && !cell.type.is_signed)))
    return {0, 1};
  return cell.values;
}

VariedInteger varied(size_t input, const Cell& cell, const Target& arrays, const Settings& settings) {
  VariedInteger integer{input};
  const std::optional<Length> length = length_of(cell, arrays);
  if (length && length->array.empty()) // a stride
    integer.usual = 1;
  if (const auto range = settings.ranges.find(cell.name); range != settings.ranges.end()) {
    integer.low = int64_t(range->second.low);
    integer.high = integer.usual = int64_t(range->second.high);
    integer.is_free = false;
  }
  return integer;
}

ProbedIntegers probed_integers(const Target& target, const Settings& settings) {
  ProbedIntegers integers;
  const Target unsized_too = with_arrays(target, false), sized = with_arrays(target, true);
  for (size_t i = 0; i < target.inputs.size(); ++i) {
    const Cell& cell = target.inputs[i];
    if (cell.type.floating || !may_be_length(cell, target))
      continue;
    const auto held = settings.held.find(cell.name);
    const std::optional<Length> length = length_of(cell, sized);
    if (held != settings.held.end())
      integers.fixed.push_back({i, int64_t(held->second)});
    else if (length && !length->array.empty() && !settings.ranges.contains(cell.name))
      integers.fixed.push_back({i, int64_t(length->value)});
    else if (std::vector<int64_t> values = flag_values(cell, unsized_too);
             !values.empty() && !settings.ranges.contains(cell.name))
      integers.flags.push_back({i, std::move(values)});
    else if (integers.varied.size() < most_varied)
      integers.varied.push_back(varied(i, cell, unsized_too, settings));
    else
      integers.fixed.push_back({i, VariedInteger().usual});
  }
  return integers;
}

std::vector<int64_t> ProbedIntegers::usual() const {
  std::vector<int64_t> row;
  for (const VariedInteger& integer : varied)
    row.push_back(integer.usual);
  return row;
}

std::vector<std::vector<int64_t>> ProbedIntegers::rows(numeric::Rng rng) const {
  constexpr int random_rows = 12, most_random = 7; // a matrix of 7 x 7 is traversed quickly
  std::vector<std::vector<int64_t>> all;
  std::set<std::vector<int64_t>> known;
  const auto add = [&](auto value_of) {
    std::vector<int64_t> row;
    for (size_t i = 0; i < varied.size(); ++i)
      row.push_back(std::min(varied[i].low + value_of(i) - 1, varied[i].high));
    if (known.insert(row).second)
      all.push_back(std::move(row));
  };
  for (const int64_t value : {1, 2, 3, 4, 5, 6, 8})
    add([&](size_t) { return value; });
  for (size_t one = 0; one < varied.size(); ++one) {
    for (const int64_t value : {1, 2, 3, 7, 9})
      add([&](size_t i) { return i == one ? value : int64_t(5); });
    add([&](size_t i) { return int64_t(i == one ? 6 : 3); });
  }
  for (int i = 0; i < random_rows; ++i)
    add([&](size_t) { return 1 + int64_t(rng.below(most_random)); });
  return all;
}

std::vector<std::vector<int64_t>> ProbedIntegers::choices(numeric::Rng rng) const {
  size_t combinations = 1;
  for (const ProbedFlag& flag : flags)
    combinations = std::min(combinations * flag.values.size(), most_choices + 1);
  std::vector<std::vector<int64_t>> all;
  for (size_t number = 0; number < std::min(combinations, most_choices); ++number) {
    std::vector<int64_t> choice;
    size_t rest = number;
    for (const ProbedFlag& flag : flags) {
      const size_t place = combinations <= most_choices ? rest % flag.values.size() : rng.below(flag.values.size());
      choice.push_back(flag.values[place]);
      rest /= flag.values.size();
    }
    all.push_back(std::move(choice));
  }
  return all;
}

struct Form {
  int64_t (*value)(int64_t a, int64_t b, int64_t c);
  const char* text; // with placeholders for the names
  size_t integers;
  bool difference = false;
};

// The simplest first: vectors, coefficients of polynomials, matrices, packed triangles; strided vectors, also of
// complex numbers; a range of orders; matrices with a leading dimension.
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

// All ordered choices of this many different integers.
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

// The number of runs that touch the whole extent of the formula; nothing if one exceeds it.
std::optional<size_t> exact_runs(const Formula& formula, const std::vector<ExtentSample>& runs) {
  size_t exact = 0;
  for (const ExtentSample& run : runs) {
    const uint64_t extent = formula.at(run.integers);
    if (extent < run.elements)
      return std::nullopt;
    exact += extent == run.elements && run.elements > 0;
  }
  return exact;
}

// Steps to the exact element touched, before steps are doubled: code that loops over about ten elements is then
// measured exactly. A guess.
constexpr int exact_steps = 64;

class Growing {
public:
  Growing(std::vector<uint64_t> extents, uint64_t most, const CallWith& call)
      : most_(most), call_(call), steps_(extents.size(), 0), known_(extents) {
    growth_.extents = std::move(extents);
  }

  Growth run() {
    while (beyond())
      if (!step())
        return growth_;
    for (size_t i = 0; i < steps_.size(); ++i)
      if (steps_[i] > exact_steps)
        shrink(i);
    return growth_;
  }

private:
  bool beyond() {
    last_ = call_(growth_.extents);
    growth_.outcome = last_.outcome;
    return last_.outcome == exec::Outcome::overrun;
  }

  bool ends(Growth::End end, size_t array) {
    growth_.end = end;
    growth_.array = array;
    return false;
  }

  bool step() {
    if (!last_.beyond)
      return ends(Growth::End::elsewhere, 0);
    const auto [array, element] = *last_.beyond;
    if (element < 0)
      return ends(Growth::End::before, array);
    const uint64_t needed = uint64_t(element) + 1;
    uint64_t& extent = growth_.extents[array];
    if (needed > most_)
      return ends(Growth::End::endless, array);
    known_[array] = needed;
    extent = ++steps_[array] <= exact_steps ? needed : std::min(most_, std::max(needed, 2 * extent));
    return true;
  }

  // Removes the excess of doubling.
  void shrink(size_t array) {
    uint64_t high = growth_.extents[array];
    for (uint64_t low = known_[array]; low < high;) {
      const uint64_t middle = low + (high - low) / 2;
      growth_.extents[array] = middle;
      if (beyond() && last_.beyond && last_.beyond->array == array)
        low = std::max(middle, uint64_t(std::max<int64_t>(last_.beyond->element, 0))) + 1;
      else
        high = middle;
    }
    growth_.extents[array] = high;
    growth_.outcome = call_(growth_.extents).outcome;
  }

  uint64_t most_;
  const CallWith& call_;
  Growth growth_;
  exec::ProbedCall last_;
  std::vector<int> steps_;      // by array
  std::vector<uint64_t> known_; // touched elements
};

// The contents of the arguments of a function that is run to measure its arrays. Contents lead code to different
// places: ordinary numbers, zeros, a sorted sequence, both signs. Integers are indices from 0 or from 1.
class Contents {
public:
  // The first four are one of each.
  Contents(uint64_t seed, int number) : seed_(seed), number_(number) {}

  Value of(const Type& type, size_t array, uint64_t element) const;

private:
  uint64_t seed_;
  int number_;
};

Value Contents::of(const Type& type, size_t array, uint64_t element) const {
  const int sort = number_ % 4;
  if (!type.floating)
    return sort == 0 ? 1 : sort == 1 ? 0 : Value(element + (sort == 3));
  if (sort == 1)
    return 0;
  if (sort == 2)
    return Value(element) + 1;
  numeric::Rng rng(seed_ ^ uint64_t(number_) << 56 ^ uint64_t(array) << 32 ^ element);
  const Value random = Value(rng.next()) * 0x1p-64L; // all different
  return sort == 0 ? 0.5L + random : 4 * random - 2;
}

// The number of time-outs that ends the measurement, whatever the clock: a count, so that the same seed gives the same
// extents.
constexpr int most_time_outs = 4;
constexpr int fills = 4, fills_of_usual = 8; // contents for each choice of integers; a guess
// The extent of an array that a function reads endlessly: the smallest useful one. A guess.
constexpr uint64_t endless_extent = 16;

class Search {
public:
  Search(exec::ExtentProbe& probe, const Target& target, const Settings& settings)
      : probe_(probe), target_(target), settings_(settings), integers_(probed_integers(target, settings)),
        choices_(integers_.choices(numeric::Rng(settings.seed).fork("extents: flags"))),
        deadline_(std::max(extent_share * settings.budget_seconds, least_seconds)), endless_(probe.arrays().size()),
        before_(probe.arrays().size()) {}

  FoundExtents run() {
    const size_t arrays = probe_.arrays().size();
    std::vector<std::vector<ExtentSample>> touched(arrays);
    for (const std::vector<int64_t>& row : integers_.rows(numeric::Rng(settings_.seed).fork("extents"))) {
      if (is_over())
        break;
      const std::vector<uint64_t> extents = touched_with(row, std::vector<uint64_t>(arrays, 0), fills);
      for (size_t i = 0; i < arrays; ++i)
        touched[i].push_back({row, extents[i]});
    }
    for (size_t i = 0; i < arrays; ++i)
      explain(touched[i]);
    settle();
    return std::move(found_);
  }

private:
  bool is_over() { return time_outs_ >= most_time_outs || deadline_.passed(1); }

  exec::Input input_with(const std::vector<int64_t>& row, const std::vector<int64_t>& choice,
                         const Contents& contents) {
    exec::Input input;
    for (size_t i = 0; i < target_.inputs.size(); ++i)
      input.push_back(contents.of(target_.inputs[i].type, probe_.arrays().size() + i, 0));
    for (size_t i = 0; i < row.size(); ++i)
      input[integers_.varied[i].input] = Value(row[i]);
    for (size_t i = 0; i < choice.size(); ++i)
      input[integers_.flags[i].input] = Value(choice[i]);
    for (const FixedInteger& fixed : integers_.fixed)
      input[fixed.input] = Value(fixed.value);
    return input;
  }

  // The maximum over all flags and contents.
  std::vector<uint64_t> touched_with(const std::vector<int64_t>& row, std::vector<uint64_t> extents, int many) {
    for (int fill = 0; fill < many; ++fill)
      for (const std::vector<int64_t>& choice : choices_) {
        if (is_over())
          return extents;
        const Contents contents(settings_.seed, fill);
        const exec::Input input = input_with(row, choice, contents);
        const Growth growth = grow(extents, model::most_cells, [&](const std::vector<uint64_t>& now) {
          return probe_.call(input, now, [&](size_t array, uint64_t element) {
            return contents.of(probe_.arrays()[array].type, array, element);
          });
        });
        time_outs_ += growth.outcome == exec::Outcome::timed_out;
        if (growth.end == Growth::End::endless)
          endless_[growth.array] = true;
        else
          extents = growth.extents;
        if (growth.end == Growth::End::before)
          before_[growth.array] = true;
      }
    return extents;
  }

  // Finds the formula of the extent, if there is one.
  void explain(const std::vector<ExtentSample>& runs) {
    uint64_t largest = 0;
    for (const ExtentSample& run : runs)
      largest = std::max(largest, run.elements);
    const bool constant = std::ranges::all_of(
        runs, [&](const ExtentSample& run) { return run.elements == 0 || run.elements == largest; });
    constants_.push_back(constant ? std::optional(largest) : std::nullopt);
    formulas_.push_back(constant || integers_.varied.empty() ? std::nullopt : fit(runs));
  }

  // Sets the integers for the search, and what the function touches then.
  void settle() {
    std::vector<int64_t> row = integers_.usual();
    std::vector<bool> matters(row.size());
    for (size_t i = 0; i < formulas_.size(); ++i) {
      if (formulas_[i] && formulas_[i]->is_difference())
        row[formulas_[i]->integers()[1]] = integers_.varied[formulas_[i]->integers()[1]].low;
      for (size_t k = 0; k < row.size(); ++k)
        if (!constants_[i] && (!formulas_[i] || std::ranges::count(formulas_[i]->integers(), k) > 0))
          matters[k] = true;
    }
    std::vector<uint64_t> extents;
    for (size_t i = 0; i < formulas_.size(); ++i)
      extents.push_back(constants_[i]  ? *constants_[i]
                        : formulas_[i] ? std::min(formulas_[i]->at(row), model::most_cells)
                                       : 0);
    extents = touched_with(row, std::move(extents), fills_of_usual);
    look_before(row, extents);
    for (size_t i = 0; i < extents.size(); ++i)
      found_.arrays.push_back(found(i, extents[i]));
    hold(row, matters);
    hold_indices(row);
    found_.cut = deadline_.cut();
  }

  // The same with no memory before the arrays.
  void look_before(const std::vector<int64_t>& row, std::vector<uint64_t> extents) {
    for (uint64_t& extent : extents)
      extent = std::max<uint64_t>(extent, 1);
    for (const std::vector<int64_t>& choice : choices_) {
      if (is_over())
        return;
      const Contents contents(settings_.seed, 0);
      const exec::ProbedCall call = probe_.call(
          input_with(row, choice, contents), extents,
          [&](size_t array, uint64_t element) { return contents.of(probe_.arrays()[array].type, array, element); },
          exec::Edge::before);
      if (call.beyond && call.beyond->element < 0)
        before_[call.beyond->array] = true;
    }
  }

  FoundExtent found(size_t array, uint64_t touched) const {
    const Parameter& parameter = target_.parameters[probe_.arrays()[array].parameter];
    FoundExtent found{parameter.name, {std::max<uint64_t>(touched, endless_[array] ? endless_extent : 1)}};
    if (formulas_[array]) {
      std::vector<std::string> names;
      for (const VariedInteger& integer : integers_.varied)
        names.push_back(target_.inputs[integer.input].name);
      found.formula = formulas_[array]->text(names);
    }
    found.endless = endless_[array];
    // If integers in arrays may be indices, our contents are the cause.
    found.before = before_[array] && std::ranges::all_of(probe_.arrays(), [](const exec::FreeArray& other) {
                     return other.type.floating;
                   });
    if (parameter.extents.size() > 1) { // number of rows
      uint64_t row = 1;
      for (size_t i = 1; i < parameter.extents.size(); ++i)
        row *= parameter.extents[i];
      found.extents = parameter.extents;
      found.extents.front() = std::max<uint64_t>(1, (touched + row - 1) / row);
    }
    return found;
  }

  // Holds integers that matter at the value for which the extents are valid; others get the tried range.
  void hold(const std::vector<int64_t>& row, const std::vector<bool>& matters) {
    const bool any = std::ranges::any_of(
        found_.arrays, [](const FoundExtent& found) { return found.extents.size() > 1 || found.extents.front() > 1; });
    for (size_t k = 0; k < row.size() && any; ++k) {
      const VariedInteger& integer = integers_.varied[k];
      const std::string& name = target_.inputs[integer.input].name;
      if (!integer.is_free)
        continue;
      if (matters[k] || integer.usual == 1)
        found_.held[name] = row[k];
      else
        found_.ranges[name] = {Value(integer.low), Value(integer.high)};
    }
  }

  void hold_indices(const std::vector<int64_t>& row) {
    std::vector<uint64_t> extents;
    for (const FoundExtent& array : found_.arrays) {
      extents.push_back(1);
      for (const uint64_t extent : array.extents)
        extents.back() *= extent;
    }
    for (size_t array = 0; array < extents.size(); ++array) {
      if (probe_.arrays()[array].type.floating)
        continue;
      const std::optional<int64_t> first =
          first_index([&](const auto& integers) { return stays_within(row, extents, array, integers); });
      for (uint64_t k = 0; first && k < extents[array]; ++k)
        found_.held[model::cell_name(found_.arrays[array].parameter, k)] = *first + int64_t(k);
    }
  }

  bool stays_within(const std::vector<int64_t>& row, const std::vector<uint64_t>& extents, size_t array,
                    const std::function<int64_t(uint64_t)>& integers) {
    const Contents contents(settings_.seed, 0);
    for (const exec::Edge edge : {exec::Edge::behind, exec::Edge::before})
      for (const std::vector<int64_t>& choice : choices_) {
        if (is_over())
          return true;
        const auto element = [&](size_t of, uint64_t k) {
          return of == array ? Value(integers(k)) : contents.of(probe_.arrays()[of].type, of, k);
        };
        const exec::ProbedCall call = probe_.call(input_with(row, choice, contents), extents, element, edge);
        if (call.outcome == exec::Outcome::overrun || call.outcome == exec::Outcome::segfault)
          return false;
      }
    return true;
  }

  exec::ExtentProbe& probe_;
  const Target& target_;
  const Settings& settings_;
  ProbedIntegers integers_;
  std::vector<std::vector<int64_t>> choices_;
  Deadline deadline_;
  std::vector<bool> endless_, before_;
  std::vector<std::optional<uint64_t>> constants_; // by array
  std::vector<std::optional<Formula>> formulas_;
  int time_outs_ = 0;
  FoundExtents found_;
};

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

std::optional<Formula> fit(const std::vector<ExtentSample>& runs) {
  const auto touching = size_t(std::ranges::count_if(runs, [](const ExtentSample& run) { return run.elements > 0; }));
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

Growth grow(std::vector<uint64_t> extents, uint64_t most, const CallWith& call) {
  return Growing(std::move(extents), most, call).run();
}

std::optional<int64_t> first_index(const StaysWithin& stays_within) {
  constexpr auto far_off = int64_t(model::most_cells); // beyond every array, within what small types can hold
  const auto all = [](int64_t value) { return [value](uint64_t) { return value; }; };
  if (stays_within(all(far_off)) && stays_within(all(-far_off)))
    return std::nullopt;
  for (const int64_t first : {0, 1})
    if (stays_within([first](uint64_t element) { return first + int64_t(element); }))
      return first;
  return std::nullopt;
}

FoundExtents find_extents(exec::ExtentProbe& probe, const Target& target, const Settings& settings) {
  return Search(probe, target, settings).run();
}

OverrunJudgement judge_overrun(exec::ExtentProbe& probe, const Target& target, const exec::Input& input) {
  std::vector<std::vector<Value>> values(probe.arrays().size());
  std::vector<uint64_t> extents;
  for (size_t i = 0; i < probe.arrays().size(); ++i) {
    const Parameter& parameter = target.parameters[probe.arrays()[i].parameter];
    values[i].resize(parameter.count);
    for (size_t k = 0; k < target.inputs.size(); ++k)
      if (const Cell& cell = target.inputs[k]; model::is_part_of(cell.name, parameter.name))
        values[i][(cell.offset - parameter.offset) / parameter.type.bytes()] = input[k];
    extents.push_back(parameter.count);
  }
  const Growth growth = grow(extents, model::most_cells, [&](const std::vector<uint64_t>& now) {
    return probe.call(input, now, [&](size_t array, uint64_t element) -> Value {
      return element < values[array].size() ? values[array][element] : 1;
    });
  });
  OverrunJudgement judged{growth.end == Growth::End::settled, {}};
  for (size_t i = 0; i < extents.size(); ++i)
    if (growth.extents[i] > extents[i])
      judged.needed.push_back({target.parameters[probe.arrays()[i].parameter].name, {growth.extents[i]}});
  return judged;
}

void probe_extents(const Job& job, const ProbeTask& task, Program program, const Target& target,
                   const exec::Limits& limits, exec::Channel& channel, const Tell& tell) {
  // For one call; sufficient for arrays of a few elements. A guess.
  constexpr double call_seconds = 0.1;
  exec::Limits brief = limits;
  brief.native_seconds = std::min(call_seconds, brief.native_seconds);
  const bool sized = !task.overruns.empty(); // the size that the user gave may be too small
  exec::ExtentProbe probe(std::move(program), target, sized, brief, channel.progress, channel.skip);
  if (task.overruns.empty())
    tell(ExtentsMessage{find_extents(probe, target, job.settings)});
  for (const exec::Input& input : task.overruns)
    tell(judge_overrun(probe, target, input));
}

} // namespace faultline::judge
