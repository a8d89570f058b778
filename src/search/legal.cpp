#include "search/legal.h"

#include "base/error.h"
#include "numeric/random.h"
#include "search/space.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace faultline::search {

namespace {

using model::Assumption;
using model::AssumptionRelation;
using model::AssumptionTerm;
using model::Order;
using numeric::Int128;
using TermKind = AssumptionTerm::Kind;
using Form = LegalCondition::Form;
using Dimensions = std::vector<Dimension>;

// Choices of indices of one assumption: a guess. It allows every pair of elements of an array of 256.
constexpr size_t most_conditions = 1u << 16;

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

// Binds the terms of one assumption to the inputs of a target.
class Binder {
public:
  Binder(const Assumption& assumption, const model::Target& target) : assumption_(assumption), target_(target) {
    for (size_t i = 0; i < target.inputs.size(); ++i) {
      const std::string& name = target.inputs[i].name;
      cells_.emplace(name, i);
      if (model::array_cell(name))
        arrays_[model::array_of(name)].push_back(i);
      roots_.insert(model::parameter_of(name));
    }
  }

  void add_to(std::vector<LegalCondition>& conditions) {
    for (const AssumptionRelation& relation : assumption_.relations) {
      if (add_predicate(relation, conditions) || add_sorted(relation, conditions))
        continue;
      const size_t before = conditions.size();
      std::set<std::string> variables;
      find_variables(relation.left, variables);
      find_variables(relation.right, variables);
      add_instances(relation, {variables.begin(), variables.end()}, 0, conditions);
      if (conditions.size() == before)
        fail(relation.left, "there are no such elements", "indices begin at 0, those of Fortran's A(i) at 1");
    }
  }

  // True if the target has all inputs that are named.
  bool fits() const {
    return std::ranges::all_of(assumption_.relations, [&](const AssumptionRelation& relation) {
      return names_known(relation.left) && names_known(relation.right);
    });
  }

private:
  static constexpr const char* element = "*"; // the variable for the elements of whole arrays

  [[noreturn]] void fail(const AssumptionTerm& term, const std::string& problem, const std::string& hint) const {
    model::fail_assumption(assumption_.text, term.column, problem, hint);
  }

  bool names_known(const AssumptionTerm& term) const {
    if (term.kind == TermKind::input && !is_known(term))
      return false;
    return std::ranges::all_of(term.operands, [&](const AssumptionTerm& of) { return names_known(of); });
  }
  bool is_known(const AssumptionTerm& term) const {
    const std::string root = model::parameter_of(term.name.front().text);
    return roots_.contains(root) || roots_.contains(lower_case(root));
  }
  void check_known(const AssumptionTerm& term) const {
    if (is_known(term))
      return;
    const std::vector<std::string> names(roots_.begin(), roots_.end());
    const std::string& name = term.name.front().text;
    const std::vector<std::string> close = base::nearest(name, names);
    fail(term, fmt::format("{} has no input '{}'", target_.function, name),
         fmt::format("its inputs are {}", fmt::join(close.empty() ? names : close, ", ")));
  }

  // The array that a term names as a whole, or null.
  const std::vector<size_t>* whole_array(const AssumptionTerm& term) const {
    if (term.kind != TermKind::input || term.name.size() != 1 || !term.name.front().indices.empty())
      return nullptr;
    for (const std::string& name : {term.name.front().text, lower_case(term.name.front().text)})
      if (const auto found = arrays_.find(name); found != arrays_.end())
        return &found->second;
    return nullptr;
  }

  void find_variables_of_index(const AssumptionTerm& index, std::set<std::string>& variables) const {
    if (index.kind == TermKind::input) {
      if (index.name.size() != 1 || !index.name.front().indices.empty() || is_known(index))
        fail(index, "an index is a number or a name such as i", "write x[i] for every element");
      variables.insert(index.name.front().text);
    }
    for (const AssumptionTerm& of : index.operands)
      find_variables_of_index(of, variables);
  }
  void find_variables(const AssumptionTerm& term, std::set<std::string>& variables) const {
    if (term.kind == TermKind::input) {
      check_known(term);
      if (whole_array(term))
        variables.insert(element);
      for (const AssumptionTerm::Part& part : term.name)
        for (const AssumptionTerm& index : part.indices)
          find_variables_of_index(index, variables);
    }
    for (const AssumptionTerm& of : term.operands)
      if (!(term.kind == TermKind::call && model::takes_arrays(term.function) && whole_array(of)))
        find_variables(of, variables);
  }

