#include "model/expression.h"

#include <algorithm>
#include <cctype>

namespace faultline::model {

namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '%'; }
bool opens(char c) { return c == '(' || c == '['; }
bool closes(char c) { return c == ')' || c == ']'; }

// Walks over the operands of one line.
class Walk {
public:
  explicit Walk(std::string_view line) : line_(line) {}

  size_t past_blanks(size_t at) const {
    while (at < line_.size() && std::isspace(static_cast<unsigned char>(line_[at])))
      ++at;
    return at;
  }
  size_t before_blanks(size_t end) const {
    while (end > 0 && std::isspace(static_cast<unsigned char>(line_[end - 1])))
      --end;
    return end;
  }

  // Returns the position after the bracket that closes the one at `at`; nothing if the line ends before.
  std::optional<size_t> past_brackets(size_t at) const {
    int depth = 0;
    for (; at < line_.size(); ++at) {
      depth += opens(line_[at]) ? 1 : closes(line_[at]) ? -1 : 0;
      if (depth == 0)
        return at + 1;
    }
    return {};
  }

  // Returns the position of the bracket that opens the one before `end`.
  std::optional<size_t> before_brackets(size_t end) const {
    int depth = 0;
    while (end-- > 0) {
      depth += closes(line_[end]) ? 1 : opens(line_[end]) ? -1 : 0;
      if (depth == 0)
        return end;
    }
    return {};
  }

  // True if the sign at this position belongs to an exponent: 1e-5, 1d+3.
  bool is_in_number(size_t at) const {
    if ((line_[at] != '-' && line_[at] != '+') || at < 2 || at + 1 >= line_.size())
      return false;
    const auto before = char(std::tolower(static_cast<unsigned char>(line_[at - 1])));
    size_t first = at - 1;
    while (first > 0 && (is_name(line_[first - 1]) || line_[first - 1] == '.'))
      --first;
    return (before == 'e' || before == 'd' || before == 'p') &&
           std::isdigit(static_cast<unsigned char>(line_[first])) &&
           std::isdigit(static_cast<unsigned char>(line_[at + 1]));
  }

  // Skips one operand with its signs, calls, indices and members.
  std::optional<size_t> past_operand(size_t at) const {
    at = past_blanks(at);
    while (at < line_.size() && (line_[at] == '-' || line_[at] == '+' || line_[at] == '!'))
      at = past_blanks(at + 1);
    const size_t begin = at;
    while (at < line_.size()) {
      if (opens(line_[at])) {
        const std::optional<size_t> past = past_brackets(at);
        if (!past)
          return {};
        at = *past;
      } else if (is_name(line_[at]) || line_[at] == '.' || line_.substr(at, 2) == "::" || is_in_number(at)) {
        at += line_.substr(at, 2) == "::" ? 2 : 1;
      } else if (line_.substr(at, 2) == "->") {
        at += 2;
      } else {
        break;
      }
    }
    return at > begin ? std::optional(at) : std::nullopt;
  }

  std::optional<size_t> before_operand(size_t end) const {
    end = before_blanks(end);
    const size_t last = end;
    while (end > 0) {
      if (closes(line_[end - 1])) {
        const std::optional<size_t> before = before_brackets(end);
        if (!before)
          return {};
        end = *before;
      } else if (is_name(line_[end - 1]) || line_[end - 1] == '.' || is_in_number(end - 1)) {
        --end;
      } else if (end > 1 && (line_.substr(end - 2, 2) == "::" || line_.substr(end - 2, 2) == "->")) {
        end -= 2;
      } else {
        break;
      }
    }
    return end < last ? std::optional(end) : std::nullopt;
  }

  // Returns the first character of the operator that begins here; 0 if there is none.
  char binary(size_t at) const {
    if (at >= line_.size() || line_.substr(at, 2) == "->" || line_.substr(at, 2) == "//")
      return 0;
    const char c = line_[at];
    return c == '+' || c == '-' || c == '*' || c == '/' ? c : char(0);
  }

private:
  std::string_view line_;
};

bool is_product(char op) { return op == '*' || op == '/'; }

