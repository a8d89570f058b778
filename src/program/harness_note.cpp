#include "program/harness_note.h"

#include "base/error.h"
#include "program/compile.h"
#include "program/discover.h"
#include "program/layout.h"

#include <algorithm>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace faultline::program {

// The members that a note in bitcode has.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NamedParameter, name, before, between, after, extents, leaves, read, written, of,
                                   first, declared, choices)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HarnessNote, function, symbol, file, line, name, text, parameters, families,
                                   obstacle, needs_size, misread)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ConstantExtents, symbol, parameter, extents)

using Json = nlohmann::json;

namespace {

// Returns the number of a cell of this parameter: 3 for v[3], 0 for v. Nothing for cells of other parameters.
std::optional<uint64_t> number_of(const model::Cell& cell, const NamedParameter& named) {
  if (cell.name == named.name)
    return 0;
  if (!cell.name.starts_with(named.name + "["))
    return std::nullopt;
  return std::stoull(cell.name.substr(named.name.size() + 1));
}

void rename(std::vector<model::Cell>& cells, const NamedParameter& named, bool wanted) {
  for (model::Cell& cell : cells)
    if (const auto number = number_of(cell, named)) {
      cell.name = wanted ? named.cell(*number) : "";
      if (!named.choices.empty()) {
        cell.values.resize(named.choices.size());
        std::iota(cell.values.begin(), cell.values.end(), 0);
      }
    }
  std::erase_if(cells, [](const model::Cell& cell) { return cell.name.empty(); });
}

void rename(model::Target& target, const NamedParameter& named) {
  rename(target.inputs, named, named.read);
  rename(target.outputs, named, named.written);
  const auto parameter = std::ranges::find(target.parameters, named.name, &model::Parameter::name);
  if (parameter == target.parameters.end())
    return;
  const bool is_part = named.extents.empty() && named.leaves.size() == 1; // of a struct
  parameter->name = is_part ? named.of + named.leaves.front() : named.of;
  if (!named.extents.empty())
    parameter->extents = named.extents;
  if (!named.declared.empty())
    parameter->declared_extents = named.declared;
}

constexpr const char* list_name = "faultline.harnesses";

void add(llvm::Module& module, const Json& json) {
  llvm::LLVMContext& context = module.getContext();
  module.getOrInsertNamedMetadata(list_name)->addOperand(
      llvm::MDNode::get(context, llvm::MDString::get(context, json.dump(-1, ' ', true))));
}

} // namespace

model::Target harnessed(const llvm::Function* harness, const HarnessNote& note, const ShapesOf& shapes_of) {
  model::Target target;
  target.function = note.function;
  target.file = base::shown_path("", note.file);
  target.line = note.line;
  if (harness && note.exists()) {
    const model::Target place = target;
    target = discover(*harness, [&](const model::Target&) {
      model::Shapes shapes = shapes_of(place);
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
      refuse(target, "it has no input", model::Obstacle::no_input);
  } else {
    refuse(target, note.exists() ? "its harness is gone" : note.obstacle,
           note.needs_size                                            ? model::Obstacle::size
           : note.obstacle.find("needs state (") != std::string::npos ? model::Obstacle::state
                                                                      : model::Obstacle::harness);
  }
  const char* comment = language_of(note.file) == Language::fortran ? "! " : "// ";
  target.harness = note.text.empty() ? comment + note.obstacle + "\n" : note.text;
  target.called_symbol = note.symbol;
  target.families = note.families;
  return target;
}

uint64_t NamedParameter::count() const {
  uint64_t count = std::max<size_t>(leaves.size(), 1);
  for (const uint64_t extent : extents)
    count *= extent;
  return count;
}

std::string NamedParameter::cell(uint64_t index) const {
  const std::string leaf = leaves.empty() ? "" : leaves[index % leaves.size()];
  index /= std::max<size_t>(leaves.size(), 1);
  std::string indices;
  for (size_t i = 0; i < first.size() && i < extents.size(); index /= extents[i], ++i)
    indices += (i == 0 ? "" : between) + std::to_string(first[i] + int64_t(index % extents[i]));
  for (size_t i = first.empty() ? extents.size() : 0; i-- > 0; index /= extents[i])
    indices = std::to_string(index % extents[i]) + (indices.empty() ? "" : between + indices);
  return before + indices + after + leaf;
}

const HarnessNote* HarnessNotes::of_function(const std::string& symbol) const {
  const auto found = std::ranges::find(harnesses, symbol, &HarnessNote::symbol);
  return found == harnesses.end() ? nullptr : &*found;
}

const HarnessNote* HarnessNotes::named(const std::string& harness) const {
  const auto found = std::ranges::find(harnesses, harness, &HarnessNote::name);
  return found == harnesses.end() ? nullptr : &*found;
}

std::string with_notes(const std::string& bitcode, const HarnessNotes& notes) {
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile({bitcode, "unit"}, context);
  if (!module) {
    llvm::consumeError(module.takeError());
    return bitcode; // the next reader reports it
  }
  for (const HarnessNote& note : notes.harnesses)
    add(**module, note);
  for (const ConstantExtents& one : notes.extents)
    add(**module, one);
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::WriteBitcodeToFile(**module, stream);
  return text;
}

HarnessNotes notes_in(const llvm::Module& module) {
  HarnessNotes notes;
  const llvm::NamedMDNode* list = module.getNamedMetadata(list_name);
  for (unsigned i = 0; list && i < list->getNumOperands(); ++i) {
    const llvm::MDNode& node = *list->getOperand(i);
    const auto* text = node.getNumOperands() == 1 ? llvm::dyn_cast<llvm::MDString>(node.getOperand(0)) : nullptr;
    if (!text)
      continue;
    try {
      const Json json = Json::parse(text->getString().str());
      if (json.contains("function"))
        notes.harnesses.push_back(json.get<HarnessNote>());
      else
        notes.extents.push_back(json.get<ConstantExtents>());
    } catch (const Json::exception&) { // not written by Faultline
      continue;
    }
  }
  return notes;
}

} // namespace faultline::program
