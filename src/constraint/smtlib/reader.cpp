#include "constraint/smtlib/reader.h"

#include "base/error.h"
#include "constraint/smtlib/script_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>

namespace faultline::constraint {

using base::status_usage;
using base::UserError;

namespace {

constexpr const char* hint = "name an SMT-LIB file, or - for standard input";

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw UserError(status_usage, fmt::format("{}: {}", file, what), hint);
}

std::string contents(std::FILE* stream, const std::string& file) {
  struct stat status {};
  if (fstat(fileno(stream), &status) == 0 && S_ISDIR(status.st_mode))
    refuse(file, "is a folder");
  std::string text;
  constexpr size_t block = size_t{1} << 20;
  for (size_t count = block; count == block;) {
    const size_t size = text.size();
    if (size > most_script_bytes)
      refuse(file, fmt::format("larger than {} MB", most_script_bytes >> 20));
    text.resize(size + block);
    count = std::fread(text.data() + size, 1, block, stream);
    text.resize(size + count);
  }
  if (std::ferror(stream))
    refuse(file, std::strerror(errno));
  return text;
}

} // namespace

Script load_smtlib(const std::string& file) {
  if (file == "-")
    return read_smtlib(contents(stdin, "standard input"), "standard input");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), std::fclose);
  if (!stream)
    refuse(file, std::strerror(errno));
  return read_smtlib(contents(stream.get(), file), file);
}

using Kind = Token::Kind;

// Accepts SMT-LIB's logics with floats and without quantifiers, and ALL. Sorts and terms determine whether a script is
// supported.
constexpr size_t most_levels = 100'000; // of push

constexpr std::string_view logics[] = {"QF_FP",      "QF_FPLRA",  "QF_BVFP", "QF_BVFPLRA", "QF_ABVFP", "QF_ABVFPLRA",
                                       "QF_AUFBVFP", "QF_UFBVFP", "QF_UFFP", "QF_AFP",     "ALL",      "ALL_SUPPORTED"};

namespace {

class ScriptReader {
public:
  ScriptReader(std::string_view text, const std::string& file)
      : text_(text), lexer_(text, file), theories_(script_.system), terms_(theories_, lexer_, symbols_) {}

  Script read() {
    for (Token token = lexer_.next(); token.kind != Kind::end; token = lexer_.next()) {
      if (ended_)
        lexer_.fail(token.at, fmt::format("{} after (exit)", shown(token)), "leave out what follows (exit)");
      if (token.kind != Kind::open)
        lexer_.fail(token.at, fmt::format("expected a command, found {}", shown(token)),
                    "a command is in parentheses: (check-sat)");
      read_command(token);
    }
    if (!script_.asks && !has_assertion_)
      lexer_.fail(lexer_.at(), "the file contains no problem", "it needs (assert ...) and (check-sat)");
    if (!script_.asks)
      check({});
    script_.conditions = theories_.unspecified.conditions();
    Playback first(script_);
    for (const Command* command = first.next(); command; command = first.next())
      if (command->kind == Command::Kind::check) {
        script_.status = command->status;
        break;
      }
    return std::move(script_);
  }

private:
  struct Row {
    std::string_view name;
    void (ScriptReader::*read)(size_t at); // reads up to the closing parenthesis; null: ignored
  };

  void read_command(const Token& parenthesis) {
    static constexpr Row commands[] = {
        {"set-logic", &ScriptReader::set_logic},
        {"set-info", &ScriptReader::set_info},
        {"set-option", nullptr},
        {"declare-fun", &ScriptReader::declare_fun},
        {"declare-const", &ScriptReader::declare_const},
        {"declare-sort", nullptr}, // an error at its first use
        {"define-fun", &ScriptReader::define_fun},
        {"define-const", &ScriptReader::define_const},
        {"define-sort", &ScriptReader::define_sort},
        {"assert", &ScriptReader::assert_term},
        {"check-sat", &ScriptReader::check_sat},
        {"get-model", &ScriptReader::get_model},
        {"exit", &ScriptReader::exit},
        {"echo", &ScriptReader::echo},
        {"get-assertions", &ScriptReader::unsupported},
        {"get-assignment", &ScriptReader::unsupported},
        {"get-info", &ScriptReader::unsupported},
        {"get-option", &ScriptReader::unsupported},
        {"get-proof", &ScriptReader::unsupported},
        {"get-unsat-assumptions", &ScriptReader::unsupported},
        {"get-unsat-core", &ScriptReader::unsupported},
        {"get-value", &ScriptReader::get_value},
        {"push", &ScriptReader::push},
        {"pop", &ScriptReader::pop},
        {"check-sat-assuming", &ScriptReader::check_sat_assuming},
        {"reset", &ScriptReader::reset},
        {"reset-assertions", &ScriptReader::reset_assertions},
        {"define-fun-rec", &ScriptReader::refuse},
        {"define-funs-rec", &ScriptReader::refuse},
        {"declare-datatype", &ScriptReader::refuse},
        {"declare-datatypes", &ScriptReader::refuse},
    };
    const Token name = lexer_.expect_name("a command");
    const auto command = std::ranges::find(commands, name.text, &Row::name);
    if (command == std::end(commands))
      lexer_.fail(name.at, fmt::format("unknown command {}", shown(name)), "is it an SMT-LIB 2.6 script?");
    if (!command->read)
      return lexer_.skip_to_close(parenthesis.at);
    (this->*command->read)(name.at);
    lexer_.expect_close("a command");
  }

