#include "fix/source_loops.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace faultline::fix {

using model::Edit;

namespace {

// s += E in a loop.
struct LoopSum {
  const Statement* loop = nullptr;
  const Code* target = nullptr;
  const Code* term = nullptr;
};

class LoopReader {
public:
  LoopReader(const Function& function, const std::string& file, const std::string& why)
      : function_(function), file_(file), why_(why), fortran_(function.language == Language::fortran) {
    find_sums(function.body, nullptr);
    each_value(function.body, [&](const Statement&, const Code& value) {
      each_node(value, [&](const Code& node) { names_.insert(node.symbol); });
    });
    for (const Statement& parameter : function.parameters)
      names_.insert(parameter.name);
  }

  std::vector<LoopRepair> repairs() {
    std::vector<LoopRepair> all;
    for (std::optional<LoopRepair> repair : {shifted(), scaled(), two_passes()})
      if (repair)
        all.push_back(std::move(*repair));
    return all;
  }

private:
  std::string text_of(const Code& code) const { return file_.substr(code.span.begin, code.span.size()); }
  static std::string without_blanks(std::string text) {
    std::erase_if(text, [](unsigned char c) { return std::isspace(c); });
    return text;
  }
  bool is_same(const Code& a, const Code& b) const { return without_blanks(text_of(a)) == without_blanks(text_of(b)); }

  static const Code& without_casts(const Code& code) {
    return code.is(Code::Kind::cast) && code.parts.size() == 1 ? without_casts(code.parts.front()) : code;
  }

  void find_sums(const std::vector<Statement>& statements, const Statement* loop) {
    for (const Statement& statement : statements) {
      const Statement* inner = statement.is(Statement::Kind::loop) ? &statement : loop;
      if (statement.is(Statement::Kind::loop))
        loops_.push_back(&statement);
      if (loop && statement.is(Statement::Kind::expression) && statement.value)
        note_sum(*loop, *statement.value);
      for (const auto* inside : {&statement.body, &statement.otherwise})
        find_sums(*inside, inner);
    }
  }

  void note_sum(const Statement& loop, const Code& value) {
    if (!value.is(Code::Kind::op) || value.parts.size() != 2 || !value.parts[0].is(Code::Kind::name) ||
        !format_of_type(value.parts[0].type))
      return;
    const Code& right = without_casts(value.parts[1]);
    if (value.symbol == "+=")
      sums_.push_back({&loop, &value.parts[0], &right});
    else if (value.symbol == "=" && right.is(Code::Kind::op) && right.symbol == "+" &&
             is_same(right.parts[0], value.parts[0]))
      sums_.push_back({&loop, &value.parts[0], &without_casts(right.parts[1])});
  }

  // A call of this function; null if the code is something else.
  static const Code* call_of(const Code& code, std::string_view name) {
    std::string own = code.symbol;
    if (own.starts_with("std::"))
      own = own.substr(5);
    const bool is_it = own == name || own == std::string(name) + "f" || own == std::string(name) + "l";
    return code.is(Code::Kind::call) && code.library && is_it && code.parts.size() == 1 ? &code.parts.front() : nullptr;
  }

  // The factor of E * E, or the base of E**2.
  const Code* squared(const Code& code) const {
    if (!code.is(Code::Kind::op) || code.parts.size() != 2)
      return nullptr;
    if (code.symbol == "*" && is_same(code.parts[0], code.parts[1]))
      return &code.parts[0];
    return code.symbol == "**" && code.parts[1].value && *code.parts[1].value == 2 ? &code.parts[0] : nullptr;
  }

  std::string new_name(const std::string& wanted) const {
    std::string name = wanted;
    for (int i = 2; names_.contains(name); ++i)
      name = wanted + std::to_string(i);
    return name;
  }

  std::string type_of(const Code& code) const {
    const std::optional<Format> format = format_of_type(code.type);
    if (fortran_)
      return format == Format::binary32 ? "real" : "real(8)";
    return format == Format::binary32 ? "float" : format == Format::extended80 ? "long double" : "double";
  }
  std::string function_named(const std::string& name) const {
    return function_.language == Language::cpp ? "std::" + name : name;
  }

