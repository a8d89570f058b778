#include "fix/source_question.h"

#include "numeric/stable_sort.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace faultline::fix {

std::optional<Format> format_of_type(const std::string& type) {
  constexpr std::pair<std::string_view, Format> names[] = {
      {"double", Format::binary64},   {"float", Format::binary32},   {"long double", Format::extended80},
      {"_Float16", Format::binary16}, {"real(8)", Format::binary64}, {"real(4)", Format::binary32}};
  std::string_view plain = type;
  for (const std::string_view before : {"const ", "volatile "})
    if (plain.starts_with(before))
      plain.remove_prefix(before.size());
  while (plain.ends_with(" &") || plain.ends_with(" &&"))
    plain = plain.substr(0, plain.rfind(' '));
  for (const auto& [name, format] : names)
    if (name == plain)
      return format;
  return std::nullopt;
}

namespace {

constexpr size_t most_inlined = 40;   // temporaries in an expression: longer ones are no better for being whole
constexpr int largest_term = 160;     // operations and leaves: the search does not handle larger ones in its time
constexpr size_t most_questions = 10; // about one place

// An assignment of a variable.
struct Definition {
  size_t at = 0;               // offset
  const Code* value = nullptr; // null: not a plain assignment
  const Statement* statement = nullptr;
};

// What the function does to its variables and to memory.
class Effects {
public:
  explicit Effects(const Function& function) { collect(function.body, {}); }

  const std::vector<Definition>& definitions(size_t variable) const {
    static const std::vector<Definition> none;
    const auto found = definitions_.find(variable);
    return found == definitions_.end() ? none : found->second;
  }
  bool is_exposed(size_t variable) const { return exposed_.contains(variable); } // its address is taken
  bool writes_memory_between(size_t from, size_t to) const {
    return std::ranges::any_of(writes_, [&](size_t at) { return from < at && at < to; });
  }
  bool is_assigned_between(size_t variable, size_t from, size_t to) const {
    return std::ranges::any_of(definitions(variable),
                               [&](const Definition& one) { return from < one.at && one.at < to; });
  }
  // The innermost loop around an offset; null: none.
  const Statement* loop_at(size_t offset) const {
    const Statement* innermost = nullptr;
    for (const Statement* loop : loops_)
      if (loop->span.contains(offset) && (!innermost || innermost->span.contains(loop->span.begin)))
        innermost = loop;
    return innermost;
  }
  // The blocks around a statement, without itself.
  const std::vector<const Statement*>& around(const Statement& statement) const { return around_.at(&statement); }

private:
  void collect(const std::vector<Statement>& statements, const std::vector<const Statement*>& around) {
    for (const Statement& statement : statements) {
      around_[&statement] = around;
      if (statement.is(Statement::Kind::loop))
        loops_.push_back(&statement);
      if (statement.is(Statement::Kind::declare) && statement.value)
        definitions_[statement.declared].push_back({statement.span.begin, &*statement.value, &statement});
      if (statement.value)
        each_node(*statement.value, [&](const Code& node) { note(statement, node); });
      std::vector<const Statement*> inner = around;
      if (!statement.declares)
        inner.push_back(&statement);
      for (const auto* inside : {&statement.head, &statement.body, &statement.otherwise})
        collect(*inside, inner);
    }
  }

  void note(const Statement& statement, const Code& node) {
    if (node.is(Code::Kind::call) && !node.library)
      writes_.push_back(node.span.begin);
    if (node.is(Code::Kind::other))
      for (const Code& part : node.parts)
        expose(part);
    if (node.is(Code::Kind::unary) && node.symbol == "&")
      for (const Code& part : node.parts)
        expose(part);
    if (!node.assigns() || node.parts.empty())
      return;
    const Code& target = node.parts.front();
    if (!target.is(Code::Kind::name)) {
      writes_.push_back(node.span.begin);
      return;
    }
    const bool is_plain = node.symbol == "=" && &node == &*statement.value && node.parts.size() == 2;
    definitions_[target.declared].push_back({node.span.begin, is_plain ? &node.parts[1] : nullptr, &statement});
  }

