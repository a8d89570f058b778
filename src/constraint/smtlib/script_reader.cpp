#include "constraint/smtlib/script_reader.h"

#include <fmt/format.h>
#include <functional>

namespace faultline::constraint {

void Playback::pop(size_t count) {
  const Level level = levels_.pop(count);
  assertions_.resize(level.assertions);
  declared_.resize(level.declared);
}

void Playback::assert_all(const Command& check) {
  script_.system.retract_all();
  const auto add = [this](const std::vector<Term>& terms) {
    for (const Term term : terms)
      script_.system.assert_true(term);
  };
  add(script_.conditions);
  add(assertions_);
  add(check.terms);
}

// Executes a command. True if it needs an answer.
bool Playback::play(const Command& command) {
  switch (command.kind) {
  case Command::Kind::declaration:
    declared_.push_back(command.count);
    return false;
  case Command::Kind::assertion:
    assertions_.push_back(command.terms[0]);
    return false;
  case Command::Kind::push:
    levels_.push(command.count, {assertions_.size(), declared_.size()});
    return false;
  case Command::Kind::pop:
    pop(command.count);
    return false;
  case Command::Kind::reset:
    assertions_.clear();
    declared_.clear();
    levels_.clear();
    return false;
  case Command::Kind::check:
    assert_all(command);
    is_answered_ = true;
    return true;
  case Command::Kind::get_value:
  case Command::Kind::get_model:
  case Command::Kind::reply:
    return true;
  }
  return false;
}

const Command* Playback::next() {
  while (at_ < script_.commands.size()) {
    const Command& command = script_.commands[at_++];
    if (play(command))
      return &command;
    is_answered_ = false;
  }
  return nullptr;
}

std::vector<const DeclaredVariable*> Playback::declared() const {
  std::vector<const DeclaredVariable*> all;
  for (const size_t i : declared_)
    all.push_back(&script_.declared[i]);
  return all;
}

Symbols::Slot& Symbols::slot_of(std::string_view name, uint32_t hash) {
  size_t at = hash & (slots_.size() - 1);
  while (slots_[at].symbol != nowhere && (slots_[at].hash != hash || symbols_[slots_[at].symbol].name != name))
    at = (at + 1) & (slots_.size() - 1);
  return slots_[at];
}

void Symbols::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
  for (const Slot& slot : old)
    if (slot.symbol != nowhere)
      slot_of(symbols_[slot.symbol].name, slot.hash) = slot;
}

uint32_t Symbols::number(std::string_view name) {
  const uint32_t hash = uint32_t(std::hash<std::string_view>()(name));
  Slot& slot = slot_of(name, hash);
  if (slot.symbol != nowhere)
    return slot.symbol;
  const uint32_t symbol = uint32_t(symbols_.size());
  slot = {hash, symbol};
  symbols_.push_back({name});
  if (2 * symbols_.size() > slots_.size())
    grow();
  return symbol;
}

const Value* Symbols::value(uint32_t symbol) const {
  const Symbol& known = symbols_[symbol];
  if (known.local != nowhere && known.local >= hidden_)
    return &bound_[known.local].value;
  return known.is_defined && known.definition == nowhere ? &known.value : nullptr;
}

const Definition* Symbols::definition(uint32_t symbol) const {
  const Symbol& known = symbols_[symbol];
  const bool is_local = known.local != nowhere && known.local >= hidden_;
  return is_local || known.definition == nowhere ? nullptr : &definitions_[known.definition];
}

void Symbols::define(uint32_t symbol, Value value) {
  symbols_[symbol].is_defined = true;
  symbols_[symbol].value = std::move(value);
  defined_.push_back(symbol);
}

void Symbols::define(uint32_t symbol, Definition definition) {
  symbols_[symbol].is_defined = true;
  symbols_[symbol].definition = uint32_t(definitions_.size());
  definitions_.push_back(std::move(definition));
  defined_.push_back(symbol);
}

void Symbols::forget_to(size_t count) {
  for (; defined_.size() > count; defined_.pop_back()) {
    Symbol& symbol = symbols_[defined_.back()];
    symbol.is_defined = false;
    symbol.value = {};
    if (symbol.definition != nowhere)
      definitions_.resize(symbol.definition);
    symbol.definition = nowhere;
  }
}

