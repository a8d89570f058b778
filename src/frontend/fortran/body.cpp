#include "frontend/fortran/body.h"

#include "frontend/compiling/fortran_statements.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace faultline::frontend {
namespace {

bool is_text(const std::string& word) { return word.size() >= 2 && word.front() == '"'; }
bool is_opening(const std::string& word) { return word == "(" || word == "["; }
bool is_closing(const std::string& word) { return word == ")" || word == "]"; }

// Behind the bracket that closes the one at `open`.
size_t after_brackets(const FortranWords& words, size_t open) {
  int depth = 0;
  for (size_t i = open; i < words.size(); ++i) {
    depth += int(is_opening(words[i])) - int(is_closing(words[i]));
    if (depth == 0)
      return i + 1;
  }
  return words.size();
}

// Between the bracket at `open` and its partner, parted at commas.
std::vector<FortranWords> arguments_at(const FortranWords& words, size_t open) {
  std::vector<FortranWords> arguments;
  const size_t end = after_brackets(words, open);
  if (end < open + 3)
    return arguments;
  int depth = 0;
  arguments.emplace_back();
  for (size_t i = open + 1; i + 1 < end; ++i) {
    depth += int(is_opening(words[i])) - int(is_closing(words[i]));
    if (depth == 0 && words[i] == ",")
      arguments.emplace_back();
    else
      arguments.back().push_back(words[i]);
  }
  return arguments;
}

// Where a statement acts: behind its label, and behind the condition of IF (...) x = 1.
size_t action_of(const FortranWords& words) {
  size_t at = !words.empty() && std::isdigit(static_cast<unsigned char>(words[0][0])) ? 1 : 0;
  if (at + 1 < words.size() && words[at] == "IF" && words[at + 1] == "(") {
    const size_t behind = after_brackets(words, at + 1);
    if (behind < words.size() && words[behind] != "THEN")
      at = behind;
  }
  return at;
}

// The assigned variable stands at `at`, with its subscripts and components before the "=".
bool is_assignment(const FortranWords& words, size_t at) {
  size_t i = at + 1;
  while (i < words.size() && (words[i] == "(" || words[i] == "%"))
    i = words[i] == "(" ? after_brackets(words, i) : i + 2;
  return i + 1 < words.size() && words[i] == "=" && words[i + 1] != "=" && words[i + 1] != ">";
}

bool is_declaration(const std::string& word) {
  static const std::set<std::string> words = {
      "INTEGER", "REAL",      "DOUBLE",   "COMPLEX",   "LOGICAL",   "CHARACTER",  "TYPE",
      "CLASS",   "DIMENSION", "EXTERNAL", "INTENT",    "OPTIONAL",  "PROCEDURE",  "PARAMETER",
      "SAVE",    "COMMON",    "USE",      "IMPLICIT",  "IMPORT",    "SUBROUTINE", "FUNCTION",
      "POINTER", "TARGET",    "VALUE",    "INTRINSIC", "INTERFACE", "DATA",       "EQUIVALENCE"};
  return words.contains(word);
}

// 'Let''s' is one word to the splitter only if no quotes are doubled; what is compared with seldom has any.
std::string bare(const std::string& text) { return text.substr(1, text.size() - 2); }

void add_once(std::vector<std::string>& texts, const std::string& word) {
  const auto same = [&](const std::string& other) { return lower_case(other) == lower_case(bare(word)); };
  if (is_text(word) && std::ranges::none_of(texts, same))
    texts.push_back(bare(word));
}

// x == "U", x(1:1) == "U", "U" == x: the texts on the other side.
void add_compared(const FortranWords& words, size_t at, std::vector<std::string>& texts) {
  const auto is_comparison = [&](size_t i) {
    return i + 1 < words.size() && (words[i] == "=" || words[i] == "/") && words[i + 1] == "=";
  };
  size_t behind = at + 1;
  if (behind < words.size() && words[behind] == "(")
    behind = after_brackets(words, behind);
  if (is_comparison(behind) && behind + 2 < words.size())
    add_once(texts, words[behind + 2]);
  if (at >= 3 && is_comparison(at - 2))
    add_once(texts, words[at - 3]);
}

// f(x, "U"): a function that compares, as lsame does.
void add_arguments(const FortranWords& words, size_t at, std::vector<std::string>& texts) {
  if (at < 2 || words[at - 1] != "(" || at + 2 >= words.size() || words[at + 1] != ",")
    return;
  const std::string& callee = words[at - 2];
  if (std::islower(static_cast<unsigned char>(callee[0])) && is_text(words[at + 2]) &&
      words[at + 3 - (at + 3 >= words.size())] == ")")
    add_once(texts, words[at + 2]);
}

struct Opening {
  std::string kind, name; // MODULE m, SUBROUTINE f; another kind without a name: a block that ends in END
};

bool has_word(const FortranWords& words, size_t most, const char* wanted, size_t& at) {
  for (at = 0; at < std::min(words.size(), most); ++at)
    if (words[at] == wanted)
      return true;
  return false;
}

// "REAL(KIND=8_4) FUNCTION f(x)", "MODULE m", "ABSTRACT INTERFACE". Nothing: the statement opens no scope of its own.
Opening opening_of(const FortranWords& words) {
  constexpr size_t most_before = 20; // words of a prefix
  size_t at = 0;
  if (words.empty() || words[0] == "END" || std::islower(static_cast<unsigned char>(words[0][0])))
    return {};
  if ((words[0] == "MODULE" || words[0] == "SUBMODULE") && words.size() > 1 && words[1] != "PROCEDURE" &&
      words[1] != "SUBROUTINE" && words[1] != "FUNCTION")
    return {words[0], words.back()};
  if (words[0] == "INTERFACE" || (words[0] == "ABSTRACT" && words.size() > 1 && words[1] == "INTERFACE"))
    return {"INTERFACE", ""};
  for (const char* kind : {"SUBROUTINE", "FUNCTION"})
    if (has_word(words, most_before, kind, at) && at + 1 < words.size())
      return {kind, words[at + 1]};
  return {};
}

} // namespace