  void expose(const Code& code) {
    each_node(code, [&](const Code& node) {
      if (node.is(Code::Kind::name))
        exposed_.insert(node.declared);
    });
  }

  std::map<size_t, std::vector<Definition>> definitions_;
  std::set<size_t> exposed_;
  std::vector<size_t> writes_; // of memory, and calls that may write it
  std::vector<const Statement*> loops_;
  std::map<const Statement*, std::vector<const Statement*>> around_;
};

std::optional<Op> operation_of(const Code& call) {
  std::string name = call.symbol;
  if (name.starts_with("std::"))
    name = name.substr(5);
  if (name == "abs")
    name = "fabs";
  const auto find = [&](const std::string& wanted) -> std::optional<Op> {
    for (int i = 0; i < ops::operation_count; ++i)
      if (const auto op = Op(i); ops::name(op) == wanted && size_t(ops::arity(op)) == call.parts.size() &&
                                 !ops::has_integer_operand(op) && has_enclosure(op))
        return op;
    return std::nullopt;
  };
  if (!call.library || !format_of_type(call.type))
    return std::nullopt;
  if (const std::optional<Op> op = find(name))
    return op;
  return name.ends_with('f') || name.ends_with('l') ? find(name.substr(0, name.size() - 1)) : std::nullopt;
}

// Reads one expression as a term.
class TermReader {
public:
  TermReader(const Function& function, const std::string& file, const Effects& effects, const Found& place,
             bool substitutes)
      : function_(function), file_(file), effects_(effects), place_(place), substitutes_(substitutes) {}

  // Nothing if it is not about floats.
  std::optional<Term> read() {
    const std::optional<Format> format = format_of_type(place_.node->type);
    if (!format)
      return std::nullopt;
    question.format = *format;
    const std::optional<Term> term = term_of(*place_.node, nullptr);
    if (!term || term->size() > largest_term)
      return std::nullopt;
    return term;
  }

  Question question{Term::number(0), {}};
  std::vector<SourceText> texts;
  std::vector<std::string> once;
  std::vector<std::string> names; // of variables: keys of inputs
  bool substituted = false;

private:
  std::string text_of(const Code& code) const { return file_.substr(code.span.begin, code.span.size()); }

  // `from`: the definition that has the code, if it is substituted.
  std::optional<Term> term_of(const Code& code, const Definition* from) {
    using Kind = Code::Kind;
    if (code.value && std::isfinite(*code.value) && (code.is(Kind::number) || code.is(Kind::name)))
      return number(code);
    if (code.is(Kind::cast) && code.parts.size() == 1 && format_of_type(code.type))
      return term_of(code.parts.front(), from);
    if (!format_of_type(code.type))
      return leaf(code, from);
    if (code.is(Kind::unary) && code.parts.size() == 1 && (code.symbol == "-" || code.symbol == "+")) {
      const std::optional<Term> part = term_of(code.parts.front(), from);
      return part && code.symbol == "-" ? std::optional(-*part) : part;
    }
    if (code.is(Kind::op) && code.parts.size() == 2)
      if (const std::optional<Op> op = arithmetic(code.symbol))
        return applied(*op, code, from);
    if (code.is(Kind::op) && code.symbol == "**" && code.parts.size() == 2)
      return power(code, from);
    if (code.is(Kind::call))
      if (const std::optional<Op> op = operation_of(code))
        return applied(*op, code, from);
    if (code.is(Kind::name) && substitutes_)
      if (const std::optional<Term> meaning = substituted_for(code))
        return meaning;
    return leaf(code, from);
  }

  static std::optional<Op> arithmetic(const std::string& symbol) {
    constexpr std::pair<std::string_view, Op> all[] = {
        {"+", Op::fadd}, {"-", Op::fsub}, {"*", Op::fmul}, {"/", Op::fdiv}};
    for (const auto& [text, op] : all)
      if (text == symbol)
        return op;
    return std::nullopt;
  }

  std::optional<Term> applied(Op op, const Code& code, const Definition* from) {
    std::vector<Term> operands;
    for (const Code& part : code.parts) {
      const std::optional<Term> operand = term_of(part, from);
      if (!operand)
        return std::nullopt;
      operands.push_back(*operand);
    }
    return Term::apply(op, std::move(operands));
  }

