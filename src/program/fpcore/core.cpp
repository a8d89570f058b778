#include "program/fpcore/core.h"

#include "program/fpcore/operators.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace faultline::program::fpcore {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool ends_word(char c) { return is_blank(c) || c == '(' || c == ')' || c == '[' || c == ']' || c == '"' || c == ';'; }

// True if the word begins like a number; whether it is valid is checked when its value is needed.
bool looks_like_number(std::string_view word) {
  if (word.starts_with("+") || word.starts_with("-"))
    word.remove_prefix(1);
  if (word.starts_with("."))
    word.remove_prefix(1);
  return !word.empty() && is_digit(word.front());
}

class Reader {
public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {
    if (text_.starts_with("\xef\xbb\xbf")) // the byte order mark that some editors write
      at_ = line_begin_ = 3;
  }

  // Uses an explicit stack for open lists, since the text determines the depth.
  std::vector<Form> run() {
    std::vector<Form> done;
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      if (++count_ > most_forms)
        fail(file_, place(), fmt::format("more than {} words and lists", most_forms), "a smaller file");
      const char c = text_[at_];
      if (c == '(' || c == '[')
        open();
      else if (c == ')' || c == ']')
        close(done);
      else
        (open_.empty() ? done : open_.back().items).push_back(c == '"' ? string() : word());
    }
    if (!open_.empty())
      fail(file_, open_.back().place, "a '(' that is never closed", "count the parentheses");
    return done;
  }

private:
  Place place() const { return {line_, int(at_ - line_begin_) + 1}; }

  void step() {
    if (text_[at_++] == '\n') {
      ++line_;
      line_begin_ = at_;
    }
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == ';')
        while (at_ < text_.size() && text_[at_] != '\n')
          ++at_;
      else if (is_blank(text_[at_]))
        step();
      else
        return;
    }
  }

  void open() {
    if (int(open_.size()) >= deepest_form)
      fail(file_, place(), fmt::format("more than {} nested parentheses", deepest_form),
           "let* names parts of an expression");
    open_.push_back({Form::Kind::list, {}, place()});
    open_.back().is_square = text_[at_] == '[';
    step();
  }

  void close(std::vector<Form>& done) {
    if (open_.empty() || open_.back().is_square != (text_[at_] == ']'))
      fail(file_, place(), fmt::format("a '{}' that closes nothing", text_[at_]), "count the parentheses");
    step();
    Form whole = std::move(open_.back());
    open_.pop_back();
    (open_.empty() ? done : open_.back().items).push_back(std::move(whole));
  }

  Form string() {
    Form form{Form::Kind::string, {}, place()};
    for (step(); at_ < text_.size() && text_[at_] != '"'; step()) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size())
        step();
      form.text += text_[at_];
    }
    if (at_ >= text_.size())
      fail(file_, form.place, "a string that is never closed", "close it with \"");
    step();
    return form;
  }

  Form word() {
    Form form{Form::Kind::symbol, {}, place()};
    const size_t begin = at_;
    for (; at_ < text_.size() && !ends_word(text_[at_]); ++at_)
      if (const auto byte = static_cast<unsigned char>(text_[at_]); byte < 0x21 || byte > 0x7e)
        fail(file_, place(), fmt::format("unexpected byte 0x{:02x}", byte),
             "FPCore is ASCII, except in comments and strings");
    form.text = text_.substr(begin, at_ - begin);
    if (looks_like_number(form.text))
      form.kind = Form::Kind::number;
    return form;
  }

  std::string_view text_;
  const std::string& file_;
  size_t at_ = 0, line_begin_ = 0, count_ = 0;
  int line_ = 1;
  std::vector<Form> open_;
};

} // namespace

std::vector<Form> read_forms(std::string_view text, const std::string& file) {
  if (text.size() > largest_file)
    throw base::UserError(base::status_usage, fmt::format("{}: is larger than {} MiB", file, largest_file >> 20),
                          "one file for each part of it");
  return Reader(text, file).run();
}

void fail(const std::string& file, const Place& place, const std::string& what, const std::string& hint) {
  throw base::UserError(base::status_unsuitable, fmt::format("{}:{}:{}: {}", file, place.line, place.column, what),
                        hint);
}

std::string shown(const Form& form) {
  if (!form.is_list())
    return shown(form.text);
  return form.head().empty() ? "a list" : fmt::format("'({} ...)'", std::string(form.head()).substr(0, 60));
}

