#include "constraint/smtlib/reader.h"

#include "constraint/smtlib/script_reader.h"
#include "frontend/error.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>

namespace faultline::constraint {

using frontend::status_usage;
using frontend::UserError;

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

namespace {

// Accepts SMT-LIB's logics with floats and without quantifiers, and ALL. Sorts and terms determine whether a script is
// supported.
constexpr size_t most_levels = 100'000; // of push

constexpr std::string_view logics[] = {"QF_FP",      "QF_FPLRA",  "QF_BVFP", "QF_BVFPLRA", "QF_ABVFP", "QF_ABVFPLRA",
                                       "QF_AUFBVFP", "QF_UFBVFP", "QF_UFFP", "QF_AFP",     "ALL",      "ALL_SUPPORTED"};

} // namespace

const ScriptReader::Row ScriptReader::commands[] = {
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

void ScriptReader::read_command(const Token& parenthesis) {
  const Token name = lexer_.expect_name("a command");
  const auto command = std::ranges::find(commands, name.text, &Row::name);
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
              "neither recursion nor data types");
}

void ScriptReader::reply(std::string text) {
  script_.commands.push_back({.kind = Command::Kind::reply, .text = std::move(text)});
}

// The standard's answer for an unsupported command; the other commands are still answered.
void ScriptReader::unsupported(size_t) {
  while (lexer_.peek().kind != Kind::close)
    lexer_.skip_expression();
  reply("unsupported");
}

// Keeps the quotes, as the standard requires.
void ScriptReader::echo(size_t) {
  const Token string = lexer_.next();
  if (string.kind != Kind::string)
    lexer_.fail(string.at, fmt::format("expected a string, found {}", shown(string)), "(echo \"text\")");
  reply(std::string(string.text));
}

void ScriptReader::set_logic(size_t at) {
  const Token logic = lexer_.expect_name("a logic");
  if (has_logic_)
    lexer_.fail(at, "a second set-logic", "use one logic, or (reset) in between");
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
    status_ = value.text == "sat" ? Status::sat : value.text == "unsat" ? Status::unsat : Status::unknown;
}

Term ScriptReader::formula(const char* what) {
  const size_t begin = lexer_.peek().at;
  const Value value = terms_.read();
  const ScriptSort sort = sort_of(script_.system, value);
  if (sort != ScriptSort{})
    lexer_.fail(begin, fmt::format("{} of sort {}, not Bool", what, text(sort)), "assert a formula");
  return std::get<Term>(value);
}

void ScriptReader::assert_term(size_t) {
  script_.commands.push_back({.kind = Command::Kind::assertion, .terms = {formula("an assertion")}});
  has_assertion_ = true;
}

// A declared status applies to the next check.
void ScriptReader::check(std::vector<Term> assumptions) {
  script_.commands.push_back({.kind = Command::Kind::check,
                              .terms = std::move(assumptions),
                              .status = std::exchange(status_, Status::unknown)});
  ++script_.checks;
}

void ScriptReader::check_sat(size_t) {
  script_.asks = true;
  check({});
}

void ScriptReader::check_sat_assuming(size_t) {
  std::vector<Term> assumptions;
  lexer_.expect_open("the assumptions");
  while (lexer_.peek().kind != Kind::close)
    assumptions.push_back(formula("an assumption"));
  lexer_.next();
  script_.asks = true;
  check(std::move(assumptions));
}

void ScriptReader::get_value(size_t) {
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

void ScriptReader::get_model(size_t) {
  script_.wants_model = true;
  script_.commands.push_back({.kind = Command::Kind::get_model});
}

int ScriptReader::levels() {
  return lexer_.peek().kind == Kind::close ? 1 : lexer_.expect_number("a number of levels");
}

void ScriptReader::push(size_t at) {
  const int count = levels();
  if (levels_.count() + size_t(count) > most_levels)
    lexer_.fail(at, fmt::format("more than {} levels", most_levels), "pop what is not needed");
  levels_.push(size_t(count), {symbols_.defined(), sorts_.count()});
  script_.commands.push_back({.kind = Command::Kind::push, .count = size_t(count)});
}

void ScriptReader::pop(size_t at) {
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

void ScriptReader::reset_assertions(size_t) {
  symbols_.forget_to(0);
  sorts_.forget_to(0);
  levels_.clear();
  script_.commands.push_back({.kind = Command::Kind::reset});
}

void ScriptReader::reset(size_t at) {
  reset_assertions(at);
  has_logic_ = false;
  status_ = Status::unknown;
}

void ScriptReader::exit(size_t) { ended_ = true; }

Script read_smtlib(std::string_view text, const std::string& file) { return ScriptReader(text, file).read(); }

} // namespace faultline::constraint