  size_t line_of_offset(size_t offset) const {
    const size_t end = offset == 0 ? std::string::npos : file_.rfind('\n', offset - 1);
    return end == std::string::npos ? 0 : end + 1;
  }
  std::string indentation(size_t offset) const {
    const size_t begin = line_of_offset(offset);
    return file_.substr(begin, file_.find_first_not_of(" \t", begin) - begin);
  }

  // for (int i = 0; i < n; ++i), do i = 1, n; empty if it cannot be repeated.
  std::string header(const Statement& loop) const {
    const std::string text = file_.substr(loop.span.begin, loop.span.size());
    if (fortran_)
      return text.starts_with("do") || text.starts_with("DO") ? text.substr(0, text.find('\n')) : "";
    if (!text.starts_with("for"))
      return "";
    int depth = 0;
    for (size_t i = text.find('('); i < text.size(); ++i) {
      depth += text[i] == '(';
      depth -= text[i] == ')';
      if (depth == 0)
        return text.substr(0, i + 1);
    }
    return "";
  }

  bool begins_line(size_t offset) const { return file_.find_first_not_of(" \t", line_of_offset(offset)) == offset; }

  void replace(LoopRepair& repair, const Span& span, std::string text) const {
    repair.edits.push_back({function_.file, span.begin, span.size(), std::move(text)});
  }
  void insert(LoopRepair& repair, size_t at, std::string text) const {
    repair.edits.push_back({function_.file, at, 0, std::move(text)});
  }

  std::string comment(const std::string& indentation) const {
    if (fortran_)
      return fmt::format("{}! {}\n", indentation, why_);
    const bool old_style = function_.language == Language::c && file_.find("//") == std::string::npos;
    return fmt::format(fmt::runtime(old_style ? "{}/* {} */\n" : "{}// {}\n"), indentation, why_);
  }

  // A loop like this one before it, which makes `name` of all its elements.
  void insert_loop(LoopRepair& repair, const Statement& loop, const std::string& name, const std::string& type,
                   const std::string& start, const std::string& body) const {
    const size_t line = line_of_offset(loop.span.begin);
    const std::string outer = indentation(loop.span.begin);
    const std::string step = outer.find('\t') != std::string::npos ? "\t" : "  ";
    std::string text = comment(outer);
    if (fortran_) {
      insert(repair, line_of_offset(function_.open),
             fmt::format("{}{} :: {}\n", indentation(function_.open), type, name));
      text += fmt::format("{0}{1} = {2}\n{0}{3}\n{0}{4}{5}\n{0}end do\n", outer, name, start, header(loop), step, body);
    } else {
      text +=
          fmt::format("{0}{1} {2} = {3};\n{0}{4}\n{0}{5}{6};\n", outer, type, name, start, header(loop), step, body);
    }
    insert(repair, line, text);
  }