  void set_logic(size_t at) {
    const Token logic = lexer_.expect_name("a logic");
    if (has_logic_)
      lexer_.fail(at, "a second set-logic", "use one logic, or (reset) in between");
    if (std::ranges::find(logics, logic.text) == std::end(logics))
      lexer_.fail(logic.at, fmt::format("unsupported logic {}", shown(logic)), "QF_FP");
    has_logic_ = true;
  }

  void set_info(size_t) {
    const Token key = lexer_.next();
    if (key.kind != Kind::keyword)
      lexer_.fail(key.at, fmt::format("expected a keyword, found {}", shown(key)), "(set-info :status sat)");
    const Token value = lexer_.peek();
    if (value.kind == Kind::close)
      return;
    lexer_.skip_expression();
    if (key.text == ":status")
      status_ = value.text == "sat" ? Status::sat : value.text == "unsat" ? Status::unsat : Status::unknown;
  }

  void declare_fun(size_t) {
    const Token name = lexer_.expect_name("a name");
    lexer_.expect_open("the sorts of the operands");
    if (const Token token = lexer_.next(); token.kind != Kind::close)
      lexer_.fail(token.at, fmt::format("{} is a function: only variables can be declared", shown(name)),
                  "(declare-fun x () (_ FloatingPoint 11 53)), or define-fun");
    declare(name);
  }

  void declare_const(size_t) { declare(lexer_.expect_name("a name")); }

  void define_fun(size_t) {
    const Token name = lexer_.expect_name("a name");
    define(name, parameters());
  }

  void define_const(size_t) { define(lexer_.expect_name("a name"), {}); }

  void define_sort(size_t) {
    const Token name = lexer_.expect_name("the name of a sort");
    lexer_.expect_open("the parameters of a sort");
    if (const Token token = lexer_.next(); token.kind != Kind::close)
      lexer_.fail(token.at, fmt::format("the sort {} has parameters, which are not supported", shown(name)),
                  "(define-sort F () (_ FloatingPoint 11 53))");
    sorts_.define(lexer_, name, sorts_.read(lexer_));
  }

  void assert_term(size_t) {
    script_.commands.push_back({.kind = Command::Kind::assertion, .terms = {formula("an assertion")}});
    has_assertion_ = true;
  }

  void check_sat(size_t) {
    script_.asks = true;
    check({});
  }

  void check_sat_assuming(size_t) {
    std::vector<Term> assumptions;
    lexer_.expect_open("the assumptions");
    while (lexer_.peek().kind != Kind::close)
      assumptions.push_back(formula("an assumption"));
    lexer_.next();
    script_.asks = true;
    check(std::move(assumptions));
  }

  void get_value(size_t) {
    Command command{.kind = Command::Kind::get_value};
    lexer_.expect_open("the terms");
    while (lexer_.peek().kind != Kind::close) {
      const size_t begin = lexer_.peek().at;
      Value value = terms_.read();
      command.asked.push_back({std::string(text_.substr(begin, lexer_.at() - begin)), std::move(value)});
    }
    lexer_.next();
    script_.commands.push_back(std::move(command));
  }

  void get_model(size_t) {
    script_.wants_model = true;
    script_.commands.push_back({.kind = Command::Kind::get_model});
  }

  void push(size_t at) {
    const int count = levels();
    if (levels_.count() + size_t(count) > most_levels)
      lexer_.fail(at, fmt::format("more than {} levels", most_levels), "pop what is not needed");
    levels_.push(size_t(count), {symbols_.defined(), sorts_.count()});
    script_.commands.push_back({.kind = Command::Kind::push, .count = size_t(count)});
  }