  void add_instances(const AssumptionRelation& relation, const std::vector<std::string>& variables, size_t next,
                     std::vector<LegalCondition>& conditions) {
    if (next < variables.size()) {
      for (size_t value = 0; value <= target_.inputs.size(); ++value) {
        values_[variables[next]] = long(value);
        add_instances(relation, variables, next + 1, conditions);
      }
      return;
    }
    if (++instances_ > most_conditions)
      fail(relation.left, "there are too many combinations of indices", "use fewer indices or smaller arrays");
    LegalCondition condition{.order = relation.order};
    if (!bind(relation.left, condition, condition.left) || !bind(relation.right, condition, condition.right))
      return;
    round_numbers(condition);
    std::ranges::sort(condition.cells);
    condition.cells.erase(std::unique(condition.cells.begin(), condition.cells.end()), condition.cells.end());
    conditions.push_back(std::move(condition));
  }

  // An index's value.
  long value_of(const AssumptionTerm& index) const {
    const auto operand = [&](size_t i) { return value_of(index.operands[i]); };
    switch (index.kind) {
    case TermKind::number:
      if (index.number == std::rint(index.number) && std::fabs(index.number) < 1e6L)
        return long(index.number);
      break;
    case TermKind::input:
      return values_.at(index.name.front().text);
    case TermKind::add:
      return operand(0) + operand(1);
    case TermKind::subtract:
      return operand(0) - operand(1);
    case TermKind::multiply:
      return operand(0) * operand(1);
    case TermKind::negate:
      return -operand(0);
    default:
      break;
    }
    fail(index, "an index is a whole number, or a name with a number added", "write x[i] or x[i+1]");
  }

  // A[k] for the indices of a part. Several indices are those of a matrix: Fortran's run by columns.
  std::string indexed(const AssumptionTerm::Part& part) const {
    if (part.indices.empty())
      return part.text;
    std::vector<long> indices;
    for (const AssumptionTerm& index : part.indices)
      indices.push_back(value_of(index) - part.round);
    long flat = indices.front();
    if (indices.size() > 1) {
      const auto parameter = std::ranges::find(target_.parameters, part.round ? lower_case(part.text) : part.text,
                                               &model::Parameter::name);
      if (parameter == target_.parameters.end() || parameter->extents.size() != indices.size())
        fail(part.indices.front(), fmt::format("'{}' does not have {} indices", part.text, indices.size()),
             "give its shape with --size, such as A=3x3");
      if (part.round)
        std::ranges::reverse(indices);
      flat = 0;
      for (size_t i = 0; i < indices.size(); ++i) {
        const auto extent = long(part.round ? parameter->extents[indices.size() - 1 - i] : parameter->extents[i]);
        if (indices[i] < 0 || indices[i] >= extent)
          return {};
        flat = flat * extent + indices[i];
      }
    }
    return flat < 0 ? std::string() : model::cell_name(part.text, size_t(flat));
  }

  // False if there is no such element.
  bool bind_input(const AssumptionTerm& term, LegalCondition& condition, LegalTerm& bound) const {
    bound.kind = TermKind::input;
    if (const std::vector<size_t>* array = whole_array(term)) {
      const auto index = size_t(values_.at(element));
      if (index >= array->size())
        return false;
      bound.cell = (*array)[index];
    } else {
      std::string name;
      for (const AssumptionTerm::Part& part : term.name) {
        const std::string text = indexed(part);
        if (text.empty())
          return false;
        name += text;
      }
      auto found = cells_.find(name);
      if (found == cells_.end())
        found = cells_.find(lower_case(name));
      if (found == cells_.end()) {
        if (term.name.front().indices.empty())
          fail(term, fmt::format("{} has no input '{}'", target_.function, name), "faultline hunt -v shows the inputs");
        return false;
      }
      bound.cell = found->second;
    }
    condition.cells.push_back(bound.cell);
    return true;
  }

  bool bind(const AssumptionTerm& term, LegalCondition& condition, LegalTerm& bound) const {
    bound.kind = term.kind;
    bound.number = term.number;
    bound.function = term.function;
    if (term.kind == TermKind::input)
      return bind_input(term, condition, bound);
    for (const AssumptionTerm& of : term.operands) {
      const std::vector<size_t>* array =
          term.kind == TermKind::call && model::takes_arrays(term.function) ? whole_array(of) : nullptr;
      if (array)
        for (const size_t cell : *array) {
          bound.operands.push_back({.kind = TermKind::input, .cell = cell});
          condition.cells.push_back(cell);
        }
      else if (!bind(of, condition, bound.operands.emplace_back()))
        return false;
    }
    if (term.kind == TermKind::call)
      check_call(term, bound);
    if (bound.kind == TermKind::negate && bound.operands.front().kind == TermKind::number)
      bound = {.kind = TermKind::number, .number = -bound.operands.front().number};
    return true;
  }

