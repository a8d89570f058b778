#include "report/kind_pages.h"

#include "base/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

namespace faultline::report {

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const auto& [file, page] : kind_page_files())
    names.push_back(file.substr(0, file.rfind('.')));
  return names;
}

const std::string& kind_page(std::string_view name) {
  if (const auto found = kind_page_files().find(fmt::format("{}.md", name)); found != kind_page_files().end())
    return found->second;
  const std::vector<std::string> names = kind_names();
  const std::vector<std::string> close = base::nearest(std::string(name), names);
  throw base::UserError(base::status_usage, name.empty() ? "no kind given" : fmt::format("there is no kind '{}'", name),
                        fmt::format("{}{}{}", fmt::join(close, ", "), close.empty() ? "" : "\n",
                                    fmt::format("one of {}", fmt::join(names, ", "))));
}

PageSummary summary_of(const std::string& page) {
  PageSummary summary;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# "))
      summary.title = line.substr(2);
    else if (!line.empty())
      summary.paragraph += (summary.paragraph.empty() ? "" : " ") + line;
    else if (!summary.paragraph.empty())
      break;
  }
  std::erase(summary.paragraph, '`');
  const size_t end = summary.paragraph.find(". ");
  summary.sentence = summary.paragraph.substr(0, end == std::string::npos ? end : end + 1);
  return summary;
}

} // namespace faultline::report
