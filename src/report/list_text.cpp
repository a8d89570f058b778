#include "report/list_text.h"

#include "numeric/stable_sort.h"
#include "report/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>
#include <set>
#include <span>

namespace faultline::report {

using model::Cell;
using model::ListedTarget;
using model::Obstacle;

namespace {

// Replaces the first index of the name if it is 0: A[0] becomes A[7], p[0].x becomes p[7].x. Empty if there is no such
// index.
std::string with_index(const std::string& name, const std::string& index) {
  const size_t open = name.find('[');
  if (open == std::string::npos || name.compare(open, 3, "[0]") != 0)
    return {};
  return name.substr(0, open + 1) + index + name.substr(open + 2);
}

// " (held at 32)", " (0, 1 or 2)"
std::string given_values_text(const std::string& name, const ListedTarget& listed) {
  if (const auto held = listed.held.find(name); held != listed.held.end())
    return fmt::format(" (held at {})", held->second);
  const auto found = listed.values.find(name);
  if (found == listed.values.end())
    return {};
  const std::span<const int64_t> values = found->second;
  return values.size() == 1
             ? fmt::format(" ({})", values.front())
             : fmt::format(" ({} or {})", fmt::join(values.first(values.size() - 1), ", "), values.back());
}

// A of A[0], s.values of s.values[0], p of p[0].x
std::string array_name(const std::string& cell) { return cell.substr(0, cell.find('[')); }

// True for an array whose size is found by probing.
bool is_open(const Cell& cell, const model::Target& target) {
  const auto parameter = std::ranges::find(target.parameters, array_name(cell.name), &model::Parameter::name);
  return parameter != target.parameters.end() && parameter->is_array && parameter->sized_by == model::SizedBy::unknown;
}

// "x: binary64, A[0..31]: binary32, n: int32 (held at 32)": the cells of an array are one entry.
std::string cells_text(const std::vector<Cell>& cells, const ListedTarget& listed) {
  std::set<std::string> names, shown;
  for (const Cell& cell : cells)
    names.insert(cell.name);
  std::vector<std::string> entries;
  for (const Cell& cell : cells) {
    if (!shown.insert(cell.name).second)
      continue;
    size_t length = 1;
    for (; names.contains(with_index(cell.name, std::to_string(length))); ++length)
      shown.insert(with_index(cell.name, std::to_string(length)));
    const std::string name = is_open(cell, listed.target) ? array_name(cell.name) + "[...]"
                             : length > 1                 ? with_index(cell.name, fmt::format("0..{}", length - 1))
                                                          : cell.name;
    entries.push_back(fmt::format("{}: {}{}{}", name, cell.type.name(), cell.judged ? "" : " (not judged)",
                                  given_values_text(cell.name, listed)));
  }
  return entries.empty() ? "none" : printable(fmt::format("{}", fmt::join(entries, ", ")));
}

// "y = x, z = x": pointers that share memory.
std::string shared_text(const model::Target& target) {
  std::vector<std::string> entries;
  for (const model::Parameter& parameter : target.parameters)
    if (!parameter.alias_of.empty())
      entries.push_back(fmt::format("{} = {}", parameter.name, parameter.alias_of));
  return fmt::format("{}", fmt::join(entries, ", "));
}

// "y, z": optional arrays without a size.
std::string absent_text(const model::Target& target) {
  std::vector<std::string> names;
  for (const model::Parameter& parameter : target.parameters)
    if (parameter.passing == model::Passing::absent)
      names.push_back(parameter.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// "p, q": pointers whose number of elements is found by running the function.
std::string open_text(const model::Target& target) {
  std::vector<std::string> names;
  for (const model::Parameter& parameter : target.parameters)
    if (parameter.sized_by == model::SizedBy::unknown)
      names.push_back(parameter.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string target_heading(const ListedTarget& listed, const Style& style) {
  return style.bold(location_text(printable(listed.target.file), listed.target.line, 0) + ":") + " " +
         style.bold(printable(listed.target.function));
}

std::string suitable_text(const ListedTarget& listed, const Style& style) {
  std::string text =
      fmt::format("{}\n  {} {}\n  {} {}\n  {} {}\n", target_heading(listed, style), style.faint("inputs "),
                  cells_text(listed.target.inputs, listed), style.faint("outputs"),
                  cells_text(listed.target.outputs, ListedTarget{listed.target}), style.faint("sites  "), listed.sites);
  if (const std::string open = open_text(listed.target); !open.empty())
    text += fmt::format("  {} {}: found by running it, or --size NAME=N\n", style.faint("extents"), printable(open));
  for (const model::Setup& setup : listed.target.setups)
    text += fmt::format("  {} {}, by {}\n", style.faint("setup  "), printable(setup.makes), printable(setup.function));
  if (const std::string shared = shared_text(listed.target); !shared.empty())
    text += fmt::format("  {} {}\n", style.faint("shared "), printable(shared));
  for (const std::string& family : listed.target.families)
    text += fmt::format("  {} {}\n", style.faint("choices"), printable(family));
  if (const std::string absent = absent_text(listed.target); !absent.empty())
    text += fmt::format("  {} {}\n", style.faint("absent "), printable(absent));
  return text;
}

// Counts the functions with an obstacle: "12 need a harness".
std::string obstacle_text(Obstacle obstacle, size_t count) {
  const bool one = count == 1;
  switch (obstacle) {
  case Obstacle::none:
    break;
  case Obstacle::harness:
    return fmt::format("{} need{} a harness (a parameter or a result that Faultline cannot make)", count,
                       one ? "s" : "");
  case Obstacle::state:
    return fmt::format("{} need{} state that Faultline cannot make", count, one ? "s" : "");
  case Obstacle::size:
  case Obstacle::extent:
    return fmt::format("{} need{} the size of an array (--size NAME=N)", count, one ? "s" : "");
  case Obstacle::no_input:
    return fmt::format("{} {} no input", count, one ? "has" : "have");
  case Obstacle::no_output:
    return fmt::format("{} {} no floating-point output", count, one ? "has" : "have");
  case Obstacle::no_debug_information:
    return fmt::format("{} {} no debug information (-g)", count, one ? "has" : "have");
  case Obstacle::hidden:
    return fmt::format("{} {} hidden from other libraries (name {} with -f)", count, one ? "is" : "are",
                       one ? "it" : "them");
  case Obstacle::skipped:
    return fmt::format("{} {} skipped by the settings", count, one ? "is" : "are");
  }
  return fmt::format("{} {} not suitable", count, one ? "is" : "are");
}

std::map<Obstacle, size_t> obstacles_of(const std::vector<ListedTarget>& targets) {
  std::map<Obstacle, size_t> counts;
  for (const ListedTarget& listed : targets)
    if (!listed.target.huntable())
      ++counts[listed.target.obstacle];
  return counts;
}

} // namespace

std::string obstacles_text(const std::map<Obstacle, size_t>& counts) {
  std::vector<std::pair<Obstacle, size_t>> order(counts.begin(), counts.end());
  numeric::sort_stably(order, std::ranges::greater(), &std::pair<Obstacle, size_t>::second);
  std::vector<std::string> entries;
  for (const auto& [obstacle, count] : order)
    entries.push_back(obstacle_text(obstacle, count));
  return fmt::format("{}", fmt::join(entries, ", "));
}

std::string list_text(const std::vector<ListedTarget>& targets, const Style& style, bool all) {
  constexpr size_t few = 5; // reasons that are quick to read: a guess
  std::string suitable, unsuitable;
  size_t count = 0;
  for (const ListedTarget& listed : targets)
    if (listed.target.huntable()) {
      ++count;
      suitable += suitable_text(listed, style);
    } else {
      unsuitable += fmt::format("{}\n  {}\n", target_heading(listed, style), printable(listed.target.unsuitable));
    }
  const size_t others = targets.size() - count;
  const bool named = all || (count == 0 && others <= few);
  std::string text = suitable;
  if (named && others > 0)
    text += fmt::format("{}not suitable:\n\n{}", suitable.empty() ? "" : "\n", unsuitable);
  text += fmt::format("{}{} of {} functions can be tested\n", text.empty() ? "" : "\n", count, targets.size());
  if (others > 0)
    text += fmt::format("of the others, {}{}\n", obstacles_text(obstacles_of(targets)),
                        named ? "" : "; faultline list --all names them");
  return text;
}

} // namespace faultline::report
