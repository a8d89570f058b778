#include "harness/writer.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <set>

namespace faultline::harness {

namespace {

bool has_floats(const Form& form) {
  if (form.is(FormKind::scalar))
    return form.floating;
  return !form.is(FormKind::function) && std::ranges::any_of(form.parts, has_floats);
}

bool changes_floats(const Declaration& function) {
  return std::ranges::any_of(function.arguments, [](const Argument& argument) {
    const bool pointer = argument.plain && argument.declared.find('*') != std::string::npos &&
                         argument.declared.find("const ") == std::string::npos;
    return (argument.passed_by == PassedBy::changed || pointer) && has_floats(argument.form);
  });
}

// True if debug information describes the function sufficiently.
bool is_plain(const Declaration& function) {
  // Without float inputs, rounding cannot change a decision.
  const bool predicate =
      std::ranges::any_of(function.arguments, [](const Argument& argument) { return has_floats(argument.form); });
  const bool result = function.returns_nothing || changes_floats(function) ||
                      (function.result.is(FormKind::scalar) && (function.result.floating || !predicate));
  return function.own_symbol && !function.member && result && function.obstacle.empty() &&
         std::ranges::all_of(function.arguments, &Argument::plain);
}

std::string identifier_of(const std::string& name) {
  std::string text;
  for (const unsigned char c : name)
    if (std::isalnum(c))
      text += char(c);
    else if (!text.empty() && text.back() != '_')
      text += '_';
  while (text.ends_with("_"))
    text.pop_back();
  return "harness_" + text;
}

std::string obstacle_of(const Declaration& function) {
  if (!function.obstacle.empty())
    return function.obstacle;
  for (const Argument& argument : function.arguments)
    if (const std::string obstacle = obstacle_of(argument.form); !obstacle.empty())
      return argument.form.is(FormKind::other)
                 ? fmt::format("'{}': {}", argument.name, obstacle)
                 : fmt::format("'{}' ({}): {}", argument.name, argument.form.type, obstacle);
  const bool deduced = !function.own_symbol && function.symbol.empty(); // through its template
  if (!function.returns_nothing && !deduced && !changes_floats(function))
    return obstacle_of(function.result);
  return {};
}

// A parameter in an incomplete harness: a parameter of the harness or a variable to fill in, and how it is passed on.
struct SkeletonPart {
  std::string parameter, variable, passed;
};

bool is_pointer(const Argument& argument) {
  return argument.declared.ends_with('*') || argument.declared.ends_with(']') || argument.declared.ends_with("const");
}

// Declares a variable of a pointer type: "double (*)(double)" is "double (*f)(double)", "double[][3]" "double (*f)[3]".
std::string pointer_declaration(std::string type, const std::string& name) {
  if (const size_t at = type.find("(*)"); at != std::string::npos)
    return type.insert(at + 2, name);
  const size_t open = type.find('[');
  if (open == std::string::npos)
    return fmt::format("{} {}", type, name);
  const size_t rows = type.find(']', open) + 1;
  return rows == type.size() ? fmt::format("{} *{}", type.substr(0, open), name)
                             : fmt::format("{} (*{}){}", type.substr(0, open), name, type.substr(rows));
}

SkeletonPart skeleton_part(const Argument& argument, Language language) {
  const std::string& name = argument.name;
  const bool cxx = language == Language::cxx;
  if (argument.declared == "*" || argument.name == "this") { // one struct, or the object
    const std::string type = argument.form.type, made = name == "this" ? "object" : name;
    return cxx ? SkeletonPart{"", fmt::format("  {}* {} = nullptr; // fill in\n", type, made), made}
               : SkeletonPart{"", fmt::format("  {} {}; // fill in\n", type, made), "&" + made};
  }
  const bool is_function = argument.declared.find("(*)") != std::string::npos;
  if (is_function)
    return {"", fmt::format("  {} = 0; // fill in\n", pointer_declaration(argument.declared, name)), name};
  if (is_pointer(argument)) {
    const std::string declared = pointer_declaration(argument.declared, name);
    return argument.plain ? SkeletonPart{declared, "", name}
                          : SkeletonPart{"", fmt::format("  {} = 0; // fill in\n", declared), name};
  }
  if (argument.form.is(FormKind::scalar) && argument.passed_by != PassedBy::changed)
    return {fmt::format("{} {}", argument.form.type, name), "", name};
  const bool perhaps_no_default = cxx && !argument.form.type.starts_with("std::"); // constructor
  return perhaps_no_default
             ? SkeletonPart{"", fmt::format("  {}* {} = nullptr; // fill in\n", argument.form.type, name), "*" + name}
             : SkeletonPart{"", fmt::format("  {} {}; // fill in\n", argument.form.type, name), name};
}

// Returns an incomplete harness for the user to fill in, for a function that cannot be called otherwise. It compiles.
std::string skeleton(const Declaration& function, Language language, const std::string& name) {
  std::string parameters, setup, passed, object;
  for (const Argument& argument : function.arguments) {
    const SkeletonPart part = skeleton_part(argument, language);
    if (!part.parameter.empty())
      parameters += (parameters.empty() ? "" : ", ") + part.parameter;
    setup += part.variable;
    if (argument.name == "this")
      object = "object->";
    else
      passed += (passed.empty() ? "" : ", ") + part.passed;
  }
  const bool number = !function.returns_nothing && function.result.is(FormKind::scalar);
  return fmt::format("{}double {}({}) {{\n{}  {}{}{}({});{}\n}}\n", language == Language::cxx ? "extern \"C\" " : "",
                     name, parameters.empty() ? "double input" : parameters, setup, number ? "return " : "", object,
                     function.call, passed, number ? "" : "\n  return 0; // fill in");
}

} // namespace

std::vector<Harness> harnesses_for(const std::vector<Declaration>& functions, Language language) {
  std::vector<Harness> all;
  std::set<std::string> names;
  for (const Declaration& function : functions) {
    if (is_plain(function))
      continue;
    Harness made{.function = function.name,
                 .symbol = function.symbol,
                 .file = function.file,
                 .line = function.line,
                 .name = identifier_of(function.name),
                 .own_symbol = function.own_symbol};
    for (int i = 2; !names.insert(made.name).second; ++i)
      made.name = fmt::format("{}_{}", identifier_of(function.name), i);
    made.obstacle = obstacle_of(function);
    if (made.obstacle.empty())
      write_harness(function, language, changes_floats(function), made);
    if (!made.obstacle.empty() && function.obstacle.empty())
      made.obstacle += ": write a harness; faultline harness prints one to complete";
    if (!made.obstacle.empty())
      made.text = skeleton(function, language, made.name);
    all.push_back(std::move(made));
  }
  return all;
}

namespace {

// Returns the code of the n-th number: "z[2 * i + 1]".
using Number = std::function<std::string(size_t)>;

bool is_c_complex(const Form& form) { return form.type.starts_with("_Complex"); }
bool is_c_array(const Form& form) { return !form.type.starts_with("std::array"); }

class Values {
public:
  explicit Values(Language language) : language_(language) {}