  void check_call(const AssumptionTerm& term, LegalTerm& bound) const {
    const size_t count = bound.operands.size();
    if (term.function == "length") {
      bound = {.kind = TermKind::number, .number = Value(count)};
    } else if (term.function == "dot") {
      if (count % 2 != 0 || term.operands.size() != 2)
        fail(term, "dot takes two arrays of the same length", "write dot(a, b)");
    } else if (term.function == "hypot" ? count != 2 : !model::takes_arrays(term.function) && count != 1) {
      fail(term, fmt::format("'{}' takes {}", term.function, term.function == "hypot" ? "two numbers" : "one number"),
           "check the commas");
    }
    static const std::set<std::string> of_relations = {"finite",    "integer",    "sorted",  "increasing",
                                                       "symmetric", "orthogonal", "rotation"};
    if (of_relations.contains(term.function))
      fail(term, fmt::format("'{}' is a condition, not a number", term.function), "use it alone, joined with 'and'");
  }

  // Decimal numbers mean the nearest value of the inputs that they are compared with: 0.1 is allowed by x <= 0.1.
  void round_numbers(LegalCondition& condition) const {
    std::optional<numeric::Format> format;
    for (const size_t cell : condition.cells)
      if (const model::Type& type = target_.inputs[cell].type; type.floating)
        format = std::min(format.value_or(type.format), type.format);
    for (LegalTerm* side : {&condition.left, &condition.right})
      if (format && side->kind == TermKind::number)
        side->number = numeric::nearest(side->number, *format);
  }

  bool add_predicate(const AssumptionRelation& relation, std::vector<LegalCondition>& conditions) const {
    if (!relation.is_predicate)
      return false;
    const std::string& name = relation.left.function;
    LegalCondition condition;
    for (const AssumptionTerm& of : relation.left.operands) {
      if (of.kind == TermKind::input)
        check_known(of);
      const std::vector<size_t>* array = whole_array(of);
      LegalTerm bound;
      if (array)
        std::ranges::copy(*array, std::back_inserter(condition.cells));
      else if (of.kind != TermKind::input || !bind_input(of, condition, bound))
        fail(of, fmt::format("'{}' takes inputs", name), fmt::format("write {}(A) for an input A", name));
    }
    if (name == "finite") // every input is
      return true;
    const auto side = size_t(std::lround(std::sqrt(double(condition.cells.size()))));
    const bool matrix = name == "symmetric" || name == "orthogonal" || name == "rotation";
    if (matrix && side * side != condition.cells.size())
      fail(relation.left, fmt::format("'{}' takes a square matrix", name), "give its size with --size, such as A=3x3");
    condition.order = name == "increasing" ? Order::less : Order::less_equal;
    condition.form = name == "integer"      ? Form::integer
                     : name == "symmetric"  ? Form::symmetric
                     : name == "orthogonal" ? Form::orthogonal
                     : name == "rotation"   ? Form::rotation
                                            : Form::sorted;
    conditions.push_back(std::move(condition));
    return true;
  }

  // x[i] < x[i+1] orders a whole array, which is then sorted at once.
  bool add_sorted(const AssumptionRelation& relation, std::vector<LegalCondition>& conditions) const {
    const auto single = [](const AssumptionTerm& term) {
      return term.kind == TermKind::input && term.name.size() == 1 && term.name.front().indices.size() == 1;
    };
    if (!single(relation.left) || !single(relation.right) || relation.order == Order::equal ||
        relation.order == Order::unequal)
      return false;
    const AssumptionTerm::Part &left = relation.left.name.front(), &right = relation.right.name.front();
    const AssumptionTerm &here = left.indices.front(), &there = right.indices.front();
    const bool next = there.kind == TermKind::add && there.operands[0].kind == TermKind::input &&
                      here.kind == TermKind::input && there.operands[0].name.front().text == here.name.front().text &&
                      there.operands[1].kind == TermKind::number && there.operands[1].number == 1;
    auto array = arrays_.find(left.text);
    if (array == arrays_.end())
      array = arrays_.find(lower_case(left.text));
    if (left.text != right.text || !next || array == arrays_.end() || array->second.size() < 2)
      return false;
    conditions.push_back({.form = Form::sorted, .order = relation.order, .cells = array->second});
    return true;
  }

