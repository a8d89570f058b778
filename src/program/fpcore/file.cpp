#include "program/fpcore/file.h"

#include "base/error.h"
#include "numeric/bigfloat.h"
#include "program/fpcore/operators.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <optional>
#include <set>

namespace faultline::program::fpcore {

namespace {

using numeric::Format;

// The limit for a numerator or denominator: the size of two numbers of the file together. Nested fractions could have
// any number of digits.
constexpr size_t most_bits = 100'000;

bool is_short(const mpz_class& integer) { return mpz_sizeinbase(integer.get_mpz_t(), 2) <= most_bits; }

// Also accepts (- 5) and (/ 1 3), which users write for numbers.
std::optional<Number> constant(const Form& form) {
  if (form.is_number())
    return number_of(form.text);
  const std::string_view head = form.head();
  if (head == "-" && form.items.size() == 2)
    if (std::optional<Number> number = constant(form.items[1])) {
      number->value = -number->value;
      return number;
    }
  if (head == "/" && form.items.size() == 3) {
    const std::optional<Number> above = constant(form.items[1]);
    const std::optional<Number> below = above ? constant(form.items[2]) : std::nullopt;
    if (!below || below->value <= 0)
      return {};
    const Number quotient{above->value / below->value};
    if (is_short(quotient.value.get_num()) && is_short(quotient.value.get_den()))
      return quotient;
  }
  return {};
}

class Reading {
public:
  explicit Reading(const Core& core) : core_(core) {
    for (const Argument& argument : core.arguments)
      ends_[argument.name] = {-numeric::largest(argument.format), numeric::largest(argument.format)};
  }

  Precondition run() {
    if (core_.precondition)
      take(*core_.precondition);
    for (const Argument& argument : core_.arguments)
      if (const Ends& ends = ends_.at(argument.name); ends.is_bounded)
        found_.ranges.push_back({argument.c_name, ends.low, ends.high});
    return std::move(found_);
  }

private:
  struct Ends {
    numeric::Value low = 0, high = 0;
    bool is_bounded = false;
  };

  void take(const Form& form) {
    if (form.head() == "and") {
      for (size_t i = 1; i < form.items.size(); ++i)
        take(form.items[i]);
      return;
    }
    if (!form.is_symbol("TRUE") && !is_bound(form))
      found_.rest.push_back(&form);
  }

  // True for (<= 0 x 10) and (> x 0): one argument between constants.
  bool is_bound(const Form& form) {
    const std::string_view head = form.head();
    const bool ascending = head == "<" || head == "<=", descending = head == ">" || head == ">=";
    if ((!ascending && !descending) || form.items.size() < 3 || form.items.size() > 4)
      return false;
    const auto argument = std::ranges::find_if(core_.arguments, [&](const Argument& one) {
      return std::ranges::count_if(form.items, [&](const Form& item) { return item.is_symbol(one.name); }) == 1;
    });
    if (argument == core_.arguments.end())
      return false;
    const size_t at =
        size_t(std::ranges::find_if(form.items, [&](const Form& item) { return item.is_symbol(argument->name); }) -
               form.items.begin());
    for (size_t i = 1; i < form.items.size(); ++i)
      if (i != at && !constant(form.items[i]))
        return false;
    const bool strictly = head == "<" || head == ">";
    for (size_t i = 1; i < form.items.size(); ++i)
      if (i != at)
        narrow(*argument, *constant(form.items[i]), (i < at) == ascending, strictly);
    return true;
  }

  void narrow(const Argument& argument, const Number& end, bool from_below, bool strictly) {
    Ends& ends = ends_.at(argument.name);
    ends.is_bounded = true;
    if (from_below)
      ends.low = std::max(ends.low, rounded_up(end, argument.format, strictly));
    else
      ends.high = std::min(ends.high, rounded_down(end, argument.format, strictly));
  }

  const Core& core_;
  std::map<std::string, Ends> ends_;
  Precondition found_;
};

// An FPCore's :spec as a meaning (docs/meaning.md).
struct Meaning {
  std::string text;     // empty if there is none
  std::string obstacle; // what a meaning cannot express; empty if it can express all
};

constexpr size_t longest = 60'000; // characters: a meaning has at most 64 KiB

struct CannotExpress {
  std::string what;
};

// Called wherever a text grows: a number of ten characters may have thousands of digits, and a list has many numbers.
void check_length(const std::string& text) {
  if (text.size() > longest)
    throw CannotExpress{fmt::format("more than {} characters", longest)};
}

void append(std::string& text, const std::string& part) {
  text += part;
  check_length(text);
}

class MeaningWriter {
public:
  void bind(const std::string& name, const std::string& text) { scope_[name].push_back(text); }