  // Returns an expression of this form, made of the numbers from `next` on, and advances `next`. `table` is the name of
  // the table of functions.
  std::string made(const Form& form, const Number& number, size_t& next, const std::string& table) const {
    std::vector<std::string> parts;
    switch (form.kind) {
    case FormKind::scalar:
      return number(next++);
    case FormKind::function:
      return fmt::format("{}[{}]", table, number(next++));
    case FormKind::complex: {
      const std::string real = number(next), imaginary = number(next + 1);
      next += 2;
      return is_c_complex(form) ? fmt::format("__builtin_complex({}, {})", real, imaginary)
                                : fmt::format("{}({}, {})", form.type, real, imaginary);
    }
    case FormKind::array:
      return array(form, number, next, table, 0);
    case FormKind::optional:
      return fmt::format("{}({})", form.type, made(form.parts.front(), number, next, table));
    case FormKind::record:
    case FormKind::tuple:
    case FormKind::object:
      for (const Form& part : form.parts)
        parts.push_back(made(part, number, next, table));
      return form.is(FormKind::object) ? fmt::format("{}({})", form.type, fmt::join(parts, ", ")) : braces(parts, form);
    case FormKind::sequence:
    case FormKind::matrix:
    case FormKind::other:
      break;
    }
    return {};
  }

