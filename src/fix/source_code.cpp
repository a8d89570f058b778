#include "fix/source_code.h"

#include "base/error.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

namespace faultline::fix {

using Json = nlohmann::json;

namespace {

Span span_from(const Json& json) {
  Span span{json.at("b"), json.at("e"), json.value("m", false)};
  if (span.end < span.begin)
    span.end = span.begin;
  return span;
}

constexpr std::pair<std::string_view, Code::Kind> code_kinds[] = {
    {"number", Code::Kind::number}, {"name", Code::Kind::name},     {"call", Code::Kind::call},
    {"op", Code::Kind::op},         {"unary", Code::Kind::unary},   {"cond", Code::Kind::choice},
    {"index", Code::Kind::index},   {"member", Code::Kind::member}, {"cast", Code::Kind::cast}};

constexpr std::pair<std::string_view, Statement::Kind> statement_kinds[] = {
    {"declare", Statement::Kind::declare},  {"expression", Statement::Kind::expression},
    {"return", Statement::Kind::give_back}, {"if", Statement::Kind::branch},
    {"loop", Statement::Kind::loop},        {"block", Statement::Kind::block}};

template <class Kinds> auto kind_from(const Kinds& kinds, const std::string& text) {
  using Kind = std::decay_t<decltype(kinds[0].second)>;
  for (const auto& [name, kind] : kinds)
    if (name == text)
      return kind;
  return Kind::other;
}

Code code_from(const Json& json) {
  Code code;
  code.kind = kind_from(code_kinds, json.at("k"));
  code.span = span_from(json);
  code.symbol = json.value("s", "");
  code.type = json.value("t", "");
  code.declared = json.value("d", size_t(0));
  const std::string scope = json.value("of", "");
  code.scope = scope == "parameter" ? Scope::parameter : scope == "global" ? Scope::global : Scope::local;
  code.library = json.value("lib", false);
  if (const std::string value = json.value("v", ""); !value.empty())
    code.value = numeric::parse_long_double(value);
  for (const Json& part : json.value("x", Json::array()))
    code.parts.push_back(code_from(part));
  return code;
}

std::vector<Statement> statements_from(const Json& json);

Statement statement_from(const Json& json) {
  Statement statement;
  statement.kind = kind_from(statement_kinds, json.at("k"));
  statement.span = span_from(json);
  statement.name = json.value("s", "");
  statement.declared = json.value("d", size_t(0));
  statement.type = json.value("t", "");
  for (const char* key : {"value", "init", "condition"})
    if (json.contains(key))
      statement.value = code_from(json.at(key));
  statement.head = statements_from(json.value("head", Json::array()));
  statement.body = statements_from(json.value(json.contains("then") ? "then" : "body", Json::array()));
  statement.otherwise = statements_from(json.value("else", Json::array()));
  statement.braced = json.value("braced", true);
  statement.declares = json.value("declares", false);
  return statement;
}

std::vector<Statement> statements_from(const Json& json) {
  std::vector<Statement> all;
  for (const Json& one : json)
    all.push_back(statement_from(one));
  return all;
}

// True for the innermost node: no part has the offset, unless it is only an implicit conversion of it.
bool find_in(const Code& code, size_t offset, std::vector<const Code*>& path) {
  if (!code.span.contains(offset))
    return false;
  path.push_back(&code);
  for (const Code& part : code.parts)
    if (find_in(part, offset, path))
      return true;
  return true;
}

bool find_in(const std::vector<Statement>& statements, size_t offset, Found& found) {
  for (const Statement& statement : statements) {
    found.blocks.push_back(&statement);
    std::vector<const Code*> path;
    if (statement.value && find_in(*statement.value, offset, path)) {
      found.node = path.back();
      found.statement = &statement;
      found.around.assign(path.rbegin() + 1, path.rend());
      return true;
    }
    for (const auto* inside : {&statement.head, &statement.body, &statement.otherwise})
      if (find_in(*inside, offset, found))
        return true;
    found.blocks.pop_back();
  }
  return false;
}

} // namespace

bool Code::assigns() const {
  if (kind == Kind::unary)
    return symbol == "++" || symbol == "--";
  return kind == Kind::op && symbol.ends_with('=') && symbol != "==" && symbol != "!=" && symbol != "<=" &&
         symbol != ">=";
}

std::optional<Function> function_from(const std::string& text, Language language) {
  try {
    const Json json = Json::parse(text);
    const Json& bodies = json.at("bodies");
    if (bodies.empty())
      return std::nullopt;
    const Json& body = bodies.back();
    return Function{.name = body.at("s"),
                    .file = body.at("file"),
                    .language = language,
                    .span = span_from(body),
                    .open = body.value("open", size_t(0)),
                    .is_template = body.at("template"),
                    .result = body.at("result"),
                    .parameters = statements_from(body.at("parameters")),
                    .body = statements_from(body.at("body"))};
  } catch (const Json::exception& problem) {
    throw base::UserError(base::status_internal,
                          std::string("the body of a function cannot be read: ") + problem.what(),
                          "please report this");
  }
}

std::optional<Found> node_at(const Function& function, size_t offset) {
  Found found;
  return find_in(function.body, offset, found) ? std::optional(found) : std::nullopt;
}

void each_value(const std::vector<Statement>& statements,
                const std::function<void(const Statement&, const Code&)>& visit) {
  for (const Statement& statement : statements) {
    if (statement.value)
      visit(statement, *statement.value);
    for (const auto* inside : {&statement.head, &statement.body, &statement.otherwise})
      each_value(*inside, visit);
  }
}

void each_node(const Code& code, const std::function<void(const Code&)>& visit) {
  visit(code);
  for (const Code& part : code.parts)
    each_node(part, visit);
}

size_t offset_of(std::string_view text, int line, int column) {
  size_t at = 0;
  for (int i = 1; i < line; ++i) {
    at = text.find('\n', at);
    if (at == std::string_view::npos)
      return at;
    ++at;
  }
  at += size_t(std::max(column, 1)) - 1;
  return at < text.size() ? at : std::string_view::npos;
}

int line_of(std::string_view text, size_t offset) {
  return 1 + int(std::ranges::count(text.substr(0, std::min(offset, text.size())), '\n'));
}

} // namespace faultline::fix
