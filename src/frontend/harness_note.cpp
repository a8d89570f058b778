#include "frontend/harness_note.h"

#include "frontend/compile.h"
#include "frontend/discover.h"
#include "frontend/error.h"
#include "frontend/layout.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Support/raw_ostream.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace faultline::frontend {

namespace {

// Returns the number of a cell of this parameter: 3 for v[3], 0 for v. Nothing for cells of other parameters.
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

namespace {

using Json = nlohmann::json;

constexpr const char* list_name = "faultline.harnesses";

Json to_json(const NamedParameter& named) {
  return {{"name", named.name},
          {"before", named.before},
          {"between", named.between},
          {"after", named.after},
          {"extents", named.extents},
          {"leaves", named.leaves},
          {"read", named.read},
          {"written", named.written},
          {"of", named.of},
          {"first", named.first},
          {"declared", named.declared_extents},
          {"choices", named.choices}};
}

Json to_json(const HarnessNote& note) {
  Json parameters = Json::array();
  for (const NamedParameter& named : note.parameters)
    parameters.push_back(to_json(named));
  return {{"function", note.function}, {"symbol", note.symbol},
          {"file", note.file},         {"line", note.line},
          {"name", note.name},         {"text", note.text},
          {"parameters", parameters},  {"families", note.families},
          {"obstacle", note.obstacle}, {"needs_size", note.needs_size},
          {"misread", note.misread}};
}

NamedParameter named_from(const Json& json) {
  return {json.at("name"),    json.at("before"), json.at("between"),  json.at("after"),
          json.at("extents"), json.at("leaves"), json.at("read"),     json.at("written"),
          json.at("of"),      json.at("first"),  json.at("declared"), json.at("choices")};
}

HarnessNote note_from(const Json& json) {
  HarnessNote note{json.at("function"),
                   json.at("symbol"),
                   json.at("file"),
                   json.at("line"),
                   json.at("name"),
                   json.at("text"),
                   {},
                   json.at("families"),
                   json.at("obstacle"),
                   json.at("needs_size"),
                   json.at("misread")};
  for (const Json& parameter : json.at("parameters"))
    note.parameters.push_back(named_from(parameter));
  return note;
}

void add(llvm::Module& module, const Json& json) {
  llvm::LLVMContext& context = module.getContext();
  module.getOrInsertNamedMetadata(list_name)->addOperand(
      llvm::MDNode::get(context, llvm::MDString::get(context, json.dump(-1, ' ', true))));
}

} // namespace

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
    add(**module, to_json(note));
  for (const ConstantExtents& one : notes.extents)
    add(**module, {{"symbol", one.symbol}, {"parameter", one.parameter}, {"extents", one.extents}});
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
        notes.harnesses.push_back(note_from(json));
      else
        notes.extents.push_back({json.at("symbol"), json.at("parameter"), json.at("extents")});
    } catch (const Json::exception&) { // not written by Faultline
      continue;
    }
  }
  return notes;
}

} // namespace faultline::frontend