  // Returns statements that store the numbers of an expression in places, in the order in which `made` uses them.
  std::string taken(const Form& form, const std::string& expression, const Number& place, size_t& next) const {
    const auto store = [&](const std::string& value) { return fmt::format("  {} = {};\n", place(next++), value); };
    std::string text;
    switch (form.kind) {
    case FormKind::scalar:
      return store(expression);
    case FormKind::complex:
      text = store(is_c_complex(form) ? "__real__ " + expression : expression + ".real()");
      return text + store(is_c_complex(form) ? "__imag__ " + expression : expression + ".imag()");
    case FormKind::array:
      return taken_array(form, expression, place, next, 0);
    case FormKind::record:
      for (size_t i = 0; i < form.parts.size(); ++i)
        text += taken(form.parts[i], fmt::format("{}.{}", expression, form.names[i]), place, next);
      return text;
    case FormKind::tuple:
      for (size_t i = 0; i < form.parts.size(); ++i)
        text += taken(form.parts[i], fmt::format("std::get<{}>({})", i, expression), place, next);
      return text;
    case FormKind::optional: // a default value is all zeros
      return taken(form.parts.front(), fmt::format("{}.value_or({}())", expression, form.parts.front().type), place,
                   next);
    case FormKind::object:
    case FormKind::sequence:
    case FormKind::matrix:
    case FormKind::function:
    case FormKind::other:
      break;
    }
    return {};
  }

private:
  std::string braces(const std::vector<std::string>& values, const Form& form) const {
    return language_ == Language::c ? fmt::format("({}){{{}}}", form.type, fmt::join(values, ", "))
                                    : fmt::format("{}{{{}}}", form.type, fmt::join(values, ", "));
  }

  std::string array(const Form& form, const Number& number, size_t& next, const std::string& table,
                    size_t level) const {
    std::vector<std::string> elements;
    for (long i = 0; i < form.extents[level]; ++i)
      elements.push_back(level + 1 < form.extents.size() ? array(form, number, next, table, level + 1)
                                                         : made(form.parts.front(), number, next, table));
    const std::string list = fmt::format("{{{}}}", fmt::join(elements, ", "));
    return is_c_array(form) ? list : fmt::format("{}{{{}}}", form.type, list);
  }

  std::string taken_array(const Form& form, const std::string& expression, const Number& place, size_t& next,
                          size_t level) const {
    std::string text;
    for (long i = 0; i < form.extents[level]; ++i) {
      const std::string element = fmt::format("{}[{}]", expression, i);
      text += level + 1 < form.extents.size() ? taken_array(form, element, place, next, level + 1)
                                              : taken(form.parts.front(), element, place, next);
    }
    return text;
  }

  Language language_;
};

std::string indentation(size_t depth) { return std::string(2 * depth, ' '); }

// Nested sequences, arrays and matrices of numbers: std::vector<std::vector<double>>, Eigen::MatrixXd,
// std::array<std::complex<double>, 4>. All numbers are in one array of the harness, row by row.
class Stack {
public:
  // `shown` is the parameter's name for the user, `array` the name of the harness's array.
  Stack(const Levels& levels, std::string shown, std::string array, const std::vector<Leaf>& leaves)
      : levels_(levels), shown_(std::move(shown)), array_(std::move(array)), leaves_(leaves) {
    for (const Form* form : levels_.stack)
      for (size_t i = 0; i < form->extents.size(); ++i) {
        const bool matrix = form->is(FormKind::matrix);
        if (matrix && i == 1 && form->extents[1] == 1)
          continue; // a column
        const bool free = form->extents[i] <= 0;
        const char* what =
            matrix && form->extents.size() == 2 && form->extents[1] != 1 ? (i == 0 ? "rows" : "columns") : "size";
        std::string name = fmt::format("{}_{}", array_, what);
        if (std::ranges::any_of(extents_, [&](const Extent& other) { return other.text == name; }))
          name += fmt::format("_{}", extents_.size() + 1);
        extents_.push_back({free ? name : fmt::format("{}", form->extents[i]), free, matrix, form});
      }
  }