// Finds the beginning of the left operand: a product of factors, or for a sum, of terms.
std::optional<size_t> begin_of_left(std::string_view line, size_t op, bool product) {
  const Walk walk(line);
  std::optional<size_t> begin = walk.before_operand(op);
  while (begin) {
    const size_t before = walk.before_blanks(*begin);
    if (before == 0)
      return begin;
    const char c = line[before - 1];
    const bool sign = c == '-' || c == '+';
    const size_t further = walk.before_blanks(before - 1);
    const bool binary =
        further > 0 && (is_name(line[further - 1]) || closes(line[further - 1]) || line[further - 1] == '.');
    const std::string_view word = line.substr(0, further);
    const bool after_return = word.ends_with("return");
    if (sign && (!binary || after_return)) // a sign of this operand: -b + root
      return product ? begin : std::optional(before - 1);
    if (!(is_product(c) || (sign && !product)) || !binary)
      return begin;
    const std::optional<size_t> more = walk.before_operand(before - 1);
    if (!more)
      return begin;
    begin = more;
  }
  return begin;
}

std::optional<size_t> end_of_right(std::string_view line, size_t op, bool product) {
  const Walk walk(line);
  std::optional<size_t> end = walk.past_operand(op + 1);
  while (end && !product) {
    const size_t next = walk.past_blanks(*end);
    if (!is_product(walk.binary(next)))
      return end;
    const std::optional<size_t> more = walk.past_operand(next + 1);
    if (!more)
      return end;
    end = more;
  }
  return end;
}

// Returns the right side of an assignment whose left side begins and ends at these positions. Fortran's debug
// information has one place for all operations of a statement, its first character. Returns nothing if there is no
// assignment, or it continues in the next line.
std::optional<Expression> assigned(std::string_view line, size_t left, size_t end_of_left) {
  const Walk walk(line);
  const size_t equals = walk.past_blanks(end_of_left);
  if (walk.before_blanks(left) != 0 || line.substr(equals, 1) != "=" || line.substr(equals, 2) == "==")
    return {};
  const size_t begin = walk.past_blanks(equals + 1), end = walk.before_blanks(std::min(line.find('!'), line.size()));
  constexpr std::string_view goes_on = "&+-*/,(";
  if (begin >= end || line.find_first_of("'\";") != line.npos || goes_on.find(line[end - 1]) != goes_on.npos)
    return {};
  return Expression{int(begin) + 1, int(end) + 1, std::string(line.substr(begin, end - begin))};
}

void read_expression(Cause& cause, SourceText& source) {
  const std::string* line = source.line(cause.file, cause.line);
  const std::optional<Expression> expression = line ? expression_in(cause.file, *line, cause.column) : std::nullopt;
  if (!expression)
    return;
  cause.source = expression->text;
  cause.end_column = expression->end;
}

} // namespace

std::optional<Expression> expression_at(std::string_view line, int column) {
  if (column < 1 || size_t(column) > line.size())
    return {};
  const Walk walk(line);
  const size_t at = size_t(column) - 1;
  std::optional<size_t> begin = at, end;
  if (const char op = walk.binary(at)) {
    begin = begin_of_left(line, at, is_product(op));
    end = end_of_right(line, line[at + 1] == '*' || line[at + 1] == '=' ? at + 1 : at, is_product(op));
  } else if (is_name(line[at]) || opens(line[at])) {
    end = walk.past_operand(at);
    if (end)
      if (std::optional<Expression> whole = assigned(line, at, *end))
        return whole;
  }
  if (!begin || !end || *end <= *begin)
    return {};
  return Expression{int(*begin) + 1, int(*end) + 1, std::string(line.substr(*begin, *end - *begin))};
}

std::optional<Expression> expression_in(std::string_view file, std::string_view line, int column) {
  if (!file.ends_with(".fpcore"))
    return expression_at(line, column);
  if (column < 2 || size_t(column) > line.size() || line[size_t(column) - 2] != '(')
    return {};
  const size_t begin = size_t(column) - 2;
  const std::optional<size_t> end = Walk(line).past_brackets(begin);
  if (!end)
    return {};
  return Expression{int(begin) + 1, int(*end) + 1, std::string(line.substr(begin, *end - begin))};
}

void read_expressions(Finding& finding, SourceText& source) {
  if (finding.cause)
    read_expression(*finding.cause, source);
  if (finding.aftermath && finding.aftermath->origin)
    read_expression(finding.aftermath->origin->place, source);
}

} // namespace faultline::model
