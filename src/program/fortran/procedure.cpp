#include "program/fortran/procedure.h"

#include "program/compiling/fortran_statements.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

namespace faultline::program {

namespace {

bool is_text(const std::string& word) { return word.size() >= 2 && word.front() == '"'; }
bool is_opening(const std::string& word) { return word == "(" || word == "["; }
bool is_closing(const std::string& word) { return word == ")" || word == "]"; }

// Returns the index after the bracket that closes the one at `open`.
size_t after_brackets(const FortranWords& words, size_t open) {
  int depth = 0;
  for (size_t i = open; i < words.size(); ++i) {
    depth += int(is_opening(words[i])) - int(is_closing(words[i]));
    if (depth == 0)
      return i + 1;
  }
  return words.size();
}

// Splits the words between the bracket at `open` and its partner at commas.
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

// Returns where the action of a statement begins: after its label, and after the condition of IF (...) x = 1.
size_t action_of(const FortranWords& words) {
  size_t at = !words.empty() && std::isdigit(static_cast<unsigned char>(words[0][0])) ? 1 : 0;
  if (at + 1 < words.size() && words[at] == "IF" && words[at + 1] == "(") {
    const size_t behind = after_brackets(words, at + 1);
    if (behind < words.size() && words[behind] != "THEN")
      at = behind;
  }
  return at;
}

// True if the variable at `at`, with its subscripts and components, precedes an "=".
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

// The splitter keeps a string in one word unless it has doubled quotes; texts in comparisons seldom have any.
std::string bare(const std::string& text) { return text.substr(1, text.size() - 2); }

void add_once(std::vector<std::string>& texts, const std::string& word) {
  const auto same = [&](const std::string& other) { return lower_case(other) == lower_case(bare(word)); };
  if (is_text(word) && std::ranges::none_of(texts, same))
    texts.push_back(bare(word));
}

// Adds the texts that are compared with: x == "U", x(1:1) == "U", "U" == x.
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

// Adds the texts in calls of comparison functions, such as lsame: f(x, "U").
void add_arguments(const FortranWords& words, size_t at, std::vector<std::string>& texts) {
  if (at < 2 || words[at - 1] != "(" || at + 2 >= words.size() || words[at + 1] != ",")
    return;
  const std::string& callee = words[at - 2];
  if (std::islower(static_cast<unsigned char>(callee[0])) && is_text(words[at + 2]) &&
      words[at + 3 - (at + 3 >= words.size())] == ")")
    add_once(texts, words[at + 2]);
}

struct Opening {
  std::string kind, name; // MODULE m, SUBROUTINE f; another kind without a name: a block with an END
};

bool has_word(const FortranWords& words, size_t most, const char* wanted, size_t& at) {
  for (at = 0; at < std::min(words.size(), most); ++at)
    if (words[at] == wanted)
      return true;
  return false;
}

// Parses "REAL(KIND=8_4) FUNCTION f(x)", "MODULE m", "ABSTRACT INTERFACE". Nothing if the statement opens no scope.
Opening opening_of(const FortranWords& words) {
  constexpr size_t most_before = 20; // words in a prefix
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
  std::string module, procedure; // the outermost ones
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

namespace {

constexpr size_t deepest = 32; // nested modules, procedures, internal procedures, blocks and types: a guess

// Tracks brackets and strings.
class Nesting {
public:
  bool outside(char c) {
    if (quote_ != 0) {
      quote_ = c == quote_ ? char(0) : quote_;
      return false;
    }
    if (c == '"' || c == '\'')
      quote_ = c;
    depth_ += c == '(' || c == '[';
    const bool is_outside = depth_ == 0 && quote_ == 0;
    depth_ -= (c == ')' || c == ']') && depth_ > 0;
    return is_outside;
  }

private:
  size_t depth_ = 0;
  char quote_ = 0;
};

size_t find_outside(std::string_view text, char wanted, size_t from = 0) {
  Nesting nesting;
  for (size_t i = from; i < text.size(); ++i)
    if (nesting.outside(text[i]) && text[i] == wanted)
      return i;
  return std::string_view::npos;
}

std::string_view first_word(std::string_view text) { return text.substr(0, find_outside(text, ' ')); }

// Parses "Subprogram scope: dtest size=184 alignment=8".
bool read_scope(std::string_view line, FortranScope& scope) {
  constexpr std::string_view mark = " scope:";
  const size_t at = line.find(mark);
  if (at == std::string_view::npos || line.substr(0, at).find_first_of(" ,:") != std::string_view::npos)
    return false;
  scope.kind = line.substr(0, at);
  std::string_view rest = line.substr(at + mark.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::string_view name = first_word(rest);
  scope.name = name.find('=') == std::string_view::npos ? name : "";
  return true;
}

// Splits at separators outside of brackets and strings.
std::vector<std::string> split_outside(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const size_t end = find_outside(text, separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

bool read_symbol(std::string_view line, FortranSymbol& symbol) {
  const size_t colon = find_outside(line, ':');
  if (colon == std::string_view::npos || colon + 2 > line.size() ||
      line.front() == '.') // .dt.point: flang's internal names
    return false;
  const std::vector<std::string> parts = split_outside(line.substr(0, colon), ',');
  symbol.name = first_word(parts.front());
  if (parts.front().find("(ParentComp)") != std::string::npos)
    symbol.attributes.insert("PARENT"); // the parent component of an extended type
  for (size_t i = 1; i < parts.size(); ++i) {
    const size_t begin = std::min(parts[i].find_first_not_of(' '), parts[i].size());
    symbol.attributes.insert(std::string(first_word(std::string_view(parts[i]).substr(begin))));
  }
  const std::string_view what = line.substr(colon + 2);
  symbol.kind = first_word(what);
  symbol.details = what.substr(symbol.kind.size());
  return !symbol.name.empty();
}

class Reader {
public:
  explicit Reader(std::string_view text) : rest_(text) { next(); }

  // Reads the lines that are indented deeper than the scope's own.
  void read_into(FortranScope& scope, size_t depth, bool wanted) {
    while (!line_.empty() && depth_ > depth) {
      const size_t own = depth_;
      FortranScope inner;
      FortranSymbol symbol;
      if (read_scope(line_, inner)) {
        next();
        const bool keep = wanted && inner.kind != "IntrinsicModules" && nested_ < deepest;
        if (nested_ < deepest) {
          ++nested_;
          read_into(inner, own, keep);
          --nested_;
        }
        if (keep)
          scope.scopes.push_back(std::move(inner));
      } else {
        if (wanted && read_symbol(line_, symbol))
          scope.symbols.push_back(std::move(symbol));
        next();
      }
    }
  }

  std::string_view line() const { return line_; }
  void next() {
    line_ = {};
    while (line_.empty() && !rest_.empty()) {
      const size_t end = std::min(rest_.find('\n'), rest_.size());
      const std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      depth_ = std::min(line.find_first_not_of(' '), line.size());
      line_ = line.substr(depth_);
    }
  }

private:
  std::string_view rest_, line_;
  size_t depth_ = 0, nested_ = 0;
};

// Returns the word after `label` ("type: "), with whole brackets and strings; empty if there is no such label.
std::string labelled(const std::string& details, std::string_view label) {
  const size_t at = details.find(label);
  return at == std::string::npos ? "" : std::string(first_word(std::string_view(details).substr(at + label.size())));
}

} // namespace

const FortranSymbol* FortranScope::symbol(std::string_view wanted) const {
  const auto found = std::ranges::find(symbols, wanted, &FortranSymbol::name);
  return found == symbols.end() ? nullptr : &*found;
}

const FortranScope* FortranScope::scope(std::string_view wanted, std::string_view called) const {
  const auto found = std::ranges::find_if(
      scopes, [&](const FortranScope& scope) { return scope.kind == wanted && scope.name == called; });
  return found == scopes.end() ? nullptr : &*found;
}

FortranScope read_symbol_dump(std::string_view text) {
  Reader reader(text);
  FortranScope global;
  if (!read_scope(reader.line(), global))
    return global;
  reader.next();
  reader.read_into(global, 0, true);
  return global;
}

namespace {

// 3_8, -1_8
std::optional<int64_t> constant(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && (end == text.data() + text.size() || *end == '_');
  return whole ? std::optional(value) : std::nullopt;
}

std::vector<FortranBounds> shape_of(const std::string& text) {
  std::vector<FortranBounds> shape;
  if (text.empty())
    return shape;
  for (const std::string& one : split_outside(text, ',')) {
    const std::vector<std::string> ends = split_outside(one, ':');
    shape.push_back({ends.front(), ends.size() > 1 ? ends[1] : ""});
  }
  return shape;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// "pp, only: Use from seg in m"
struct UsedFrom {
  std::string name, module;
};
std::optional<UsedFrom> used_from(const FortranSymbol& symbol) {
  if (symbol.kind != "Use")
    return std::nullopt;
  return UsedFrom{labelled(symbol.details, "from "), labelled(symbol.details, " in ")};
}

} // namespace

std::optional<int64_t> FortranBounds::first() const { return lower.empty() ? 1 : constant(lower); }

std::optional<int64_t> FortranBounds::extent() const {
  const std::optional<int64_t> low = first(), high = constant(upper);
  return low && high && *high >= *low ? std::optional(*high - *low + 1) : std::nullopt;
}

std::string FortranBounds::length() const {
  constexpr std::string_view before = "int(", after = ",kind=8)";
  std::string_view name = upper;
  if (name.starts_with(before) && name.ends_with(after))
    name = name.substr(before.size(), name.size() - before.size() - after.size());
  return first() == 1 && is_name(name) ? std::string(name) : "";
}

std::string FortranBounds::text() const { return lower.empty() && upper == "*" ? upper : lower + ":" + upper; }

bool FortranType::has_fixed_length() const {
  const size_t open = text.find('(');
  return open + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[open + 1]));
}

FortranType fortran_type(const std::string& text) {
  static const std::pair<const char*, FortranKind> kinds[] = {
      {"integer", FortranKind::integer},    {"real", FortranKind::real},    {"complex", FortranKind::complex},
      {"logical", FortranKind::logical},    {"type", FortranKind::derived}, {"class", FortranKind::derived},
      {"character", FortranKind::character}};
  FortranType type;
  const size_t open = text.find('(');
  if (open == std::string::npos || text.back() != ')')
    return type;
  const std::string word = lower_case(text.substr(0, open)), inside = text.substr(open + 1, text.size() - open - 2);
  for (const auto& [name, kind] : kinds)
    if (word == name)
      type.kind = kind;
  type.text = word + text.substr(open);
  type.polymorphic = word == "class";
  if (type.kind == FortranKind::derived)
    type.name = inside;
  else if (type.kind != FortranKind::character)
    type.bytes = int(constant(inside).value_or(0));
  return type;
}

FortranEntity fortran_entity(const FortranSymbol& symbol) {
  FortranEntity entity{.name = symbol.name, .type = {}, .shape = {}, .attributes = symbol.attributes};
  if (symbol.kind == "ObjectEntity" || symbol.kind == "AssocEntity") {
    entity.type = fortran_type(labelled(symbol.details, "type: "));
    entity.shape = shape_of(labelled(symbol.details, "shape: "));
  } else if (symbol.kind == "ProcEntity" || symbol.kind == "Subprogram") {
    entity.is_procedure = true;
    const std::string word = labelled(symbol.details, " ");
    entity.type = fortran_type(symbol.kind == "Subprogram" ? labelled(symbol.details, "result:") : word);
    if (symbol.kind == "Subprogram")
      entity.interface = symbol.name;
    else if (is_name(word))
      entity.interface = word;
    entity.is_function = entity.type.kind != FortranKind::none;
  }
  return entity;
}

std::optional<FortranProcedure> FortranNames::read(const FortranSymbol& symbol, const FortranScope& holder) {
  const FortranScope* own = holder.scope("Subprogram", symbol.name);
  if (symbol.kind != "Subprogram" || !own)
    return std::nullopt;
  FortranProcedure procedure{.name = symbol.name,
                             .module = holder.kind == "Module" ? holder.name : "",
                             .is_function = symbol.details.find("result:") != std::string::npos,
                             .attributes = symbol.attributes,
                             .dummies = {},
                             .result = {},
                             .scope = own};
  const auto look_up = [&](const std::string& name) {
    const FortranSymbol* found = own->symbol(name);
    return found ? fortran_entity(*found) : FortranEntity{.name = name, .type = {}, .shape = {}, .attributes = {}};
  };
  std::string rest = symbol.details;
  if (procedure.is_function) {
    rest = rest.substr(rest.find("result:"));
    const std::string type = labelled(rest, "result:");
    rest = rest.substr(std::min(std::string_view("result:").size() + type.size(), rest.size()));
    std::string name = labelled(rest, " ");
    if (name.ends_with(",")) // "y, ALLOCATABLE"
      name.pop_back();
    procedure.result = look_up(name);
    rest = rest.substr(std::min(procedure.result.name.size() + 1, rest.size()));
  }
  const size_t open = rest.find(" (");
  if (open == std::string::npos || rest.back() != ')')
    return procedure;
  const std::string inside = rest.substr(open + 2, rest.size() - open - 3);
  if (!inside.empty())
    for (const std::string& dummy : split_outside(inside, ','))
      procedure.dummies.push_back(look_up(dummy.substr(dummy.rfind(' ') + 1)));
  return procedure;
}

std::optional<FortranProcedure> FortranNames::procedure(const std::string& module, const std::string& name) const {
  const FortranScope* holder = module.empty() ? &global_ : global_.scope("Module", module);
  const FortranSymbol* symbol = holder ? holder->symbol(name) : nullptr;
  return symbol ? read(*symbol, *holder) : std::nullopt;
}

const FortranScope* FortranNames::host_of(const FortranScope& scope) const {
  for (const FortranScope& outer : global_.scopes) {
    if (&outer == &scope)
      return &global_;
    for (const FortranScope& inner : outer.scopes)
      if (&inner == &scope)
        return &outer;
  }
  return nullptr;
}

// Searches the scope, its host scopes, and used modules.
FortranNames::Place FortranNames::find(const std::string& name, const FortranScope& where, int steps) const {
  constexpr int most_steps = 16; // modules cannot use themselves, but a damaged dump may have cycles
  const FortranSymbol* symbol = where.symbol(name);
  if (steps > most_steps)
    return {};
  if (!symbol || symbol->kind == "HostAssoc") {
    const FortranScope* host = host_of(where);
    return host ? find(name, *host, steps + 1) : Place{};
  }
  if (const auto used = used_from(*symbol)) {
    const FortranScope* module = global_.scope("Module", used->module);
    return module ? find(used->name, *module, steps + 1) : Place{};
  }
  return {&where, symbol};
}

std::optional<FortranProcedure> FortranNames::interface_of(const FortranEntity& dummy,
                                                           const FortranProcedure& procedure) const {
  if (dummy.interface.empty())
    return std::nullopt;
  const Place place = find(dummy.interface, *procedure.scope);
  return place.symbol ? read(*place.symbol, *place.scope) : std::nullopt;
}

std::optional<FortranNames::Components> FortranNames::components(const std::string& type,
                                                                 const FortranScope& where) const {
  const Place place = find(type, where);
  const FortranScope* fields = place.scope ? place.scope->scope("DerivedType", place.symbol->name) : nullptr;
  if (!fields || place.symbol->kind != "DerivedType")
    return std::nullopt;
  Components found{.all = {}, .where = place.scope};
  for (const std::string& name : split_outside(labelled(place.symbol->details, "components: "), ','))
    if (const FortranSymbol* field = fields->symbol(name))
      found.all.push_back(fortran_entity(*field));
  return found;
}

std::string FortranNames::use_of(const std::string& name, const FortranScope& where) {
  const FortranSymbol* symbol = where.symbol(name);
  const auto used = symbol ? used_from(*symbol) : std::nullopt;
  if (!used)
    return {};
  return used->name == name ? fmt::format("{}, only: {}", used->module, name)
                            : fmt::format("{}, only: {} => {}", used->module, name, used->name);
}

} // namespace faultline::program