  const Assumption& assumption_;
  const model::Target& target_;
  std::map<std::string, size_t> cells_;
  std::map<std::string, std::vector<size_t>> arrays_;
  std::set<std::string> roots_; // parameters and globals
  std::map<std::string, long> values_;
  size_t instances_ = 0;
};

template <class T> T sum_of(const LegalTerm& term, const auto& value_of) {
  T sum = 0;
  for (const LegalTerm& of : term.operands)
    sum += value_of(of);
  return sum;
}

template <class T> T called(const LegalTerm& term, const exec::Input& input);

// In the arithmetic of T.
template <class T = Value> T value_of(const LegalTerm& term, const exec::Input& input) {
  const auto operand = [&](size_t i) { return value_of<T>(term.operands[i], input); };
  switch (term.kind) {
  case TermKind::number:
    return T(term.number);
  case TermKind::input:
    return T(input[term.cell]);
  case TermKind::call:
    return called<T>(term, input);
  case TermKind::negate:
    return -operand(0);
  case TermKind::add:
    return operand(0) + operand(1);
  case TermKind::subtract:
    return operand(0) - operand(1);
  case TermKind::multiply:
    return operand(0) * operand(1);
  case TermKind::divide:
    return operand(0) / operand(1);
  case TermKind::power:
    return std::pow(operand(0), operand(1));
  }
  return 0;
}

template <class T> T called(const LegalTerm& term, const exec::Input& input) {
  const std::string& f = term.function;
  const auto value = [&](const LegalTerm& of) { return value_of<T>(of, input); };
  if (f == "sum")
    return sum_of<T>(term, value);
  if (f == "norm")
    return std::sqrt(sum_of<T>(term, [&](const LegalTerm& of) { return value(of) * value(of); }));
  const T first = value(term.operands.front());
  if (f == "min" || f == "max") {
    T most = first;
    for (const LegalTerm& of : term.operands)
      most = f == "min" ? std::min(most, value(of)) : std::max(most, value(of));
    return most;
  }
  if (f == "dot") {
    const size_t half = term.operands.size() / 2;
    T sum = 0;
    for (size_t i = 0; i < half; ++i)
      sum += value(term.operands[i]) * value(term.operands[half + i]);
    return sum;
  }
  return f == "sqrt"    ? std::sqrt(first)
         : f == "exp"   ? std::exp(first)
         : f == "log"   ? std::log(first)
         : f == "sin"   ? std::sin(first)
         : f == "cos"   ? std::cos(first)
         : f == "tan"   ? std::tan(first)
         : f == "floor" ? std::floor(first)
         : f == "ceil"  ? std::ceil(first)
         : f == "hypot" ? std::hypot(first, value(term.operands[1]))
                        : std::fabs(first);
}

// The size of the numbers that make up the value: its rounding errors are proportional to this.
Value magnitude(const LegalTerm& term, const exec::Input& input) {
  if (term.kind == TermKind::add || term.kind == TermKind::subtract || term.function == "sum")
    return sum_of<Value>(term, [&](const LegalTerm& of) { return magnitude(of, input); });
  if (term.kind == TermKind::multiply)
    return magnitude(term.operands[0], input) * magnitude(term.operands[1], input);
  if (term.function == "dot") {
    Value sum = 0;
    for (const LegalTerm& of : term.operands)
      sum += value_of(of, input) * value_of(of, input);
    return sum;
  }
  return std::fabs(value_of(term, input));
}

// Half an ulp of 1 in the narrowest format of these inputs; 0 if all are integers.
Value rounding_of(const std::vector<size_t>& cells, const Dimensions& dimensions) {
  Value rounding = 0;
  for (const size_t cell : cells)
    if (dimensions[cell].floating)
      rounding = std::max(rounding, std::ldexp(Value(1), -numeric::info(dimensions[cell].format).precision));
  return rounding;
}

bool is_simple(const LegalTerm& term) { return term.kind == TermKind::number || term.kind == TermKind::input; }

size_t side_of(const std::vector<size_t>& cells) { return size_t(std::lround(std::sqrt(double(cells.size())))); }

// The largest deviation of the rows' inner products from those of an orthonormal basis.
Value skewness(const std::vector<Value>& matrix, size_t side) {
  Value most = 0;
  for (size_t i = 0; i < side; ++i)
    for (size_t j = i; j < side; ++j) {
      Value product = i == j ? -1 : 0;
      for (size_t k = 0; k < side; ++k)
        product += matrix[i * side + k] * matrix[j * side + k];
      most = std::max(most, std::fabs(product));
    }
  return most;
}

// By elimination with pivots: only its sign matters.
Value determinant(std::vector<Value> matrix, size_t side) {
  Value product = 1;
  for (size_t k = 0; k < side; ++k) {
    size_t pivot = k;
    for (size_t i = k; i < side; ++i)
      if (std::fabs(matrix[i * side + k]) > std::fabs(matrix[pivot * side + k]))
        pivot = i;
    if (matrix[pivot * side + k] == 0)
      return 0;
    if (pivot != k) {
      for (size_t j = 0; j < side; ++j)
        std::swap(matrix[pivot * side + j], matrix[k * side + j]);
      product = -product;
    }
    product *= matrix[k * side + k];
    for (size_t i = k + 1; i < side; ++i)
      for (size_t j = side; j-- > k;)
        matrix[i * side + j] -= matrix[i * side + k] / matrix[k * side + k] * matrix[k * side + j];
  }
  return product;
}

std::vector<Value> values_at(const std::vector<size_t>& cells, const exec::Input& input) {
  std::vector<Value> values;
  for (const size_t cell : cells)
    values.push_back(input[cell]);
  return values;
}

constexpr Value slack = 4; // rounding errors for each input of an equation: a guess

bool compares(const LegalCondition& condition, const exec::Input& input, const Dimensions& dimensions) {
  const Value left = value_of(condition.left, input), right = value_of(condition.right, input);
  const bool tolerant = (condition.order == Order::equal || condition.order == Order::unequal) &&
                        !(is_simple(condition.left) && is_simple(condition.right));
  if (!tolerant) {
    if (!model::holds(condition.order, left, right))
      return false;
    // The code under test checks in its own arithmetic: b + 1e-30 > b does not hold there.
    const Value rounding = rounding_of(condition.cells, dimensions);
    const auto in = [&]<class T>(T) {
      return model::holds(condition.order, value_of<T>(condition.left, input), value_of<T>(condition.right, input));
    };
    return (is_simple(condition.left) && is_simple(condition.right)) || (rounding > 0x1p-50L   ? in(0.0F)
                                                                         : rounding > 0x1p-60L ? in(0.0)
                                                                                               : true);
  }
  const Value scale = std::max(magnitude(condition.left, input), magnitude(condition.right, input));
  const Value tolerance = slack * Value(condition.cells.size()) * rounding_of(condition.cells, dimensions) * scale;
  return (std::fabs(left - right) <= tolerance) == (condition.order == Order::equal);
}

bool holds(const LegalCondition& condition, const exec::Input& input, const Dimensions& dimensions) {
  const std::vector<size_t>& cells = condition.cells;
  switch (condition.form) {
  case Form::comparison:
    return compares(condition, input, dimensions);
  case Form::integer:
    return std::ranges::all_of(cells, [&](size_t cell) { return input[cell] == std::rint(input[cell]); });
  case Form::sorted:
    for (size_t i = 0; i + 1 < cells.size(); ++i)
      if (!model::holds(condition.order, input[cells[i]], input[cells[i + 1]]))
        return false;
    return true;
  case Form::symmetric: {
    const size_t side = side_of(cells);
    for (size_t i = 0; i < side; ++i)
      for (size_t j = 0; j < i; ++j)
        if (input[cells[i * side + j]] != input[cells[j * side + i]])
          return false;
    return true;
  }
  case Form::orthogonal:
  case Form::rotation: {
    const std::vector<Value> matrix = values_at(cells, input);
    const size_t side = side_of(cells);
    return skewness(matrix, side) <= slack * Value(side) * rounding_of(cells, dimensions) &&
           (condition.form == Form::orthogonal || determinant(matrix, side) > 0);
  }
  }
  return true;
}

// A number in (0, 1) that depends on the input only.
Value fraction_of(const exec::Input& input) {
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a
  for (const Value value : input)
    hash = (hash ^ std::bit_cast<uint64_t>(double(value))) * 0x100000001b3;
  return (Value(numeric::Rng(hash).next() >> 11) + 0.5L) * 0x1p-53L;
}

// Repairs one condition after the other.
class Repair {
public:
  Repair(exec::Input& input, const Dimensions& dimensions)
      : input_(input), dimensions_(dimensions), fraction_(fraction_of(input)) {}