void Symbols::bind(uint32_t symbol, Value value) {
  bound_.push_back({symbol, symbols_[symbol].local, std::move(value)});
  symbols_[symbol].local = uint32_t(bound_.size() - 1);
}

void Symbols::unbind_to(size_t count) {
  while (bound_.size() > count) {
    symbols_[bound_.back().symbol].local = bound_.back().earlier;
    bound_.pop_back();
  }
}

using Kind = Token::Kind;

namespace {

constexpr const char* hint_declare = "declare it first: (declare-fun x () (_ FloatingPoint 11 53))";
constexpr const char* hint_theories = "terms are Booleans, floats, bit-vectors and rounding modes";
constexpr const char* hint_term = "a term is a name, a literal, or (function operand ...)";

bool is_reserved(const Token& token) { return token.kind == Kind::symbol && is_reserved_word(token.text); }

} // namespace

uint32_t TermReader::user_symbol(const Token& name) {
  if (is_reserved(name) || find_operator(name.text) || is_named_constant(name.text))
    lexer_.fail(name.at, fmt::format("{} is a reserved word of SMT-LIB and cannot be redefined", shown(name)),
                "choose another name");
  if (symbols_.count() >= most_symbols)
    lexer_.fail(name.at, fmt::format("more than {} names", most_symbols), "a smaller problem");
  return symbols_.number(name.text);
}

uint32_t TermReader::fresh_symbol(const Token& name) {
  const uint32_t symbol = user_symbol(name);
  if (symbols_.is_defined(symbol))
    lexer_.fail(name.at, fmt::format("{} is declared twice", shown(name)), "choose another name");
  return symbol;
}

Value TermReader::read() {
  result_.reset();
  while (!result_) {
    const Token token = lexer_.next();
    if (token.kind == Kind::open)
      open(token);
    else if (token.kind == Kind::close)
      close(token);
    else if (token.kind == Kind::end && !frames_.empty())
      lexer_.fail(frames_.back().application.at, "a '(' that is never closed", "count the parentheses");
    else
      deliver(atom(token));
  }
  return std::move(*result_);
}

Value TermReader::read_with(const std::vector<Parameter>& parameters) {
  const size_t bound = symbols_.bound();
  for (const Parameter& parameter : parameters) {
    if (symbols_.is_bound_since(parameter.symbol, bound))
      lexer_.fail(lexer_.at(), fmt::format("two parameters are called {}", shown(symbols_.name(parameter.symbol))),
                  "choose another name");
    symbols_.bind(parameter.symbol, stand_in(parameter.sort));
  }
  ++expansions_;
  Value value = read();
  --expansions_;
  symbols_.unbind_to(bound);
  return value;
}

Value TermReader::stand_in(const ScriptSort& sort) {
  if (sort.kind == ScriptSort::Kind::rounding)
    return mode_constant(system_, Rounding::nearest_even);
  return system_.constant_of(sort.term, 0);
}

void TermReader::push(Frame frame) {
  if (frames_.size() >= most_nested)
    lexer_.fail(frame.application.at, fmt::format("nested more deeply than {} parentheses", most_nested),
                "share terms with let");
  frame.operands = operands_.size();
  frames_.push_back(frame);
}

void TermReader::open(const Token& parenthesis) {
  const Token head = lexer_.next();
  if (head.kind == Kind::open)
    return open_indexed(parenthesis);
  if (!head.is_name())
    lexer_.fail(head.at, fmt::format("expected a function, found {}", shown(head)), hint_term);
  Frame frame{.application = {.at = parenthesis.at}};
  if (head.is_word("let"))
    return open_let(parenthesis);
  if (head.is_word("_"))
    return deliver(indexed_constant(system_, lexer_, parenthesis.at));
  if (head.is_word("!")) {
    frame.kind = Frame::Kind::annotation;
    return push(frame);
  }
  if (head.is_word("forall") || head.is_word("exists"))
    lexer_.fail(parenthesis.at, "quantifiers are not supported", "a formula without quantifiers");
  if (is_reserved(head))
    lexer_.fail(parenthesis.at, fmt::format("{} is not supported", shown(head)), hint_term);
  if (const Operator* function = find_operator(head.text)) {
    if (!function->apply)
      lexer_.fail(head.at, fmt::format("{} is not supported", function->name), hint_theories);
    if (function->indices > 0)
      lexer_.fail(head.at, fmt::format("{} needs numbers", shown(head)),
                  fmt::format("((_ {} {}) ...)", function->name, function->indices == 1 ? "32" : "11 53"));
    frame.application.function = function;
    return push(frame);
  }
  const uint32_t symbol = symbols_.number(head.text);
  frame.definition = symbols_.definition(symbol);
  frame.kind = Frame::Kind::use;
  if (!frame.definition && symbols_.value(symbol))
    lexer_.fail(head.at, fmt::format("{} is not a function", shown(head)), "leave out its parentheses");
  if (!frame.definition)
    lexer_.fail(head.at, fmt::format("unknown function {}", shown(head)),
                "functions are those of the FloatingPoint theory and those of define-fun");
  push(frame);
}