  std::string obstacle() const {
    const auto is_matrix = [](const Form* form) { return form->is(FormKind::matrix); };
    return levels_.stack.size() > 1 && std::ranges::any_of(levels_.stack, is_matrix) ? "matrices inside" : "";
  }

  // True if some extent is free.
  bool is_free() const { return std::ranges::any_of(extents_, &Extent::free); }

  std::vector<std::string> constants() const {
    std::vector<std::string> names;
    for (const Extent& extent : extents_)
      if (extent.free)
        names.push_back(extent.text);
    return names;
  }

  Named named() const {
    const bool matrix = extents_.size() == 2 && extents_.front().matrix;
    Named named{.parameter = array_,
                .before = shown_ + (matrix ? "(" : "["),
                .between = matrix ? "," : "][",
                .after = matrix ? ")" : "]",
                .of = shown_};
    for (const Extent& extent : extents_)
      named.extents.push_back(extent.text);
    for (const Leaf& leaf : leaves_)
      named.leaves.push_back(leaf.name);
    return named;
  }

  // Code that defines the variable.
  std::string filled(const std::string& variable, const Values& values) const {
    const Form& outer = *levels_.stack.front();
    const bool view = !outer.storage.empty();
    const std::string held = view ? variable + "_storage" : variable;
    size_t next = 0;
    const std::string value = values.made(
        *levels_.element, [this](size_t leaf) { return place(array_, leaf); }, next, "");
    std::string text = defined(held) + resized(held) + loops() +
                       fmt::format("{}{} = {};\n", indentation(extents_.size() + 1), element(held), value);
    if (!view)
      return text;
    const bool map = outer.type.starts_with("Eigen::Map");
    if (map)
      return text + fmt::format("  {} {}({}.data(){});\n", outer.type, variable, held,
                                is_free() ? fmt::format(", {}", fmt::join(constants(), ", ")) : "");
    return text + fmt::format("  {} {}({});\n", outer.type, variable, held);
  }

  std::string emptied(const std::string& variable, const std::string& into, const Values& values) const {
    const Form& outer = *levels_.stack.front();
    std::string guard; // the result may have another length than the argument
    if (outer.is(FormKind::sequence) && outer.storage.empty())
      guard = fmt::format("if (i1 < {}.size()) ", variable);
    else if (outer.is(FormKind::matrix) && is_free())
      guard = extents_.size() == 2 ? fmt::format("if (i1 < {0}.rows() && i2 < {0}.cols()) ", variable)
                                   : fmt::format("if (i1 < {}.size()) ", variable);
    const std::string indented = indentation(extents_.size() + 1);
    size_t next = 0;
    const std::string stores = values.taken(
        *levels_.element, element(variable), [&](size_t leaf) { return place(into, leaf); }, next);
    std::string text = loops() + indented + guard + "{\n";
    for (size_t at = 0; at < stores.size();) {
      const size_t end = stores.find('\n', at) + 1;
      text += indented + stores.substr(at, end - at);
      at = end;
    }
    return text + indented + "}\n";
  }

private:
  struct Extent {
    std::string text; // a number, or the name of a constant
    bool free, matrix;
    const Form* form;
  };

  // "v[(i1 * v_size_2 + i2) * 2 + 1]"
  std::string place(const std::string& array, size_t leaf) const {
    std::string index = "i1";
    for (size_t i = 1; i < extents_.size(); ++i)
      index = fmt::format("{} * {} + i{}", i > 1 ? "(" + index + ")" : index, extents_[i].text, i + 1);
    if (leaves_.size() > 1)
      index = fmt::format("{} * {} + {}", extents_.size() > 1 ? "(" + index + ")" : index, leaves_.size(), leaf);
    return fmt::format("{}[{}]", array, index);
  }

  std::string element(const std::string& variable) const {
    if (extents_.front().matrix)
      return extents_.size() == 2 ? variable + "(i1, i2)" : variable + "(i1)";
    std::string text = variable;
    for (size_t i = 0; i < extents_.size(); ++i)
      text += fmt::format("[i{}]", i + 1);
    return text;
  }