  void run(const LegalCondition& condition) {
    switch (condition.form) {
    case Form::comparison:
      return compare(condition);
    case Form::integer:
      for (const size_t cell : condition.cells)
        set(cell, std::rint(input_[cell]));
      return;
    case Form::sorted:
      return sort(condition);
    case Form::symmetric: {
      const size_t side = side_of(condition.cells);
      for (size_t i = 0; i < side; ++i)
        for (size_t j = 0; j < i; ++j)
          set(condition.cells[i * side + j], input_[condition.cells[j * side + i]]);
      return;
    }
    case Form::orthogonal:
    case Form::rotation:
      return orthogonalise(condition);
    }
  }

private:
  void set(size_t cell, Value value) { input_[cell] = dimensions_[cell].nearest(value); }
  bool moves(size_t cell) const { return !dimensions_[cell].held(); }

  // The next value above or below, if the range has one.
  std::optional<Value> beyond(size_t cell, Value value, int step) const {
    const Dimension& dimension = dimensions_[cell];
    Int128 order = dimension.order(dimension.nearest(value));
    for (int tries = 0; tries < 3; ++tries) { // 0 and -0 are two values
      const Value next = dimension.at_within(order += step);
      if (step > 0 ? next > value : next < value)
        return next;
    }
    return std::nullopt;
  }

  void sort(const LegalCondition& condition) {
    const bool up = condition.order == Order::less || condition.order == Order::less_equal;
    const bool strict = condition.order == Order::less || condition.order == Order::greater;
    std::vector<Value> values = values_at(condition.cells, input_);
    std::ranges::sort(values, [&](Value a, Value b) { return up ? a < b : a > b; });
    const int step = up ? 1 : -1;
    for (size_t i = 0; i < values.size(); ++i) {
      const size_t cell = condition.cells[i];
      set(cell, values[i]);
      if (strict && i > 0 && !model::holds(condition.order, input_[condition.cells[i - 1]], input_[cell]))
        input_[cell] = beyond(cell, input_[condition.cells[i - 1]], step).value_or(input_[cell]);
    }
    for (size_t i = values.size(); strict && i-- > 1;) // equal values at the end of the range
      if (const size_t cell = condition.cells[i - 1];
          !model::holds(condition.order, input_[cell], input_[condition.cells[i]]))
        input_[cell] = beyond(cell, input_[condition.cells[i]], -step).value_or(input_[cell]);
  }