  // x**n of Fortran: a product for a small whole n.
  std::optional<Term> power(const Code& code, const Definition* from) {
    constexpr int largest = 8;
    const Code& exponent = code.parts[1];
    if (exponent.value && *exponent.value == std::rint(*exponent.value) && *exponent.value > 1 &&
        *exponent.value <= largest) {
      const std::optional<Term> base = term_of(code.parts[0], from);
      std::optional<Term> product = base;
      for (int i = 1; base && i < int(*exponent.value); ++i)
        product = *product * *base;
      return product;
    }
    return format_of_type(exponent.type) || exponent.value ? applied(Op::pow, code, from) : leaf(code, from);
  }

  Term number(const Code& code) {
    Term term = Term::number_of(*code.value);
    // A name such as M_PI says more than its digits.
    const std::string text = text_of(code);
    const bool is_named = !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_');
    if (is_named && *code.value != std::rint(*code.value))
      texts.push_back({term, text, Binding::atom});
    return term;
  }

  // The term of a temporary, if it can be substituted here.
  std::optional<Term> substituted_for(const Code& name) {
    const std::vector<Definition>& all = effects_.definitions(name.declared);
    if (name.scope != Scope::local || all.size() != 1 || effects_.is_exposed(name.declared))
      return std::nullopt;
    const Definition& definition = all.front();
    const size_t use = place_.statement->span.begin;
    if (!definition.value || definition.at >= name.span.begin || definition.at >= use || ++inlined_ > most_inlined ||
        !precedes(*definition.statement))
      return std::nullopt;
    const size_t variables = question.variables.size();
    const std::optional<Term> meaning = term_of(*definition.value, &definition);
    if (!meaning) { // some part of it changes before the place
      question.variables.resize(variables);
      leaves_.erase(leaves_.begin() + long(variables), leaves_.end());
      names.resize(variables);
      return std::nullopt;
    }
    substituted = true;
    if (!meaning->is_variable() && !meaning->is_number())
      texts.push_back({*meaning, name.symbol, Binding::atom});
    return meaning;
  }

  // True if the statement is in a block around the place.
  bool precedes(const Statement& statement) const {
    const std::vector<const Statement*>& around = effects_.around(statement);
    std::vector<const Statement*> own = place_.blocks;
    std::erase_if(own, [](const Statement* one) { return one->declares; });
    return around.size() <= own.size() && std::equal(around.begin(), around.end(), own.begin());
  }

  bool is_pure(const Code& code) const {
    bool pure = true;
    each_node(code, [&](const Code& node) {
      pure = pure && !node.assigns() && !(node.is(Code::Kind::call) && !node.library) && !node.is(Code::Kind::other);
    });
    return pure;
  }

  // True if the code of a definition means the same at the place.
  bool is_unchanged(const Code& code, const Definition& from) const {
    const size_t to = place_.node->span.begin;
    if (effects_.loop_at(from.at) != effects_.loop_at(to))
      return is_constant(code);
    bool same = true;
    each_node(code, [&](const Code& node) {
      if (node.is(Code::Kind::name))
        same = same && !effects_.is_exposed(node.declared) &&
               !effects_.is_assigned_between(node.declared, from.at, to) &&
               (node.scope != Scope::global || !effects_.writes_memory_between(from.at, to));
      else if (node.is(Code::Kind::index) || node.is(Code::Kind::member) ||
               (node.is(Code::Kind::unary) && node.symbol == "*"))
        same = same && !effects_.writes_memory_between(from.at, to);
    });
    return same;
  }

  // Parameters and temporaries that are assigned once, or never.
  bool is_constant(const Code& code) const {
    bool constant = true;
    each_node(code, [&](const Code& node) {
      const bool reads_memory = node.is(Code::Kind::index) || node.is(Code::Kind::member) ||
                                (node.is(Code::Kind::unary) && node.symbol == "*");
      if (reads_memory)
        constant = false;
      if (node.is(Code::Kind::name))
        constant = constant && node.scope != Scope::global && !effects_.is_exposed(node.declared) &&
                   effects_.definitions(node.declared).size() <= (node.scope == Scope::parameter ? 0u : 1u);
    });
    return constant;
  }

