#include "cli/terminal/terminal_view.h"

#include "report/table.h"

#include <algorithm>
#include <fmt/format.h>
#include <sys/ioctl.h>

namespace faultline::cli {
namespace {

// Colours take no columns.
std::string without_colours(const std::string& line) {
  std::string text;
  for (size_t i = 0; i < line.size(); ++i)
    if (line[i] == '\033')
      i = std::min(line.find('m', i), line.size() - 1);
    else
      text += line[i];
  return text;
}

std::string fitted(const std::string& line, size_t columns) {
  const std::string plain = without_colours(line);
  return report::width(plain) <= columns ? line : report::shortened(plain, columns);
}

} // namespace

TerminalSize terminal_size(std::FILE* stream) {
  winsize size{};
  TerminalSize usual;
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0)
    return usual;
  return {size.ws_col > 20 ? size.ws_col : usual.columns, size.ws_row > 4 ? size.ws_row : usual.lines};
}

void TerminalView::show(const std::string& text) {
  const TerminalSize size = terminal_size(stream_);
  clear();
  for (size_t begin = 0; begin < text.size() && lines_ + 1 < size.lines; ++lines_) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    fmt::print(stream_, "{}\n", fitted(line, size.columns - 1));
    begin = end + 1;
  }
  std::fflush(stream_);
}

void TerminalView::clear() {
  if (lines_ > 0)
    fmt::print(stream_, "\033[{}A\033[J", lines_);
  lines_ = 0;
}

} // namespace faultline::cli