  // Gram and Schmidt's process on the rows; a row that vanishes becomes the next unit vector.
  void orthogonalise(const LegalCondition& condition) {
    const size_t side = side_of(condition.cells);
    std::vector<Value> matrix = values_at(condition.cells, input_);
    size_t unit = 0;
    for (size_t i = 0; i < side; ++i) {
      Value* row = &matrix[i * side];
      Value length = scaled_length(row, side);
      for (int pass = 0; pass < 2; ++pass) // twice is enough (Kahan, in Parlett 1980, section 6-9)
        for (size_t j = 0; j < i; ++j) {
          Value product = 0;
          for (size_t k = 0; k < side; ++k)
            product += row[k] * matrix[j * side + k];
          for (size_t k = 0; k < side; ++k)
            row[k] -= product * matrix[j * side + k];
        }
      constexpr Value vanishes = 1e-6L; // then nearly all digits of the row are lost: a guess
      Value left = 0;
      for (size_t k = 0; k < side; ++k)
        left += row[k] * row[k];
      left = std::sqrt(left);
      if (length == 0 || !(left > vanishes)) {
        if (unit >= side)
          return;
        std::fill(row, row + side, Value(0));
        row[unit++] = 1;
        --i; // once more with this row
        continue;
      }
      for (size_t k = 0; k < side; ++k)
        row[k] /= left;
    }
    if (condition.form == Form::rotation && determinant(matrix, side) < 0)
      for (size_t k = 0; k < side; ++k)
        matrix[(side - 1) * side + k] *= -1;
    for (size_t i = 0; i < matrix.size(); ++i)
      set(condition.cells[i], matrix[i]);
  }

  // Makes the length of a row 1, without overflow. Returns the length before, or 0.
  static Value scaled_length(Value* row, size_t side) {
    Value most = 0, sum = 0;
    for (size_t k = 0; k < side; ++k)
      most = std::max(most, std::fabs(row[k]));
    if (most == 0 || !std::isfinite(most))
      return 0;
    for (size_t k = 0; k < side; ++k)
      sum += (row[k] / most) * (row[k] / most);
    for (size_t k = 0; k < side; ++k)
      row[k] = row[k] / most / std::sqrt(sum);
    return most * std::sqrt(sum);
  }

  bool legal(const LegalCondition& condition) const { return holds(condition, input_, dimensions_); }

  void compare(const LegalCondition& condition) {
    const LegalTerm &left = condition.left, &right = condition.right;
    if (condition.order == Order::equal)
      return equate(condition);
    if (left.kind == TermKind::input && right.kind == TermKind::input && condition.order != Order::unequal)
      return exchange(condition);
    for (const auto& [side, other] : {std::pair(&left, &right), {&right, &left}})
      if (other->kind == TermKind::number && (side->function == "sum" || side->function == "norm") &&
          scale(*side, other->number * fraction_) && legal(condition))
        return;
    solve(condition);
  }

  void exchange(const LegalCondition& condition) {
    const size_t a = condition.left.cell, b = condition.right.cell;
    const Value first = input_[a], second = input_[b];
    set(a, second);
    set(b, first);
    if (legal(condition))
      return;
    const int step = condition.order == Order::less || condition.order == Order::less_equal ? 1 : -1;
    if (const std::optional<Value> next = moves(b) ? beyond(b, input_[a], step) : std::nullopt)
      input_[b] = *next;
    else if (const std::optional<Value> before = moves(a) ? beyond(a, input_[b], -step) : std::nullopt)
      input_[a] = *before;
  }

  // Makes a sum or a length this large.
  bool scale(const LegalTerm& side, Value wanted) {
    const bool sums = side.function == "sum";
    if (std::ranges::any_of(side.operands, [&](const LegalTerm& of) { return of.kind != TermKind::input; }))
      return false;
    size_t largest = side.operands.front().cell;
    for (const LegalTerm& of : side.operands)
      if (moves(of.cell) && (!moves(largest) || std::fabs(input_[of.cell]) > std::fabs(input_[largest])))
        largest = of.cell;
    const Value most = std::fabs(input_[largest]);
    if (most == 0) {
      set(largest, wanted);
      return true;
    }
    for (int turn = 0; turn < 3; ++turn) { // values that the ranges cut, and roundings: a guess
      Value size = 0;                      // relative to the largest, which prevents overflow
      for (const LegalTerm& of : side.operands)
        size += sums ? input_[of.cell] / most : (input_[of.cell] / most) * (input_[of.cell] / most);
      size = sums ? size : std::sqrt(size);
      if (size == 0 || !std::isfinite(size))
        break;
      for (const LegalTerm& of : side.operands)
        set(of.cell, input_[of.cell] / most * (wanted / size));
      if (!sums)
        return true;
      set(largest, input_[largest] + (wanted - value_of(side, input_)));
      if (std::fabs(value_of(side, input_) - wanted) <= 0x1p-50L * std::fabs(wanted))
        return true;
    }
    if (sums)
      set(largest, input_[largest] + (wanted - value_of(side, input_)));
    return true;
  }