  std::optional<Term> leaf(const Code& code, const Definition* from) {
    if (from && (!is_pure(code) || !is_unchanged(code, *from)))
      return std::nullopt;
    const std::optional<Format> format = format_of_type(code.type);
    const bool is_name = code.is(Code::Kind::name);
    if (code.span.of_macro && !is_name)
      return std::nullopt;
    std::string text = is_name ? code.symbol : text_of(code);
    const std::string key = is_name ? fmt::format("{} {}", code.symbol, code.declared) : text;
    for (size_t i = 0; i < leaves_.size(); ++i)
      if (leaves_[i] == key)
        return Term::variable(question.variables[i].name, i);
    const size_t index = leaves_.size();
    leaves_.push_back(key);
    Variable variable{.name = is_name ? code.symbol : fmt::format("part{}", index + 1)};
    if (format) {
      variable.format = *format;
    } else {
      variable.low = -0x1p31L, variable.high = 0x1p31L; // an integer
      text = converted(text);
    }
    names.push_back(is_name && !effects_.definitions(code.declared).empty() ? "" : text_of(code));
    question.variables.push_back(variable);
    const Term term = Term::variable(variable.name, index);
    if (text != variable.name)
      texts.push_back({term, text, binding_of(code, format.has_value())});
    if (!is_pure(code))
      once.push_back(text);
    return term;
  }

  std::string converted(const std::string& text) const {
    const std::string type = question.format == Format::binary32     ? "float"
                             : question.format == Format::extended80 ? "long double"
                                                                     : "double";
    if (function_.language == Language::fortran)
      return fmt::format("real({}, {})", text, question.format == Format::binary32 ? 4 : 8);
    return function_.language == Language::cpp && type != "long double" ? fmt::format("{}({})", type, text)
                                                                        : fmt::format("({})({})", type, text);
  }

  static Binding binding_of(const Code& code, bool floats) {
    if (!floats)
      return Binding::prefix; // converted
    switch (code.kind) {
    case Code::Kind::name:
    case Code::Kind::call:
    case Code::Kind::index:
    case Code::Kind::member:
      return Binding::atom;
    case Code::Kind::unary:
    case Code::Kind::cast:
      return Binding::prefix;
    default:
      return Binding::sum; // in parentheses, wherever it stands
    }
  }

  const Function& function_;
  const std::string& file_;
  const Effects& effects_;
  const Found& place_;
  bool substitutes_;
  size_t inlined_ = 0;
  std::vector<std::string> leaves_; // keys of the question's variables
};

class Asking {
public:
  Asking(const Function& function, const std::string& file, const std::vector<KnownInput>& inputs)
      : function_(function), file_(file), inputs_(inputs), effects_(function) {}

  Questions about(const std::vector<size_t>& offsets) {
    for (const size_t offset : offsets)
      if (const std::optional<Found> found = node_at(function_, offset))
        add_around(*found, 0);
    // The smallest first: its diff is the shortest. Where one does not help, the next has more of the error's way.
    numeric::sort_stably(questions_.all, [](const PlaceQuestion& a, const PlaceQuestion& b) {
      return a.question.term.size() < b.question.term.size();
    });
    if (questions_.all.size() > most_questions)
      questions_.all.erase(questions_.all.begin() + long(most_questions / 2),
                           questions_.all.end() - long(most_questions - most_questions / 2));
    if (questions_.all.empty() && questions_.refusal.empty())
      questions_.refusal = "there is no expression of floats at this place";
    return std::move(questions_);
  }

private:
  static bool is_root(const Code& code) {
    return !code.assigns() && !code.is(Code::Kind::name) && !code.is(Code::Kind::number);
  }