std::string body_key(const std::string& module, const std::string& name) { return module + ":" + name; }

FortranBody::Use FortranBody::use_of(const std::string& name, bool is_array) const {
  Use use;
  for (const FortranWords& words : statements_) {
    const size_t action = action_of(words);
    if (words.empty() || is_declaration(words.front()))
      continue;
    bool assigned = false;
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i] != name || (i > 0 && words[i - 1] == "%"))
        continue;
      if (i == action && is_assignment(words, i)) {
        assigned = true;
      } else {
        use.read = true;
        use.written |= words[action] == "CALL" || words[action] == "READ";
      }
    }
    use.written |= assigned;
    if (assigned && !use.read && !is_array)
      return use;
  }
  return use;
}

std::vector<std::string> FortranBody::texts_compared_with(const std::string& name) const {
  std::vector<std::string> texts;
  bool selected = false; // inside SELECT CASE (name)
  for (const FortranWords& words : statements_) {
    if (words.size() >= 2 && words[0] == "SELECT" && words[1] == "CASE")
      selected = std::ranges::find(words, name) != words.end();
    if (words.size() >= 2 && words[0] == "END" && words[1] == "SELECT")
      selected = false;
    if (selected && words[0] == "CASE")
      for (const std::string& word : words)
        add_once(texts, word);
    for (size_t i = 0; i < words.size(); ++i)
      if (words[i] == name) {
        add_compared(words, i, texts);
        add_arguments(words, i, texts);
      }
  }
  return texts;
}

std::vector<FortranWords> FortranBody::arguments_of_call(const std::string& procedure) const {
  for (const FortranWords& words : statements_) {
    if (words.empty() || is_declaration(words.front()))
      continue;
    for (size_t i = 0; i + 1 < words.size(); ++i)
      if (words[i] == procedure && words[i + 1] == "(")
        return arguments_at(words, i + 1);
  }
  return {};
}

std::vector<FortranBody::PassedOn> FortranBody::passed_on(const std::string& procedure) const {
  std::vector<PassedOn> places;
  for (const FortranWords& words : statements_) {
    if (words.empty() || is_declaration(words.front()))
      continue;
    for (size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i + 1] != "(" || !std::islower(static_cast<unsigned char>(words[i][0])))
        continue;
      const std::vector<FortranWords> arguments = arguments_at(words, i + 1);
      for (size_t k = 0; k < arguments.size(); ++k)
        if (arguments[k] == FortranWords{procedure})
          places.push_back({words[i], k});
    }
  }
  return places;
}

std::map<std::string, FortranBody> fortran_bodies(const std::string& unparsed) {
  std::map<std::string, FortranBody> bodies;
  std::vector<Opening> open;
  std::string module, procedure; // the outermost of each
  for (const std::string& statement : fortran_statements(unparsed, FortranForm::free)) {
    FortranWords words = fortran_words(statement);
    if (Opening opening = opening_of(words); !opening.kind.empty()) {
      const bool in_interface = std::ranges::find(open, "INTERFACE", &Opening::kind) != open.end();
      const bool is_module = opening.kind == "MODULE" || opening.kind == "SUBMODULE";
      if (is_module)
        module = opening.name;
      else if (opening.kind != "INTERFACE" && !in_interface && procedure.empty())
        procedure = opening.name;
      open.push_back(std::move(opening));
    } else if (words.size() >= 2 && words[0] == "END" && !open.empty() && words[1] == open.back().kind) {
      open.pop_back();
      if (std::ranges::none_of(open,
                               [](const Opening& one) { return one.kind == "SUBROUTINE" || one.kind == "FUNCTION"; }))
        procedure.clear();
      if (open.empty())
        module.clear();
    } else if (!procedure.empty()) {
      bodies[body_key(module, procedure)].add(std::move(words));
    }
  }
  return bodies;
}

} // namespace faultline::frontend