void TermReader::open_indexed(const Token& parenthesis) {
  if (const Token word = lexer_.next(); !word.is_word("_"))
    lexer_.fail(word.at, fmt::format("expected _ and a function, found {}", shown(word)), "((_ to_fp 11 53) RNE x)");
  const Token name = lexer_.expect_name("a function");
  const Operator* function = find_operator(name.text);
  if (!function || (function->indices == 0 && function->apply))
    lexer_.fail(name.at, fmt::format("unknown function (_ {} ...)", shown(name)), "((_ to_fp 11 53) RNE x)");
  if (!function->apply)
    lexer_.fail(name.at, fmt::format("{} is not supported", function->name), hint_theories);
  Frame frame{.application = {.function = function, .at = parenthesis.at}};
  if (function->name == "extract") {
    frame.application.indices = {lexer_.expect_number("the first bit"), 0};
    frame.application.indices[1] = lexer_.expect_number("the last bit");
  } else if (function->indices == 1) {
    frame.application.indices = {lexer_.expect_number("a number of bits"), 0};
  } else {
    const BinaryFormat format = read_format(lexer_, parenthesis.at);
    frame.application.indices = {format.exponent_bits, format.significand_bits};
  }
  lexer_.expect_close("the numbers of a function");
  push(frame);
}

void TermReader::open_let(const Token& parenthesis) {
  push({.kind = Frame::Kind::bindings, .application = {.at = parenthesis.at}, .names = names_.size()});
  lexer_.expect_open("the bindings of let");
  next_binding();
}

// Reads the next binding after "let (" or another binding, or the end of the list. The bindings are parallel: none sees
// another.
void TermReader::next_binding() {
  const Token token = lexer_.next();
  if (token.kind == Kind::open) {
    names_.push_back(user_symbol(lexer_.expect_name("the name of a binding")));
    return;
  }
  Frame& frame = frames_.back();
  if (token.kind != Kind::close)
    lexer_.fail(token.at, fmt::format("expected a binding of let, found {}", shown(token)),
                "(let ((x term) ...) term)");
  frame.kind = Frame::Kind::body;
  frame.bound = symbols_.bound();
  for (size_t i = frame.names; i < names_.size(); ++i) {
    if (symbols_.is_bound_since(names_[i], frame.bound))
      lexer_.fail(frame.application.at, fmt::format("let binds {} twice", shown(symbols_.name(names_[i]))),
                  "choose another name");
    symbols_.bind(names_[i], std::move(operands_[frame.operands + (i - frame.names)]));
  }
  names_.resize(frame.names);
  operands_.erase(operands_.begin() + long(frame.operands), operands_.end());
}

void TermReader::close(const Token& parenthesis) {
  const bool complete =
      !frames_.empty() && (frames_.back().kind == Frame::Kind::application || frames_.back().kind == Frame::Kind::use);
  if (!complete)
    lexer_.fail(parenthesis.at, "expected a term, found ')'", hint_term);
  const Frame frame = frames_.back();
  if (frame.kind == Frame::Kind::use)
    return expand(frame);
  Value value = apply(theories_, lexer_, frame.application, std::span(operands_).subspan(frame.operands));
  operands_.erase(operands_.begin() + long(frame.operands), operands_.end());
  frames_.pop_back();
  deliver(std::move(value));
}

