#include "harness/writer.h"

#include "harness/stack.h"
#include "harness/values.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::harness {
namespace {

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
  // `this` is a word of the language.
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
    const bool changed = argument.how == How::changed && !argument.form.is(FormKind::object);
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
      passed_.push_back((argument.declared == "*" ? "&" : "") +
                        (argument.how == How::value && moved(argument) ? fmt::format("std::move({})", value) : value));
  }

  // An rvalue reference takes no variable by itself.
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

  // One number: it keeps its name.
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

  // The functions that are passed for a function.
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

  // A struct of numbers of several types: a parameter for each.
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

  // Numbers of one type: an array.
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

  // A sequence, an array, a matrix: an array of all its numbers.
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

  // What is done with what the call gives; the harness's own result type.
  std::string finish(const std::string& call) {
    const Form& result = function_.result;
    if (function_.returns_nothing) {
      after_ = fmt::format("  {};\n", call) + after_;
      return "void";
    }
    if (result.is(FormKind::scalar) && (result.floating || changes_))
      return returned(result.type, call);
    if (result.is(FormKind::scalar)) // a predicate: as a number, so that it is judged
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

  // A result of several numbers goes to an array.
  std::string handed_out(const Form& form, const std::string& call) {
    std::vector<Leaf> leaves;
    const Levels levels = levels_of(form);
    if (!leaves_of(*levels.element, "", leaves) || leaves.empty()) {
      harness_.obstacle =
          fmt::format("it returns {}, which has no numbers, or a length that is not fixed inside", form.type);
      return {};
    }
    std::string number = "double"; // integers among the numbers become floats, too
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
