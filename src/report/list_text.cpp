#include "report/list_text.h"

#include "report/excerpt.h"
#include "report/wording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using campaign::ListedTarget;
using frontend::Cell;

namespace {

// "x: binary64, A[0..31]: binary32": the cells of an array are one entry.
std::string cells_text(const std::vector<Cell>& cells) {
  std::vector<std::string> entries;
  for (size_t i = 0; i < cells.size();) {
    const std::string& name = cells[i].name;
    size_t length = 0;
    if (name.ends_with("[0]"))
      while (i + length < cells.size() &&
             cells[i + length].name == fmt::format("{}[{}]", name.substr(0, name.size() - 3), length))
        ++length;
    const std::string shown = length > 1 ? fmt::format("{}[0..{}]", name.substr(0, name.size() - 3), length - 1) : name;
    entries.push_back(fmt::format("{}: {}{}", shown, cells[i].type.name(), cells[i].judged ? "" : " (not judged)"));
    i += std::max<size_t>(length, 1);
  }
  return entries.empty() ? "none" : fmt::format("{}", fmt::join(entries, ", "));
}

// "y = x, z = x": pointers that share memory.
std::string shared_text(const frontend::Target& target) {
  std::vector<std::string> entries;
  for (const frontend::Parameter& parameter : target.parameters)
    if (!parameter.alias_of.empty())
      entries.push_back(fmt::format("{} = {}", parameter.name, parameter.alias_of));
  return fmt::format("{}", fmt::join(entries, ", "));
}

std::string heading(const ListedTarget& listed, const Style& style) {
  return style.bold(location_text(printable(listed.target.file), listed.target.line, 0) + ":") + " " +
         style.bold(printable(listed.target.function));
}

} // namespace

std::string list_text(const std::vector<ListedTarget>& targets, const Style& style) {
  std::string suitable, unsuitable;
  size_t count = 0;
  for (const ListedTarget& listed : targets) {
    if (!listed.target.suitable()) {
      unsuitable += fmt::format("{}\n  {}\n", heading(listed, style), printable(listed.target.unsuitable));
      continue;
    }
    ++count;
    suitable += fmt::format("{}\n  {} {}\n  {} {}\n  {} {}\n", heading(listed, style), style.faint("inputs "),
                            cells_text(listed.target.inputs), style.faint("outputs"), cells_text(listed.target.outputs),
                            style.faint("sites  "), listed.sites);
    if (const std::string shared = shared_text(listed.target); !shared.empty())
      suitable += fmt::format("  {} {}\n", style.faint("shared "), printable(shared));
  }
  std::string text = suitable;
  if (!unsuitable.empty())
    text += fmt::format("{}not suitable:\n\n{}", suitable.empty() ? "" : "\n", unsuitable);
  return text + fmt::format("\n{} of {} functions can be hunted in\n", count, targets.size());
}

} // namespace faultline::report
