#include "frontend/fpcore/meaning_text.h"

#include "frontend/fpcore/number.h"
#include "frontend/fpcore/operators.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace faultline::frontend::fpcore {
namespace {

constexpr size_t longest = 60'000; // characters: a meaning has at most 64 KiB

struct CannotExpress {
  std::string what;
};

// Asked wherever a text grows: a number of ten characters may stand for thousands, and a list has many.
void check_length(const std::string& text) {
  if (text.size() > longest)
    throw CannotExpress{fmt::format("more than {} characters", longest)};
}

void append(std::string& text, const std::string& part) {
  text += part;
  check_length(text);
}

class MeaningWriter {
public:
  void bind(const std::string& name, const std::string& text) { scope_[name].push_back(text); }

  std::string write(const Form& form) {
    std::string text = form.is_list() ? list(form) : word(form);
    check_length(text);
    return text;
  }

private:
  std::string word(const Form& form) {
    if (form.is_number()) {
      const std::optional<Number> number = number_of(form.text);
      return number ? exact_text(*number) : throw CannotExpress{shown(form)};
    }
    if (const auto found = scope_.find(form.text); found != scope_.end() && !found->second.empty())
      return found->second.back();
    const Constant* constant = find_constant(form.text);
    if (!constant || !constant->meaning)
      throw CannotExpress{shown(form)};
    return constant->meaning;
  }

  std::string list(const Form& form) {
    const std::string_view head = form.head();
    if ((head == "cast" && form.items.size() == 2) || (head == "!" && form.items.size() > 2))
      return write(form.items.back()); // nothing is rounded here
    if (head == "if" && form.items.size() == 4)
      return fmt::format("if({}, {}, {})", condition(form.items[1]), write(form.items[2]), write(form.items[3]));
    if ((head == "let" || head == "let*") && form.items.size() == 3 && form.items[1].is_list())
      return let(form, head == "let*");
    const Operator* found = find_operator(head);
    const int count = int(form.items.size()) - 1;
    const bool is_number = found && (found->kind == OperatorKind::arithmetic || found->kind == OperatorKind::function);
    if (!is_number || !found->meaning || count < found->least || (found->most >= 0 && count > found->most))
      throw CannotExpress{shown(form)};
    if (head == "-" && count == 1)
      return fmt::format("(-{})", write(form.items[1]));
    if (count <= 3 && (found->most >= 0 || count == 2))
      return filled(found->meaning, form);
    std::string text = write(form.items[1]);
    for (int i = 2; i <= count; ++i) {
      text = fmt::format("({} {} {})", text, found->name, write(form.items[size_t(i)]));
      check_length(text);
    }
    return text;
  }

  std::string filled(std::string_view pattern, const Form& form) {
    std::vector<std::string> operands;
    for (size_t i = 1; i < form.items.size(); ++i)
      operands.push_back(write(form.items[i]));
    std::string text;
    for (size_t i = 0; i < pattern.size(); ++i)
      if (pattern[i] == '$')
        text += operands[size_t(pattern[++i] - '1')];
      else
        text += pattern[i];
    return text;
  }

  std::string condition(const Form& form) {
    const std::string_view head = form.head();
    if (form.is_symbol("TRUE") || form.is_symbol("FALSE"))
      return form.text == "TRUE" ? "0 == 0" : "0 == 1";
    const Operator* found = find_operator(head);
    if (found && found->kind == OperatorKind::logic) {
      if (head == "not" && form.items.size() == 2)
        return fmt::format("not ({})", condition(form.items[1]));
      if (form.items.size() < 2)
        throw CannotExpress{shown(form)};
      std::string text = fmt::format("({})", condition(form.items[1]));
      for (size_t i = 2; i < form.items.size(); ++i)
        append(text, fmt::format(" {} ({})", head, condition(form.items[i])));
      return text;
    }
    if (found && found->kind == OperatorKind::comparison && form.items.size() > 2 && head != "!=")
      return chain(found->meaning, form);
    if (found && found->kind == OperatorKind::comparison && form.items.size() == 3)
      return chain(found->meaning, form);
    throw CannotExpress{shown(form)};
  }

  std::string chain(const char* sign, const Form& form) {
    std::string text;
    for (size_t i = 1; i + 1 < form.items.size(); ++i)
      append(text,
             fmt::format("{}({} {} {})", i > 1 ? " and " : "", write(form.items[i]), sign, write(form.items[i + 1])));
    return text;
  }

  std::string let(const Form& form, bool in_order) {
    std::string text = "(";
    std::vector<std::pair<std::string, std::string>> names;
    for (const Form& one : form.items[1].items) {
      if (!one.is_list() || one.items.size() != 2 || !one.items[0].is_symbol())
        throw CannotExpress{shown(form)};
      const std::string name = fmt::format("named_{}", ++names_);
      append(text, fmt::format("let {} = {} in ", name, write(one.items[1])));
      names.emplace_back(one.items[0].text, name);
      if (in_order)
        bind(names.back().first, name);
    }
    for (const auto& [name, own] : names)
      if (!in_order)
        bind(name, own);
    text += write(form.items[2]) + ")";
    for (const auto& [name, own] : names)
      scope_.at(name).pop_back();
    return text;
  }

  std::map<std::string, std::vector<std::string>> scope_;
  int names_ = 0;
};

} // namespace

Meaning meaning_of(const Core& core, const std::vector<Core>& cores) {
  if (!core.meaning)
    return {};
  MeaningWriter writer;
  const Form* form = &*core.meaning;
  const Core* of = &core; // whose arguments it is written in
  const auto other = std::ranges::find_if(
      cores, [&](const Core& one) { return form->is_symbol() && !one.symbol.empty() && one.symbol == form->text; });
  if (other != cores.end() && other->arguments.size() == core.arguments.size()) {
    form = &other->body;
    of = &*other;
  }
  for (size_t i = 0; i < core.arguments.size(); ++i)
    writer.bind(of->arguments[i].name, core.arguments[i].c_name);
  try {
    return {writer.write(*form), ""};
  } catch (const CannotExpress& obstacle) {
    return {"", obstacle.what};
  }
}

} // namespace faultline::frontend::fpcore
