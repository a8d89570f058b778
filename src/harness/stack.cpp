#include "harness/stack.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::harness {
namespace {

std::string indentation(size_t depth) { return std::string(2 * depth, ' '); }

} // namespace

Stack::Stack(const Levels& levels, std::string shown, std::string array, const std::vector<Leaf>& leaves)
    : levels_(levels), shown_(std::move(shown)), array_(std::move(array)), leaves_(leaves) {
  for (const Form* form : levels_.stack)
    for (size_t i = 0; i < form->extents.size(); ++i) {
      const bool matrix = form->is(FormKind::matrix);
      if (matrix && i == 1 && form->extents[1] == 1)
        continue; // a column
      const bool free = form->extents[i] <= 0;
      const char* what =
          matrix && form->extents.size() == 2 && form->extents[1] != 1 ? (i == 0 ? "rows" : "columns") : "size";
      std::string name = fmt::format("{}_{}", array_, what);
      if (std::ranges::any_of(extents_, [&](const Extent& other) { return other.text == name; }))
        name += fmt::format("_{}", extents_.size() + 1);
      extents_.push_back({free ? name : fmt::format("{}", form->extents[i]), free, matrix, form});
    }
}

std::string Stack::obstacle() const {
  const auto is_matrix = [](const Form* form) { return form->is(FormKind::matrix); };
  return levels_.stack.size() > 1 && std::ranges::any_of(levels_.stack, is_matrix) ? "matrices inside" : "";
}

bool Stack::is_free() const { return std::ranges::any_of(extents_, &Extent::free); }

std::vector<std::string> Stack::constants() const {
  std::vector<std::string> names;
  for (const Extent& extent : extents_)
    if (extent.free)
      names.push_back(extent.text);
  return names;
}

Named Stack::named() const {
  const bool matrix = extents_.size() == 2 && extents_.front().matrix;
  Named named{.parameter = array_,
              .before = shown_ + (matrix ? "(" : "["),
              .between = matrix ? "," : "][",
              .after = matrix ? ")" : "]",
              .of = shown_};
  for (const Extent& extent : extents_)
    named.extents.push_back(extent.text);
  for (const Leaf& leaf : leaves_)
    named.leaves.push_back(leaf.name);
  return named;
}

// "v[(i1 * v_size_2 + i2) * 2 + 1]"
std::string Stack::place(const std::string& array, size_t leaf) const {
  std::string index = "i1";
  for (size_t i = 1; i < extents_.size(); ++i)
    index = fmt::format("{} * {} + i{}", i > 1 ? "(" + index + ")" : index, extents_[i].text, i + 1);
  if (leaves_.size() > 1)
    index = fmt::format("{} * {} + {}", extents_.size() > 1 ? "(" + index + ")" : index, leaves_.size(), leaf);
  return fmt::format("{}[{}]", array, index);
}

std::string Stack::element(const std::string& variable) const {
  if (extents_.front().matrix)
    return extents_.size() == 2 ? variable + "(i1, i2)" : variable + "(i1)";
  std::string text = variable;
  for (size_t i = 0; i < extents_.size(); ++i)
    text += fmt::format("[i{}]", i + 1);
  return text;
}

std::string Stack::loops() const {
  std::string text;
  const char* type = extents_.front().matrix ? "int" : "unsigned long";
  for (size_t i = 0; i < extents_.size(); ++i)
    text += fmt::format("{}for ({} i{} = 0; i{} < {}; ++i{})\n", indentation(i + 1), type, i + 1, i + 1,
                        extents_[i].text, i + 1);
  return text;
}

std::string Stack::defined(const std::string& variable) const {
  const Form& outer = *levels_.stack.front();
  const std::string type = outer.storage.empty() ? outer.type : outer.storage;
  if (outer.is(FormKind::array)) {
    const size_t bracket = type.find('['); // double[3][3]
    std::string extents;
    for (const Extent& extent : extents_)
      if (extent.form == &outer && bracket != std::string::npos)
        extents += fmt::format("[{}]", extent.text);
    return fmt::format("  {} {}{};\n", type.substr(0, bracket), variable, extents);
  }
  std::vector<std::string> sizes;
  for (const Extent& extent : extents_)
    if (extent.form == &outer)
      sizes.push_back(extent.text);
  const bool fixed = outer.is(FormKind::matrix) && !is_free();
  return fixed ? fmt::format("  {} {};\n", type, variable)
               : fmt::format("  {} {}({});\n", type, variable, fmt::join(sizes, ", "));
}

// Vectors in a vector are empty at first.
std::string Stack::resized(const std::string& variable) const {
  if (levels_.stack.size() < 2 || !levels_.stack[1]->is(FormKind::sequence))
    return {};
  return fmt::format("  for (auto& inner : {})\n    inner.resize({});\n", variable, extents_[1].text);
}

std::string Stack::filled(const std::string& variable, const Values& values) const {
  const Form& outer = *levels_.stack.front();
  const bool view = !outer.storage.empty();
  const std::string held = view ? variable + "_storage" : variable;
  size_t next = 0;
  const std::string value = values.made(
      *levels_.element, [this](size_t leaf) { return place(array_, leaf); }, next, "");
  std::string text = defined(held) + resized(held) + loops() +
                     fmt::format("{}{} = {};\n", indentation(extents_.size() + 1), element(held), value);
  if (!view)
    return text;
  const bool map = outer.type.starts_with("Eigen::Map");
  if (map)
    return text + fmt::format("  {} {}({}.data(){});\n", outer.type, variable, held,
                              is_free() ? fmt::format(", {}", fmt::join(constants(), ", ")) : "");
  return text + fmt::format("  {} {}({});\n", outer.type, variable, held);
}

std::string Stack::emptied(const std::string& variable, const std::string& into, const Values& values) const {
  const Form& outer = *levels_.stack.front();
  std::string guard; // what came back may have another length than what went in
  if (outer.is(FormKind::sequence) && outer.storage.empty())
    guard = fmt::format("if (i1 < {}.size()) ", variable);
  else if (outer.is(FormKind::matrix) && is_free())
    guard = extents_.size() == 2 ? fmt::format("if (i1 < {0}.rows() && i2 < {0}.cols()) ", variable)
                                 : fmt::format("if (i1 < {}.size()) ", variable);
  const std::string indented = indentation(extents_.size() + 1);
  size_t next = 0;
  const std::string stores = values.taken(
      *levels_.element, element(variable), [&](size_t leaf) { return place(into, leaf); }, next);
  std::string text = loops() + indented + guard + "{\n";
  for (size_t at = 0; at < stores.size();) {
    const size_t end = stores.find('\n', at) + 1;
    text += indented + stores.substr(at, end - at);
    at = end;
  }
  return text + indented + "}\n";
}

} // namespace faultline::harness