  void add_around(const Found& found, int depth) {
    Found place = found;
    std::vector<const Code*> path = found.around;
    path.insert(path.begin(), found.node);
    if (std::ranges::none_of(path, [](const Code* one) { return is_root(*one); }))
      if (const Code& value = *path.back(); value.assigns() && value.parts.size() == 2)
        path = {&value.parts[1], &value}; // the place is that of the statement: flang knows no columns within

    for (size_t i = 0; i < path.size(); ++i) {
      place.node = path[i];
      place.around.assign(path.begin() + long(i) + 1, path.end());
      if (is_root(*place.node))
        add(place);
    }
    add_uses(found, depth);
  }

  // Asks about the values that the statement's variable goes into.
  void add_uses(const Found& found, int depth) {
    constexpr int deepest = 4;
    size_t variable = 0;
    const Statement& statement = *found.statement;
    if (statement.is(Statement::Kind::declare))
      variable = statement.declared;
    else if (statement.value->assigns() && statement.value->parts.front().is(Code::Kind::name))
      variable = statement.value->parts.front().declared;
    if (variable == 0 || depth == deepest || effects_.definitions(variable).size() != 1)
      return;
    each_value(function_.body, [&](const Statement& user, const Code& value) {
      bool uses = false;
      each_node(value,
                [&](const Code& node) { uses = uses || (node.is(Code::Kind::name) && node.declared == variable); });
      if (!uses || &user == &statement || user.span.begin < statement.span.begin || !visited_.insert(&user).second)
        return;
      const Code& whole = value.assigns() && value.parts.size() == 2 ? value.parts[1] : value;
      if (const std::optional<Found> there = found_for(whole))
        add_around(*there, depth + 1);
    });
  }

  // node_at finds an innermost node: this finds the node itself.
  std::optional<Found> found_for(const Code& node) const {
    std::optional<Found> found = node_at(function_, node.span.begin);
    if (!found)
      return std::nullopt;
    std::vector<const Code*> path = found->around;
    path.insert(path.begin(), found->node);
    const auto own = std::ranges::find(path, &node);
    if (own == path.end())
      return std::nullopt;
    found->node = &node;
    found->around.assign(own + 1, path.end());
    return found;
  }

  void add(const Found& place) {
    if (place.node->span.of_macro) {
      if (questions_.refusal.empty())
        questions_.refusal = fmt::format("the macro in line {} writes this expression: its definition has to change",
                                         line_of(file_, place.node->span.begin));
      return;
    }
    for (const bool substitutes : {true, false}) {
      TermReader reader(function_, file_, effects_, place, substitutes);
      const std::optional<Term> term = reader.read();
      if (!term || term->is_variable() || term->is_number() || reader.question.variables.empty())
        continue;
      const bool known = std::ranges::any_of(questions_.all, [&](const PlaceQuestion& one) {
        return one.place.node == place.node && one.question.term == *term;
      });
      if (known)
        continue;
      reader.question.term = *term;
      add_ranges(reader.question, reader.names);
      questions_.all.push_back({place, std::move(reader.question), std::move(reader.texts), std::move(reader.names),
                                std::move(reader.once)});
      if (!reader.substituted)
        break;
    }
  }

  // Forgets names that are no inputs.
  void add_ranges(Question& question, std::vector<std::string>& names) const {
    Point failing;
    for (size_t i = 0; i < question.variables.size(); ++i) {
      const auto input = std::ranges::find(inputs_, names[i], &KnownInput::name);
      if (input == inputs_.end()) {
        names[i].clear();
        continue;
      }
      question.variables[i].low = input->low;
      question.variables[i].high = input->high;
      failing.push_back(input->failing);
    }
    if (failing.size() == question.variables.size())
      question.failing.push_back(std::move(failing));
  }

  const Function& function_;
  const std::string& file_;
  const std::vector<KnownInput>& inputs_;
  Effects effects_;
  Questions questions_;
  std::set<const Statement*> visited_;
};

} // namespace

Questions questions_for(const Function& function, const std::string& file, const std::vector<size_t>& offsets,
                        const std::vector<KnownInput>& inputs) {
  if (function.is_template && function.language == Language::cpp)
    return {{}, fmt::format("{} is a template: types of its expressions depend on its arguments", function.name)};
  return Asking(function, file, inputs).about(offsets);
}

} // namespace faultline::fix
