#include "fix/source_edits.h"

#include "fix/source_fortran.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>

namespace faultline::fix {

using model::Edit;

namespace {

constexpr size_t widest = 100; // columns of a line

std::set<std::string> names_in(const Function& function) {
  std::set<std::string> names;
  const auto add = [&](const std::vector<Statement>& statements, auto& self) -> void {
    for (const Statement& statement : statements) {
      names.insert(statement.name);
      for (const auto* inside : {&statement.head, &statement.body, &statement.otherwise})
        self(*inside, self);
    }
  };
  add(function.parameters, add);
  add(function.body, add);
  each_value(function.body, [&](const Statement&, const Code& value) {
    each_node(value, [&](const Code& node) { names.insert(node.symbol); });
  });
  return names;
}

size_t count_of(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size()))
    ++count;
  return count;
}

size_t begin_of_line(const std::string& text, size_t offset) {
  const size_t end = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  return end == std::string::npos ? 0 : end + 1;
}

std::string indentation_at(const std::string& text, size_t offset) {
  const size_t begin = begin_of_line(text, offset);
  const size_t end = text.find_first_not_of(" \t", begin);
  return text.substr(begin, std::min(end, text.size()) - begin);
}

bool is_first_on_line(const std::string& text, size_t offset) {
  return text.find_first_not_of(" \t", begin_of_line(text, offset)) == offset;
}

// True if the text has parentheses around the span.
bool is_in_parentheses(const std::string& text, const Span& span) {
  const size_t before = span.begin == 0 ? std::string::npos : text.find_last_not_of(" \t\n", span.begin - 1);
  const size_t after = text.find_first_not_of(" \t\n", span.end);
  return before != std::string::npos && after != std::string::npos && text[before] == '(' && text[after] == ')';
}

class Editor {
public:
  Editor(const Function& function, const std::string& file, const PlaceQuestion& question,
         const std::vector<Branch>& branches, const std::string& why)
      : function_(function), file_(file), question_(question), branches_(branches), why_(why),
        node_(*question.place.node), statement_(*question.place.statement) {}

  std::optional<std::vector<Edit>> edits() {
    const Style style = this->style();
    written_ = write(branches_, style);
    if (repeats_calls())
      return std::nullopt;
    if (is_fortran()) // temporaries would have to be declared elsewhere
      for (size_t i = 0; i < branches_.size(); ++i) {
        written_.branches[i].text = write_term(branches_[i].term, style);
        written_.branches[i].temporaries.clear();
      }
    const bool splits = written_.branches.size() > 1 && (has_temporaries() || is_long());
    const bool done = is_whole_value() && splits ? as_statements() : as_expression(style);
    if (!done || !remove_unused())
      return std::nullopt;
    add_helpers();
    add_headers();
    return std::move(edits_);
  }

  Style style() const {
    const std::set<std::string> names = names_in(function_);
    return {.language = function_.language,
            .format = question_.question.format,
            .texts = question_.texts,
            .taken = {names.begin(), names.end()}};
  }

private:
  bool is_fortran() const { return function_.language == Language::fortran; }
  bool has_temporaries() const {
    return std::ranges::any_of(written_.branches, [](const WrittenBranch& one) { return !one.temporaries.empty(); });
  }
  bool is_long() const {
    size_t length = node_.span.begin - begin_of_line(file_, node_.span.begin);
    for (const WrittenBranch& branch : written_.branches)
      length += branch.condition.size() + branch.text.size() + 6;
    return written_.branches.size() > 1 && (is_fortran() || length > widest);
  }

  bool repeats_calls() const {
    for (const std::string& call : question_.once)
      for (const WrittenBranch& branch : written_.branches) {
        size_t count = count_of(branch.text, call);
        for (const Temporary& temporary : branch.temporaries)
          count += count_of(temporary.text, call);
        if (count > 1 || written_.branches.size() > 1) // a condition has it, too
          return true;
      }
    return false;
  }

  // True if the node is all that the statement returns or assigns.
  bool is_whole_value() const {
    const Code& value = *statement_.value;
    if (statement_.is(Statement::Kind::give_back) || statement_.is(Statement::Kind::declare))
      return without_casts(value) == &node_;
    return statement_.is(Statement::Kind::expression) && value.is(Code::Kind::op) && value.symbol == "=" &&
           value.parts.size() == 2 && without_casts(value.parts[1]) == &node_;
  }

