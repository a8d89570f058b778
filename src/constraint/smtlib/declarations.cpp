#include "constraint/smtlib/script_reader.h"

#include <fmt/format.h>

namespace faultline::constraint {

using Kind = Token::Kind;

void ScriptReader::declare(const Token& name) {
  const size_t at = lexer_.peek().at;
  const ScriptSort sort = sorts_.read(lexer_);
  check_variable_sort(lexer_, at, sort);
  const uint32_t symbol = terms_.fresh_symbol(name);
  if (script_.system.size() > most_terms)
    lexer_.fail(name.at, fmt::format("more than {} terms", most_terms), "a smaller problem");
  const std::string own(name.text);
  Value value = sort.kind == ScriptSort::Kind::rounding ? Value(mode_variable(script_.system, own))
                                                        : Value(script_.system.variable(own, sort.term));
  script_.commands.push_back({.kind = Command::Kind::declaration, .count = script_.declared.size()});
  script_.declared.push_back({is_simple_symbol(own) ? own : "|" + own + "|", sort, value});
  symbols_.define(symbol, std::move(value));
}

void ScriptReader::declare_fun(size_t) {
  const Token name = lexer_.expect_name("a name");
  lexer_.expect_open("the sorts of the operands");
  if (const Token token = lexer_.next(); token.kind != Kind::close)
    lexer_.fail(token.at, fmt::format("{} is a function: only variables can be declared", shown(name)),
                "(declare-fun x () (_ FloatingPoint 11 53)), or define-fun");
  declare(name);
}

void ScriptReader::declare_const(size_t) { declare(lexer_.expect_name("a name")); }

// After "(", up to ")".
std::vector<Parameter> ScriptReader::parameters() {
  std::vector<Parameter> all;
  lexer_.expect_open("the parameters");
  for (Token token = lexer_.next(); token.kind != Kind::close; token = lexer_.next()) {
    if (token.kind != Kind::open)
      lexer_.fail(token.at, fmt::format("expected a parameter, found {}", shown(token)), "(x (_ FloatingPoint 11 53))");
    const uint32_t symbol = terms_.user_symbol(lexer_.expect_name("a parameter"));
    const size_t at = lexer_.peek().at;
    all.push_back({symbol, sorts_.read(lexer_)});
    check_variable_sort(lexer_, at, all.back().sort);
    lexer_.expect_close("a parameter");
  }
  return all;
}

void ScriptReader::define(const Token& name, std::vector<Parameter> parameters) {
  const ScriptSort sort = sorts_.read(lexer_);
  const size_t body = lexer_.at(), at = lexer_.peek().at;
  Value value = parameters.empty() ? terms_.read() : terms_.read_with(parameters);
  if (const ScriptSort real = sort_of(script_.system, value); real != sort)
    lexer_.fail(at, fmt::format("{} is of sort {}, not {}", shown(name), text(real), text(sort)), "check the sorts");
  const uint32_t symbol = terms_.fresh_symbol(name); // now: the body must not speak of it
  if (parameters.empty())
    symbols_.define(symbol, std::move(value));
  else
    symbols_.define(symbol, Definition{std::move(parameters), sort, body});
}

void ScriptReader::define_fun(size_t) {
  const Token name = lexer_.expect_name("a name");
  define(name, parameters());
}

void ScriptReader::define_const(size_t) { define(lexer_.expect_name("a name"), {}); }

void ScriptReader::define_sort(size_t) {
  const Token name = lexer_.expect_name("the name of a sort");
  lexer_.expect_open("the parameters of a sort");
  if (const Token token = lexer_.next(); token.kind != Kind::close)
    lexer_.fail(token.at, fmt::format("the sort {} has parameters, which are not supported", shown(name)),
                "(define-sort F () (_ FloatingPoint 11 53))");
  sorts_.define(lexer_, name, sorts_.read(lexer_));
}

} // namespace faultline::constraint
