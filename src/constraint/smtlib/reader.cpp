#include "constraint/smtlib/reader.h"

#include "constraint/smtlib/terms.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::constraint {

using Kind = Token::Kind;

namespace {

// Those of SMT-LIB with floats and without quantifiers, and ALL: whether a script stays within what is supported, its
// sorts and terms tell.
constexpr std::string_view logics[] = {"QF_FP",      "QF_FPLRA",  "QF_BVFP", "QF_BVFPLRA", "QF_ABVFP", "QF_ABVFPLRA",
                                       "QF_AUFBVFP", "QF_UFBVFP", "QF_UFFP", "QF_AFP",     "ALL",      "ALL_SUPPORTED"};

class ScriptReader {
public:
  ScriptReader(std::string_view text, const std::string& file)
      : lexer_(text, file), terms_(script_.system, lexer_, symbols_) {}

  Script read();

private:
  struct Command {
    std::string_view name;
    void (ScriptReader::*read)(size_t at); // up to its last parenthesis; none: it changes no problem
  };
  static const Command commands[];

  void read_command(const Token& parenthesis);
  void set_logic(size_t at);
  void set_info(size_t at);
  void declare_fun(size_t at);
  void declare_const(size_t at);
  void define_fun(size_t at);
  void define_const(size_t at);
  void define_sort(size_t at);
  void assert_term(size_t at);
  void check_sat(size_t at);
  void get_model(size_t at);
  void exit(size_t at);
  void refuse(size_t at);

  void declare(const Token& name);
  void define(const Token& name, std::vector<Parameter> parameters);
  std::vector<Parameter> parameters();

  Script script_;
  Lexer lexer_;
  Symbols symbols_;
  Sorts sorts_;
  TermReader terms_;
  bool has_logic_ = false, has_assertion_ = false, ended_ = false;
};

const ScriptReader::Command ScriptReader::commands[] = {
    {"set-logic", &ScriptReader::set_logic},
    {"set-info", &ScriptReader::set_info},
    {"set-option", nullptr},
    {"declare-fun", &ScriptReader::declare_fun},
    {"declare-const", &ScriptReader::declare_const},
    {"declare-sort", nullptr}, // until it is used
    {"define-fun", &ScriptReader::define_fun},
    {"define-const", &ScriptReader::define_const},
    {"define-sort", &ScriptReader::define_sort},
    {"assert", &ScriptReader::assert_term},
    {"check-sat", &ScriptReader::check_sat},
    {"get-model", &ScriptReader::get_model},
    {"exit", &ScriptReader::exit},
    {"echo", nullptr},
    {"get-assertions", nullptr},
    {"get-assignment", nullptr},
    {"get-info", nullptr},
    {"get-option", nullptr},
    {"get-proof", nullptr},
    {"get-unsat-assumptions", nullptr},
    {"get-unsat-core", nullptr},
    {"get-value", nullptr},
    {"push", &ScriptReader::refuse},
    {"pop", &ScriptReader::refuse},
    {"check-sat-assuming", &ScriptReader::refuse},
    {"reset", &ScriptReader::refuse},
    {"reset-assertions", &ScriptReader::refuse},
    {"define-fun-rec", &ScriptReader::refuse},
    {"define-funs-rec", &ScriptReader::refuse},
    {"declare-datatype", &ScriptReader::refuse},
    {"declare-datatypes", &ScriptReader::refuse},
};

Script ScriptReader::read() {
  for (Token token = lexer_.next(); token.kind != Kind::end; token = lexer_.next()) {
    if (ended_)
      lexer_.fail(token.at, fmt::format("{} after (exit)", shown(token)), "leave out what follows (exit)");
    if (token.kind != Kind::open)
      lexer_.fail(token.at, fmt::format("expected a command, found {}", shown(token)),
                  "a command is in parentheses: (check-sat)");
    read_command(token);
  }
  if (!script_.asks && !has_assertion_)
    lexer_.fail(lexer_.at(), "the file holds no problem", "it needs (assert ...) and (check-sat)");
  return std::move(script_);
}

void ScriptReader::read_command(const Token& parenthesis) {
  const Token name = lexer_.expect_name("a command");
  const auto command = std::ranges::find(commands, name.text, &Command::name);
  if (command == std::end(commands))
    lexer_.fail(name.at, fmt::format("unknown command {}", shown(name)), "is it an SMT-LIB 2.6 script?");
  if (!command->read)
    return lexer_.skip_to_close(parenthesis.at);
  (this->*command->read)(name.at);
  lexer_.expect_close("a command");
}

void ScriptReader::refuse(size_t at) {
  lexer_.seek(at);
  lexer_.fail(at, fmt::format("the command {} is not supported", shown(lexer_.next())),
              "one problem a file, with one check-sat");
}

void ScriptReader::set_logic(size_t at) {
  const Token logic = lexer_.expect_name("a logic");
  if (has_logic_)
    lexer_.fail(at, "a second set-logic", "one problem a file");
  if (std::ranges::find(logics, logic.text) == std::end(logics))
    lexer_.fail(logic.at, fmt::format("unsupported logic {}", shown(logic)), "QF_FP");
  has_logic_ = true;
}

void ScriptReader::set_info(size_t) {
  const Token key = lexer_.next();
  if (key.kind != Kind::keyword)
    lexer_.fail(key.at, fmt::format("expected a keyword, found {}", shown(key)), "(set-info :status sat)");
  const Token value = lexer_.peek();
  if (value.kind == Kind::close)
    return;
  lexer_.skip_expression();
  if (key.text == ":status")
    script_.status = value.text == "sat" ? Status::sat : value.text == "unsat" ? Status::unsat : Status::unknown;
}

void ScriptReader::declare(const Token& name) {
  const size_t at = lexer_.peek().at;
  const ScriptSort sort = sorts_.read(lexer_);
  check_variable_sort(lexer_, at, sort);
  const uint32_t symbol = terms_.fresh_symbol(name);
  if (script_.system.size() > most_terms)
    lexer_.fail(name.at, fmt::format("more than {} terms", most_terms), "a smaller problem");
  symbols_.define(symbol, script_.system.variable(std::string(name.text), sort.term));
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
    check_parameter_sort(lexer_, at, all.back().sort);
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

void ScriptReader::assert_term(size_t at) {
  if (script_.asks)
    lexer_.fail(at, "an assertion after (check-sat)", "one problem a file, with one check-sat at its end");
  const size_t begin = lexer_.peek().at;
  const Value value = terms_.read();
  const ScriptSort sort = sort_of(script_.system, value);
  if (sort != ScriptSort{})
    lexer_.fail(begin, fmt::format("an assertion of sort {}, not Bool", text(sort)), "assert a formula");
  script_.system.assert_true(std::get<Term>(value));
  has_assertion_ = true;
}

void ScriptReader::check_sat(size_t at) {
  if (script_.asks)
    lexer_.fail(at, "a second (check-sat)", "one problem a file, with one check-sat");
  script_.asks = true;
}

void ScriptReader::get_model(size_t) { script_.wants_model = true; }

void ScriptReader::exit(size_t) { ended_ = true; }

} // namespace

Script read_smtlib(std::string_view text, const std::string& file) { return ScriptReader(text, file).read(); }

} // namespace faultline::constraint