  static const Code* without_casts(const Code& code) {
    const Code* inner = &code;
    while (inner->is(Code::Kind::cast) && inner->parts.size() == 1)
      inner = &inner->parts.front();
    return inner;
  }

  void replace(size_t begin, size_t end, std::string text) {
    edits_.push_back({function_.file, begin, end - begin, std::move(text)});
  }

  // A long line of Fortran goes on in the next one.
  std::string continued(const std::string& line, size_t column) const {
    const bool fixed = is_fixed_form(function_.file);
    const size_t most = fixed ? 72 : widest;
    if (!is_fortran() || column + line.size() <= most)
      return line;
    std::string text;
    size_t at = column;
    for (size_t i = 0; i < line.size(); ++i) {
      const size_t next = std::min(line.find(' ', i + 1), line.size());
      if (line[i] == ' ' && i > 0 && at + (next - i) > most - 2) {
        text += fixed ? "\n     &" : " &\n     ";
        at = 6;
      }
      text += line[i];
      ++at;
    }
    return text;
  }

  std::string comment() const {
    const std::string text = why_.substr(0, widest);
    if (is_fortran())
      return fmt::format("! {}", text);
    const bool old_style = function_.language == Language::c && file_.find("//") == std::string::npos;
    return old_style ? fmt::format("/* {} */", text) : fmt::format("// {}", text);
  }

  // The statement at which lines can be inserted: the place where it begins, if nothing stands before it on its line
  // and it is in a block.
  std::optional<size_t> line_for_statements() const {
    const std::vector<const Statement*>& blocks = question_.place.blocks;
    const Statement* whole = blocks.back();
    const Statement* around = blocks.size() > 1 ? blocks[blocks.size() - 2] : nullptr;
    if (around && around->declares) {
      if (around->body.size() != 1)
        return std::nullopt; // double a = ..., b = ...: only an expression can be changed
      whole = around;
      around = blocks.size() > 2 ? blocks[blocks.size() - 3] : nullptr;
    }
    const bool in_head = around && around->is(Statement::Kind::loop) &&
                         std::ranges::any_of(around->head, [&](const Statement& one) { return &one == whole; });
    const bool alone =
        around &&
        ((around->is(Statement::Kind::branch) && !around->braced) ||
         (around->is(Statement::Kind::loop) && around->body.size() == 1 && !is_fortran() &&
          file_.substr(around->span.begin, whole->span.begin - around->span.begin).find('{') == std::string::npos));
    if (in_head || alone || !is_first_on_line(file_, whole->span.begin) || whole->is(Statement::Kind::branch) ||
        whole->is(Statement::Kind::loop))
      return std::nullopt;
    return begin_of_line(file_, whole->span.begin);
  }

  // The line above the statement that has the place, for the comment.
  size_t line_for_comment() const {
    size_t begin = node_.span.begin;
    for (const Statement* block : question_.place.blocks)
      if (block->is(Statement::Kind::declare) || block->is(Statement::Kind::expression) ||
          block->is(Statement::Kind::give_back) || block->declares) {
        begin = block->span.begin;
        break;
      }
    return begin_of_line(file_, begin);
  }

  void add_comment() {
    const size_t line = line_for_comment();
    replace(line, line, indentation_at(file_, line) + comment() + "\n");
  }

  bool as_expression(const Style& style) {
    std::vector<std::string> texts;
    std::string declarations;
    const std::optional<size_t> line = line_for_statements();
    const bool keeps = written_.branches.size() == 1 && has_temporaries() && line && !is_fortran();
    if (keeps) {
      for (const Temporary& one : written_.branches.front().temporaries)
        declarations += fmt::format("{}const {} {} = {};\n", indentation_at(file_, *line), type(), one.name, one.text);
      texts.push_back(written_.branches.front().text);
    } else {
      for (size_t i = 0; i < branches_.size(); ++i)
        texts.push_back(has_temporaries() ? write_term(branches_[i].term, style) : written_.branches[i].text);
    }
    if (is_fortran() && texts.size() > 1)
      return false; // merge would evaluate both
    std::string text;
    for (size_t i = 0; i + 1 < texts.size(); ++i)
      text += fmt::format("{} ? {} : ", written_.branches[i].condition, texts[i]);
    text += texts.back();
    const bool atom =
        texts.size() == 1 && std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    const bool stands_alone = is_whole_value() || is_argument() || is_in_parentheses(file_, node_.span);
    if (!stands_alone && !atom && (texts.size() > 1 || !is_one_call(text)))
      text = "(" + text + ")";
    text = continued(text, node_.span.begin - begin_of_line(file_, node_.span.begin));
    add_comment();
    if (keeps)
      replace(*line, *line, declarations);
    replace(node_.span.begin, node_.span.end, text);
    return true;
  }

