#include "frontend/harness/harness_target.h"

#include "frontend/compile.h"
#include "frontend/discover.h"
#include "frontend/layout.h"
#include "frontend/path.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace faultline::frontend {
namespace {

// The number of a cell of this parameter: 3 of v[3], 0 of v. Nothing for cells of others.
std::optional<uint64_t> number_of(const Cell& cell, const NamedParameter& named) {
  if (cell.name == named.name)
    return 0;
  if (!cell.name.starts_with(named.name + "["))
    return std::nullopt;
  return std::stoull(cell.name.substr(named.name.size() + 1));
}

void rename(std::vector<Cell>& cells, const NamedParameter& named, bool wanted) {
  for (Cell& cell : cells)
    if (const auto number = number_of(cell, named)) {
      cell.name = wanted ? named.cell(*number) : "";
      if (!named.choices.empty()) {
        cell.values.resize(named.choices.size());
        std::iota(cell.values.begin(), cell.values.end(), 0);
      }
    }
  std::erase_if(cells, [](const Cell& cell) { return cell.name.empty(); });
}

void rename(Target& target, const NamedParameter& named) {
  rename(target.inputs, named, named.read);
  rename(target.outputs, named, named.written);
  const auto parameter = std::ranges::find(target.parameters, named.name, &Parameter::name);
  if (parameter == target.parameters.end())
    return;
  const bool is_part = named.extents.empty() && named.leaves.size() == 1; // of a struct
  parameter->name = is_part ? named.of + named.leaves.front() : named.of;
  if (!named.extents.empty())
    parameter->extents = named.extents;
  if (!named.declared_extents.empty())
    parameter->declared_extents = named.declared_extents;
}

} // namespace

Target harnessed(const llvm::Function* harness, const HarnessNote& note, const ShapesOf& shapes_of) {
  Target target;
  target.function = note.function;
  target.file = shown_path("", note.file);
  target.line = note.line;
  if (harness && note.exists()) {
    const Target place = target;
    target = discover(*harness, [&](const Target&) {
      Shapes shapes = shapes_of(place);
      for (const NamedParameter& named : note.parameters)
        shapes.sizes[named.name] = {named.count()};
      return shapes;
    });
    target.function = place.function;
    target.file = place.file;
    target.line = place.line;
    for (const NamedParameter& named : note.parameters)
      rename(target, named);
    if (target.inputs.empty())
      refuse(target, "it has no input", Obstacle::no_input);
  } else {
    refuse(target, note.exists() ? "its harness is gone" : note.obstacle,
           note.needs_size ? Obstacle::size : Obstacle::harness);
  }
  const char* comment = language_of(note.file) == Language::fortran ? "! " : "// ";
  target.harness = note.text.empty() ? comment + note.obstacle + "\n" : note.text;
  target.called_symbol = note.symbol;
  target.families = note.families;
  return target;
}

} // namespace faultline::frontend