  std::string loops() const {
    std::string text;
    const char* type = extents_.front().matrix ? "int" : "unsigned long";
    for (size_t i = 0; i < extents_.size(); ++i)
      text += fmt::format("{}for ({} i{} = 0; i{} < {}; ++i{})\n", indentation(i + 1), type, i + 1, i + 1,
                          extents_[i].text, i + 1);
    return text;
  }

  std::string defined(const std::string& variable) const {
    const Form& outer = *levels_.stack.front();
    const std::string type = outer.storage.empty() ? outer.type : outer.storage;
    if (outer.is(FormKind::array)) {
      const size_t bracket = type.find('['); // double[3][3]
      std::string extents;
      for (const Extent& extent : extents_)
        if (extent.form == &outer && bracket != std::string::npos)
          extents += fmt::format("[{}]", extent.text);
      return fmt::format("  {} {}{};\n", type.substr(0, bracket), variable, extents);
    }
    std::vector<std::string> sizes;
    for (const Extent& extent : extents_)
      if (extent.form == &outer)
        sizes.push_back(extent.text);
    const bool fixed = outer.is(FormKind::matrix) && !is_free();
    return fixed ? fmt::format("  {} {};\n", type, variable)
                 : fmt::format("  {} {}({});\n", type, variable, fmt::join(sizes, ", "));
  }

  // Inner vectors are empty at first.
  std::string resized(const std::string& variable) const {
    if (levels_.stack.size() < 2 || !levels_.stack[1]->is(FormKind::sequence))
      return {};
    return fmt::format("  for (auto& inner : {})\n    inner.resize({});\n", variable, extents_[1].text);
  }

  Levels levels_;
  std::string shown_, array_;
  std::vector<Leaf> leaves_;
  std::vector<Extent> extents_;
};

// Two earlier calls bring most objects into any state that matters: a guess. More choices are more inputs to search.
constexpr size_t earlier_calls = 2, most_changers = 3, most_observers = 4;

class Writer {
public:
  Writer(const Declaration& function, Language language, bool changes, Harness& harness)
      : function_(function), language_(language), values_(language), changes_(changes), harness_(harness) {}

  void write() {
    for (const Argument& argument : function_.arguments)
      if (harness_.obstacle.empty())
        add(argument);
    if (!harness_.obstacle.empty())
      return;
    for (size_t step = 1; step <= earlier_calls && !function_.changers.empty(); ++step)
      add_earlier_call(fmt::format("call{}", step));
    if (function_.returns_nothing && !changes_)
      observe();
    std::string call = fmt::format("{}({})", function_.call, fmt::join(passed_, ", "));
    if (function_.member)
      call = fmt::format("{}.{}", object_, call);
    const std::string type = finish(call);
    if (!harness_.obstacle.empty())
      return;
    const std::string sizes = harness_.sizes.empty() ? "" : "@sizes@\n";
    const char* linkage = language_ == Language::cxx ? "extern \"C\" " : "";
    harness_.text = fmt::format("{}{}{} {}({}) {{\n{}{}{}}}\n", before_, linkage, type, harness_.name,
                                parameters_.empty() ? "void" : fmt::format("{}", fmt::join(parameters_, ", ")), sizes,
                                setup_, after_);
  }

private:
  // `this` is a keyword.
  static std::string own_name(const std::string& name) { return name == "this" ? "self" : name; }

  void add(const Argument& argument) {
    const std::string name = own_name(argument.name);
    if (argument.plain) {
      parameters_.push_back(declared(argument.declared, name));
      passed_.push_back(name);
      return;
    }
    std::vector<Leaf> leaves;
    const Levels levels = levels_of(argument.form);
    if (!leaves_of(*levels.element, "", leaves))
      return refuse(argument, "a length that is not fixed, or too many numbers, inside");
    const bool alike = std::ranges::all_of(leaves, [&](const Leaf& leaf) { return leaf.type == leaves.front().type; });
    std::string value = name + "_value";
    const bool changed = argument.passed_by == PassedBy::changed && !argument.form.is(FormKind::object);
    if (leaves.empty())
      setup_ += fmt::format("  {} {} = {};\n", argument.form.type, value,
                            argument.form.type.ends_with("*") ? "0" : argument.form.type + "()");
    else if (levels.stack.empty() && leaves.size() == 1 && !changed)
      value = single(argument, leaves.front(), name);
    else if (!alike && !levels.stack.empty())
      return refuse(argument, "elements of several types");
    else if (!alike)
      separate(argument, leaves, name, value, changed);
    else if (levels.stack.empty())
      packed(argument, leaves, name, value, changed);
    else
      stacked(argument, levels, leaves, name, value, changed);
    if (argument.name == "this")
      object_ = value;
    else
      passed_.push_back(
          (argument.declared == "*" ? "&" : "") +
          (argument.passed_by == PassedBy::value && moved(argument) ? fmt::format("std::move({})", value) : value));
  }