  // Loops and elements whose code stays the same from one loop to the next are repeated before the first of them.
  std::optional<LoopRepair> shifted() const {
    const Statement* loop = nullptr;
    std::vector<const Code*> calls;
    const Code* first = nullptr;
    each_value(function_.body, [&](const Statement& statement, const Code& value) {
      each_node(value, [&](const Code& node) {
        const Code* argument = call_of(node, "exp");
        const Statement* around = argument ? loop_around(node.span.begin) : nullptr;
        if (!around || statement.is(Statement::Kind::loop))
          return;
        calls.push_back(argument);
        if (!loop) {
          loop = around;
          first = argument;
        }
      });
    });
    if (!loop || header(*loop).empty() || !begins_line(loop->span.begin))
      return std::nullopt;
    LoopRepair repair{{}, "subtract the largest argument from all arguments of exp"};
    const std::string name = new_name("largest"), element = text_of(*first), type = type_of(*first);
    const std::string body = fortran_ ? fmt::format("{0} = max({0}, {1})", name, element)
                                      : fmt::format("{0} = {2}({0}, {1})", name, element,
                                                    function_named(type == "float" ? "fmaxf" : "fmax"));
    insert_loop(repair, *loop, name, type, fortran_ ? fmt::format("-huge({})", name) : "-HUGE_VAL", body);
    std::vector<const Code*> logarithms;
    each_value(function_.body, [&](const Statement&, const Code& value) {
      each_node(value, [&](const Code& node) {
        if (const Code* argument = call_of(node, "log"); argument && is_sum(*argument))
          logarithms.push_back(&node);
      });
    });
    if (logarithms.empty() || fortran_) {
      for (const Code* argument : calls)
        replace(repair, argument->span, fmt::format("{} - {}", text_of(*argument), name));
      for (const Code* logarithm : logarithms)
        replace(repair, logarithm->span, fmt::format("({} + {})", name, text_of(*logarithm)));
      return repair;
    }
    // The largest term is 1: the logarithm is that of 1 and the others, which may be small.
    const std::string ties = new_name("ties");
    insert(repair, line_of_offset(loop->span.begin),
           fmt::format("{0}{1} {2} = -1;\n{0}{3}\n{0}  {2} += {4} == {5};\n", indentation(loop->span.begin), type, ties,
                       header(*loop), element, name));
    for (const Code* argument : calls) {
      const Code* call = call_with(*argument);
      replace(repair, call->span,
              fmt::format("({0} < {1} ? {2} - {1}) : 0)", text_of(*argument), name,
                          text_of(*call).substr(0, text_of(*call).rfind(')'))));
    }
    for (const Code* logarithm : logarithms)
      replace(repair, logarithm->span,
              fmt::format("({} + {}({} + {}))", name, function_named(type == "float" ? "log1pf" : "log1p"), ties,
                          text_of(logarithm->parts.front())));
    return repair;
  }

  // The call that has this argument.
  const Code* call_with(const Code& argument) const {
    const Code* call = nullptr;
    each_value(function_.body, [&](const Statement&, const Code& value) {
      each_node(value, [&](const Code& node) {
        if (node.is(Code::Kind::call) && node.parts.size() == 1 && &node.parts.front() == &argument)
          call = &node;
      });
    });
    return call;
  }

  bool is_sum(const Code& code) const {
    const Code& own = without_casts(code);
    return std::ranges::any_of(
        sums_, [&](const LoopSum& sum) { return own.is(Code::Kind::name) && sum.target->declared == own.declared; });
  }

  const Statement* loop_around(size_t offset) const {
    const Statement* innermost = nullptr;
    for (const Statement* loop : loops_)
      if (loop->span.contains(offset) && (!innermost || innermost->span.contains(loop->span.begin)))
        innermost = loop;
    return innermost;
  }

  std::optional<LoopRepair> scaled() const {
    for (const LoopSum& sum : sums_) {
      const Code* element = squared(*sum.term);
      const Code* root = nullptr;
      each_value(function_.body, [&](const Statement&, const Code& value) {
        each_node(value, [&](const Code& node) {
          const Code* argument = call_of(node, "sqrt");
          if (argument && without_casts(*argument).declared == sum.target->declared &&
              argument->span.begin > sum.loop->span.end)
            root = &node;
        });
      });
      if (!element || !root || header(*sum.loop).empty() || !begins_line(sum.loop->span.begin))
        continue;
      LoopRepair repair{{}, "divide by the largest element before squaring"};
      const std::string name = new_name("scale"), text = text_of(*element);
      const bool single = type_of(*element) == "float";
      const std::string body =
          fortran_ ? fmt::format("{0} = max({0}, abs({1}))", name, text)
                   : fmt::format("{0} = {2}({0}, {3}({1}))", name, text, function_named(single ? "fmaxf" : "fmax"),
                                 function_named(single ? "fabsf" : "fabs"));
      insert_loop(repair, *sum.loop, name, type_of(*element), "0", body);
      const std::string outer = indentation(sum.loop->span.begin);
      insert(repair, line_of_offset(sum.loop->span.begin),
             fortran_ ? fmt::format("{0}if (.not. {1} > 0) {1} = 1\n", outer, name)
                      : fmt::format("{0}if (!({1} > 0))\n{0}  {1} = 1;\n", outer, name));
      const std::string ratio =
          element->is(Code::Kind::op) ? fmt::format("(({}) / {})", text, name) : fmt::format("({} / {})", text, name);
      replace(repair, sum.term->span, fmt::format("{0} * {0}", ratio));
      replace(repair, root->span, fmt::format("({} * {})", name, text_of(*root)));
      return repair;
    }
    return std::nullopt;
  }