namespace {

using numeric::Format;

std::optional<Format> format_named(const Form& form) {
  const bool in_full = form.head() == "float" && form.items.size() == 3;
  for (const Format format : numeric::all_formats) {
    const numeric::FormatInfo& info = numeric::info(format);
    if (form.is_symbol(info.fpcore_name) || (in_full && form.items[1].text == std::to_string(info.exponent_bits()) &&
                                             form.items[2].text == std::to_string(8 * info.bytes)))
      return format;
  }
  return {};
}

Format format_of(const Form& value, const std::string& file) {
  if (const std::optional<Format> format = format_named(value))
    return *format;
  fail(file, value.place, fmt::format("the precision {} is not supported", shown(value)),
       numeric::list_of(&numeric::FormatInfo::fpcore_name));
}

void check_rounding(const Form& value, const std::string& file) {
  if (!value.is_symbol("nearestEven"))
    fail(file, value.place, fmt::format("rounding {} is not supported", shown(value)), "nearestEven, the default");
}

// Returns the name, or the first unused one of NAME_2, NAME_3, ...
std::string distinct(const std::string& name, std::set<std::string>& taken) {
  std::string own = name;
  for (int other = 2; !taken.insert(own).second; ++other)
    own = fmt::format("{}_{}", name, other);
  return own;
}

class CoreReader {
public:
  CoreReader(const std::string& file) : file_(file) {}

  Core read(const Form& form) {
    Core core;
    core.place = form.place;
    size_t at = 1;
    if (at < form.items.size() && form.items[at].is_symbol() && !form.items[at].is_property())
      core.symbol = form.items[at++].text;
    if (at >= form.items.size() || !form.items[at].is_list())
      fail(file_, form.place, "an FPCore without a list of arguments", "(FPCore name (x y) body)");
    const Form& arguments = form.items[at++];
    std::map<std::string, const Form*> properties;
    core.format = format_of_properties(form.items, at, Format::binary64, file_, &properties);
    if (at + 1 != form.items.size())
      fail(file_, at < form.items.size() ? form.items[at + 1].place : form.place,
           at < form.items.size() ? "unexpected text after the body" : "an FPCore without a body",
           "one expression, after the arguments and properties");
    read_arguments(core, arguments);
    if (const auto found = properties.find(":pre"); found != properties.end())
      core.precondition = *found->second;
    if (const auto found = properties.find(":spec"); found != properties.end())
      core.meaning = *found->second;
    core.body = form.items[at];
    const auto name = properties.find(":name");
    core.name = name_for(core, name == properties.end() ? "" : name->second->text);
    return core;
  }

private:
  void read_arguments(Core& core, const Form& arguments) {
    if (arguments.items.size() > most_arguments)
      fail(file_, arguments.place, fmt::format("more than {} arguments", most_arguments), "a smaller function");
    std::set<std::string> names, c_names;
    for (const Form& one : arguments.items) {
      Argument argument{.name = {}, .c_name = {}, .format = core.format};
      const Form* named = &one;
      if (one.head() == "!") {
        size_t at = 1;
        argument.format = format_of_properties(one.items, at, core.format, file_);
        if (at + 1 != one.items.size())
          refuse_argument(one);
        named = &one.items[at];
      }
      if (!named->is_symbol() || named->is_property())
        refuse_argument(*named);
      argument.name = named->text;
      if (!names.insert(argument.name).second)
        fail(file_, named->place, fmt::format("two arguments are called {}", shown(*named)), "another name for one");
      argument.c_name = distinct(c_name(argument.name), c_names);
      core.arguments.push_back(std::move(argument));
    }
  }

  [[noreturn]] void refuse_argument(const Form& form) {
    fail(file_, form.place, fmt::format("{} is not a valid argument", shown(form)),
         form.is_list() ? "tensors are not supported: an argument for each of their numbers" : "a name");
  }

  std::string name_for(const Core& core, const std::string& title) {
    ++count_;
    return distinct(!core.symbol.empty() ? c_name(core.symbol)
                    : !title.empty()     ? c_name(title)
                                         : fmt::format("fpcore_{}", count_),
                    names_);
  }

  const std::string& file_;
  int count_ = 0;
  std::set<std::string> names_;
};

} // namespace

Format format_of_properties(const std::vector<Form>& items, size_t& first, Format outer, const std::string& file,
                            std::map<std::string, const Form*>* others) {
  Format format = outer;
  for (; first < items.size() && items[first].is_property(); first += 2) {
    const Form& name = items[first];
    if (first + 1 >= items.size())
      fail(file, name.place, fmt::format("the property {} has no value", shown(name)), ":precision binary64");
    const Form& value = items[first + 1];
    if (name.text == ":precision")
      format = format_of(value, file);
    else if (name.text == ":round")
      check_rounding(value, file);
    else if (others)
      others->emplace(name.text, &value); // the first of duplicate properties counts
  }
  return format;
}

std::vector<Core> read_cores(std::string_view text, const std::string& file) {
  const std::vector<Form> forms = read_forms(text, file);
  CoreReader reader(file);
  std::vector<Core> cores;
  for (const Form& form : forms) {
    if (form.head() != "FPCore")
      fail(file, form.place, fmt::format("{} where an FPCore is expected", shown(form)),
           "(FPCore (x) :pre (<= 0 x 1) (- (exp x) 1))");
    if (cores.size() >= most_cores)
      fail(file, form.place, fmt::format("more than {} FPCores", most_cores), "several files");
    cores.push_back(reader.read(form));
  }
  if (cores.empty())
    throw base::UserError(base::status_unsuitable, fmt::format("{}: there is no FPCore in it", file),
                          "(FPCore (x) :pre (<= 0 x 1) (- (exp x) 1))");
  return cores;
}

} // namespace faultline::program::fpcore