  // Adds a call of a public member function, or none, that changes the object before the function is called.
  void add_earlier_call(const std::string& step) {
    const std::string number = "self_" + step, choice = fmt::format("{}_{}", harness_.name, step);
    std::string choices = fmt::format("{}_none", choice), meanings = "0 is no call", cases;
    std::vector<std::string> numbers;
    const size_t count = std::min(function_.changers.size(), most_changers);
    for (size_t i = 0; i < count; ++i) {
      const MemberCall& changer = function_.changers[i];
      std::vector<std::string> passed;
      for (const Argument& argument : changer.arguments) {
        passed.push_back(fmt::format("{}_{}{}_{}", number, changer.name, i + 1, argument.name));
        numbers.push_back(fmt::format("{} {}", argument.form.type, passed.back()));
        harness_.parameters.push_back({.parameter = passed.back(),
                                       .before = fmt::format("this.{}.{}.{}", step, changer.name, argument.name),
                                       .leaves = {""},
                                       .of = "this"});
      }
      choices += fmt::format(", {}_{}", choice, i + 1);
      meanings += fmt::format(", {} is {}", i + 1, changer.name);
      cases += fmt::format("  case {}_{}:\n    {}.{}({});\n    break;\n", choice, i + 1, object_, changer.name,
                           fmt::join(passed, ", "));
    }
    before_ += fmt::format("enum {0}_choice {{ {1} }};\n", choice, choices);
    parameters_.push_back(fmt::format("enum {}_choice {}", choice, number));
    parameters_.insert(parameters_.end(), numbers.begin(), numbers.end());
    harness_.parameters.push_back({.parameter = number, .before = "this." + step, .leaves = {""}, .of = "this"});
    harness_.families.push_back(fmt::format("this.{}: {}", step, meanings));
    setup_ += fmt::format("  switch ({}) {{\n{}  default:\n    break;\n  }}\n", number, cases);
  }

  // Adds the numbers that the object shows after the call.
  void observe() {
    for (size_t i = 0; i < std::min(function_.observers.size(), most_observers); ++i) {
      const MemberCall& observer = function_.observers[i];
      const std::string result = fmt::format("result_{}", observer.name);
      parameters_.push_back(fmt::format("{}* {}", observer.result.type, result));
      harness_.parameters.push_back({.parameter = result,
                                     .before = fmt::format("this.{}()", observer.name),
                                     .leaves = {""},
                                     .use = Named::Use::written,
                                     .of = "this"});
      after_ += fmt::format("  *{} = {}.{}();\n", result, object_, observer.name);
    }
  }

  // A variable does not bind to an rvalue reference without std::move.
  bool moved(const Argument& argument) const { return language_ == Language::cxx && argument.declared.ends_with("&&"); }

  void refuse(const Argument& argument, const std::string& why) {
    harness_.obstacle = fmt::format("'{}' ({}) has {}", argument.name, argument.form.type, why);
  }

  // "const double* x", "double (*x)[3]"
  static std::string declared(const std::string& type, const std::string& name) {
    if (const size_t star = type.find("(*)"); star != std::string::npos)
      return type.substr(0, star + 2) + name + type.substr(star + 2);
    if (const size_t bracket = type.find('['); bracket != std::string::npos)
      return fmt::format("{} {}{}", type.substr(0, bracket), name, type.substr(bracket));
    return fmt::format("{} {}", type, name);
  }