  void equate(const LegalCondition& condition) {
    const LegalTerm &left = condition.left, &right = condition.right;
    for (const auto& [cell, other] : {std::pair(&left, &right), {&right, &left}})
      if (cell->kind == TermKind::input && moves(cell->cell)) {
        const Value before = input_[cell->cell];
        set(cell->cell, value_of(*other, input_));
        if (legal(condition))
          return;
        input_[cell->cell] = before;
      }
    for (const auto& [side, other] : {std::pair(&left, &right), {&right, &left}})
      if ((side->function == "sum" || side->function == "norm") && scale(*side, value_of(*other, input_)) &&
          legal(condition))
        return;
    solve(condition);
  }

  Value difference(const LegalCondition& condition) const {
    return value_of(condition.left, input_) - value_of(condition.right, input_);
  }
  Value difference_at(const LegalCondition& condition, size_t cell, Value value) {
    const Value before = std::exchange(input_[cell], value);
    const Value found = difference(condition);
    input_[cell] = before;
    return found;
  }

  // Changes one input so that the condition holds; tries each.
  void solve(const LegalCondition& condition) {
    const size_t count = condition.cells.size();
    const auto first = size_t(fraction_ * Value(count));
    for (size_t i = 0; i < count; ++i)
      if (const size_t cell = condition.cells[(first + i) % count]; moves(cell) && solve_for(condition, cell))
        return;
  }

  bool solve_for(const LegalCondition& condition, size_t cell) {
    const Value before = input_[cell];
    const auto attempt = [&](Value value) {
      if (std::isnan(value))
        return false;
      set(cell, value);
      return legal(condition);
    };
    const std::optional<Value> border = root(condition, cell);
    if (border && condition.order == Order::equal && attempt(*border))
      return true;
    if (border && (attempt(2 * *border - before) || attempt(*border) ||
                   attempt(beyond(cell, *border, before < *border ? 1 : -1).value_or(*border))))
      return true;
    const Dimension& dimension = dimensions_[cell];
    for (const Value value : {-before, Value(1), Value(0), Value(-1), dimension.low, dimension.high,
                              dimension.low / 2 + dimension.high / 2})
      if (attempt(value)) {
        between(condition, cell, before, input_[cell]);
        return true;
      }
    input_[cell] = before;
    return false;
  }

  // A value between the border of the legal ones and this one.
  void between(const LegalCondition& condition, size_t cell, Value illegal, Value legal_value) {
    const Dimension& dimension = dimensions_[cell];
    Int128 bad = dimension.order(illegal), good = dimension.order(legal_value);
    const Int128 goal = good;
    const auto at = [&](Int128 order) {
      input_[cell] = dimension.at(order);
      return legal(condition);
    };
    while ((good > bad ? good - bad : bad - good) > 1) {
      const Int128 middle = bad + (good - bad) / 2;
      (at(middle) ? good : bad) = middle;
    }
    const auto chosen = good + Int128(Value(goal - good) * fraction_);
    if (!at(chosen))
      at(goal);
  }

  // Where both sides are equal along one input, by secants: exact for what is linear in it.
  std::optional<Value> root(const LegalCondition& condition, size_t cell) {
    constexpr int most_steps = 40; // a guess; a linear condition takes 1, others usually fewer than 10
    Value a = input_[cell], b = a + std::max(std::fabs(a) / 8, Value(1));
    Value at_a = difference_at(condition, cell, a), at_b = difference_at(condition, cell, b);
    for (int step = 0; step < most_steps && std::isfinite(at_a) && std::isfinite(at_b); ++step) {
      if (at_b == 0 || at_a == at_b)
        break;
      const Value next = b - at_b * ((b - a) / (at_b - at_a));
      if (!std::isfinite(next))
        return std::nullopt;
      a = b, at_a = at_b;
      b = next, at_b = difference_at(condition, cell, b);
      if (std::fabs(b - a) <= 0x1p-60L * std::fabs(b))
        return b;
    }
    return at_b == 0 ? std::optional(b) : std::nullopt;
  }