  bool is_argument() const {
    for (const Code* around : question_.place.around) {
      if (around->is(Code::Kind::cast))
        continue;
      return around->is(Code::Kind::call);
    }
    return false;
  }

  // f(...)
  static bool is_one_call(const std::string& text) {
    const size_t open = text.find('(');
    if (open == 0 || open == std::string::npos || !text.ends_with(')') ||
        !std::all_of(text.begin(), text.begin() + long(open),
                     [](unsigned char c) { return std::isalnum(c) || c == '_' || c == ':'; }))
      return false;
    int depth = 0;
    for (size_t i = open; i < text.size(); ++i) {
      depth += text[i] == '(';
      depth -= text[i] == ')';
      if (depth == 0)
        return i + 1 == text.size();
    }
    return false;
  }

  std::string type() const {
    switch (question_.question.format) {
    case Format::binary32:
      return is_fortran() ? "real" : "float";
    case Format::extended80:
      return "long double";
    case Format::binary16:
      return "_Float16";
    default:
      return is_fortran() ? "real(8)" : "double";
    }
  }

  std::string step() const { // of the indentation
    const std::string own = indentation_at(file_, statement_.span.begin);
    if (own.starts_with('\t'))
      return "\t";
    const std::string outer = indentation_at(file_, function_.span.begin);
    const size_t width = own.size() > outer.size() ? own.size() - outer.size() : 2;
    const size_t depth =
        std::max<size_t>(1, question_.place.blocks.size() - size_t(statement_.is(Statement::Kind::declare)));
    return std::string(std::clamp<size_t>(width / depth, 2, 8), ' ');
  }

  // if (...) { ... } around or before the statement.
  bool as_statements() {
    const std::optional<size_t> line = line_for_statements();
    if (!line)
      return as_expression(style());
    const std::string indentation = indentation_at(file_, *line);
    const WrittenBranch& last = written_.branches.back();
    const bool keeps_last = branches_.back().term == question_.question.term && last.temporaries.empty();
    std::string before = indentation + comment() + "\n", after;
    const std::string given = beginning(); // "return ", "y = "
    std::string own = file_.substr(*line, end_of_statement() - *line);
    if (statement_.is(Statement::Kind::declare)) {
      const Statement* block = question_.place.blocks[question_.place.blocks.size() - 2];
      const std::string declared = file_.substr(block->span.begin, statement_.span.end - block->span.begin);
      if (!block->declares || declared.find("const") != std::string::npos)
        return as_expression(style());
      const size_t sign = declared.find('=');
      if (sign == std::string::npos)
        return as_expression(style());
      before += indentation + declared.substr(0, declared.find_last_not_of(" \t\n", sign - 1) + 1) + ";\n";
    }
    const bool returns = statement_.is(Statement::Kind::give_back);
    std::string body;
    for (size_t i = 0; i < written_.branches.size(); ++i) {
      const WrittenBranch& branch = written_.branches[i];
      const bool is_last = i + 1 == written_.branches.size();
      if (is_last && returns) {
        body += statements_of(branch, keeps_last ? file_.substr(node_.span.begin, node_.span.size()) : branch.text,
                              given, indentation);
        break;
      }
      if (is_last && written_.branches.size() > 1)
        body += is_fortran() ? indentation + "else\n" : " else {\n";
      else if (!is_last)
        body += fmt::format(fmt::runtime(is_fortran() ? "{}{} ({}) then\n" : "{}{} ({}) {{\n"),
                            i == 0         ? indentation
                            : is_fortran() ? indentation
                                           : " ",
                            i == 0 ? "if" : "else if", branch.condition);
      const bool nested = written_.branches.size() > 1;
      body +=
          statements_of(branch, is_last && keeps_last ? file_.substr(node_.span.begin, node_.span.size()) : branch.text,
                        given, nested ? indentation + step() : indentation);
      if (nested && !is_fortran())
        body += indentation + "}" + (returns || is_last ? "\n" : "");
      if (nested && is_last && is_fortran())
        body += indentation + "end if\n";
    }
    replace(*line, end_of_statement(), before + body);
    return true;
  }