  // Adds one number, which keeps its name.
  std::string single(const Argument& argument, const Leaf& leaf, const std::string& name) {
    const std::string table = function_table(argument.form, name);
    parameters_.push_back(table.empty() ? fmt::format("{} {}", leaf.type, name)
                                        : fmt::format("enum {}_choice {}", table, name));
    if (leaf.name != "" || name != argument.name)
      harness_.parameters.push_back(
          {.parameter = name, .before = argument.name, .leaves = {leaf.name}, .of = argument.name});
    size_t next = 0;
    const std::string value = values_.made(
        argument.form, [&](size_t) { return name; }, next, table);
    if (argument.form.is(FormKind::function)) {
      harness_.families.push_back(argument.name + ": 0 is x*x - 2, 1 is sin(x), 2 is the constant 1");
      return value;
    }
    setup_ += fmt::format("  {} {}_value = {};\n", argument.form.type, name, value);
    return name + "_value";
  }

  // Declares the functions that are passed for a function argument.
  std::string function_table(const Form& form, const std::string& name) {
    if (!form.is(FormKind::function))
      return {};
    const std::string table = fmt::format("{}_{}", harness_.name, name);
    std::vector<std::string> parameters, numbers;
    for (size_t i = 0; i + 1 < form.parts.size(); ++i) {
      parameters.push_back(declared(form.names[i], fmt::format("x{}", i + 1)));
      if (form.parts[i + 1].floating)
        numbers.push_back(fmt::format("x{}", i + 1));
    }
    const std::string result = form.parts.front().type, list = fmt::format("{}", fmt::join(parameters, ", ")),
                      x = fmt::format("({})", fmt::join(numbers, " + "));
    before_ +=
        fmt::format("enum {0}_choice {{ choose_{0}_polynomial, choose_{0}_sine, choose_{0}_constant }};\n", table);
    before_ += fmt::format("static {} {}_polynomial({}) {{ return {} * {} - 2; }}\n", result, table, list, x, x);
    before_ += fmt::format("static {} {}_sine({}) {{ return __builtin_sin({}); }}\n", result, table, list, x);
    before_ += fmt::format("static {} {}_constant({}) {{ return 1; }}\n", result, table, list);
    before_ += fmt::format("static {} (*const {}[])({}) = {{{}_polynomial, {}_sine, {}_constant}};\n", result, table,
                           fmt::join(form.names, ", "), table, table, table);
    return table;
  }

  // Adds a parameter for each number of a struct with several types.
  void separate(const Argument& argument, const std::vector<Leaf>& leaves, const std::string& name,
                const std::string& value, bool changed) {
    std::vector<std::string> own;
    for (const Leaf& leaf : leaves) {
      std::string field = name;
      for (const char c : leaf.name)
        field += c == '.' || c == '[' ? '_' : c == ']' ? '\0' : c;
      std::erase(field, '\0');
      own.push_back(changed ? "*" + field : field);
      parameters_.push_back(fmt::format("{}{} {}", leaf.type, changed ? "*" : "", field));
      harness_.parameters.push_back({.parameter = field,
                                     .before = argument.name,
                                     .leaves = {leaf.name},
                                     .use = changed ? Named::Use::both : Named::Use::read,
                                     .of = argument.name});
    }
    make(
        argument.form, value, [own](size_t i) { return own[i]; }, changed);
  }

  // Adds an array for numbers of one type.
  void packed(const Argument& argument, const std::vector<Leaf>& leaves, const std::string& name,
              const std::string& value, bool changed) {
    Named named{.parameter = name,
                .before = argument.name,
                .leaves = {},
                .use = changed ? Named::Use::both : Named::Use::read,
                .of = argument.name};
    for (const Leaf& leaf : leaves)
      named.leaves.push_back(leaf.name);
    parameters_.push_back(fmt::format("{}{}* {}", changed ? "" : "const ", leaves.front().type, name));
    harness_.parameters.push_back(std::move(named));
    make(
        argument.form, value, [name](size_t i) { return fmt::format("{}[{}]", name, i); }, changed);
  }