  exec::Input& input_;
  const Dimensions& dimensions_;
  Value fraction_;
};

// Sets an end of the range. `upper`: values are at most the bound.
void cut(Dimension& dimension, Value bound, bool upper, bool strict) {
  const auto inside = [&](Value value) {
    return upper ? (strict ? value < bound : value <= bound) : (strict ? value > bound : value >= bound);
  };
  if (!dimension.values.empty())
    std::erase_if(dimension.values, [&](Value value) { return !inside(value); });
  Value& end = upper ? dimension.high : dimension.low;
  const Value other = upper ? dimension.low : dimension.high;
  if (!inside(other) || (dimension.values.empty() && !inside(dimension.nearest(other))))
    throw base::UserError(base::status_usage,
                          fmt::format("--assume: no value of {} in its range satisfies all conditions", dimension.name),
                          "check the conditions, --range and --hold");
  if (!dimension.values.empty()) {
    end = upper ? dimension.values.back() : dimension.values.front();
    return;
  }
  if (inside(end))
    return;
  Int128 order = dimension.order(dimension.nearest(bound));
  Value value = dimension.at(order);
  for (int step = 0; !inside(value) && step < 4; ++step) // 0 and -0 are two values
    value = dimension.at(order += upper ? -1 : 1);
  end = value + 0.0L;
}

} // namespace

Legality::Legality(const std::vector<std::string>& assumptions, const model::Target& target) {
  for (const std::string& text : assumptions) {
    const Assumption assumption = model::assumption_from(text);
    Binder(assumption, target).add_to(conditions_);
  }
}

bool fits(const std::string& assumption, const model::Target& target) {
  const Assumption read = model::assumption_from(assumption);
  return Binder(read, target).fits();
}

bool Legality::allows(const exec::Input& input, const Dimensions& dimensions) const {
  return std::ranges::all_of(conditions_,
                             [&](const LegalCondition& condition) { return holds(condition, input, dimensions); });
}

void Legality::narrow(Dimensions& dimensions) const {
  std::vector<int> ends(dimensions.size());
  const auto narrow_one = [&](size_t cell, Value bound, bool upper, bool strict) {
    cut(dimensions[cell], bound, upper, strict);
    ends[cell] |= upper ? 2 : 1;
  };
  for (const LegalCondition& condition : conditions_) {
    if (condition.form != Form::comparison || condition.order == Order::unequal)
      continue;
    for (const bool swapped : {false, true}) {
      const LegalTerm &side = swapped ? condition.right : condition.left,
                      &number = swapped ? condition.left : condition.right;
      if (number.kind != TermKind::number)
        continue;
      const bool less = condition.order == Order::less || condition.order == Order::less_equal;
      const bool strict = condition.order == Order::less || condition.order == Order::greater;
      const bool upper = less != swapped;
      const bool absolute =
          (side.function == "abs" || side.function == "fabs") && side.operands.front().kind == TermKind::input;
      if (side.kind == TermKind::input && condition.order == Order::equal) {
        narrow_one(side.cell, number.number, true, false);
        narrow_one(side.cell, number.number, false, false);
      } else if (side.kind == TermKind::input) {
        narrow_one(side.cell, number.number, upper, strict);
      } else if (absolute && condition.order != Order::equal && upper) {
        narrow_one(side.operands.front().cell, number.number, true, strict);
        narrow_one(side.operands.front().cell, -number.number, false, strict);
      }
    }
  }
  for (size_t i = 0; i < dimensions.size(); ++i)
    if (ends[i] == 3)
      dimensions[i].all_everyday = true;
}

std::optional<exec::Input> Legality::repaired(exec::Input input, const Dimensions& dimensions) const {
  constexpr int most_rounds = 12; // conditions that undo each other need a few: a guess
  for (size_t i = 0; i < input.size(); ++i)
    input[i] = dimensions[i].nearest(input[i]);
  for (int round = 0; round <= most_rounds; ++round) {
    if (allows(input, dimensions))
      return input;
    Repair repair(input, dimensions);
    for (const LegalCondition& condition : conditions_)
      if (!holds(condition, input, dimensions))
        repair.run(condition);
  }
  return std::nullopt;
}

exec::Input Legality::repaired(const exec::Input& input, const exec::Input& anchor,
                               const Dimensions& dimensions) const {
  if (std::optional<exec::Input> found = repaired(input, dimensions))
    return std::move(*found);
  constexpr int halvings = 60; // near the precision of a double
  exec::Input best = anchor;
  Value reached = 0;
  for (Value step = 0.5L; step > std::ldexp(Value(1), -halvings); step /= 2) {
    exec::Input middle = anchor;
    for (size_t i = 0; i < input.size(); ++i)
      middle[i] = dimensions[i].nearest(anchor[i] * (1 - reached - step) + input[i] * (reached + step));
    if (allows(middle, dimensions)) {
      best = std::move(middle);
      reached += step;
    }
  }
  return best;
}

} // namespace faultline::search