  // The count of the turns of for (i = 0; i < n; ++i), as text; empty if it is another loop.
  std::string count_of(const Statement& loop) const {
    const std::string text = header(loop);
    if (fortran_) {
      const size_t comma = text.find(',');
      std::string first = without_blanks(text.substr(text.find('=') + 1, comma - text.find('=') - 1));
      return comma == std::string::npos || first != "1" ? "" : without_blanks(text.substr(comma + 1));
    }
    const size_t first = text.find(';'), second = text.find(';', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      return "";
    const std::string start = without_blanks(text.substr(0, first)),
                      condition = text.substr(first + 1, second - first - 1);
    const size_t less = condition.find('<');
    if (!start.ends_with("=0") || less == std::string::npos || condition[less + 1] == '=')
      return "";
    return without_blanks(condition.substr(less + 1));
  }

  // s2 is sum of (E - s / n)^2, plus s * s / n: the difference of s2 and s * s / n, in whatever form, is that sum.
  std::optional<LoopRepair> two_passes() const {
    for (const LoopSum& squares : sums_)
      for (const LoopSum& plain : sums_) {
        const Code* element = squared(*squares.term);
        const std::string count = count_of(*squares.loop);
        if (!element || plain.loop != squares.loop || !is_same(*element, *plain.term) || count.empty() ||
            header(*plain.loop).empty())
          continue;
        if (std::optional<LoopRepair> repair = two_passes(squares, plain, *element, count))
          return repair;
      }
    return std::nullopt;
  }

  // The place of s2 - s * s / n, or of s2 / n - (s / n)^2, and what stands in its place; d is the new sum.
  std::optional<LoopRepair> two_passes(const LoopSum& squares, const LoopSum& plain, const Code& element,
                                       const std::string& count) const {
    const std::string s2 = squares.target->symbol, s = plain.target->symbol;
    const Statement* user = nullptr;
    const Code* difference = nullptr;
    std::string form;
    each_value(function_.body, [&](const Statement& statement, const Code& value) {
      each_node(value, [&](const Code& node) {
        if (difference || !node.is(Code::Kind::op) || node.symbol != "-" || node.span.begin < squares.loop->span.end)
          return;
        form = form_of(node, s2, s, count);
        if (!form.empty()) {
          difference = &node;
          user = &statement;
        }
      });
    });
    if (!difference || !begins_line(user->span.begin))
      return std::nullopt;
    LoopRepair repair{{}, "add the squares of the differences from the mean in a second pass"};
    const std::string mean = new_name("mean"), sum = new_name("squares");
    const std::string text = text_of(element);
    const std::string type = type_of(element);
    const size_t line = line_of_offset(user->span.begin);
    const std::string outer = indentation(user->span.begin);
    if (fortran_) {
      insert(repair, line_of_offset(function_.open),
             fmt::format("{}{} :: {}, {}\n", indentation(function_.open), type, mean, sum));
      insert(repair, line,
             comment(outer) +
                 fmt::format(
                     "{0}{1} = {2} / {3}\n{0}{4} = 0\n{0}{5}\n{0}  {4} = {4} + ({6} - {1}) * ({6} - {1})\n{0}end do\n",
                     outer, mean, s, count, sum, header(*squares.loop), text));
    } else {
      insert(repair, line,
             comment(outer) +
                 fmt::format(
                     "{0}const {7} {1} = {2} / {3};\n{0}{7} {4} = 0;\n{0}{5}\n{0}  {4} += ({6} - {1}) * ({6} - {1});\n",
                     outer, mean, s, count, sum, header(*squares.loop), text, type));
    }
    Span span = difference->span;
    const size_t before = file_.find_last_not_of(" \t\n", span.begin - 1),
                 after = file_.find_first_not_of(" \t\n", span.end);
    if (form == "{}" && file_[before] == '(' && file_[after] == ')')
      span = {before, after + 1, false};
    replace(repair, span, fmt::format(fmt::runtime(form), sum));
    return remove_unused(repair, squares, difference->span) ? std::optional(repair) : std::nullopt;
  }

  // What the difference is, with {} for the sum of squared differences; empty if it is none of these.
  std::string form_of(const Code& difference, const std::string& s2, const std::string& s,
                      const std::string& count) const {
    std::string text = without_blanks(text_of(difference));
    for (const char* cast : {"(double)", "(float)"})
      for (size_t at = text.find(cast); at != std::string::npos; at = text.find(cast))
        text.erase(at, std::string_view(cast).size());
    const std::string mean = s + "/" + count;
    for (const std::string& form : {s2 + "-" + s + "*" + s + "/" + count, s2 + "-(" + s + "*" + s + ")/" + count,
                                    s2 + "-" + s + "*(" + mean + ")", s2 + "-" + s + "**2/" + count})
      if (text == form)
        return "{}";
    for (const std::string& form :
         {s2 + "/" + count + "-(" + mean + ")*(" + mean + ")", s2 + "/" + count + "-(" + mean + ")**2"})
      if (text == form)
        return "{} / " + count;
    for (const std::string& form : {count + "*" + s2 + "-" + s + "*" + s, count + "*" + s2 + "-" + s + "**2"})
      if (text == form)
        return count + " * {}";
    return "";
  }

  // Removes a sum that is no longer used: compilers warn about it. False if that is not possible.
  bool remove_unused(LoopRepair& repair, const LoopSum& sum, const Span& replaced) const {
    const Statement *added = nullptr, *declared = nullptr;
    bool is_used = false;
    each_value(function_.body, [&](const Statement& statement, const Code& value) {
      if (statement.is(Statement::Kind::declare) && statement.declared == sum.target->declared)
        declared = &statement;
      each_node(value, [&](const Code& node) {
        if (&node == sum.term)
          added = &statement;
        const bool is_own = sum.loop->span.contains(node.span.begin) || replaced.contains(node.span.begin);
        const bool is_start = value.assigns() && &node == &value.parts.front();
        is_used =
            is_used || (node.is(Code::Kind::name) && node.declared == sum.target->declared && !is_own && !is_start);
      });
    });
    if (is_used || fortran_)
      return true;
    if (!added || !declared || !begins_line(added->span.begin))
      return false;
    const size_t line = line_of_offset(added->span.begin), end = file_.find('\n', added->span.end) + 1;
    replace(repair, {line, end, false}, "");
    // double s = 0, s2 = 0;
    const size_t name = file_.rfind(declared->name, declared->span.end - 1);
    const size_t before = file_.find_last_not_of(" \t\n", name - 1),
                 after = file_.find_first_not_of(" \t\n", declared->span.end);
    if (file_[before] == ',')
      replace(repair, {before, declared->span.end, false}, "");
    else if (file_[after] == ',')
      replace(repair, {name, file_.find_first_not_of(" \t\n", after + 1), false}, "");
    else
      replace(repair, {line_of_offset(name), file_.find('\n', name) + 1, false}, "");
    return true;
  }

  const Function& function_;
  const std::string& file_;
  const std::string& why_;
  bool fortran_;
  std::vector<LoopSum> sums_;
  std::vector<const Statement*> loops_;
  std::set<std::string> names_;
};

} // namespace

std::vector<LoopRepair> loop_repairs(const Function& function, const std::string& file, const std::string& why) {
  return LoopReader(function, file, why).repairs();
}

} // namespace faultline::fix