  void make(const Form& form, const std::string& value, const Number& number, bool changed) {
    size_t next = 0;
    setup_ += fmt::format("  {} {} = {};\n", form.type, value, values_.made(form, number, next, ""));
    next = 0;
    if (changed)
      after_ += values_.taken(form, value, number, next);
  }

  // Adds an array with all numbers of a sequence, an array or a matrix.
  void stacked(const Argument& argument, const Levels& levels, const std::vector<Leaf>& leaves, const std::string& name,
               const std::string& value, bool changed) {
    const Stack stack(levels, argument.name, name, leaves);
    if (const std::string why = stack.obstacle(); !why.empty())
      return refuse(argument, why);
    Named named = stack.named();
    named.use = changed ? Named::Use::both : Named::Use::read;
    parameters_.push_back(fmt::format("{}{}* {}", changed ? "" : "const ", leaves.front().type, name));
    harness_.parameters.push_back(std::move(named));
    if (stack.is_free())
      harness_.sizes.push_back({argument.name, stack.constants()});
    setup_ += stack.filled(value, values_);
    if (changed)
      after_ += stack.emptied(value, name, values_);
  }

  // Writes what follows the call, and sets the harness's result type.
  std::string finish(const std::string& call) {
    const Form& result = function_.result;
    if (function_.returns_nothing) {
      after_ = fmt::format("  {};\n", call) + after_;
      return "void";
    }
    if (result.is(FormKind::scalar) && (result.floating || changes_))
      return returned(result.type, call);
    if (result.is(FormKind::scalar)) // a predicate: becomes a number, so that it is judged
      return returned("double", call);
    if (result.is(FormKind::other) && changes_) {
      after_ = fmt::format("  {};\n", call) + after_;
      return "void";
    }
    if (result.is(FormKind::other))
      return returned("auto", call);
    return handed_out(result, call);
  }

  std::string returned(const std::string& type, const std::string& call) {
    if (after_.empty()) {
      after_ = fmt::format("  return {};\n", call);
      return type;
    }
    after_ = fmt::format("  {} result = {};\n", type == "auto" ? "auto" : type, call) + after_ + "  return result;\n";
    return type;
  }

  // Stores a result of several numbers in an array.
  std::string handed_out(const Form& form, const std::string& call) {
    std::vector<Leaf> leaves;
    const Levels levels = levels_of(form);
    if (!leaves_of(*levels.element, "", leaves) || leaves.empty()) {
      harness_.obstacle =
          fmt::format("it returns {}, which has no numbers, or a length that is not fixed inside", form.type);
      return {};
    }
    std::string number = "double"; // integers among the numbers become floats
    if (const auto floating = std::ranges::find_if(leaves, &Leaf::floating); floating != leaves.end())
      number = floating->type;
    std::string text = fmt::format("  {} result_value = {};\n", language_ == Language::cxx ? "auto" : form.type, call);
    Named named{.parameter = "result", .before = "return", .leaves = {}, .use = Named::Use::written, .of = "return"};
    if (levels.stack.empty()) {
      for (const Leaf& leaf : leaves)
        named.leaves.push_back(leaf.name);
      size_t next = 0;
      text += values_.taken(
          form, "result_value", [](size_t i) { return fmt::format("result[{}]", i); }, next);
    } else {
      const Stack stack(levels, "return", "result", leaves);
      if (const std::string why = stack.obstacle(); !why.empty()) {
        harness_.obstacle = fmt::format("it returns {}, which has {}", form.type, why);
        return {};
      }
      named = stack.named();
      named.use = Named::Use::written;
      if (stack.is_free())
        harness_.sizes.push_back({"return", stack.constants()});
      text += stack.emptied("result_value", "result", values_);
    }
    after_ = text + after_;
    parameters_.push_back(fmt::format("{}* result", number));
    harness_.parameters.push_back(std::move(named));
    return "void";
  }

  const Declaration& function_;
  Language language_;
  Values values_;
  bool changes_;
  Harness& harness_;
  std::vector<std::string> parameters_, passed_;
  std::string before_, setup_, after_, object_;
};

} // namespace

void write_harness(const Declaration& function, Language language, bool changes, Harness& harness) {
  Writer(function, language, changes, harness).write();
}

} // namespace faultline::harness
