#include "frontend/fpcore/form.h"

#include "frontend/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::frontend::fpcore {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool ends_word(char c) { return is_blank(c) || c == '(' || c == ')' || c == '[' || c == ']' || c == '"' || c == ';'; }

// A word is a number if it begins like one; whether it is a good one is found when its value is asked for.
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

  // Lists that are open stand on a stack of our own: the text says how deep it goes.
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
      fail(file_, place(), fmt::format("more than {} parentheses in each other", deepest_form),
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
      fail(file_, form.place, "a text that is never closed", "close it with \"");
    step();
    return form;
  }

  Form word() {
    Form form{Form::Kind::symbol, {}, place()};
    const size_t begin = at_;
    for (; at_ < text_.size() && !ends_word(text_[at_]); ++at_)
      if (const auto byte = static_cast<unsigned char>(text_[at_]); byte < 0x21 || byte > 0x7e)
        fail(file_, place(), fmt::format("unexpected byte 0x{:02x}", byte),
             "FPCore is ASCII, but for comments and texts");
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
    throw UserError(status_usage, fmt::format("{}: is larger than {} MiB", file, largest_file >> 20),
                    "one file for each part of it");
  return Reader(text, file).run();
}

void fail(const std::string& file, const Place& place, const std::string& what, const std::string& hint) {
  throw UserError(status_unsuitable, fmt::format("{}:{}:{}: {}", file, place.line, place.column, what), hint);
}

std::string shown(const Form& form) {
  if (!form.is_list())
    return shown(form.text);
  return form.head().empty() ? "a list" : fmt::format("'({} ...)'", std::string(form.head()).substr(0, 60));
}

} // namespace faultline::frontend::fpcore
