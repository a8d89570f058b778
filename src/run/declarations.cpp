#include "run/declarations.h"

#include <algorithm>
#include <cctype>

namespace faultline::run {

namespace {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_name(const std::string& text) { return !text.empty() && begins_name(text[0]); }

bool qualifies(const std::string& word) {
  static const std::set<std::string> words = {"const",        "volatile", "restrict",     "__restrict",
                                              "__restrict__", "static",   "constexpr",    "inline",
                                              "extern",       "register", "thread_local", "mutable"};
  return words.contains(word);
}

// The end of a comment, string or character that begins at `at`; `at` if there is none.
size_t skipped(const std::string& text, size_t at) {
  if (text.compare(at, 2, "//") == 0)
    return std::min(text.find('\n', at), text.size());
  if (text.compare(at, 2, "/*") == 0) {
    const size_t end = text.find("*/", at + 2);
    return end == std::string::npos ? text.size() : end + 2;
  }
  if (text[at] != '"' && text[at] != '\'')
    return at;
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote && text[at] != '\n')
    at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

class DeclarationReader {
public:
  DeclarationReader(const std::string& text, const std::string& file, const std::set<std::string>& types)
      : tokens_(tokens_of(text)), file_(file), types_(types) {}

  std::vector<Declaration> read() {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const std::string& text = tokens_[i].text;
      if (text == "(")
        callers_.push_back(is_name(word(i - 1)) ? word(i - 1) : "");
      else if (text == ")" && !callers_.empty())
        callers_.pop_back();
      else if (text == "{" || text == "}")
        callers_.clear();
      if (text == "double" && word(i - 1) != "long" && word(i + 1) != "long")
        add(i);
      else if (types_.contains(text) && begins_typedef(i))
        add_type(i);
    }
    return std::move(found_);
  }

private:
  const std::string& word(size_t i) const {
    static const std::string none;
    return i < tokens_.size() ? tokens_[i].text : none;
  }

  Declaration at(size_t i, Declaration::Kind kind) const {
    Declaration found;
    found.kind = kind;
    found.file = file_;
    found.line = tokens_[i].line;
    found.offset = tokens_[i].offset;
    found.length = tokens_[i].text.size();
    return found;
  }

  // `typedef T`, `using X = T`
  bool begins_typedef(size_t i) const {
    while (i > 0 && qualifies(word(i - 1)))
      --i;
    return word(i - 1) == "typedef" || (word(i - 1) == "=" && word(i - 3) == "using");
  }

  void add_type(size_t i) {
    Declaration type = at(i, Declaration::Kind::type);
    size_t first = i;
    while (first > 0 && qualifies(word(first - 1)))
      --first;
    if (word(first - 1) == "=") {
      type.names = {word(first - 2)};
    } else {
      for (size_t j = i + 1; j < tokens_.size() && word(j) != ";"; ++j)
        if (is_name(word(j)) && (word(j + 1) == ";" || word(j + 1) == "," || word(j + 1) == "["))
          type.names.push_back(word(j));
    }
    found_.push_back(type);
  }

  void add(size_t i) {
    if (begins_typedef(i))
      return add_type(i);
    if (word(i - 2) == "define" && word(i - 3) == "#") {
      found_.push_back(at(i, Declaration::Kind::type));
      found_.back().names = {word(i - 1)};
      return;
    }
    size_t first = i; // of the specifiers
    while (first > 0 && qualifies(word(first - 1)))
      --first;
    size_t after = i + 1;
    while (qualifies(word(after)) || word(after) == "*" || word(after) == "&")
      ++after;
    const bool closed = word(first - 1) == "(" && word(after) == ")";
    if (closed && word(first - 2) == "sizeof") {
      if (after == i + 1) // the size of a pointer stays
        found_.push_back(at(i, Declaration::Kind::size));
      return;
    }
    const bool calls = word(first - 1) == "(" && is_name(word(first - 2)) && word(first - 2) != "return";
    const bool is_constructed = word(i + 1) == "(" && word(i + 2) != "*"; // double(x)
    if ((closed && !calls) || is_constructed || (word(first - 1) == "<" && word(first - 2).ends_with("_cast"))) {
      found_.push_back(at(i, Declaration::Kind::cast));
      return;
    }
    Declaration object = at(i, Declaration::Kind::object);
    object.is_indirect = word(first - 1) == "<";
    for (size_t j = i + 1; j < tokens_.size() && !ends_declarators(word(j)); ++j)
      object.is_indirect |= word(j) == "*" || word(j) == "&" || word(j) == "[" || word(j) == ">";
    object.names = names_after(i + 1);
    if (object.names.empty() && calls) // a parameter without name, of this function
      object.names = {word(first - 2)};
    object.owner = callers_.empty() ? "" : callers_.back();
    found_.push_back(object);
  }

  static bool ends_declarators(const std::string& text) {
    return text == ";" || text == "=" || text == "{" || text == "(" || text == ")";
  }

  // The names of the declarators after a type.
  std::vector<std::string> names_after(size_t i) const {
    std::vector<std::string> names;
    const bool is_parameter = !callers_.empty();
    int nested = 0; // parentheses, brackets and braces of an initializer
    bool wants_name = true;
    for (; i < tokens_.size(); ++i) {
      const std::string& text = word(i);
      if (nested == 0 && (text == ";" || text == ")" || (text == "{" && !wants_name && word(i - 1) == ")") ||
                          (text == "," && is_parameter)))
        break;
      if (wants_name && is_name(text) && !qualifies(text) && word(i + 1) != ":") {
        names.push_back(text);
        wants_name = false;
      } else if (wants_name && (text == "(" || text == "*" || text == "&" || text == ">" || text == ")")) {
        continue;
      } else if (text == "," && nested == 0) {
        wants_name = true;
      } else if (text == "(" || text == "[" || text == "{") {
        ++nested;
      } else if (text == ")" || text == "]" || text == "}") {
        if (--nested < 0)
          break;
      }
    }
    return names;
  }

  std::vector<Token> tokens_;
  const std::string& file_;
  const std::set<std::string>& types_;
  std::vector<Declaration> found_;
  std::vector<std::string> callers_; // of the open parentheses
};

} // namespace

std::vector<Token> tokens_of(const std::string& text) {
  std::vector<Token> tokens;
  int line = 1;
  for (size_t at = 0; at < text.size();) {
    size_t end = skipped(text, at);
    if (end == at && !std::isspace(static_cast<unsigned char>(text[at]))) {
      end = at + 1;
      const bool number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
      while ((begins_name(text[at]) || number) && end < text.size() &&
             (continues_name(text[end]) || (number && text[end] == '.')))
        ++end;
      tokens.push_back({text.substr(at, end - at), at, line});
    }
    end = std::max(end, at + 1);
    line += int(std::count(text.begin() + std::ptrdiff_t(at), text.begin() + std::ptrdiff_t(end), '\n'));
    at = end;
  }
  return tokens;
}

std::vector<Declaration> declarations_in(const std::string& text, const std::string& file,
                                         const std::set<std::string>& types) {
  return DeclarationReader(text, file, types).read();
}

void add_double_types(const std::string& text, std::set<std::string>& types) {
  for (size_t before = ~size_t(0); before != types.size();) {
    before = types.size();
    for (const Declaration& declaration : declarations_in(text, "", std::set(types)))
      if (declaration.kind == Declaration::Kind::type)
        types.insert(declaration.names.begin(), declaration.names.end());
  }
}

} // namespace faultline::run
