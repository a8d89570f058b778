// Colours of the terminal report, or none. Reports are functions of a Style, so a test has both without a terminal.
#pragma once

#include <string>
#include <string_view>

namespace faultline::report {

class Style {
public:
  explicit Style(bool colour = false) : colour_(colour) {}

  std::string bold(std::string_view text) const { return dressed("1", text); }
  std::string bad(std::string_view text) const { return dressed("1;31", text); }  // a finding's kind
  std::string warn(std::string_view text) const { return dressed("1;35", text); } // as compilers have it
  std::string mark(std::string_view text) const { return dressed("1;32", text); } // the caret
  std::string faint(std::string_view text) const { return dressed("2", text); }   // labels

private:
  std::string dressed(std::string_view code, std::string_view text) const {
    return colour_ ? "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m" : std::string(text);
  }
  bool colour_;
};

// Is the stream a terminal that shows colours, and does the user allow them (https://no-color.org)?
Style style_of(int file_descriptor);

} // namespace faultline::report