  std::string write(const Form& form) {
    std::string text = form.is_list() ? list(form) : word(form);
    check_length(text);
    return text;
  }

private:
  std::string word(const Form& form) {
    if (form.is_number()) {
      const std::optional<Number> number = number_of(form.text);
      return number ? exact_text(*number) : throw CannotExpress{shown(form)};
    }
    if (const auto found = scope_.find(form.text); found != scope_.end() && !found->second.empty())
      return found->second.back();
    const Constant* constant = find_constant(form.text);
    if (!constant || !constant->meaning)
      throw CannotExpress{shown(form)};
    return constant->meaning;
  }

  std::string list(const Form& form) {
    const std::string_view head = form.head();
    if ((head == "cast" && form.items.size() == 2) || (head == "!" && form.items.size() > 2))
      return write(form.items.back()); // no rounding here
    if (head == "if" && form.items.size() == 4)
      return fmt::format("if({}, {}, {})", condition(form.items[1]), write(form.items[2]), write(form.items[3]));
    if ((head == "let" || head == "let*") && form.items.size() == 3 && form.items[1].is_list())
      return let(form, head == "let*");
    const Operator* found = find_operator(head);
    const int count = int(form.items.size()) - 1;
    const bool is_number = found && (found->kind == OperatorKind::arithmetic || found->kind == OperatorKind::function);
    if (!is_number || !found->meaning || count < found->least || (found->most >= 0 && count > found->most))
      throw CannotExpress{shown(form)};
    if (head == "-" && count == 1)
      return fmt::format("(-{})", write(form.items[1]));
    if (count <= 3 && (found->most >= 0 || count == 2))
      return filled(found->meaning, form);
    std::string text = write(form.items[1]);
    for (int i = 2; i <= count; ++i) {
      text = fmt::format("({} {} {})", text, found->name, write(form.items[size_t(i)]));
      check_length(text);
    }
    return text;
  }

  std::string filled(std::string_view pattern, const Form& form) {
    std::vector<std::string> operands;
    for (size_t i = 1; i < form.items.size(); ++i)
      operands.push_back(write(form.items[i]));
    std::string text;
    for (size_t i = 0; i < pattern.size(); ++i)
      if (pattern[i] == '$')
        text += operands[size_t(pattern[++i] - '1')];
      else
        text += pattern[i];
    return text;
  }

  std::string condition(const Form& form) {
    const std::string_view head = form.head();
    if (form.is_symbol("TRUE") || form.is_symbol("FALSE"))
      return form.text == "TRUE" ? "0 == 0" : "0 == 1";
    const Operator* found = find_operator(head);
    if (found && found->kind == OperatorKind::logic) {
      if (head == "not" && form.items.size() == 2)
        return fmt::format("not ({})", condition(form.items[1]));
      if (form.items.size() < 2)
        throw CannotExpress{shown(form)};
      std::string text = fmt::format("({})", condition(form.items[1]));
      for (size_t i = 2; i < form.items.size(); ++i)
        append(text, fmt::format(" {} ({})", head, condition(form.items[i])));
      return text;
    }
    if (found && found->kind == OperatorKind::comparison && form.items.size() > 2 && head != "!=")
      return chain(found->meaning, form);
    if (found && found->kind == OperatorKind::comparison && form.items.size() == 3)
      return chain(found->meaning, form);
    throw CannotExpress{shown(form)};
  }

  std::string chain(const char* sign, const Form& form) {
    std::string text;
    for (size_t i = 1; i + 1 < form.items.size(); ++i)
      append(text,
             fmt::format("{}({} {} {})", i > 1 ? " and " : "", write(form.items[i]), sign, write(form.items[i + 1])));
    return text;
  }

  std::string let(const Form& form, bool in_order) {
    std::string text = "(";
    std::vector<std::pair<std::string, std::string>> names;
    for (const Form& one : form.items[1].items) {
      if (!one.is_list() || one.items.size() != 2 || !one.items[0].is_symbol())
        throw CannotExpress{shown(form)};
      const std::string name = fmt::format("named_{}", ++names_);
      append(text, fmt::format("let {} = {} in ", name, write(one.items[1])));
      names.emplace_back(one.items[0].text, name);
      if (in_order)
        bind(names.back().first, name);
    }
    for (const auto& [name, own] : names)
      if (!in_order)
        bind(name, own);
    text += write(form.items[2]) + ")";
    for (const auto& [name, own] : names)
      scope_.at(name).pop_back();
    return text;
  }

