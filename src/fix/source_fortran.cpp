#include "fix/source_fortran.h"

#include "numeric/decimal.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace faultline::fix {

namespace {

char lower(char c) { return char(std::tolower(static_cast<unsigned char>(c))); }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_name_part(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

// A statement without comments and continuation marks, and the offset of each character in the file.
struct Logical {
  std::string text; // in lower case, except within strings
  std::vector<size_t> at;
};

// Splits the text into statements.
class Splitter {
public:
  Splitter(const std::string& text, bool fixed) : text_(text), fixed_(fixed) {}

  std::vector<Logical> statements() {
    for (size_t begin = 0; begin < text_.size();) {
      const size_t end = std::min(text_.find('\n', begin), text_.size());
      fixed_ ? take_fixed(begin, end) : take_free(begin, end);
      begin = end + 1;
    }
    finish();
    return std::move(all_);
  }

private:
  void finish() {
    if (now_.text.find_first_not_of(' ') != std::string::npos)
      all_.push_back(std::move(now_));
    now_ = {};
    quote_ = 0;
  }

  void add(char c, size_t at) {
    if (c == '\t' || c == '\r')
      c = ' ';
    if (quote_ == 0 && c == ';') {
      finish();
      return;
    }
    if (quote_ == 0 && (c == '\'' || c == '"'))
      quote_ = c;
    else if (quote_ == c)
      quote_ = 0;
    now_.text += quote_ == 0 ? lower(c) : c;
    now_.at.push_back(at);
  }

  void take_free(size_t begin, size_t end) {
    size_t first = text_.find_first_not_of(" \t", begin);
    if (first >= end || text_[first] == '!' || text_[first] == '#')
      return;
    if (continues_ && text_[first] == '&')
      ++first;
    if (!continues_)
      finish();
    continues_ = false;
    for (size_t i = first; i < end; ++i) {
      if (quote_ == 0 && text_[i] == '!')
        break;
      if (text_[i] == '&') {
        const size_t rest = text_.find_first_not_of(" \t\r", i + 1);
        if (rest >= end || text_[rest] == '!') {
          continues_ = true;
          break;
        }
      }
      add(text_[i], i);
    }
  }

  void take_fixed(size_t begin, size_t end) {
    if (begin >= end || std::string_view("cC*!#").find(text_[begin]) != std::string_view::npos ||
        text_.find_first_not_of(" \t", begin) >= end)
      return;
    const bool continues = end - begin > 5 && text_[begin + 5] != ' ' && text_[begin + 5] != '0';
    if (!continues)
      finish();
    for (size_t i = begin + (continues ? 6 : 0); i < std::min(end, begin + 72); ++i) {
      if (quote_ == 0 && text_[i] == '!')
        break;
      add(text_[i], i);
    }
  }

  const std::string& text_;
  bool fixed_;
  std::vector<Logical> all_;
  Logical now_;
  bool continues_ = false;
  char quote_ = 0;
};

struct DeclaredName {
  std::string type; // real(8), real(4), integer, other
  bool is_array = false;
  bool is_argument = false;
  bool is_of_host = false;         // of the module
  std::optional<Value> value = {}; // of a constant
};

// The kinds by name: dp, wp.
using Kinds = std::map<std::string, int>;

int kind_from(const std::string& text, const Kinds& kinds) {
  if (text.empty())
    return 4;
  if (is_digit(text[0]))
    return std::atoi(text.c_str());
  const auto known = kinds.find(text);
  if (known != kinds.end())
    return known->second;
  return text == "real64" || text == "c_double" ? 8 : text == "real32" || text == "c_float" ? 4 : 0;
}

std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

// integer, parameter :: dp = kind(1.0d0)
void note_kind(const std::string& statement, Kinds& kinds) {
  const std::string text = without_blanks(statement);
  if (text.starts_with("use")) {
    for (size_t at = text.find("=>"); at != std::string::npos; at = text.find("=>", at + 2)) {
      size_t begin = at;
      while (begin > 0 && is_name_part(text[begin - 1]))
        --begin;
      size_t end = at + 2;
      while (end < text.size() && is_name_part(text[end]))
        ++end;
      if (const int kind = kind_from(text.substr(at + 2, end - at - 2), {}); kind > 0)
        kinds[text.substr(begin, at - begin)] = kind;
    }
    return;
  }
  const size_t names = text.find("::");
  if (!text.starts_with("integer") || text.find("parameter") == std::string::npos || names == std::string::npos)
    return;
  const size_t sign = text.find('=', names);
  if (sign == std::string::npos)
    return;
  const std::string value = text.substr(sign + 1);
  const bool is_double = value.starts_with("kind(1.0d0") || value.starts_with("kind(1.d0") ||
                         value.starts_with("kind(0d0") || value.starts_with("kind(1d0") ||
                         value.starts_with("kind(0.0d0") || value.starts_with("kind(0.d0") ||
                         value.starts_with("selected_real_kind(15") || value.starts_with("selected_real_kind(p=15") ||
                         value.starts_with("selected_real_kind(14") || value.starts_with("selected_real_kind(12") ||
                         value.starts_with("selected_real_kind(13") || value.starts_with("real64") ||
                         value.starts_with("c_double") || value == "8";
  const bool is_single = value.starts_with("kind(1.0)") || value.starts_with("selected_real_kind(6") ||
                         value.starts_with("real32") || value == "4";
  if (is_double || is_single)
    kinds[text.substr(names + 2, sign - names - 2)] = is_double ? 8 : 4;
}

// What the specifications of a procedure say about its names.
class Names {
public:
  explicit Names(const Kinds& kinds) : kinds_(kinds) {}

  // True if the statement declares something, or is another specification.
  bool declare(const std::string& statement) {
    const std::string text = without_blanks(statement);
    if (text.starts_with("implicitnone")) {
      implicit_ = "";
      return true;
    }
    if (text.starts_with("implicitreal*8") || text.starts_with("implicitdoubleprecision") ||
        text.starts_with("implicitreal(8)")) {
      implicit_ = "real(8)";
      return true;
    }
    for (const char* other : {"use", "implicit", "intent", "save", "external", "intrinsic", "common", "parameter",
                              "data", "dimension", "import", "type(", "logical", "character", "complex", "interface"})
      if (text.starts_with(other) && text.find('=') == std::string::npos) {
        note_others(text);
        return true;
      }
    size_t after = 0;
    const std::string type = type_at(text, after);
    if (type.empty() || (after < text.size() && text[after] == '='))
      return false;
    take_names(text, after, type);
    return true;
  }

  void add_argument(const std::string& name) { names_[name].is_argument = true; }
  void mark_as_host() {
    for (auto& [name, declared] : names_)
      declared.is_of_host = true;
  }
  void set_type(const std::string& name, const std::string& type) { names_[name].type = type; }

  DeclaredName of(const std::string& name) const {
    const auto known = names_.find(name);
    DeclaredName found = known == names_.end() ? DeclaredName() : known->second;
    if (found.type.empty())
      found.type = name[0] >= 'i' && name[0] <= 'n' ? "integer" : implicit_;
    return found;
  }
  bool is_declared(const std::string& name) const { return names_.contains(name); }

  // The type at the beginning of a text without blanks; empty if there is none.
  std::string type_at(const std::string& text, size_t& after) const {
    if (text.starts_with("doubleprecision")) {
      after = 15;
      return "real(8)";
    }
    if (text.starts_with("integer")) {
      after = 7;
      skip_parentheses(text, after);
      return "integer";
    }
    if (!text.starts_with("real"))
      return "";
    after = 4;
    std::string kind;
    if (after < text.size() && text[after] == '*') {
      kind = text.substr(after + 1, 1);
      after += 2;
    } else if (after < text.size() && text[after] == '(') {
      const size_t begin = after + 1;
      skip_parentheses(text, after);
      kind = text.substr(begin, after - begin - 1);
      if (kind.starts_with("kind="))
        kind = kind.substr(5);
    }
    const int bytes = kind_from(kind, kinds_);
    return bytes == 8 ? "real(8)" : bytes == 4 ? "real(4)" : "other";
  }

private:
  static void skip_parentheses(const std::string& text, size_t& at) {
    int depth = 0;
    for (; at < text.size(); ++at) {
      depth += text[at] == '(';
      depth -= text[at] == ')';
      if (depth == 0) {
        at += text[at] == ')';
        return;
      }
    }
  }

  void note_others(const std::string& text) {
    if (text.starts_with("logical") || text.starts_with("character") || text.starts_with("complex") ||
        text.starts_with("type("))
      if (const size_t names = text.find("::"); names != std::string::npos)
        take_names(text, names, "other");
  }

  // , intent(in) :: a, b(:), c = 1
  void take_names(const std::string& text, size_t at, const std::string& type) {
    const size_t colons = text.find("::", at);
    const std::string attributes = colons == std::string::npos ? "" : text.substr(at, colons - at);
    const bool all_arrays = attributes.find("dimension(") != std::string::npos;
    const bool constant = attributes.find("parameter") != std::string::npos;
    if (colons != std::string::npos)
      at = colons + 2;
    while (at < text.size()) {
      size_t end = at;
      while (end < text.size() && is_name_part(text[end]))
        ++end;
      const std::string name = text.substr(at, end - at);
      DeclaredName& declared = names_[name];
      if (declared.is_of_host)
        declared = {};
      declared.type = type;
      declared.is_array = declared.is_array || all_arrays || (end < text.size() && text[end] == '(');
      skip_parentheses(text, end);
      const size_t comma = next_comma(text, end);
      if (constant && end < text.size() && text[end] == '=')
        declared.value = constant_from(text.substr(end + 1, comma - end - 1));
      at = comma + 1;
    }
  }

  static size_t next_comma(const std::string& text, size_t at) {
    int depth = 0;
    for (; at < text.size(); ++at) {
      depth += text[at] == '(';
      depth -= text[at] == ')';
      if (depth == 0 && text[at] == ',')
        break;
    }
    return at;
  }

  static std::optional<Value> constant_from(std::string text) {
    text = text.substr(0, text.find('_'));
    const bool wide = text.find('d') != std::string::npos;
    std::ranges::replace(text, 'd', 'e');
    const std::optional<Value> value = numeric::parse_long_double(text);
    return value ? std::optional<Value>(wide || text.find('.') == std::string::npos ? Value(double(*value)) : *value)
                 : value;
  }

  const Kinds& kinds_;
  std::map<std::string, DeclaredName> names_;
  std::string implicit_ = "real(4)";
};

std::string wider(const std::string& a, const std::string& b) {
  for (const char* type : {"other", "real(8)", "real(4)", "integer"})
    if (a == type || b == type)
      return type;
  return "other";
}

// Intrinsic functions of reals that have an operation, by their names in C.
std::string c_name(std::string name) {
  static const std::map<std::string, std::string> others = {
      {"abs", "fabs"},     {"gamma", "tgamma"}, {"log_gamma", "lgamma"}, {"bessel_j0", "j0"}, {"bessel_j1", "j1"},
      {"bessel_y0", "y0"}, {"bessel_y1", "y1"}, {"max", "fmax"},         {"min", "fmin"},     {"sign", "copysign"}};
  static const std::set<std::string> same = {"sqrt",  "exp",   "log",   "log10", "sin",  "cos",  "tan",
                                             "asin",  "acos",  "atan",  "atan2", "sinh", "cosh", "tanh",
                                             "asinh", "acosh", "atanh", "erf",   "erfc", "hypot"};
  const auto find = [&](const std::string& wanted) -> std::string {
    if (same.contains(wanted))
      return wanted;
    const auto other = others.find(wanted);
    return other == others.end() ? "" : other->second;
  };
  const std::string found = find(name);
  return !found.empty() || !name.starts_with('d') ? found : find(name.substr(1)); // dsin
}

// Reads an expression.
class ExpressionReader {
public:
  ExpressionReader(const Logical& statement, const Names& names, const std::map<std::string, size_t>& numbers,
                   const std::string& own, const Kinds& kinds)
      : text_(statement.text), at_(statement.at), names_(names), numbers_(numbers), own_(own), kinds_(kinds) {}

  // From this position of the statement to the end; nothing if there is more than an expression.
  std::optional<Code> read(size_t begin, size_t end) {
    position_ = begin;
    end_ = end;
    failed_ = false;
    Code code = sum();
    blanks();
    return failed_ || position_ != end_ ? std::nullopt : std::optional(std::move(code));
  }

private:
  void blanks() {
    while (position_ < end_ && text_[position_] == ' ')
      ++position_;
  }
  char peek(size_t ahead = 0) {
    blanks();
    return position_ + ahead < end_ ? text_[position_ + ahead] : '\0';
  }
  Span span_from(size_t begin) const {
    size_t last = position_;
    while (last > begin && text_[last - 1] == ' ')
      --last;
    return {at_[begin], last > begin ? at_[last - 1] + 1 : at_[begin]};
  }

  Code combined(Code::Kind kind, std::string symbol, std::string type, std::vector<Code> parts, size_t begin) {
    Code code;
    code.kind = kind;
    code.symbol = std::move(symbol);
    code.type = std::move(type);
    code.parts = std::move(parts);
    code.span = span_from(begin);
    return code;
  }

  Code sum() {
    blanks();
    const size_t begin = position_;
    const char sign = peek();
    Code code;
    if (sign == '-' || sign == '+') {
      ++position_;
      Code operand = product();
      const std::string type = operand.type;
      code = combined(Code::Kind::unary, std::string(1, sign), type, {std::move(operand)}, begin);
    } else {
      code = product();
    }
    while (!failed_ && (peek() == '+' || peek() == '-')) {
      const std::string symbol(1, text_[position_++]);
      Code right = product();
      const std::string type = wider(code.type, right.type);
      code = combined(Code::Kind::op, symbol, type, {std::move(code), std::move(right)}, begin);
    }
    return code;
  }

  Code product() {
    blanks();
    const size_t begin = position_;
    Code code = power();
    while (!failed_ && ((peek() == '*' && peek(1) != '*') || (peek() == '/' && peek(1) != '/' && peek(1) != '='))) {
      const std::string symbol(1, text_[position_++]);
      Code right = power();
      const std::string type = wider(code.type, right.type);
      code = combined(Code::Kind::op, symbol, type, {std::move(code), std::move(right)}, begin);
    }
    return code;
  }

  Code power() {
    blanks();
    const size_t begin = position_;
    Code code = primary();
    if (peek() == '*' && peek(1) == '*') {
      position_ += 2;
      blanks();
      const size_t right_begin = position_;
      Code right;
      if (peek() == '-') {
        ++position_;
        Code operand = power();
        const std::string type = operand.type;
        right = combined(Code::Kind::unary, "-", type, {std::move(operand)}, right_begin);
      } else {
        right = power();
      }
      const std::string type = code.type == "integer" ? right.type : wider(code.type, right.type);
      code = combined(Code::Kind::op, "**", type, {std::move(code), std::move(right)}, begin);
    }
    return code;
  }

  Code primary() {
    const char first = peek();
    if (first == '(') {
      ++position_;
      Code code = sum();
      if (peek() != ')')
        failed_ = true;
      ++position_;
      return code;
    }
    if (is_digit(first) || (first == '.' && is_digit(peek(1))))
      return number();
    if (is_letter(first))
      return name();
    failed_ = true;
    return {};
  }

  Code number() {
    const size_t begin = position_;
    std::string digits;
    bool real = false, wide = false;
    while (position_ < end_) {
      const char c = text_[position_];
      const char next = position_ + 1 < end_ ? text_[position_ + 1] : '\0';
      if (is_digit(c)) {
        digits += c;
      } else if (c == '.' && !is_letter(next)) {
        digits += c;
        real = true;
      } else if (c == '.' && (next == 'd' || next == 'e') && position_ + 2 < end_ &&
                 (is_digit(text_[position_ + 2]) || text_[position_ + 2] == '-' || text_[position_ + 2] == '+')) {
        digits += c;
        real = true;
      } else if ((c == 'd' || c == 'e') && (is_digit(next) || next == '-' || next == '+')) {
        digits += 'e';
        real = true;
        wide = c == 'd';
        if (next == '-' || next == '+') {
          digits += next;
          ++position_;
        }
      } else {
        break;
      }
      ++position_;
    }
    if (position_ < end_ && text_[position_] == '_') {
      const size_t kind = ++position_;
      while (position_ < end_ && is_name_part(text_[position_]))
        ++position_;
      wide = kind_from(text_.substr(kind, position_ - kind), kinds_) == 8;
    }
    Code code = combined(Code::Kind::number, "", real ? (wide ? "real(8)" : "real(4)") : "integer", {}, begin);
    code.value = numeric::parse_long_double(digits);
    if (code.value && real)
      code.value = wide ? Value(double(*code.value)) : Value(float(*code.value));
    failed_ = failed_ || !code.value;
    return code;
  }

  std::vector<Code> arguments() {
    std::vector<Code> all;
    ++position_;
    while (!failed_ && peek() != ')') {
      blanks();
      if (const size_t begin = position_; peek() == ':') { // a section
        ++position_;
        all.push_back(combined(Code::Kind::other, ":", "other", {}, begin));
      } else {
        all.push_back(sum());
      }
      if (peek() == ',')
        ++position_;
      else if (peek() != ')')
        failed_ = true;
    }
    ++position_;
    return all;
  }

  Code name() {
    const size_t begin = position_;
    while (position_ < end_ && is_name_part(text_[position_]))
      ++position_;
    const std::string own = text_.substr(begin, position_ - begin);
    const DeclaredName declared = names_.of(own);
    Code code = combined(Code::Kind::name, own, declared.type, {}, begin);
    code.scope = declared.is_argument                                               ? Scope::parameter
                 : (names_.is_declared(own) && !declared.is_of_host) || own == own_ ? Scope::local
                                                                                    : Scope::global;
    if (const auto number = numbers_.find(own); number != numbers_.end())
      code.declared = number->second;
    code.value = declared.value;
    if (peek() == '(')
      code = call(own, declared, std::move(code), begin);
    while (peek() == '%') { // a component: as it is written
      ++position_;
      blanks();
      while (position_ < end_ && is_name_part(text_[position_]))
        ++position_;
      std::vector<Code> parts{std::move(code)};
      if (peek() == '(')
        for (Code& argument : arguments())
          parts.push_back(std::move(argument));
      code = combined(Code::Kind::member, "%", "other", std::move(parts), begin);
    }
    return code;
  }

  Code call(const std::string& own, const DeclaredName& declared, Code array, size_t begin) {
    std::vector<Code> all = arguments();
    if (declared.is_array) {
      all.insert(all.begin(), std::move(array));
      return combined(Code::Kind::index, "()", declared.type, std::move(all), begin);
    }
    if ((own == "dble" || own == "real" || own == "sngl") && !all.empty() && !names_.is_declared(own)) {
      std::string type = own == "dble" ? "real(8)" : "real(4)";
      if (all.size() == 2)
        type = kind_from(without_blanks(text_of(all[1])), kinds_) == 8 ? "real(8)" : "real(4)";
      all.resize(1);
      return combined(Code::Kind::cast, own, type, std::move(all), begin);
    }
    const std::string c = names_.is_declared(own) ? "" : c_name(own);
    std::string type = declared.type;
    if (!c.empty()) {
      type = all.empty() ? "other" : all[0].type;
      for (const Code& argument : all)
        type = wider(type, argument.type);
    }
    Code code = combined(Code::Kind::call, c.empty() ? own : c, type, std::move(all), begin);
    code.library = !c.empty();
    return code;
  }

  std::string text_of(const Code& code) const {
    const auto begin = std::ranges::lower_bound(at_, code.span.begin) - at_.begin();
    const auto end = std::ranges::lower_bound(at_, code.span.end) - at_.begin();
    return text_.substr(size_t(begin), size_t(end - begin));
  }

  const std::string& text_;
  const std::vector<size_t>& at_;
  const Names& names_;
  const std::map<std::string, size_t>& numbers_;
  const std::string& own_;
  const Kinds& kinds_;
  size_t position_ = 0, end_ = 0;
  bool failed_ = false;
};

// The procedures of a file, one after the other; inner ones are read when they are asked for.
class ProcedureReader {
public:
  ProcedureReader(const std::string& text, const std::string& file, bool fixed)
      : text_(text), file_(file), statements_(Splitter(text, fixed).statements()) {
    for (const Logical& one : statements_)
      note_kind(one.text, kinds_);
  }

  std::optional<Function> at(int line) {
    const size_t begin_of_line = offset_of(text_, line, 1);
    std::vector<size_t> open; // statements that begin procedures
    for (size_t i = 0; i < statements_.size(); ++i) {
      const std::string words = without_blanks(statements_[i].text);
      if (begins_procedure(statements_[i].text)) {
        open.push_back(i);
      } else if (is_end(words, "function") || is_end(words, "subroutine") || (words == "end" && !open.empty())) {
        if (open.empty())
          continue;
        const size_t first = open.back();
        open.pop_back();
        const Logical &from = statements_[first], &to = statements_[i];
        if (from.at.front() <= begin_of_line + line_length(begin_of_line) && begin_of_line <= to.at.back())
          return read(first, i);
      }
    }
    return std::nullopt;
  }

private:
  size_t line_length(size_t begin) const {
    const size_t end = text_.find('\n', std::min(begin, text_.size()));
    return (end == std::string::npos ? text_.size() : end) - std::min(begin, text_.size());
  }

  static bool is_end(const std::string& words, const std::string& what) { return words.starts_with("end" + what); }

  // function f(x), real(8) function f(x), pure elemental subroutine s(a, b)
  static bool begins_procedure(const std::string& text) {
    const std::string words = without_blanks(text);
    if (words.starts_with("end") || words.find("::") != std::string::npos)
      return false;
    for (const char* what : {"function ", "subroutine "}) {
      const size_t at = text.find(what);
      if (at == std::string::npos || text.find('=') < at)
        continue;
      if (const size_t quote = text.find_first_of("'\""); quote < at)
        continue;
      if (at == 0 || text[at - 1] == ' ' || text[at - 1] == ')')
        return true;
    }
    return false;
  }

  Function read(size_t first, size_t last) {
    Function function;
    function.file = file_;
    function.language = Language::fortran;
    function.span = {first_offset(statements_[first]), statements_[last].at.back() + 1};
    Names names(kinds_);
    for (size_t i = 0; i < first && !begins_procedure(statements_[i].text); ++i)
      names.declare(statements_[i].text); // of the module
    names.mark_as_host();
    read_heading(statements_[first].text, function, names);
    size_t next = first + 1;
    while (next < last && names.declare(statements_[next].text))
      ++next;
    function.open = next < last ? first_offset(statements_[next]) : function.span.end;
    names_ = &names;
    number_names(first, last);
    for (Statement& parameter : function.parameters) {
      parameter.type = names.of(parameter.name).type;
      parameter.declared = numbers_[parameter.name];
    }
    size_t at = next;
    function.body = block(at, last);
    return function;
  }

  static size_t first_offset(const Logical& statement) {
    const size_t first = statement.text.find_first_not_of(' ');
    return statement.at[first == std::string::npos ? 0 : first];
  }

  void read_heading(const std::string& text, Function& function, Names& names) {
    const size_t is_function = text.find("function ");
    const size_t at = is_function != std::string::npos ? is_function + 9 : text.find("subroutine ") + 11;
    const std::string rest = without_blanks(text.substr(at));
    const size_t open = std::min(rest.find('('), rest.size());
    function.name = rest.substr(0, open);
    own_ = function.name;
    const size_t close = rest.find(')', open);
    if (close != std::string::npos)
      for (size_t i = open + 1; i < close;) {
        const size_t comma = std::min(rest.find(',', i), close);
        const std::string name = rest.substr(i, comma - i);
        names.add_argument(name);
        Statement parameter;
        parameter.kind = Statement::Kind::declare;
        parameter.name = name;
        function.parameters.push_back(std::move(parameter));
        i = comma + 1;
      }
    if (const size_t result = rest.find("result("); result != std::string::npos)
      own_ = rest.substr(result + 7, rest.find(')', result) - result - 7);
    if (is_function == std::string::npos)
      return;
    size_t after = 0;
    std::string before = without_blanks(text.substr(0, is_function));
    for (const char* prefix : {"pure", "elemental", "recursive", "impure"})
      if (before.starts_with(prefix))
        before = before.substr(std::string_view(prefix).size());
    if (const std::string type = names.type_at(before, after); !type.empty())
      names.set_type(own_, type);
  }

  void number_names(size_t first, size_t last) {
    numbers_.clear();
    for (size_t i = first; i <= last; ++i)
      for (size_t at = 0; at < statements_[i].text.size();) {
        if (!is_letter(statements_[i].text[at])) {
          ++at;
          continue;
        }
        const size_t begin = at;
        while (at < statements_[i].text.size() && is_name_part(statements_[i].text[at]))
          ++at;
        numbers_.emplace(statements_[i].text.substr(begin, at - begin), numbers_.size() + 1);
      }
  }

  // The statements up to the end of the block, or to an else.
  std::vector<Statement> block(size_t& at, size_t last) {
    std::vector<Statement> all;
    for (; at < last; ++at) {
      const std::string words = without_blanks(statements_[at].text);
      if (words == "contains" || words.starts_with("else") || words.starts_with("endif") ||
          words.starts_with("enddo") || words.starts_with("endselect") || words.starts_with("case("))
        return all;
      all.push_back(statement(at, last));
    }
    return all;
  }

  Statement blank(size_t at) const {
    Statement made;
    made.span = {first_offset(statements_[at]), statements_[at].at.back() + 1};
    return made;
  }

  Statement statement(size_t& at, size_t last) {
    const std::string& text = statements_[at].text;
    const std::string words = without_blanks(text);
    if (words.starts_with("if(") && words.ends_with(")then"))
      return branch(at, last);
    if (words.starts_with("do") &&
        (words == "do" || words.find('=') != std::string::npos || words.starts_with("dowhile(")) &&
        text.find("do") != std::string::npos && (words == "do" || text[text.find("do") + 2] == ' ')) {
      Statement loop = blank(at);
      loop.kind = Statement::Kind::loop;
      if (const size_t sign = text.find('='); sign != std::string::npos && !words.starts_with("dowhile"))
        loop.head.push_back(assignment(at, text.find("do") + 2, true));
      loop.body = block(++at, last);
      loop.span.end = at < last ? statements_[at].at.back() + 1 : loop.span.end;
      return loop;
    }
    if (words.starts_with("if(")) { // if (c) statement
      const size_t close = closing(text, text.find('('));
      Statement one = blank(at);
      one.kind = Statement::Kind::branch;
      one.braced = false;
      one.body.push_back(assignment(at, close + 1, false));
      return one;
    }
    return assignment(at, 0, false);
  }

  static size_t closing(const std::string& text, size_t open) {
    int depth = 0;
    for (size_t i = open; i < text.size(); ++i) {
      depth += text[i] == '(';
      depth -= text[i] == ')';
      if (depth == 0)
        return i;
    }
    return text.size() - 1;
  }

  Statement branch(size_t& at, size_t last) {
    Statement made = blank(at);
    made.kind = Statement::Kind::branch;
    made.body = block(++at, last);
    if (at < last) {
      const std::string words = without_blanks(statements_[at].text);
      if (words.starts_with("elseif")) {
        made.otherwise.push_back(branch(at, last));
        made.span.end = made.otherwise.back().span.end;
        return made;
      }
      if (words == "else")
        made.otherwise = block(++at, last);
      if (at < last)
        made.span.end = statements_[at].at.back() + 1;
    }
    return made;
  }

  // name = expression from this position of the statement. A loop's variable changes in every turn.
  Statement assignment(size_t at, size_t from, bool of_loop) {
    const Logical& logical = statements_[at];
    Statement made = blank(at);
    const size_t first = logical.text.find_first_not_of(' ', from);
    const size_t sign = equals_sign(logical.text, from);
    ExpressionReader reader(logical, *names_, numbers_, own_, kinds_);
    if (first == std::string::npos || sign == std::string::npos) {
      made.kind = Statement::Kind::other;
      if (logical.text.find("call ") != std::string::npos || !without_blanks(logical.text).starts_with("return"))
        made.value = opaque(logical);
      return made;
    }
    std::optional<Code> target = reader.read(first, sign);
    std::optional<Code> value = of_loop ? std::nullopt : reader.read(sign + 1, logical.text.size());
    if (!target) {
      made.value = opaque(logical);
      return made;
    }
    made.kind = Statement::Kind::expression;
    made.span.begin = logical.at[first];
    Code assigned;
    assigned.kind = Code::Kind::op;
    assigned.symbol = of_loop ? "+=" : "=";
    assigned.type = target->type;
    assigned.span = made.span;
    assigned.parts.push_back(std::move(*target));
    if (value)
      assigned.parts.push_back(std::move(*value));
    else
      assigned.parts.push_back(opaque(logical));
    made.value = std::move(assigned);
    return made;
  }

  // A call of a subroutine, or whatever is not understood: it may change all names in it.
  Code opaque(const Logical& logical) const {
    Code code;
    code.kind = Code::Kind::other;
    code.type = "other";
    code.span = {logical.at.front(), logical.at.back() + 1};
    Code call;
    call.kind = Code::Kind::call;
    call.type = "other";
    call.span = code.span;
    for (const auto& [name, number] : numbers_)
      if (logical.text.find(name) != std::string::npos && names_->is_declared(name)) {
        Code one;
        one.kind = Code::Kind::name;
        one.symbol = name;
        one.declared = number;
        one.span = code.span;
        code.parts.push_back(std::move(one));
      }
    code.parts.push_back(std::move(call));
    return code;
  }

  // The sign of an assignment: outside of parentheses, and not part of ==, /=, <=, >= or =>.
  static size_t equals_sign(const std::string& text, size_t from) {
    int depth = 0;
    for (size_t i = from; i < text.size(); ++i) {
      depth += text[i] == '(';
      depth -= text[i] == ')';
      if (text[i] != '=' || depth != 0)
        continue;
      const char before = i > 0 ? text[i - 1] : ' ', after = i + 1 < text.size() ? text[i + 1] : ' ';
      if (after == '=' || after == '>' || before == '=' || before == '/' || before == '<' || before == '>')
        return std::string::npos;
      return i;
    }
    return std::string::npos;
  }

  const std::string& text_;
  std::string file_;
  std::vector<Logical> statements_;
  Kinds kinds_;
  std::map<std::string, size_t> numbers_; // of names: they identify variables
  const Names* names_ = nullptr;
  std::string own_; // the result
};

} // namespace

std::optional<Function> fortran_function(const std::string& text, const std::string& file, int line, bool fixed) {
  return ProcedureReader(text, file, fixed).at(line);
}

bool is_fixed_form(const std::string& file) {
  const std::string ending = file.substr(std::min(file.rfind('.'), file.size()));
  return ending == ".f" || ending == ".F" || ending == ".for" || ending == ".FOR" || ending == ".ftn";
}

} // namespace faultline::fix