  std::string statements_of(const WrittenBranch& branch, const std::string& text, const std::string& given,
                            const std::string& indentation) const {
    std::string lines;
    for (const Temporary& one : branch.temporaries)
      lines += fmt::format("{}const {} {} = {};\n", indentation, type(), one.name, one.text);
    return lines + continued(indentation + given + text, 0) + (is_fortran() ? "\n" : ";\n");
  }

  std::string beginning() const {
    if (statement_.is(Statement::Kind::give_back))
      return "return ";
    if (statement_.is(Statement::Kind::declare))
      return statement_.name + " = ";
    const Code& target = statement_.value->parts.front();
    return file_.substr(target.span.begin, target.span.size()) + " = ";
  }

  // After the line of the statement's last character.
  size_t end_of_statement() const { return end_of_line(statement_.span.end); }

  // Before the function and the comment above it.
  size_t line_for_helpers() const {
    size_t line = begin_of_line(file_, function_.span.begin);
    while (line > 0) {
      const size_t above = begin_of_line(file_, line - 1);
      const size_t first = file_.find_first_not_of(" \t", above);
      const std::string_view text = std::string_view(file_).substr(first, 2);
      if (text != "//" && text != "/*" && !text.starts_with('*') && !text.starts_with('!'))
        break;
      line = above;
    }
    return line;
  }

  struct Use {
    size_t declared, offset;
    bool written; // the target of an assignment
    const Statement* statement;
  };

  static void collect_uses(const Statement& statement, const Code& code, bool written, std::vector<Use>& uses) {
    if (code.is(Code::Kind::name))
      uses.push_back({code.declared, code.span.begin, written, &statement});
    for (size_t i = 0; i < code.parts.size(); ++i)
      collect_uses(statement, code.parts[i], i == 0 && code.is(Code::Kind::op) && code.symbol == "=", uses);
  }

