#include "frontend/fortran/symbol_dump.h"

#include <algorithm>

namespace faultline::frontend {
namespace {

constexpr size_t deepest = 32; // Fortran nests modules, procedures, internal procedures, blocks and types: a guess

// Where brackets and strings end.
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

// "Subprogram scope: dtest size=184 alignment=8"
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

bool read_symbol(std::string_view line, FortranSymbol& symbol) {
  const size_t colon = find_outside(line, ':');
  if (colon == std::string_view::npos || colon + 2 > line.size() || line.front() == '.') // .dt.point: flang's own
    return false;
  const std::vector<std::string> parts = split_outside(line.substr(0, colon), ',');
  symbol.name = first_word(parts.front());
  if (parts.front().find("(ParentComp)") != std::string::npos)
    symbol.attributes.insert("PARENT"); // the part of an extended type that is its parent
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

  // The lines that are deeper than the scope's own.
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

std::string labelled(const std::string& details, std::string_view label) {
  const size_t at = details.find(label);
  return at == std::string::npos ? "" : std::string(first_word(std::string_view(details).substr(at + label.size())));
}

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

} // namespace faultline::frontend