  void pop(size_t at) {
    const int count = levels();
    if (size_t(count) > levels_.count())
      lexer_.fail(at, fmt::format("{} levels to pop, of {}", count, levels_.count()), "count the (push) before it");
    if (count == 0)
      return;
    const Level level = levels_.pop(size_t(count));
    symbols_.forget_to(level.symbols);
    sorts_.forget_to(level.sorts);
    script_.commands.push_back({.kind = Command::Kind::pop, .count = size_t(count)});
  }

  void reset(size_t at) {
    reset_assertions(at);
    has_logic_ = false;
    status_ = Status::unknown;
  }

  void reset_assertions(size_t) {
    symbols_.forget_to(0);
    sorts_.forget_to(0);
    levels_.clear();
    script_.commands.push_back({.kind = Command::Kind::reset});
  }

  void exit(size_t) { ended_ = true; }

  // Keeps the quotes, as the standard requires.
  void echo(size_t) {
    const Token string = lexer_.next();
    if (string.kind != Kind::string)
      lexer_.fail(string.at, fmt::format("expected a string, found {}", shown(string)), "(echo \"text\")");
    reply(std::string(string.text));
  }

  // The standard's answer for an unsupported command; the other commands are still answered.
  void unsupported(size_t) {
    while (lexer_.peek().kind != Kind::close)
      lexer_.skip_expression();
    reply("unsupported");
  }

  void refuse(size_t at) {
    lexer_.seek(at);
    lexer_.fail(at, fmt::format("the command {} is not supported", shown(lexer_.next())),
                "neither recursion nor data types");
  }

  void declare(const Token& name) {
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

  void reply(std::string text) { script_.commands.push_back({.kind = Command::Kind::reply, .text = std::move(text)}); }

  // A declared status applies to the next check.
  void check(std::vector<Term> assumptions) {
    script_.commands.push_back({.kind = Command::Kind::check,
                                .terms = std::move(assumptions),
                                .status = std::exchange(status_, Status::unknown)});
    ++script_.checks;
  }

  int levels() { return lexer_.peek().kind == Kind::close ? 1 : lexer_.expect_number("a number of levels"); }

  Term formula(const char* what) {
    const size_t begin = lexer_.peek().at;
    const Value value = terms_.read();
    const ScriptSort sort = sort_of(script_.system, value);
    if (sort != ScriptSort{})
      lexer_.fail(begin, fmt::format("{} of sort {}, not Bool", what, text(sort)), "assert a formula");
    return std::get<Term>(value);
  }

  void define(const Token& name, std::vector<Parameter> parameters) {
    const ScriptSort sort = sorts_.read(lexer_);
    const size_t body = lexer_.at(), at = lexer_.peek().at;
    Value value = parameters.empty() ? terms_.read() : terms_.read_with(parameters);
    if (const ScriptSort real = sort_of(script_.system, value); real != sort)
      lexer_.fail(at, fmt::format("{} is of sort {}, not {}", shown(name), text(real), text(sort)), "check the sorts");
    const uint32_t symbol = terms_.fresh_symbol(name); // now, because the body must not refer to it
    if (parameters.empty())
      symbols_.define(symbol, std::move(value));
    else
      symbols_.define(symbol, Definition{std::move(parameters), sort, body});
  }

  // Reads from after "(" to ")".
  std::vector<Parameter> parameters() {
    std::vector<Parameter> all;
    lexer_.expect_open("the parameters");
    for (Token token = lexer_.next(); token.kind != Kind::close; token = lexer_.next()) {
      if (token.kind != Kind::open)
        lexer_.fail(token.at, fmt::format("expected a parameter, found {}", shown(token)),
                    "(x (_ FloatingPoint 11 53))");
      const uint32_t symbol = terms_.user_symbol(lexer_.expect_name("a parameter"));
      const size_t at = lexer_.peek().at;
      all.push_back({symbol, sorts_.read(lexer_)});
      check_variable_sort(lexer_, at, all.back().sort);
      lexer_.expect_close("a parameter");
    }
    return all;
  }

  struct Level { // the state to restore
    size_t symbols, sorts;
  };

  std::string_view text_;
  Script script_;
  Lexer lexer_;
  Symbols symbols_;
  Sorts sorts_;
  Theories theories_;
  TermReader terms_;
  Levels<Level> levels_;
  Status status_ = Status::unknown; // of the next check
  bool has_logic_ = false, has_assertion_ = false, ended_ = false;
};

} // namespace

Script read_smtlib(std::string_view text, const std::string& file) { return ScriptReader(text, file).read(); }

} // namespace faultline::constraint