  bool is_mentioned(const std::string& name) const {
    const auto has = [&](const std::string& text) {
      for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
        const bool begins = at == 0 || !is_part(text[at - 1]);
        const bool ends = at + name.size() >= text.size() || !is_part(text[at + name.size()]);
        if (begins && ends)
          return true;
      }
      return false;
    };
    return std::ranges::any_of(written_.branches, [&](const WrittenBranch& one) {
      return has(one.text) || has(one.condition) ||
             std::ranges::any_of(one.temporaries, [&](const Temporary& temporary) { return has(temporary.text); });
    });
  }

  struct Declared {
    const Statement* statement; // the declaration
    const Statement* whole;     // with the type; null: it declares others, too
  };

  void collect_declared(const std::vector<Statement>& statements, std::vector<Declared>& all) const {
    for (const Statement& statement : statements) {
      if (statement.declares)
        for (const Statement& one : statement.body)
          all.push_back({&one, statement.body.size() == 1 ? &statement : nullptr});
      for (const auto* inside : {&statement.head, &statement.body, &statement.otherwise})
        if (!statement.declares)
          collect_declared(*inside, all);
    }
  }

  // Removes temporaries that only the old expression needed: compilers warn about them. False if that is not possible.
  bool remove_unused() {
    std::vector<Use> uses;
    each_value(function_.body,
               [&](const Statement& statement, const Code& value) { collect_uses(statement, value, false, uses); });
    std::vector<Declared> declared;
    collect_declared(function_.body, declared);
    std::vector<Span> removed{node_.span};
    const auto is_removed = [&](size_t offset) {
      return std::ranges::any_of(removed, [&](const Span& span) { return span.contains(offset); });
    };
    std::set<const Statement*> gone;
    for (bool changed = true; changed;) {
      changed = false;
      for (const Declared& one : declared) {
        const size_t variable = one.statement->declared;
        if (gone.contains(one.statement) || is_mentioned(one.statement->name))
          continue;
        const auto is_own = [&](const Use& use) { return use.declared == variable; };
        const bool was_used = std::ranges::any_of(
            uses, [&](const Use& use) { return is_own(use) && !use.written && is_removed(use.offset); });
        const bool is_used = std::ranges::any_of(
            uses, [&](const Use& use) { return is_own(use) && !use.written && !is_removed(use.offset); });
        if (!was_used || is_used)
          continue;
        if (!one.whole || !remove_statement(*one.whole))
          return false;
        removed.push_back(one.whole->span);
        for (const Use& use : uses)
          if (is_own(use) && use.written && !is_removed(use.offset)) {
            if (!remove_statement(*use.statement))
              return false;
            removed.push_back(use.statement->span);
          }
        gone.insert(one.statement);
        changed = true;
      }
    }
    return true;
  }

  // With its lines, if nothing else is on them.
  bool remove_statement(const Statement& statement) {
    const size_t begin = begin_of_line(file_, statement.span.begin);
    const size_t end = end_of_line(statement.span.end);
    std::string rest = file_.substr(statement.span.end, end - statement.span.end);
    rest = rest.substr(0, std::min(rest.find("//"), rest.find("/*")));
    const bool alone =
        is_first_on_line(file_, statement.span.begin) && rest.find_first_not_of(" \t\r\n;") == std::string::npos;
    bool calls = statement.value && has_effects(*statement.value);
    for (const Statement& inside : statement.body)
      calls = calls || (inside.value && has_effects(*inside.value));
    if (!alone || calls)
      return false;
    replace(begin, end, "");
    return true;
  }

  static bool has_effects(const Code& code) {
    bool effects = false;
    each_node(code, [&](const Code& node) {
      effects = effects || (node.is(Code::Kind::call) && !node.library) || node.is(Code::Kind::other);
    });
    return effects;
  }

  size_t end_of_line(size_t offset) const {
    const size_t end = file_.find('\n', offset);
    return end == std::string::npos ? file_.size() : end + 1;
  }

  bool is_in_module() const {
    const std::string before = file_.substr(0, function_.span.begin);
    const size_t begin = before.rfind("\nmodule "), end = before.rfind("\nend module");
    return (begin != std::string::npos || before.starts_with("module ")) && (end == std::string::npos || end < begin);
  }

  void add_helpers() {
    std::string text;
    for (const Helper& helper : written_.helpers)
      if (file_.find(helper.name + "(") == std::string::npos)
        text += helper.definition + (helper.definition.ends_with('\n') ? "\n" : "\n\n");
    if (text.empty())
      return;
    if (is_fortran() && !is_in_module()) {
      const size_t end = begin_of_line(file_, function_.span.end - 1); // an internal procedure: its interface is known
      const bool has_others =
          file_.substr(function_.open, end - function_.open).find("contains\n") != std::string::npos;
      replace(end, end, (has_others ? "" : "contains\n") + text);
    } else {
      replace(line_for_helpers(), line_for_helpers(), text);
    }
  }

  void add_headers() {
    if (is_fortran())
      return;
    std::string missing;
    for (const std::string& header : written_.headers)
      if (file_.find(fmt::format("<{}>", header)) == std::string::npos &&
          !(header == "cmath" && file_.find("<math.h>") != std::string::npos))
        missing += fmt::format("#include <{}>\n", header);
    if (missing.empty())
      return;
    const size_t last = file_.rfind("\n#include");
    size_t at = file_.starts_with("#include") || last != std::string::npos
                    ? file_.find('\n', last == std::string::npos ? 0 : last + 1) + 1
                    : 0;
    if (at == 0)
      while (file_.compare(at, 2, "//") == 0) // the comment at the beginning stays there
        at = file_.find('\n', at) + 1;
    replace(at, at, missing);
  }

  const Function& function_;
  const std::string& file_;
  const PlaceQuestion& question_;
  const std::vector<Branch>& branches_;
  const std::string& why_;
  const Code& node_;
  const Statement& statement_;
  Written written_;
  std::vector<Edit> edits_;
};

} // namespace

std::optional<std::vector<Edit>> edits_for(const Function& function, const std::string& file,
                                           const PlaceQuestion& question, const std::vector<Branch>& branches,
                                           const std::string& why) {
  return Editor(function, file, question, branches, why).edits();
}

std::string advice_for(const Function& function, const std::string& file, const PlaceQuestion& question,
                       const std::vector<Branch>& branches) {
  const Style style = Editor(function, file, question, branches, "").style();
  const Span& span = question.place.node->span;
  std::string text;
  for (const Branch& branch : branches) {
    const std::vector<Branch> alone{{{}, branch.term}};
    const std::string condition =
        &branch == &branches.back() ? "" : write(branches, style).branches[size_t(&branch - branches.data())].condition;
    if (&branch == &branches.back() && branch.term == question.question.term && branches.size() > 1)
      continue; // as before
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", write_term(branch.term, style),
                        condition.empty() ? (text.empty() ? "" : " otherwise") : " where " + condition);
  }
  return fmt::format("write {} for {}", text, file.substr(span.begin, span.size()));
}

} // namespace faultline::fix