  std::map<std::string, std::vector<std::string>> scope_;
  int names_ = 0;
};

// A :spec that names another core of the file means that core's body.
Meaning meaning_of(const Core& core, const std::vector<Core>& cores) {
  if (!core.meaning)
    return {};
  MeaningWriter writer;
  const Form* form = &*core.meaning;
  const Core* of = &core; // the core whose arguments it uses
  const auto other = std::ranges::find_if(
      cores, [&](const Core& one) { return form->is_symbol() && !one.symbol.empty() && one.symbol == form->text; });
  if (other != cores.end() && other->arguments.size() == core.arguments.size()) {
    form = &other->body;
    of = &*other;
  }
  for (size_t i = 0; i < core.arguments.size(); ++i)
    writer.bind(of->arguments[i].name, core.arguments[i].c_name);
  try {
    return {writer.write(*form), ""};
  } catch (const CannotExpress& obstacle) {
    return {"", obstacle.what};
  }
}

constexpr size_t largest_source = size_t(64) << 20; // bytes, of all functions together

std::string content_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(largest_file + 1, '\0');
  stream.read(text.data(), std::streamsize(text.size()));
  if (stream.bad() || !stream.is_open())
    throw base::UserError(base::status_usage, fmt::format("{}: cannot be read", file), "a file you may read");
  text.resize(size_t(stream.gcount()));
  return text;
}

// Quotes a text for C: special characters are written in octal.
std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (const auto byte = static_cast<unsigned char>(c);
        byte < 0x20 || byte > 0x7e || c == '"' || c == '\\' || c == '?')
      out += fmt::format("\\{:03o}", byte);
    else
      out += c;
  return out;
}

void collect_heads(const Form& form, std::set<std::string>& heads) {
  if (!form.head().empty())
    heads.emplace(form.head());
  for (const Form& item : form.items)
    collect_heads(item, heads);
}

std::vector<std::string> ranges_of(const Core& core, const std::string& file) {
  std::vector<std::string> ranges;
  for (const ArgumentRange& range : precondition_of(core).ranges) {
    if (!(range.low <= range.high))
      fail(file, core.precondition->place, fmt::format("no {} is within the precondition", range.argument),
           "(<= LOW x HIGH)");
    for (const Argument& argument : core.arguments)
      if (argument.c_name == range.argument)
        ranges.push_back(fmt::format("{}={}:{}", range.argument, decimal_text(range.low, argument.format),
                                     decimal_text(range.high, argument.format)));
  }
  return ranges;
}

} // namespace

Precondition precondition_of(const Core& core) { return Reading(core).run(); }

bool is_fpcore(const std::string& file) { return file.ends_with(".fpcore"); }

std::string c_source(const std::string& file, Preconditions preconditions) {
  return c_source_of(content_of(file), file, preconditions);
}

std::vector<FunctionSettings> settings_in_file(const std::string& file) {
  return settings_in_text(content_of(file), file);
}

std::string c_source_of(std::string_view text, const std::string& file, Preconditions preconditions) {
  const std::vector<Core> cores = read_cores(text, file);
  std::set<std::string> heads;
  for (const Core& core : cores)
    collect_heads(core.body, heads);
  std::string source = fmt::format("#line 1 \"{}\"\nvoid {}(void);\n", quoted(file), precondition_handler);
  Callables earlier;
  for (const Core& core : cores) {
    const bool is_called = !core.symbol.empty() && heads.contains(core.symbol) && !find_operator(core.symbol);
    const FunctionText written = function_text(core, earlier, is_called, preconditions, file);
    source += written.text;
    if (source.size() > largest_source)
      fail(file, core.place, fmt::format("more than {} MiB of C", largest_source >> 20),
           "shorter lines, or several files");
    if (is_called)
      earlier.emplace(core.symbol, Callable{&core, written.result});
  }
  return source;
}

std::vector<FunctionSettings> settings_in_text(std::string_view text, const std::string& file) {
  const std::vector<Core> cores = read_cores(text, file);
  std::vector<FunctionSettings> all;
  for (const Core& core : cores) {
    FunctionSettings settings{core.name, core.place.line, ranges_of(core, file), "",
                              !precondition_of(core).rest.empty()};
    Meaning meaning = meaning_of(core, cores);
    settings.meaning = std::move(meaning.text);
    if (!meaning.obstacle.empty())
      settings.remarks.push_back(
          fmt::format("{}: its :spec is not used, as a meaning cannot express {}", core.name, meaning.obstacle));
    all.push_back(std::move(settings));
  }
  return all;
}

} // namespace faultline::program::fpcore