void TermReader::expand(Frame frame) {
  const std::vector<Parameter>& parameters = frame.definition->parameters;
  const std::span<Value> operands = std::span(operands_).subspan(frame.operands);
  if (operands.size() != parameters.size())
    lexer_.fail(frame.application.at, fmt::format("{} operands for {} parameters", operands.size(), parameters.size()),
                "count the operands");
  for (size_t i = 0; i < operands.size(); ++i)
    if (const ScriptSort sort = sort_of(system_, operands[i]); sort != parameters[i].sort)
      lexer_.fail(frame.application.at,
                  fmt::format("operand {} is of sort {}, not {}", i + 1, text(sort), text(parameters[i].sort)),
                  "check the operands");
  frame.kind = Frame::Kind::expansion;
  frame.bound = symbols_.bound();
  frame.hidden = symbols_.hidden();
  frame.behind = lexer_.at();
  symbols_.hide(frame.bound);
  for (size_t i = 0; i < operands.size(); ++i)
    symbols_.bind(parameters[i].symbol, std::move(operands[i]));
  operands_.erase(operands_.begin() + long(frame.operands), operands_.end());
  lexer_.seek(frame.definition->body);
  ++expansions_;
  frames_.back() = frame;
}

Value TermReader::atom(const Token& token) {
  if (token.is_name() && !is_reserved(token)) {
    const uint32_t symbol = symbols_.number(token.text);
    if (const Value* value = symbols_.value(symbol))
      return *value;
    if (const std::optional<Value> constant = named_constant(system_, token.text))
      return *constant;
    if (find_operator(token.text) || symbols_.definition(symbol))
      lexer_.fail(token.at, fmt::format("the function {} has no operands", shown(token)), hint_term);
    lexer_.fail(token.at, fmt::format("undeclared symbol {}", shown(token)), hint_declare);
  }
  if (const std::optional<Value> value = literal(system_, lexer_, token))
    return *value;
  lexer_.fail(token.at, fmt::format("expected a term, found {}", shown(token)), hint_term);
}

void TermReader::deliver(Value value) {
  while (!frames_.empty())
    if (!receive(frames_.back(), value))
      return;
  result_ = std::move(value);
}

bool TermReader::receive(Frame& frame, Value& value) {
  switch (frame.kind) {
  case Frame::Kind::application:
  case Frame::Kind::use:
  case Frame::Kind::bindings:
    if (operands_.size() >= most_operands)
      lexer_.fail(frame.application.at, fmt::format("more than {} operands", most_operands), "share terms with let");
    operands_.push_back(std::move(value));
    if (frame.kind == Frame::Kind::bindings) {
      lexer_.expect_close("a binding of let");
      next_binding();
    }
    return false;
  case Frame::Kind::body:
    lexer_.expect_close("the body of let");
    symbols_.unbind_to(frame.bound);
    break;
  case Frame::Kind::annotation:
    read_attributes(value);
    break;
  case Frame::Kind::expansion:
    expanded_ += 20 + lexer_.at() - frame.definition->body; // even the shortest body takes time
    if (expanded_ > most_expanded)
      lexer_.fail(frame.application.at, "the definitions with parameters expand to too much text",
                  fmt::format("{} bytes at most: share terms with let", most_expanded));
    lexer_.seek(frame.behind);
    symbols_.unbind_to(frame.bound);
    symbols_.hide(frame.hidden);
    --expansions_;
    break;
  }
  frames_.pop_back();
  return true;
}

// (! term :named n :pattern (...)): a name is a definition; other attributes have no meaning.
void TermReader::read_attributes(const Value& value) {
  for (Token token = lexer_.next(); token.kind != Kind::close; token = lexer_.next()) {
    if (token.kind != Kind::keyword)
      lexer_.fail(token.at, fmt::format("expected an attribute, found {}", shown(token)), "(! term :named x)");
    if (token.text == ":named") {
      const Token name = lexer_.expect_name("a name");
      if (expansions_ > 0)
        lexer_.fail(name.at, "a :named term inside a definition with parameters", "name terms outside it");
      symbols_.define(fresh_symbol(name), value);
    } else if (const Kind next = lexer_.peek().kind; next != Kind::keyword && next != Kind::close) {
      lexer_.skip_expression();
    }
  }
}

} // namespace faultline::constraint
